// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>
#include <string_view>

namespace mosaic {

/// "a, b, c" of a range of what is text.
template <class Words>
std::string list_text(const Words& words) {
  std::string text;
  bool first = true;
  for (const std::string_view word : words) {
    if (!first) text += ", ";
    text += word;
    first = false;
  }
  return text;
}

}  // namespace mosaic
