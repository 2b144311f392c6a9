// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "cuda/cell_stats.h"
#include "cuda/group.h"
#include "cuda/kernel_list.h"

namespace mt {

/// A squared distance of features is kept without its lowest bits, so that it fits 31:
/// 25 squares x (Lab distance of two sRGB colours)^2 < 83,900 x (64)^2, and the histograms' little.
inline constexpr int kDistanceShift = 3;

/// The squared distance of two feature vectors, >> kDistanceShift.
///
/// Summed modulo 2^32 over thirds, which is exact: a third holds at most 9 of the 25 squares (see
/// feature_slot), and 9 x 83,900 x 64^2 plus what histograms can add is below 2^32. What is left is
/// a 32-bit sum of products of 16-bit numbers, which processors have an instruction for.
static MT_HD inline int32_t feature_distance(const int16_t* a, const int16_t* b) {
  uint64_t total = 0;
  for (int begin = 0; begin < kFeatureStride; begin += kFeatureThird) {
    uint32_t sum = 0;
    for (int i = 0; i < kFeatureThird; ++i) {
      const int16_t d = static_cast<int16_t>(a[begin + i] - b[begin + i]);
      sum += static_cast<uint32_t>(d * d);
    }
    total += sum;
  }
  return static_cast<int32_t>(total >> kDistanceShift);
}

/// Distances of cells to tiles. Index: block of kCells cells x block of kTiles tiles, tiles running
/// fastest; see count().
struct Distance {
  static constexpr KernelId kId = KernelId::kDistance;
  static constexpr int kCells = 8;
  static constexpr int kTiles = 256;
  const int32_t* list;  ///< [listed]: the cells to do
  int32_t listed;
  const int16_t* cells;  ///< [all cells][kFeatureStride]
  const int16_t* tiles;  ///< [tile_count][kFeatureStride]
  int32_t tile_count;
  int32_t* distances;  ///< [listed][tile_count]
  int32_t* farthest;   ///< [listed][tile_blocks()]: the largest of each block of tiles

  MT_HD int tile_blocks() const { return (tile_count + kTiles - 1) / kTiles; }
  MT_HD int count() const { return (listed + kCells - 1) / kCells * tile_blocks(); }

  template <class Group>
  MT_HD void operator()(Group& g, int block) const {
    const int blocks = tile_blocks(), tile_block = block % blocks;
    const int first_cell = block / blocks * kCells, first_tile = tile_block * kTiles;
    const int cell_end = first_cell + kCells < listed ? first_cell + kCells : listed;
    const int tile_end = first_tile + kTiles < tile_count ? first_tile + kTiles : tile_count;
    for (int r = first_cell; r < cell_end; ++r) {
      const int16_t* cell = cells + static_cast<int64_t>(list[r]) * kFeatureStride;
      const int16_t* tile = tiles + static_cast<int64_t>(first_tile) * kFeatureStride;
      int32_t* out = distances + static_cast<int64_t>(r) * tile_count + first_tile;
      g.for_each(tile_end - first_tile, [=](int t) {
        out[t] = feature_distance(cell, tile + static_cast<int64_t>(t) * kFeatureStride);
      });
      g.sync();
      int32_t most = 0;
      g.for_each(tile_end - first_tile,
                 [=, &most](int t) { most = out[t] > most ? out[t] : most; });
      const uint64_t least = g.min(static_cast<uint64_t>(INT32_MAX - most));
      g.for_each(1, [=, to = farthest](int) {
        to[static_cast<int64_t>(r) * blocks + tile_block] = static_cast<int32_t>(INT32_MAX - least);
      });
    }
  }
};

}  // namespace mt
