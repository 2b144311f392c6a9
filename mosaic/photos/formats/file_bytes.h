// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Reading numbers and names from the bytes of a file.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace mosaic {

using FileBytes = std::span<const uint8_t>;

inline bool has(FileBytes bytes, size_t at, std::string_view text) {
  return at + text.size() <= bytes.size() &&
         std::memcmp(bytes.data() + at, text.data(), text.size()) == 0;
}

inline uint32_t little_endian(FileBytes bytes, size_t at, int size) {
  uint32_t value = 0;
  for (int i = size; i-- > 0;) value = value << 8 | bytes[at + i];
  return value;
}

inline uint32_t big_endian(FileBytes bytes, size_t at, int size) {
  uint32_t value = 0;
  for (int i = 0; i < size; ++i) value = value << 8 | bytes[at + i];
  return value;
}

}  // namespace mosaic
