// SPDX-License-Identifier: LGPL-2.1-or-later
#include <yaml.h>

#include <algorithm>
#include <charconv>
#include <new>
#include <set>

#include "mosaic/base/error.h"
#include "mosaic/settings/settings_file.h"

namespace mosaic {
namespace {

/// No setting has nested lists, and the parser's time grows with the square of their depth.
constexpr int kDeepest = 100;

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

template <class Number>
bool fills(std::string_view text, Number* value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return error == std::errc() && end == text.data() + text.size();
}

/// The value of an unquoted scalar in YAML 1.1, without the rare kinds of numbers: octal,
/// hexadecimal, base 60, infinite.
Setting::Value resolve(std::string_view text) {
  if (is_one_of(text, {"", "~", "null", "Null", "NULL"})) return Setting::Other{};
  if (is_one_of(text, {"true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"})) return true;
  if (is_one_of(text, {"false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"}))
    return false;
  if (text.find_first_not_of("0123456789+-.eE") == text.npos) {
    std::string_view digits = text;
    if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
    int64_t whole = 0;
    double real = 0;
    if (fills(digits, &whole)) return whole;
    if (fills(digits, &real)) return real;
  }
  return std::string(text);
}

class YamlReader {
 public:
  YamlReader(std::string_view text, const std::string& name) : text_(text), name_(name) {
    if (!yaml_parser_initialize(&parser_)) throw std::bad_alloc();
    // An empty text may be a null pointer, which the library does not accept.
    const char* bytes = text.empty() ? "" : text.data();
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(bytes),
                                 text.size());
  }
  ~YamlReader() {
    yaml_event_delete(&event_);
    yaml_parser_delete(&parser_);
  }
  YamlReader(const YamlReader&) = delete;
  YamlReader& operator=(const YamlReader&) = delete;

  std::vector<Setting> read() {
    std::vector<Setting> settings;
    next();  // the stream starts
    if (next() == YAML_STREAM_END_EVENT) return settings;
    const yaml_event_type_t root = next();
    const bool nothing = root == YAML_SCALAR_EVENT && scalar().empty();
    if (root == YAML_MAPPING_START_EVENT)
      read_mapping(&settings);
    else if (!nothing)
      fail(line(), "this is not a list of settings");
    next();  // the document ends
    if (next() != YAML_STREAM_END_EVENT) fail(line(), "there is a second document");
    return settings;
  }

 private:
  [[noreturn]] void fail(int line, const std::string& what) const {
    throw Error(Error::Kind::kSettings, name_ + ", line " + std::to_string(line) + ": " + what,
                "in YAML, settings are lines like  key: value");
  }

  int line() const { return static_cast<int>(event_.start_mark.line) + 1; }
  std::string_view scalar() const {
    return {reinterpret_cast<const char*>(event_.data.scalar.value), event_.data.scalar.length};
  }

  yaml_event_type_t next() {
    yaml_event_delete(&event_);
    if (!yaml_parser_parse(&parser_, &event_)) fail_to_parse();
    if (event_.type == YAML_ALIAS_EVENT) fail(line(), "aliases are not supported");
    return event_.type;
  }

  [[noreturn]] void fail_to_parse() const {
    if (parser_.error == YAML_MEMORY_ERROR) throw std::bad_alloc();
    const std::string what = parser_.problem ? parser_.problem : "this is not YAML";
    if (parser_.error != YAML_READER_ERROR)
      fail(static_cast<int>(parser_.problem_mark.line) + 1, what);
    // For bytes that are not text, the parser gives only their offset.
    const std::string_view before = text_.substr(0, parser_.problem_offset);
    fail(1 + static_cast<int>(std::count(before.begin(), before.end(), '\n')), what);
  }

  void read_mapping(std::vector<Setting>* settings) {
    std::set<std::string> keys;
    while (next() != YAML_MAPPING_END_EVENT) {
      if (event_.type != YAML_SCALAR_EVENT) fail(line(), "a key is not a string");
      const std::string key(scalar());
      const int at = line();
      if (!keys.insert(key).second) fail(at, key + " is set for the second time");
      next();
      settings->emplace_back(name_, at, key, read_value());
    }
  }

  /// The value that begins with the current event. Reads all events of a list or a mapping.
  Setting::Value read_value() {
    if (event_.type == YAML_SCALAR_EVENT) return read_scalar();
    bool takes = event_.type == YAML_SEQUENCE_START_EVENT;
    std::vector<int64_t> list;
    for (int depth = 1; depth > 0;) {
      const yaml_event_type_t type = next();
      if (type == YAML_SEQUENCE_END_EVENT || type == YAML_MAPPING_END_EVENT) {
        --depth;
      } else if (type == YAML_SCALAR_EVENT) {
        const Setting::Value item = read_scalar();
        const auto* whole = std::get_if<int64_t>(&item);
        takes = takes && whole;
        if (takes) list.push_back(*whole);
      } else {
        takes = false;
        if (++depth > kDeepest) fail(line(), "lists are nested too deeply");
      }
    }
    if (takes) return list;
    return Setting::Other{};
  }

  Setting::Value read_scalar() const {
    const auto& s = event_.data.scalar;
    const std::string_view tag = s.tag ? reinterpret_cast<const char*>(s.tag) : "";
    if (tag.empty() ? s.style != YAML_PLAIN_SCALAR_STYLE : is_one_of(tag, {"!", YAML_STR_TAG}))
      return std::string(scalar());
    if (!is_one_of(tag, {"", YAML_BOOL_TAG, YAML_INT_TAG, YAML_FLOAT_TAG})) return Setting::Other{};
    return resolve(scalar());
  }

  std::string_view text_;
  const std::string& name_;
  yaml_parser_t parser_{};
  yaml_event_t event_{};
};

}  // namespace

std::vector<Setting> parse_yaml(std::string_view text, const std::string& name) {
  return YamlReader(text, name).read();
}

}  // namespace mosaic
