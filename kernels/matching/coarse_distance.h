// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Coarse distances of cells to tiles, as a product of matrices: |a - b|^2 = |a|^2 + |b|^2 - 2 ab.
/// They only tell which tiles need not be compared exactly.
///
/// A coarse feature is the feature times 2^kCoarseBits, an integer. A squared distance then fits 32
/// bits (25 x 83,900 x 2^10, see kDistanceBits), so sums modulo 2^32 suffice.
///
/// Rounding to 1/64 and then to 1/32 moves a feature by -1/128 to 3/128, so the difference of two
/// features by at most 1/32, and a distance, which has 191 of them, by at most sqrt(191) / 32: less
/// than 14 in units of coarse features. kCoarseError also covers the rounding of exact distances.
#pragma once

#include <math.h>

#include "kernels/features/cell_stats.h"
#include "kernels/kernel_list.h"
#include "kernels/matching/cost_scale.h"
#include "kernels/matching/distance.h"
#include "kernels/math/products.h"

namespace mt {

inline constexpr int kCoarseBits = 5;
inline constexpr int kCoarseError = 16;
static_assert(kFeatureScale == 2 << kCoarseBits && kFeatureStride % 2 == 0);

static MT_HD inline int16_t coarse_feature(int16_t feature) {
  return static_cast<int16_t>((feature + 1) >> 1);
}

/// The coarse distance that tiles up to a given coarse distance may have after an error of
/// kCoarseError in both directions: none that is exactly as near as one of them is farther.
static MT_HD inline uint32_t coarse_above(uint32_t distance) {
  constexpr uint32_t kTwice = 2 * kCoarseError;
  const float root = sqrtf(static_cast<float>(distance)) + 1;  // + 1: for rounding
  const uint64_t above = distance + static_cast<uint64_t>(root * (2 * kTwice)) + kTwice * kTwice;
  return above < UINT32_MAX ? static_cast<uint32_t>(above) : UINT32_MAX;
}
/// The other way: a tile that is exactly as far as one at `distance` is at least this far.
static MT_HD inline uint32_t coarse_below(uint32_t distance) {
  const uint64_t less =
      static_cast<uint64_t>(sqrtf(static_cast<float>(distance)) + 1) * 4 * kCoarseError;
  return less < distance ? static_cast<uint32_t>(distance - less) : 0;
}
/// A coarse distance of 1 as an exact one.
inline constexpr float kCoarseUnit = 1.0f / (1 << (2 * kCoarseBits - kDistanceBits));

/// A lower bound on the exact distance of a tile, up to rounding: its square root differs from that
/// of the coarse distance, in the same unit, by no more than kCoarseError.
static MT_HD inline float least_distance(uint32_t coarse) {
  const auto distance = static_cast<float>(coarse);
  return (distance - 2 * kCoarseError * (sqrtf(distance) + 1)) * kCoarseUnit;
}

/// Coarse features of cells. Index: cell.
struct CoarseCells {
  static constexpr KernelId kId = KernelId::kCoarseCells;
  CellChoice choice;
  const int16_t* features;  ///< [cells][kFeatureStride], times kFeatureScale
  int16_t* coarse;          ///< [cells][kFeatureStride], written where `choice` holds
  uint32_t* norms;          ///< [cells], written likewise: sums of squares, modulo 2^32

  template <class Group>
  MT_HD void operator()(Group& g, int cell) const {
    if (!choice(cell)) return;
    const int16_t* in = features + static_cast<int64_t>(cell) * kFeatureStride;
    int16_t* out = coarse + static_cast<int64_t>(cell) * kFeatureStride;
    uint32_t sum = 0;
    g.for_each(kFeatureStride, [=, &sum](int i) {
      const int16_t v = coarse_feature(in[i]);
      out[i] = v;
      sum += static_cast<uint32_t>(v * v);
    });
    const auto all = static_cast<uint32_t>(g.sum(sum));
    uint32_t* norm = norms;
    g.for_each(1, [=](int) { norm[cell] = all; });
  }
};

/// Coarse features of tiles, arranged for products(). Index: block of kProductColumns tiles.
struct CoarseTiles {
  static constexpr KernelId kId = KernelId::kCoarseTiles;
  const int16_t* features;  ///< [tile_count][kFeatureStride], times kFeatureScale
  int32_t tile_count;
  int16_t* columns;  ///< [blocks][kFeatureStride / 2][kProductColumns][2], written; 0 after the
                     ///< last tile
  uint32_t* norms;   ///< [blocks][kProductColumns], written: as CoarseCells::norms

