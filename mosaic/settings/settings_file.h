// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Settings files in TOML or YAML: a list of keys with a value each.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace mosaic {

/// One key of a file and its value. The functions that read the value throw Error (kSettings),
/// naming the file, the line and what is allowed, where the value is not of that type or range.
class Setting {
 public:
  struct Other {};  ///< of a type that no setting has: null, a date, a table, a list of texts
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
  double number(double min, double max) const;
  int64_t whole(double min, double max) const;
  /// A text, which does not contain NUL.
  const std::string& text() const;
  /// The index of the value in `words`, the list of valid values.
  int word(std::span<const std::string_view> words) const;

  /// Throws an Error about this setting. @param what is wrong with it; @param hint what to do
  [[noreturn]] void fail(const std::string& what, const std::string& hint) const;
  /// Throws an Error that says that there is no such key. @param keys all that exist, separated by
  /// commas; @param question what may have been meant (did_you_mean())
  [[noreturn]] void fail_unknown(const std::string& keys, const std::string& question = "") const;

 private:
  std::string where_;
  int line_;
  std::string key_;
  Value value_;
};

/// The settings in a text, in the order of lines; no key occurs twice.
/// @param name of the file in errors
/// Throws Error (kSettings), naming the line, where the text is not valid TOML or YAML. YAML
/// with aliases, lists nested more than 100 deep or more than one document is refused.
std::vector<Setting> parse_toml(std::string_view text, const std::string& name);
std::vector<Setting> parse_yaml(std::string_view text, const std::string& name);

/// The settings in a file, whose format follows from its extension: .toml, .yaml or .yml.
/// Throws Error as the functions above do; kSettings for another extension; kNotFound; kRead where
/// it is not a regular file or larger than kMaxSettingsBytes.
std::vector<Setting> read_settings(const std::string& path);
inline constexpr int64_t kMaxSettingsBytes = 64 * 1024;

}  // namespace mosaic
