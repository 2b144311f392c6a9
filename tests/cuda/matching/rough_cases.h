// SPDX-License-Identifier: LGPL-2.1-or-later
// Launches of the kernels that make rough lists, see kernel_cases.h.
#pragma once

#include <algorithm>
#include <vector>

#include "cuda/matching/distance.h"
#include "cuda/matching/rough_nearest.h"
#include "tests/cuda/case.h"
#include "tests/cuda/kernel_memory.h"

namespace test {

inline mt::FineFeatures features(KernelMemory& m, int n) {
  const size_t numbers = size_t(n) * mt::kFeatureStride;
  return {m.filled<int16_t>(numbers, 6000), m.filled<int16_t>(numbers, 512)};
}

inline const mt::SketchBasis* sketch_basis(KernelMemory& m) {
  return m.holding(std::vector<mt::SketchBasis>{mt::sketch_basis()});
}

template <>
struct Cases<mt::SketchTiles> {
  static constexpr int kCount = 1;
  static Launch<mt::SketchTiles> make(KernelMemory& m, const CaseSize& s, int) {
    const size_t read = size_t(s.tiles) * mt::kFeatureStride * sizeof(int16_t);
    return {{sketch_basis(m), features(m, s.tiles).features,
             m.zeroed<int16_t>(size_t(s.tiles) * mt::kSketchSize), s.tiles},
            s.tiles,
            read + size_t(s.tiles) * mt::kSketchSize * sizeof(int16_t)};
  }
};

/// What a search for rough lists found; keys are in any order.
inline mt::RoughTiles rough_tiles(KernelMemory& m, const CaseSize& s) {
  const int blocks = 3;
  return {m.scratch<int64_t>(size_t(s.cells()) * mt::RoughTiles::kMax),
          m.zeroed<int32_t>(s.cells()),
          m.zeroed<int32_t>(s.cells()),
          m.zeroed<int32_t>(s.cells()),
          m.zeroed<int64_t>(s.cells()),
          m.filled<int32_t>(size_t{2} * s.cells(), 2000),
          m.zeroed<int32_t>(size_t(s.cells()) * blocks),
          blocks};
}

template <>
struct Cases<mt::RoughNearest> {
  static constexpr int kCount = 3;  ///< with prices; some cells; at a cut
  static Launch<mt::RoughNearest> make(KernelMemory& m, const CaseSize& s, int which) {
    mt::RoughNearest n{};
    n.rough = which == 1 ? m.filled<uint8_t>(s.cells(), 2)
                         : m.holding(std::vector<uint8_t>(s.cells(), 1));
    n.first = which == 1 ? s.cells() / 2 : 0;
    n.cell_count = s.cells();
    n.basis = sketch_basis(m);
    n.cells = features(m, s.cells());
    n.tiles = features(m, s.tiles);
    n.sketches = {m.filled<int16_t>(size_t(s.tiles) * mt::kSketchSize, 20000), s.tiles};
    n.tile_count = s.tiles;
    const auto prices = m.values<int32_t>(s.tiles, 1 << 20);
    n.price = m.holding(std::vector<float>(prices.begin(), prices.end()));
    n.price_steps = m.holding(std::vector<float>(s.cells(), 1e-3f));
    n.scene = m.holding(std::vector<mt::SceneState>{{0, which == 2, 0, 0, 0}});
    n.out = rough_tiles(m, s);
    const size_t sketches = size_t(s.cells()) * s.tiles * mt::kSketchSize * sizeof(int16_t);
    return {n, s.cells(), sketches};
  }
};

template <>
struct Cases<mt::RoughCandidates> {
  static constexpr int kCount = 2;  ///< with prices, and at a cut
  static Launch<mt::RoughCandidates> make(KernelMemory& m, const CaseSize& s, int which) {
    const int found = std::min(s.tiles, 60), wanted = std::min(s.tiles, 128);
    const int64_t factor = (int64_t{1} << (mt::kCostBits + mt::kScaleBits)) / (1 << 20);
    const size_t cells = s.cells(), listed = cells * wanted;
    std::vector<int64_t> keys(cells * mt::RoughTiles::kMax);
    const auto distances = m.values<int32_t>(keys.size(), 1 << 20);
    for (size_t i = 0; i < keys.size(); ++i) {
      const auto tile = static_cast<int32_t>(i % mt::RoughTiles::kMax % s.tiles);
      keys[i] = mt::distance_key(distances[i], tile);
    }
    mt::RoughCandidates c{};
    c.rough = which ? m.filled<uint8_t>(cells, 2) : m.holding(std::vector<uint8_t>(cells, 1));
    c.found = rough_tiles(m, s);
    c.found.keys = m.holding(keys);
    c.found.count = m.holding(std::vector<int32_t>(cells, found));
    c.found.distance_bound = m.filled<int32_t>(cells, 1 << 20);
    c.found.priced_distance_bound = m.filled<int32_t>(cells, 1 << 20);
    c.found.near_limit = m.holding(std::vector<int64_t>(cells, int64_t{1} << 51));
    c.scale = m.holding(std::vector<mt::CostScale>{{1 << 20, factor, 0, 0}});
    c.priced_factor = factor * 9 / 10;
    c.scene = m.holding(std::vector<mt::SceneState>{{0, which == 1, 0, 0, 0}});
    c.wanted = wanted;
    c.cells = m.stats(s.cells(), 1);
    c.tiles = m.stats(s.tiles, 1);
    c.tile = m.zeroed<int32_t>(listed);
    c.cost = m.zeroed<int32_t>(listed);
    c.bound = m.zeroed<int32_t>(cells);
    c.priced_bound = m.zeroed<int32_t>(cells);
    c.nearest = m.zeroed<int32_t>(cells * mt::kRerankNearest);
    return {c, s.cells(), keys.size() * sizeof(int64_t) + 2 * listed * sizeof(int32_t)};
  }
};

}  // namespace test
