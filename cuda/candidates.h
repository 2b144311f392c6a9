// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <math.h>

#include "cuda/cell_stats.h"
#include "cuda/group.h"
#include "cuda/kernel_list.h"

namespace mt {

/// A cost of 1 (the farthest tile of the frame) in integers.
inline constexpr int kCostBits = 24;

/// mosaicraft: the Oklab distance counts 0.2, and for the nearest 100 tiles of a cell only.
inline constexpr float kOklabWeight = 0.2f;
inline constexpr int kOklabNearest = 100;

/// Distances to costs: cost = distance * factor >> kScaleBits, with factor = 2^(kCostBits +
/// kScaleBits) / farthest.
inline constexpr int kScaleBits = 31;

static MT_HD inline int32_t distance_cost(int32_t distance, int64_t factor) {
  const int64_t cost = (distance * factor) >> kScaleBits;
  constexpr int64_t kMost = 1 << (kCostBits + 1);  // the scale may lag behind the farthest
  return static_cast<int32_t>(cost < kMost ? cost : kMost);
}

/// The Oklab term of a cell and a tile, as a cost.
static MT_HD inline int32_t oklab_cost(const int32_t* a, const int32_t* b) {
  int64_t square = 0;
  for (int i = 0; i < 3; ++i) {
    const int64_t d = a[i] - b[i];
    square += d * d;
  }
  constexpr float kScale = kOklabWeight * (1 << (kCostBits - kOklabBits));
  return static_cast<int32_t>(sqrtf(static_cast<float>(square)) * kScale + 0.5f);
}

/// The tiles that are nearest to a cell, with their costs, cheapest first. Index: row of the list.
struct Candidates {
  static constexpr KernelId kId = KernelId::kCandidates;
  static constexpr int kMost = 512;  ///< largest `wanted`
  const int32_t* list;       ///< [rows]: the cells
  const int32_t* distances;  ///< [rows][tile_count]
  int32_t tile_count;
  int32_t wanted;             ///< min(tile_count, what the solver looks at), 1..kMost
  int64_t factor;             ///< see distance_cost
  const CellStats* cells;     ///< [all cells]
  const CellStats* tiles;     ///< [tile_count]
  int32_t* tile;              ///< [all cells][wanted]
  int32_t* cost;              ///< [all cells][wanted], ascending, ties by tile
  int32_t* bound;             ///< [all cells]: no other tile costs less

  template <class Group>
  MT_HD void operator()(Group& g, int row) const {
    const int32_t* distance = distances + static_cast<int64_t>(row) * tile_count;
    const int cell = list[row];
    int64_t* nearest = g.template shared<int64_t>(kMost);
    int64_t* ranked = g.template shared<int64_t>(kMost);
    collect_nearest(g, distance, nearest);
    sort(g, nearest, ranked);
    const int32_t worst = static_cast<int32_t>(ranked[wanted - 1] >> 32);

    const int32_t* oklab = cells[cell].oklab;
    const int64_t factor_ = factor;
    const CellStats* tiles_ = tiles;
    g.for_each(wanted, [=](int i) {
      const int32_t t = static_cast<int32_t>(ranked[i]);
      int64_t c = distance_cost(static_cast<int32_t>(ranked[i] >> 32), factor_);
      if (i < kOklabNearest) c += oklab_cost(oklab, tiles_[t].oklab);
      nearest[i] = c << 32 | t;
    });
    g.sync();
    sort(g, nearest, ranked);
    int32_t* out_tile = tile + static_cast<int64_t>(cell) * wanted;
    int32_t* out_cost = cost + static_cast<int64_t>(cell) * wanted;
    g.for_each(wanted, [=](int i) {
      out_tile[i] = static_cast<int32_t>(ranked[i]);
      out_cost[i] = static_cast<int32_t>(ranked[i] >> 32);
    });
    g.for_each(1, [=, this](int) {
      // What is not listed is no nearer than the last that is, and has no Oklab term unless it is
      // among the nearest 100, which only adds to its cost.
      bound[cell] = wanted < tile_count ? distance_cost(worst, factor_) : INT32_MAX;
    });
  }

 private:
  static constexpr int kDigitBits = 11;
  static constexpr int kDigits = 1 << kDigitBits;

  /// Distance and tile as one number: the order of both, all different.
  static MT_HD int64_t key(int32_t distance, int t) {
    return static_cast<int64_t>(distance) << 32 | t;
  }

  /// Writes the `wanted` smallest keys in any order: radix selection from the highest digit.
  template <class Group>
  MT_HD void collect_nearest(Group& g, const int32_t* distance, int64_t* out) const {
    int32_t* histogram = g.template shared<int32_t>(kDigits);
    int32_t* state = g.template shared<int32_t>(3);  // digit, keys below it, keys in it
    int64_t prefix = 0;
    int need = wanted, shift = 63 - kDigitBits, bits = kDigitBits;
    for (;;) {
      count_digits(g, distance, prefix, shift, bits, histogram);
      find_digit(g, histogram, need, state);
      prefix = prefix << bits | state[0];
      need -= state[1];
      if (state[2] == need || shift == 0) break;
      bits = shift < kDigitBits ? shift : kDigitBits;
      shift -= bits;
    }
    g.sync();
    g.for_each(1, [=](int) { state[0] = 0; });
    g.sync();
    g.for_each(tile_count, [=, &g](int t) {
      const int64_t k = key(distance[t], t);
      if (k >> shift <= prefix) out[g.add(state[0], 1)] = k;
    });
    g.sync();
  }

  /// Counts the digits at `shift` of the keys that begin with `prefix`.
  template <class Group>
  MT_HD void count_digits(Group& g, const int32_t* distance, int64_t prefix, int shift, int bits,
                          int32_t* histogram) const {
    g.for_each(kDigits, [=](int i) { histogram[i] = 0; });
    g.sync();
    const int64_t mask = (int64_t{1} << bits) - 1;
    g.for_each(tile_count, [=, &g](int t) {
      const int64_t k = key(distance[t], t) >> shift;
      if (k >> bits == prefix) g.add(histogram[k & mask], 1);
    });
    g.sync();
  }

  /// The digit at which the count from below reaches `need`.
  template <class Group>
  MT_HD void find_digit(Group& g, const int32_t* histogram, int need, int32_t* state) const {
    g.for_each(1, [=](int) {
      int below = 0, i = 0;
      while (below + histogram[i] < need) below += histogram[i++];
      state[0] = i;
      state[1] = below;
      state[2] = histogram[i];
    });
    g.sync();
  }

  /// Sorts `wanted` different keys by counting, for each, those that are smaller: no dependence
  /// between them, so it vectorises and needs no step-by-step agreement among workers.
  template <class Group>
  MT_HD void sort(Group& g, const int64_t* in, int64_t* out) const {
    const int n = wanted;
    g.for_each(n, [=](int i) {
      const int64_t k = in[i];
      int64_t rank = 0;
      for (int j = 0; j < n; ++j) rank += in[j] < k;
      out[rank] = k;
    });
    g.sync();
  }
};

}  // namespace mt
