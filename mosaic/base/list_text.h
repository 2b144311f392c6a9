// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <iterator>
#include <string>
#include <string_view>

namespace mosaic {

/// The words of a range as "a, b, c".
/// @param before_last what stands before the last word instead of ", "
template <class Words>
std::string list_text(const Words& words, std::string_view before_last = ", ") {
  std::string text;
  auto left = std::size(words);
  for (const std::string_view word : words) {
    if (!text.empty()) text += left == 1 ? before_last : ", ";
    text += word;
    --left;
  }
  return text;
}

/// The words of a range as "a, b or c".
template <class Words>
std::string choice_text(const Words& words) {
  return list_text(words, " or ");
}

}  // namespace mosaic