  static MT_HD int blocks(int tiles) { return (tiles + kProductColumns - 1) / kProductColumns; }

  template <class Group>
  MT_HD void operator()(Group& g, int block) const {
    const int first = block * kProductColumns;
    const int n = tile_count - first < kProductColumns ? tile_count - first : kProductColumns;
    const int16_t* in = features + static_cast<int64_t>(first) * kFeatureStride;
    int16_t* out = columns + static_cast<int64_t>(first) * kFeatureStride;
    g.for_each(kFeatureStride / 2, kProductColumns, [=](int pair, int c) {
      for (int i = 0; i < 2; ++i)
        out[(pair * kProductColumns + c) * 2 + i] =
            c < n ? coarse_feature(in[c * kFeatureStride + 2 * pair + i]) : int16_t{0};
    });
    uint32_t* norm = norms + first;
    g.for_each(kProductColumns, [=](int c) {
      uint32_t sum = 0;
      for (int i = 0; i < kFeatureStride && c < n; ++i) {
        const int16_t v = coarse_feature(in[c * kFeatureStride + i]);
        sum += static_cast<uint32_t>(v * v);
      }
      norm[c] = sum;
    });
  }
};

/// Coarse distances of cells to tiles. Index: block of kProductRows cells and kProductColumns
/// tiles. The number of the block of cells changes fastest, so that a block of tiles stays in the
/// cache.
struct CoarseDistance {
  static constexpr KernelId kId = KernelId::kCoarseDistance;
  static constexpr int kShared = shared_block<uint32_t>(kProductRows * kProductColumns);
  CellChoice choice;
  int32_t first, rows;         ///< cells first..first + rows - 1
  const int16_t* cells;        ///< [all cells]: CoarseCells::coarse
  const uint32_t* cell_norms;  ///< [all cells]
  const int16_t* tiles;        ///< CoarseTiles::columns
  const uint32_t* tile_norms;  ///< CoarseTiles::norms
  int32_t tile_count;
  uint32_t* distances;  ///< [rows][tile_count], written where `choice` holds
  uint32_t* farthest;   ///< [all cells][blocks], written likewise: the largest of each block

  MT_HD int cell_blocks() const { return (rows + kProductRows - 1) / kProductRows; }
  MT_HD int count() const { return cell_blocks() * CoarseTiles::blocks(tile_count); }

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    const int block = index / cell_blocks(), first_tile = block * kProductColumns;
    const int first_row = index % cell_blocks() * kProductRows;
    const int end = first_row + kProductRows < rows ? first_row + kProductRows : rows;
    ProductRows left{{}, 0, kFeatureStride / 2};
    int row[kProductRows];
    for (int r = first_row; r < end; ++r) {
      if (!choice(first + r)) continue;
      left.row[left.count] = cells + static_cast<int64_t>(first + r) * kFeatureStride;
      row[left.count++] = r;
    }
    if (left.count == 0) return;
    uint32_t* sums = g.template shared<uint32_t>(kProductRows * kProductColumns);
    products(g, left, tiles + static_cast<int64_t>(first_tile) * kFeatureStride, sums);
    g.sync();
    const int n =
        tile_count - first_tile < kProductColumns ? tile_count - first_tile : kProductColumns;
    const uint32_t* norms = tile_norms + first_tile;
    for (int i = 0; i < left.count; ++i) {
      const uint32_t norm = cell_norms[first + row[i]];
      uint32_t* product = sums + i * kProductColumns;
      uint32_t* out = distances + static_cast<int64_t>(row[i]) * tile_count + first_tile;
      // Whole blocks have a loop of a constant length, which compilers unroll.
      const auto write = [=](int t) {
        const uint32_t distance = norm + norms[t] - 2 * product[t];
        product[t] = distance;
        out[t] = distance;
      };
      if (n == kProductColumns) {
        g.for_each(kProductColumns, write);
      } else {
        g.for_each(n, write);
        g.for_each(kProductColumns - n, [=](int t) { product[n + t] = 0; });
      }
    }
    g.sync();
    write_farthest(g, sums, row, left.count, block);
  }

