// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Writing numbers in a pack's order of bytes, and its 64-bit hashes.
#pragma once

#include <xxhash.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "mosaic/pack/pack_format.h"
#include "mosaic/photos/formats/file_bytes.h"

namespace mosaic::pack {

using Bytes = std::vector<uint8_t>;

/// Appends a number, the least significant byte first.
inline void append(Bytes& to, uint64_t value, int size) {
  for (int i = 0; i < size; ++i) to.push_back(static_cast<uint8_t>(value >> 8 * i));
}
inline void append(Bytes& to, std::string_view text) {
  to.insert(to.end(), text.begin(), text.end());
}

inline uint64_t number64(FileBytes bytes, size_t at) {
  return little_endian(bytes, at, 4) | uint64_t{little_endian(bytes, at + 4, 4)} << 32;
}

inline uint64_t hash_of(FileBytes bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace mosaic::pack
