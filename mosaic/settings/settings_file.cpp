// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/settings/settings_file.h"

#include <glib.h>
#include <toml++/toml.h>
#include <algorithm>
#include <sstream>

#include "mosaic/base/error.h"
#include "mosaic/base/list_text.h"
#include "mosaic/base/read_file.h"

namespace mosaic {
namespace {

constexpr size_t kLongestShown = 60;

std::string number_text(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

std::string range_text(double min, double max) {
  return "use a number from " + number_text(min) + " to " + number_text(max);
}

/// A text for messages: a long one is cut between UTF-8 characters.
std::string shortened(const std::string& text) {
  if (text.size() <= kLongestShown) return text;
  size_t end = kLongestShown;
  while (end > 0 && (text[end] & 0xc0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

[[noreturn]] void fail_toml(const std::string& name, int64_t line, const std::string& what) {
  throw Error(Error::Kind::kSettings, name + ", line " + std::to_string(line) + ": " + what,
              "in TOML, settings are lines like  key = value");
}

/// The parser reports the place of NUL and of bytes that are not UTF-8 only roughly: this finds the
/// line.
void check_utf8(std::string_view text, const std::string& name) {
  const char* end = text.data();
  if (g_utf8_validate_len(text.data(), text.size(), &end)) return;
  fail_toml(name, 1 + std::count(text.data(), end, '\n'), "this is not UTF-8 text");
}

Setting::Value value_of(const toml::node& node) {
  if (const auto* value = node.as_boolean()) return value->get();
  if (const auto* value = node.as_integer()) return value->get();
  if (const auto* value = node.as_floating_point()) return value->get();
  if (const auto* value = node.as_string()) return value->get();
  const toml::array* array = node.as_array();
  if (!array || !array->is_homogeneous<int64_t>()) return Setting::Other{};
  std::vector<int64_t> list;
  for (const toml::node& item : *array) list.push_back(item.as_integer()->get());
  return list;
}

}  // namespace

void Setting::fail(const std::string& what, const std::string& hint) const {
  throw Error(Error::Kind::kSettings, where_ + what, hint);
}

void Setting::fail_unknown(const std::string& keys, const std::string& question) const {
  fail("there is no field " + shortened(key_) + question, "fields: " + keys);
}

bool Setting::boolean() const {
  const bool* value = std::get_if<bool>(&value_);
  if (!value) fail(key_ + " is not a boolean", "use true or false");
  return *value;
}

double Setting::number(double min, double max) const {
  const auto* whole = std::get_if<int64_t>(&value_);
  const auto* real = std::get_if<double>(&value_);
  if (!whole && !real) fail(key_ + " is not a number", range_text(min, max));
  const double value = whole ? static_cast<double>(*whole) : *real;
  if (!(value >= min && value <= max))
    fail(key_ + " is " + number_text(value), range_text(min, max));
  return value;
}

int64_t Setting::whole(double min, double max) const {
  const auto* value = std::get_if<int64_t>(&value_);
  if (!value) fail(key_ + " is not a whole number", range_text(min, max));
  number(min, max);
  return *value;
}

const std::string& Setting::text() const {
  const auto* value = std::get_if<std::string>(&value_);
  if (!value) fail(key_ + " is not a string", "put it in quotation marks");
  if (value->find('\0') != value->npos) fail(key_ + " contains a NUL character", "remove it");
  return *value;
}

int Setting::word(std::span<const std::string_view> words) const {
  const auto* value = std::get_if<std::string>(&value_);
  for (size_t i = 0; i < words.size(); ++i)
    if (value && words[i] == *value) return static_cast<int>(i);
  fail(key_ + (value ? " \"" + shortened(*value) + "\"" : "") + " is not valid",
       "use " + choice_text(words));
}

std::vector<Setting> parse_toml(std::string_view text, const std::string& name) {
  check_utf8(text, name);
  std::vector<Setting> settings;
  try {
    for (const auto& [key, node] : toml::parse(text))
      settings.emplace_back(name, static_cast<int>(key.source().begin.line), key.str(),
                            value_of(node));
  } catch (const toml::parse_error& error) {
    fail_toml(name, error.source().begin.line, std::string(error.description()));
  }
  std::stable_sort(settings.begin(), settings.end(),
                   [](const Setting& a, const Setting& b) { return a.line() < b.line(); });
  return settings;
}

std::vector<Setting> read_settings(const std::string& path) {
  const bool toml = path.ends_with(".toml");
  if (!toml && !path.ends_with(".yaml") && !path.ends_with(".yml"))
    throw Error(Error::Kind::kSettings, "'" + path + "' is not a settings file",
                "its name must end in .toml, .yaml or .yml");
  std::vector<uint8_t> bytes;
  try {
    bytes = read_file(path, kMaxSettingsBytes);
  } catch (const Error& error) {
    throw Error(error.kind(), "cannot read settings '" + path + "': " + error.what());
  }
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return toml ? parse_toml(text, path) : parse_yaml(text, path);
}

}  // namespace mosaic
