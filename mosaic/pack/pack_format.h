// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The numbers of a pack's file, which docs/pack-format.md specifies byte by byte.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "mosaic/base/content_hash.h"

namespace mosaic::pack {

inline constexpr std::string_view kMagic = "MOSPACK\n", kChunkMagic = "MOSC", kEndMagic = "MOSE";
inline constexpr uint32_t kVersion = 1;

/// Sides of a photo's levels, pixels: the small ones are raw RGB, the others JPEG files.
inline constexpr std::array kRawSides = {16, 32, 64};
inline constexpr std::array kJpegSides = {128, 256, 512, 1024};
inline constexpr int kRawLevels = kRawSides.size(), kLevels = kRawLevels + kJpegSides.size();

constexpr int side_of(int level) {
  return level < kRawLevels ? kRawSides[level] : kJpegSides[level - kRawLevels];
}

constexpr size_t raw_bytes(int side) {
  return size_t{3} * side * side;
}

inline constexpr size_t kHeaderBytes = 16;       // magic, version, zero
inline constexpr size_t kChunkHeaderBytes = 32;  // magic, photos, bytes, names, checksum
inline constexpr size_t kEntryBytes = 88;        // source, levels' hashes, JPEGs' and name's length
inline constexpr size_t kEndBytes = 40;          // magic, zero, photos, hash, checksum
inline constexpr int kMostInChunk = 64;
inline constexpr size_t kMostNameBytes = 4096, kMostJpegBytes = size_t{16} << 20;
inline constexpr uint64_t kMostPhotos = uint64_t{1} << 24;

/// A photo as a pack keeps it.
struct PackedPhoto {
  std::string name;     ///< 1 to kMostNameBytes bytes, none of them 0
  uint64_t source = 0;  ///< a hash that changes when the photo does, or the levels that are wanted
  /// First those of kRawSides, which are always there: uint8, sRGB, [side][side][3: R, G, B]. Then
  /// those of kJpegSides: JPEG files of at most kMostJpegBytes; empty: absent, as are all larger
  /// ones.
  std::array<std::vector<uint8_t>, kLevels> levels;
};

/// Identifies the content of a pack: the names and levels of its photos, in their order.
using Hash = ContentHash;

}  // namespace mosaic::pack
