// SPDX-License-Identifier: LGPL-2.1-or-later
// Cases of the kernels that make candidate lists.
#pragma once

#include <algorithm>
#include <vector>

#include "kernels/matching/candidates.h"
#include "kernels/matching/coarse_distance.h"
#include "tests/kernels/case.h"
#include "tests/kernels/kernel_memory.h"

namespace test {

/// Which cells changed: all in case 0; in other cases some, and the batch leaves out the first
/// cell.
struct ChangedCells {
  ChangedCells(KernelMemory& m, const CaseSize& s, int which)
      : first(which && s.cells() > 1),
        rows(s.cells() - first),
        changed(which ? m.filled<uint8_t>(s.cells(), 2)
                      : m.holding(std::vector<uint8_t>(s.cells(), 1))) {}
  int first, rows;
  uint8_t* changed;
};

inline mt::FineFeatures features(KernelMemory& m, int n) {
  const size_t numbers = size_t(n) * mt::kFeatureStride;
  return {m.filled<int16_t>(numbers, 6000), m.filled<int16_t>(numbers, 512)};
}

/// Coarse features, or columns of them.
inline int16_t* coarse_features(KernelMemory& m, size_t n) {
  return m.filled<int16_t>(n * mt::kFeatureStride, 8161);
}

template <>
struct Cases<mt::CoarseTiles> {
  static constexpr int kCount = 1;
  static Launch<mt::CoarseTiles> make(KernelMemory& m, const CaseSize& s, int) {
    const int blocks = mt::CoarseTiles::blocks(s.tiles);
    const size_t columns = size_t(blocks) * mt::kProductColumns;
    return {{m.filled<int16_t>(size_t(s.tiles) * mt::kFeatureStride, 16321), s.tiles,
             m.zeroed<int16_t>(columns * mt::kFeatureStride), m.zeroed<uint32_t>(columns)},
            blocks,
            2 * columns * mt::kFeatureStride * sizeof(int16_t)};
  }
};

template <>
struct Cases<mt::CoarseCells> {
  static constexpr int kCount = 2;
  static Launch<mt::CoarseCells> make(KernelMemory& m, const CaseSize& s, int which) {
    const ChangedCells cells(m, s, which);
    const size_t elements = size_t(s.cells()) * mt::kFeatureStride;
    return {{{cells.changed, nullptr},
             m.filled<int16_t>(elements, 16321),
             m.zeroed<int16_t>(elements),
             m.zeroed<uint32_t>(s.cells())},
            s.cells(),
            2 * elements * sizeof(int16_t)};
  }
};

template <>
struct Cases<mt::CoarseDistance> {
  static constexpr int kCount = 2;
  static Launch<mt::CoarseDistance> make(KernelMemory& m, const CaseSize& s, int which) {
    const ChangedCells cells(m, s, which);
    const int blocks = mt::CoarseTiles::blocks(s.tiles);
    const size_t columns = size_t(blocks) * mt::kProductColumns;
    const size_t distances = size_t(cells.rows) * s.tiles, farthest = size_t(s.cells()) * blocks;
    const mt::CoarseDistance d{{cells.changed, nullptr},
                               cells.first,
                               cells.rows,
                               coarse_features(m, s.cells()),
                               m.filled<uint32_t>(s.cells(), 1 << 30),
                               coarse_features(m, columns),
                               m.filled<uint32_t>(columns, 1 << 30),
                               s.tiles,
                               m.zeroed<uint32_t>(distances),
                               m.zeroed<uint32_t>(farthest)};
    const size_t read = (cells.rows + columns) * mt::kFeatureStride * sizeof(int16_t);
    return {d, d.count(), read + (distances + farthest) * sizeof(uint32_t)};
  }
};

template <>
struct Cases<mt::FarthestLimit> {
  static constexpr int kCount = 1;
  static Launch<mt::FarthestLimit> make(KernelMemory& m, const CaseSize& s, int) {
    const int blocks = mt::CoarseTiles::blocks(s.tiles);
    const size_t n = size_t(s.cells()) * blocks;
    return {{m.filled<uint32_t>(n, 1 << 30), s.cells(), blocks, m.zeroed<uint32_t>(1)},
            1,
            n * sizeof(uint32_t)};
  }
};

template <>
struct Cases<mt::Farthest> {
  static constexpr int kCount = 1;
  static Launch<mt::Farthest> make(KernelMemory& m, const CaseSize& s, int) {
    const int blocks = mt::CoarseTiles::blocks(s.tiles);
    const size_t n = size_t(s.cells()) * blocks;
    return {{m.filled<uint32_t>(n, 1 << 30), m.holding(std::vector<uint32_t>{(1 << 30) / 10 * 9}),
             features(m, s.cells()), features(m, s.tiles), s.tiles, m.zeroed<int32_t>(s.cells())},
            s.cells(),
            (n + s.cells()) * sizeof(uint32_t)};
  }
};

template <>
struct Cases<mt::Rescale> {
  static constexpr int kCount = 5;  ///< in case 3 a scene is kept, in case 4 one returns
  static Launch<mt::Rescale> make(KernelMemory& m, const CaseSize& s, int which) {
    const int count = which == 1 ? 777 : s.cells();
    const int64_t was = which == 2 ? (1 << 30) - 5 : 0;  // so near that the scale is kept
    const mt::SceneState scene{0, which == 3, which == 3 ? 2 : 0, which == 4, 0};
    return {
        {m.filled<int32_t>(count, 1 << 30), count, m.holding(std::vector<mt::SceneState>{scene}),
         m.holding(std::vector<mt::CostScale>{{was, 1, 0, 0}}),
         m.holding(std::vector<mt::CostScale>(mt::kKeptScenes, {(1 << 30) - 7, 2, 0, 0}))},
        1,
        count * sizeof(int32_t)};
  }
};

template <>
struct Cases<mt::Candidates> {
  static constexpr int kCount = 3;
  static Launch<mt::Candidates> make(KernelMemory& m, const CaseSize& s, int which) {
    const ChangedCells cells(m, s, which);
    const int most = which == 1 ? 40 : 1 << 30;  // many equal coarse distances; few
    const int wanted = std::min(s.tiles, 128);
    const int64_t factor = (int64_t{1} << (mt::kCostBits + mt::kScaleBits)) / 1000000;
    const mt::CostScale scale{1000000, factor, which == 2, 0};
    const size_t distances = size_t(cells.rows) * s.tiles, listed = size_t(s.cells()) * wanted;
    return {{{cells.changed, m.holding(std::vector<mt::CostScale>{scale})},
             cells.first,
             m.filled<uint32_t>(distances, most),
             features(m, s.cells()),
             features(m, s.tiles),
             s.tiles,
             wanted,
             m.stats(s.cells(), 1),
             m.stats(s.tiles, 1),
             m.filled<uint32_t>(s.cells(), 1 << 30),
             m.zeroed<int32_t>(listed),
             m.zeroed<int32_t>(listed),
             m.zeroed<int32_t>(s.cells()),
             m.zeroed<int64_t>(s.cells()),
             m.zeroed<int32_t>(size_t(s.cells()) * mt::kRerankNearest)},
            cells.rows,
            (distances + 2 * listed) * sizeof(int32_t)};
  }
};

}  // namespace test
