// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/options/property_value.h"

#include <glib.h>

#include <algorithm>
#include <string_view>

#include "mosaic/base/list_text.h"

namespace mosaic_program {
namespace {

/// Where a range ends because a type does.
constexpr std::string_view kEndless[] = {"2147483647", "4294967295", "18446744073709551615"};

bool is_endless(const PropertyInfo& property) {
  return std::find(std::begin(kEndless), std::end(kEndless), property.most) != std::end(kEndless);
}

std::string range_hint(const PropertyInfo& property) {
  const std::string kind = property.type == PropertyType::kWhole ? "a whole number" : "a number";
  if (is_endless(property)) return "use " + kind + " of at least " + property.least;
  return "use " + kind + " from " + property.least + " to " + property.most;
}

std::string number_objection(const PropertyInfo& property, const std::string& value) {
  gchar* end = nullptr;
  const double number = g_ascii_strtod(value.c_str(), &end);
  if (end == value.c_str() || *end != 0) return "it is not a number: " + range_hint(property);
  if (!(number >= g_ascii_strtod(property.least, nullptr) &&
        number <= g_ascii_strtod(property.most, nullptr)))
    return "it is out of range: " + range_hint(property);
  return {};
}

std::string whole_objection(const PropertyInfo& property, const std::string& value) {
  const size_t digits = value.find_first_not_of("+-") == 1 ? 1 : 0;
  if (value.size() == digits || value.find_first_not_of("0123456789", digits) != value.npos) {
    const std::string why = number_objection(property, value);
    return why.empty() ? "it is not a whole number: " + range_hint(property) : why;
  }
  GError* error = nullptr;
  const bool valid = property.least[0] == '-'
                         ? g_ascii_string_to_signed(
                               value.c_str(), 10, g_ascii_strtoll(property.least, nullptr, 10),
                               g_ascii_strtoll(property.most, nullptr, 10), nullptr, &error)
                         : g_ascii_string_to_unsigned(
                               value.c_str(), 10, g_ascii_strtoull(property.least, nullptr, 10),
                               g_ascii_strtoull(property.most, nullptr, 10), nullptr, &error);
  g_clear_error(&error);
  return valid ? "" : "it is out of range: " + range_hint(property);
}

std::string switch_objection(const std::string& value) {
  for (const char* word : {"true", "false", "yes", "no", "t", "f", "1", "0"})
    if (g_ascii_strcasecmp(word, value.c_str()) == 0) return {};
  return "use true or false";
}

std::string word_objection(const PropertyInfo& property, const std::string& word) {
  if (std::find(property.words.begin(), property.words.end(), word) != property.words.end())
    return {};
  return "use " + mosaic::choice_text(property.words);
}

/// Words with + between them, or none.
std::string words_objection(const PropertyInfo& property, const std::string& value) {
  size_t start = 0;
  while (start < value.size()) {
    const size_t end = std::min(value.find('+', start), value.size());
    const std::string why = word_objection(property, value.substr(start, end - start));
    if (!why.empty()) return why + "; several are joined by +";
    start = end + 1;
  }
  return {};
}

std::string joined(const std::vector<std::string>& words, char by) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : std::string(1, by)) + word;
  return text;
}

}  // namespace

std::string allowed_text(const PropertyInfo& property) {
  switch (property.type) {
    case PropertyType::kWhole:
    case PropertyType::kNumber:
      return std::string(property.least) + ".." + (is_endless(property) ? "" : property.most);
    case PropertyType::kSwitch:
      return "true|false";
    case PropertyType::kWord:
      return joined(property.words, '|');
    case PropertyType::kWords:
      return joined(property.words, '+');
    default:
      return "TEXT";
  }
}

std::string objection(const PropertyInfo& property, const std::string& value) {
  switch (property.type) {
    case PropertyType::kWhole:
      return whole_objection(property, value);
    case PropertyType::kNumber:
      return number_objection(property, value);
    case PropertyType::kSwitch:
      return switch_objection(value);
    case PropertyType::kWord:
      return word_objection(property, value);
    case PropertyType::kWords:
      return words_objection(property, value);
    default:
      return {};
  }
}

}  // namespace mosaic_program