 private:
  /// @param of_block  [count][kProductColumns]: distances, 0 after the last tile
  template <class Group>
  MT_HD void write_farthest(Group& g, const uint32_t* of_block, const int* row, int count,
                            int block) const {
    const int blocks = CoarseTiles::blocks(tile_count);
    uint32_t* to = farthest + static_cast<int64_t>(first) * blocks + block;
    int64_t at[kProductRows] = {};
    for (int i = 0; i < count; ++i) at[i] = static_cast<int64_t>(row[i]) * blocks;
    g.for_each(count, [=](int i) {
      uint32_t most = 0;
      for (int t = 0; t < kProductColumns; ++t) {
        const uint32_t v = of_block[i * kProductColumns + t];
        most = v > most ? v : most;
      }
      to[at[i]] = most;
    });
  }
};

/// The coarse distance from which on a tile may be the farthest of the frame. Launched as one
/// group, with index 0.
struct FarthestLimit {
  static constexpr KernelId kId = KernelId::kFarthestLimit;
  const uint32_t* coarse;  ///< [cells][blocks]: CoarseDistance::farthest
  int32_t cells, blocks;
  uint32_t* limit;  ///< [1], written

  template <class Group>
  MT_HD void operator()(Group& g, int) const {
    const uint32_t* in = coarse;
    const int n = blocks;
    uint32_t most = 0;
    g.for_each(cells, [=, &most](int cell) {
      for (int b = 0; b < n; ++b) {
        const uint32_t v = in[static_cast<int64_t>(cell) * n + b];
        most = v > most ? v : most;
      }
    });
    const uint64_t all = UINT32_MAX - g.min(UINT32_MAX - most);
    uint32_t* out = limit;
    g.for_each(1, [=](int) { *out = coarse_below(static_cast<uint32_t>(all)); });
  }
};

/// The exact distance of each cell's farthest tile, if that may be the farthest of the frame; else
/// 0. Index: cell.
struct Farthest {
  static constexpr KernelId kId = KernelId::kFarthest;
  const uint32_t* coarse;  ///< [cells][blocks]: CoarseDistance::farthest
  const uint32_t* limit;   ///< [1]: FarthestLimit::limit
  FineFeatures cells;      ///< [cells]
  FineFeatures tiles;      ///< [tile_count]
  int32_t tile_count;
  int32_t* farthest;  ///< [cells], written

  template <class Group>
  MT_HD void operator()(Group& g, int cell) const {
    const int blocks = CoarseTiles::blocks(tile_count);
    const FineFeatures features = cells.at(cell);
    int32_t most = 0;
    for (int b = 0; b < blocks; ++b) {
      if (coarse[static_cast<int64_t>(cell) * blocks + b] < *limit) continue;
      const int first = b * kProductColumns;
      const int n = tile_count - first < kProductColumns ? tile_count - first : kProductColumns;
      g.for_each(n, [=, *this, &most](int t) {
        const int32_t d = feature_distance(features, tiles.at(first + t));
        most = d > most ? d : most;
      });
    }
    const auto all = static_cast<int32_t>(INT32_MAX - g.min(INT32_MAX - most));
    int32_t* out = farthest + cell;
    g.for_each(1, [=](int) { *out = all; });
  }
};

}  // namespace mt
