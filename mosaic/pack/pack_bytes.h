// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The bytes of a pack and their 64-bit hashes.
#pragma once

#include <xxhash.h>

#include <cstdint>
#include <vector>

#include "mosaic/base/bytes.h"

namespace mosaic::pack {

using Bytes = std::vector<uint8_t>;

inline uint64_t hash_of(FileBytes bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace mosaic::pack
