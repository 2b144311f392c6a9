// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Files of settings, a key and a value each, in TOML or YAML.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace mosaic {

/// One key of a file and its value. The functions that read the value throw Error (kSettings),
/// naming the file, the line and what is allowed, where it is anything else.
class Setting {
 public:
  struct Other {};  ///< nothing that a setting can be: null, a date, a table, a list of texts
  using Value =
      std::variant<Other, bool, int64_t, double, std::string, std::vector<int64_t> /* a list */>;

  /// @param file its name in errors; @param line from 1 on
  Setting(const std::string& file, int line, std::string_view key, Value value)
      : where_(file + ", line " + std::to_string(line) + ": "),
        line_(line),
        key_(key),
        value_(std::move(value)) {}

  const std::string& key() const { return key_; }
  const Value& value() const { return value_; }
  int line() const { return line_; }

  bool boolean() const;
  double number(double least, double most) const;
  int whole(double least, double most) const;
  /// A text without NUL.
  const std::string& text() const;
  /// The index of the word that it is.
  int word(std::span<const std::string_view> words) const;

  /// What is wrong with the setting, and what would be right.
  [[noreturn]] void fail(const std::string& what, const std::string& hint) const;
  /// That there is no such key. @param keys those there are, with commas
  [[noreturn]] void fail_unknown(const std::string& keys) const;

 private:
  std::string where_;
  int line_;
  std::string key_;
  Value value_;
};

/// The settings in a text, by line; no key twice. @param name of the file in errors
/// Throws Error (kSettings), naming the line, where the text is no TOML or no YAML. Of YAML,
/// aliases, lists more than 100 deep and more than one document are not taken.
std::vector<Setting> parse_toml(std::string_view text, const std::string& name);
std::vector<Setting> parse_yaml(std::string_view text, const std::string& name);

/// The settings in a file, by the ending of its name: .toml, .yaml or .yml.
/// Throws Error as the functions above do; kSettings for another ending; kNotFound; kRead for what
/// is no regular file or larger than kMostSettingsBytes.
std::vector<Setting> read_settings(const std::string& path);
inline constexpr int64_t kMostSettingsBytes = 64 * 1024;

}  // namespace mosaic
