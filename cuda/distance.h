// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "cuda/cell_stats.h"
#include "cuda/cost_scale.h"

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
  CellChoice choice;
  int32_t first, rows;   ///< cells first..first + rows - 1
  const int16_t* cells;  ///< [all cells][kFeatureStride]
  const int16_t* tiles;  ///< [tile_count][kFeatureStride]
  int32_t tile_count;
  int32_t* distances;  ///< [rows][tile_count]
  int32_t* farthest;   ///< [all cells][tile_blocks(tile_count)]: the largest of each block of tiles

  static MT_HD int tile_blocks(int tiles) { return (tiles + kTiles - 1) / kTiles; }
  MT_HD int count() const { return (rows + kCells - 1) / kCells * tile_blocks(tile_count); }

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    const int block = index % tile_blocks(tile_count);
    const int first_row = index / tile_blocks(tile_count) * kCells;
    const int end = first_row + kCells < rows ? first_row + kCells : rows;
    for (int row = first_row; row < end; ++row)
      if (choice(first + row)) measure(g, row, block);
  }

 private:
  template <class Group>
  MT_HD void measure(Group& g, int row, int block) const {
    const int first_tile = block * kTiles;
    const int n = tile_count - first_tile < kTiles ? tile_count - first_tile : kTiles;
    const int64_t cell = first + row;
    const int16_t* a = cells + cell * kFeatureStride;
    const int16_t* b = tiles + static_cast<int64_t>(first_tile) * kFeatureStride;
    int32_t* out = distances + static_cast<int64_t>(row) * tile_count + first_tile;
    g.for_each(n, [=](int t) {
      out[t] = feature_distance(a, b + static_cast<int64_t>(t) * kFeatureStride);
    });
    g.sync();
    int32_t most = 0;
    g.for_each(n, [=, &most](int t) { most = out[t] > most ? out[t] : most; });
    const uint64_t least = g.min(static_cast<uint64_t>(INT32_MAX - most));
    int32_t* to = farthest + cell * tile_blocks(tile_count) + block;
    g.for_each(1, [=](int) { *to = static_cast<int32_t>(INT32_MAX - least); });
  }
};

}  // namespace mt
