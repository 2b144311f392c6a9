// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/profile.h"

#include <toml++/toml.h>
#include <fstream>
#include <sstream>

#include "mosaic/built_in_profiles.h"
#include "mosaic/error.h"

namespace mosaic {
namespace {

std::string number_text(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

std::string words_text(std::span<const std::string_view> words) {
  std::string text;
  for (std::string_view word : words) text += (text.empty() ? "" : ", ") + std::string(word);
  return text;
}

/// What one table of one file says.
class Reader {
 public:
  Reader(std::string name, Look& look) : name_(std::move(name)), look_(look) {}

  void read(const toml::table& table) {
    for (const auto& [key, node] : table) {
      if (key.str() == "description") continue;
      const LookField* field = find(key.str());
      if (!field)
        fail(key.source().begin, "there is no field " + std::string(key.str()), all_names());
      std::visit([&](auto member) { set(*field, member, node); }, field->member);
    }
  }

 private:
  [[noreturn]] void fail(const toml::source_position& at, const std::string& what,
                         const std::string& hint) const {
    throw Error(Error::Kind::kSettings, name_ + ", line " + std::to_string(at.line) + ": " + what,
                hint);
  }

  static const LookField* find(std::string_view name) {
    for (const LookField& field : look_fields())
      if (field.name == name) return &field;
    return nullptr;
  }

  static std::string all_names() {
    std::string text;
    for (const LookField& field : look_fields())
      text += (text.empty() ? "fields: " : ", ") + std::string(field.name);
    return text;
  }

  double number(const LookField& field, const toml::node& node) const {
    const std::string range = "from " + number_text(field.least) + " to " + number_text(field.most);
    const auto value = node.value<double>();
    if (!value) fail(node.source().begin, std::string(field.name) + " is no number", range);
    if (!(*value >= field.least && *value <= field.most))
      fail(node.source().begin, std::string(field.name) + " is " + number_text(*value), range);
    return *value;
  }

  void set(const LookField& field, double Look::*member, const toml::node& node) {
    look_.*member = number(field, node);
  }
  void set(const LookField& field, int Look::*member, const toml::node& node) {
    if (!node.is_integer())
      fail(node.source().begin, std::string(field.name) + " is no whole number",
           "from " + number_text(field.least) + " to " + number_text(field.most));
    look_.*member = static_cast<int>(number(field, node));
  }
  void set(const LookField& field, bool Look::*member, const toml::node& node) {
    if (!node.is_boolean())
      fail(node.source().begin, std::string(field.name) + " is neither true nor false", "");
    look_.*member = *node.value<bool>();
  }
  void set(const LookField& field, PlacementKind Look::*member, const toml::node& node) {
    look_.*member = static_cast<PlacementKind>(word(field, placement_words(), node));
  }
  void set(const LookField& field, TransferKind Look::*member, const toml::node& node) {
    look_.*member = static_cast<TransferKind>(word(field, transfer_words(), node));
  }

  int word(const LookField& field, std::span<const std::string_view> words,
           const toml::node& node) const {
    const auto value = node.value<std::string_view>();
    for (size_t i = 0; value && i < words.size(); ++i)
      if (words[i] == *value) return static_cast<int>(i);
    fail(node.source().begin, std::string(field.name) + " is none of its words", words_text(words));
  }

  std::string name_;
  Look& look_;
};

Look parse(std::string_view text, const std::string& name) {
  Look look;
  try {
    Reader(name, look).read(toml::parse(text));
  } catch (const toml::parse_error& error) {
    throw Error(Error::Kind::kSettings,
                name + ", line " + std::to_string(error.source().begin.line) + ": " +
                    std::string(error.description()),
                "a profile is a TOML file of fields like  gamma = 0.95");
  }
  return look;
}

}  // namespace

std::vector<std::string> profile_names() {
  std::vector<std::string> names;
  for (const BuiltInProfile& profile : built_in_profiles()) names.emplace_back(profile.name);
  return names;
}

Look load_profile(const std::string& name_or_path) {
  for (const BuiltInProfile& profile : built_in_profiles())
    if (profile.name == name_or_path)
      return parse(profile.text, "profile " + std::string(profile.name));
  std::ifstream file(name_or_path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) {
    std::string names;
    for (const std::string& name : profile_names()) names += (names.empty() ? "" : ", ") + name;
    throw Error(Error::Kind::kNotFound, "there is no profile " + name_or_path,
                "a name (" + names + ") or the path of a TOML file");
  }
  return parse(text.view(), name_or_path);
}

}  // namespace mosaic
