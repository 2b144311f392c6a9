// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

namespace mosaic {

/// A hash of 128 bits that identifies what a file holds.
struct ContentHash {
  uint64_t low = 0, high = 0;
  bool operator==(const ContentHash&) const = default;
  /// 32 hexadecimal digits
  std::string text() const {
    char text[33];
    std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(high),
                  static_cast<unsigned long long>(low));
    return text;
  }
};

}  // namespace mosaic
