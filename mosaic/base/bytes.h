// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Reading numbers and names from bytes, and appending them.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

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

inline uint64_t little_endian64(FileBytes bytes, size_t at) {
  return little_endian(bytes, at, 4) | uint64_t{little_endian(bytes, at + 4, 4)} << 32;
}

inline uint32_t big_endian(FileBytes bytes, size_t at, int size) {
  uint32_t value = 0;
  for (int i = 0; i < size; ++i) value = value << 8 | bytes[at + i];
  return value;
}

/// Appends a number, the least significant byte first.
inline void append(std::vector<uint8_t>& to, uint64_t value, int size) {
  for (int i = 0; i < size; ++i) to.push_back(static_cast<uint8_t>(value >> 8 * i));
}
inline void append(std::vector<uint8_t>& to, std::string_view text) {
  to.insert(to.end(), text.begin(), text.end());
}

}  // namespace mosaic
