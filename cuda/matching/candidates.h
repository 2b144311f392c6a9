// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <math.h>

#include "cuda/features/cell_stats.h"
#include "cuda/matching/coarse_distance.h"
#include "cuda/matching/cost_scale.h"
#include "cuda/math/find_up_to.h"
#include "cuda/math/oklab.h"

namespace mt {

/// As in mosaicraft: the cost of the 100 tiles nearest to a cell includes 0.2 x the Oklab distance.
inline constexpr float kOklabWeight = 0.2f;
inline constexpr int kOklabNearest = 100;

/// How many of a cell's nearest tiles are listed for the rerank (see
/// cuda/matching/tile_similarity.h).
inline constexpr int kRerankNearest = 25;

/// The cost of a distance. @param factor  see CostScale
static MT_HD inline int32_t distance_cost(int32_t distance, int64_t factor) {
  const int64_t cost = (distance * factor) >> kScaleBits;
  constexpr int64_t kMaxCost = 1 << (kCostBits + 1);  // above 1, as the scale is updated rarely
  return static_cast<int32_t>(cost < kMaxCost ? cost : kMaxCost);
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

/// Distance and tile as one number, ordered by distance and then by tile, so that among equally
/// near tiles the one with the lowest index is chosen.
static MT_HD inline int64_t distance_key(int32_t distance, int32_t tile) {
  return static_cast<int64_t>(distance) << 32 | tile;
}

/// Sorts n different keys: the rank of each is the number of smaller ones. Quadratic, but
/// vectorised and without synchronisation among the workers.
template <class Group>
static MT_HD void sort_keys(Group& g, int n, const int64_t* keys, int64_t* sorted) {
  g.sync();
  g.for_each(n, [=](int i) {
    const int64_t k = keys[i];
    int64_t rank = 0;
    for (int j = 0; j < n; ++j) rank += keys[j] < k;
    sorted[rank] = k;
  });
  g.sync();
}

/// What a tile costs a cell.
/// @param key         its distance_key()
/// @param near_limit  the largest key of the cell's nearest kOklabNearest tiles
static MT_HD inline int32_t tile_cost(int64_t key, int64_t factor, int64_t near_limit,
                                      const int32_t* cell_oklab, const CellStats* tiles) {
  const int32_t tile = static_cast<int32_t>(key);
  const int32_t cost = distance_cost(static_cast<int32_t>(key >> 32), factor);
  return key <= near_limit ? cost + oklab_cost(cell_oklab, tiles[tile].oklab) : cost;
}

/// A coarse distance up to which a row has at least `need` tiles, and rarely many more.
/// @param row  [n], n >= need
/// @param hint a first guess, such as the result for the cell's last row
template <class Group>
static MT_HD uint32_t coarse_limit(Group& g, const uint32_t* row, int n, int need, uint32_t hint) {
  constexpr int kSteps = 24;
  const int enough = need + need / 8;
  uint32_t low = 0, high = UINT32_MAX, limit = hint;  // too few are below low, enough below high
  for (int step = 1; step <= kSteps && high - low > 1; ++step) {
    uint32_t mine = 0;
    g.for_each(n, [=, &mine](int i) { mine += row[i] <= limit; });
    const auto count = static_cast<int>(g.sum(mine));
    (count < need ? low : high) = limit;
    if (count >= need && count <= enough) break;
    // The number of tiles grows about as the fourth power of the squared distance. Where that does
    // not lead anywhere, the geometric mean, as rows have values of all magnitudes.
    const float power =
        count > 0 ? static_cast<float>(need + need / 16) / static_cast<float>(count) : 0.0f;
    const float expected = static_cast<float>(limit) * sqrtf(sqrtf(power));
    const bool usable = step % 4 && expected > static_cast<float>(low) + 1.0f &&
                        expected < static_cast<float>(high) - 1.0f;
    const float mean = sqrtf(static_cast<float>(low) + 1.0f) * sqrtf(static_cast<float>(high));
    const float next = usable ? expected : mean;
    limit = next < 4294967040.0f ? static_cast<uint32_t>(next) : 4294967040u;
    if (limit <= low || limit >= high) limit = low + (high - low) / 2;
  }
  return high;
}

/// Lists the cheapest tiles of a cell among the kNearest nearest ones, in five steps: compares the
/// coarsely nearest exactly, selects the nearest by distance, computes their costs, selects the
/// cheapest, sorts them. Index: row of `coarse`.
struct Candidates {
  static constexpr KernelId kId = KernelId::kCandidates;
  static constexpr int kNearest = 256;    ///< tiles whose cost is computed
  static constexpr int kDigitBits = 8;    ///< digits of the radix selection
  static constexpr int kCompared = 1024;  ///< keys in memory at once
  static constexpr int kPiece = 512;      ///< tiles of a row that are looked at in one go
  static_assert(kNearest + kPiece <= kCompared);
  static constexpr int kShared = 2 * shared_block<int64_t>(kNearest) +
                                 shared_block<int64_t>(kCompared) +
                                 shared_block<int32_t>(1 << kDigitBits) + shared_block<int32_t>(4) +
                                 shared_block<int32_t>(kPiece + kFindMargin);
  CellChoice choice;           ///< its `scale` is not null
  int32_t first;               ///< cell of row 0
  const uint32_t* coarse;      ///< [rows][tile_count]: CoarseDistance::distances
  FineFeatures features;       ///< [all cells]
  FineFeatures tile_features;  ///< [tile_count]
  int32_t tile_count;
  int32_t wanted;          ///< tiles to list, 1..min(tile_count, kNearest)
  const CellStats* cells;  ///< [all cells]
  const CellStats* tiles;  ///< [tile_count]
  uint32_t* limits;        ///< [all cells]: coarse_limit() of the last row and, written, of this
  int32_t* tile;           ///< [all cells][wanted], written: the list
  int32_t* cost;           ///< [all cells][wanted], written: ascending, equal ones by tile
  int32_t* bound;          ///< [all cells], written: tiles not listed cost at least this; or
                           ///< INT32_MAX if all are listed
  int64_t* near_limit;     ///< [all cells], written: see tile_cost()
  int32_t* nearest;        ///< [all cells][kRerankNearest] tiles by distance; -1 if fewer

  template <class Group>
  MT_HD void operator()(Group& g, int row) const {
    const int cell = first + row;
    if (!choice(cell)) return;
    const int64_t factor = choice.scale->factor;
    const int near_count = tile_count < kNearest ? tile_count : kNearest;
    int64_t* near = g.template shared<int64_t>(kNearest);
    int64_t* cheap = g.template shared<int64_t>(kNearest);
    int64_t* keys = g.template shared<int64_t>(kCompared);
    const Scratch scratch{g.template shared<int32_t>(1 << kDigitBits),
                          g.template shared<int32_t>(4),
                          g.template shared<int32_t>(kPiece + kFindMargin)};
    select_nearest(g, row, near_count, keys, near, scratch);
    write_nearest(g, cell, near, near_count, cheap, scratch);
    replace_by_costs(g, cell, factor, near, near_count, scratch);

    const auto by_cost = [=](int i) { return near[i]; };
    const Prefix cheapest = select(g, near_count, wanted, by_cost, scratch);
    gather(g, near_count, by_cost, cheapest, cheap, scratch);
    const int64_t next = smallest_unselected(g, near_count, by_cost, cheapest);
    write_sorted(g, cell, cheap, near);
    const int32_t farthest = scratch.state[3];
    const bool all_near = near_count == tile_count;
    g.for_each(1, [=, this](int) {
      // A tile that is not listed either is one of the nearest and costs `next` or more, or is at
      // least as far away as the farthest of these. The Oklab distance only adds to its cost.
      const int64_t far = all_near ? INT32_MAX : distance_cost(farthest, factor);
      bound[cell] = static_cast<int32_t>(far < next ? far : next);
    });
  }

 private:
  struct Scratch {
    int32_t* histogram;
    int32_t* state;  ///< [4]: selected digit, number of keys below and with it; largest distance
    int32_t* piece;  ///< [kPiece + kFindMargin]: see compare()
  };
  /// A selection of keys: those k with k >> shift <= value.
  struct Prefix {
    int64_t value;
    int shift;
  };

  /// The `need` smallest of n different keys, 0..2^63 - 1, by radix selection from the highest
  /// digit down.
  template <class Group, class Key>
  static MT_HD Prefix select(Group& g, int n, int need, Key key, const Scratch& scratch) {
    int32_t *histogram = scratch.histogram, *state = scratch.state;
    Prefix prefix{0, 63};
    do {
      const int bits = prefix.shift < kDigitBits ? prefix.shift : kDigitBits;
      const int shift = prefix.shift - bits;
      const int64_t above = prefix.value, mask = (int64_t{1} << bits) - 1;
      g.sync();
      g.for_each(1 << kDigitBits, [=](int i) { histogram[i] = 0; });
      g.sync();
      g.for_each(n, [=, &g](int i) {
        const int64_t k = key(i) >> shift;
        if (k >> bits == above) g.add(histogram[k & mask], 1);
      });
      g.sync();
      g.for_each(1, [=](int) {
        int below = 0, digit = 0;
        while (below + histogram[digit] < need) below += histogram[digit++];
        state[0] = digit;
        state[1] = below;
        state[2] = histogram[digit];
      });
      g.sync();
      prefix = {above << bits | state[0], shift};
      need -= state[1];
    } while (state[2] != need && prefix.shift > 0);
    return prefix;
  }

  /// Selects the near_count nearest tiles of a row. A tile whose coarse distance is above what
  /// errors allow for the coarse_limit() of as many tiles is not one of them.
  /// @param keys scratch, [kCompared]
  /// @param near written: the distance_key() of each
  template <class Group>
  MT_HD void select_nearest(Group& g, int row, int near_count, int64_t* keys, int64_t* near,
                            const Scratch& scratch) const {
    const int cell = first + row;
    const uint32_t* distances = coarse + static_cast<int64_t>(row) * tile_count;
    const uint32_t limit = coarse_limit(g, distances, tile_count, near_count, limits[cell]);
    g.sync();
    uint32_t* hint = limits + cell;
    g.for_each(1, [=](int) { *hint = limit; });
    const uint32_t most = coarse_above(limit);
    const auto key = [=](int i) { return keys[i]; };
    int held = 0;
    for (int begin = 0; begin < tile_count; begin += kPiece) {
      if (held + kPiece > kCompared) {
        gather(g, held, key, select(g, held, near_count, key, scratch), near, scratch);
        g.for_each(near_count, [=](int i) { keys[i] = near[i]; });
        held = near_count;
      }
      const int n = tile_count - begin < kPiece ? tile_count - begin : kPiece;
      held += compare(g, cell, distances, begin, n, most, keys + held, scratch);
    }
    gather(g, held, key, select(g, held, near_count, key, scratch), near, scratch);
  }

  /// Compares the cell exactly with those of n tiles whose coarse distance is at most `most`.
  /// @param keys written
  /// @return their number
  template <class Group>
  MT_HD int compare(Group& g, int cell, const uint32_t* distances, int begin, int n, uint32_t most,
                    int64_t* keys, const Scratch& scratch) const {
    int32_t *count = scratch.state, *piece = scratch.piece;
    g.sync();
    g.find_up_to(distances + begin, n, most, piece, count);
    g.sync();
    const int found = count[0];
    const FineFeatures own = features.at(cell), others = tile_features;
    g.for_each(found, [=](int i) {
      const int32_t tile_index = begin + piece[i];
      keys[i] = distance_key(feature_distance(own, others.at(tile_index)), tile_index);
    });
    g.sync();
    return found;
  }

  /// Writes the selected keys, in any order.
  template <class Group, class Key>
  static MT_HD void gather(Group& g, int n, Key key, Prefix prefix, int64_t* out,
                           const Scratch& scratch) {
    int32_t* count = scratch.state;
    g.sync();
    g.for_each(1, [=](int) { count[0] = 0; });
    g.sync();
    g.for_each(n, [=, &g](int i) {
      const int64_t k = key(i);
      if (k >> prefix.shift <= prefix.value) out[g.add(count[0], 1)] = k;
    });
    g.sync();
  }

  /// The cost of the cheapest key that is not selected; INT32_MAX if there is none.
  template <class Group, class Key>
  static MT_HD int64_t smallest_unselected(Group& g, int n, Key key, Prefix prefix) {
    int64_t least = static_cast<int64_t>(INT32_MAX) << 32;
    g.for_each(n, [=, &least](int i) {
      const int64_t k = key(i);
      if (k >> prefix.shift > prefix.value && k < least) least = k;
    });
    return static_cast<int64_t>(g.min(static_cast<uint64_t>(least)) >> 32);
  }

  /// Writes the tiles of the kRerankNearest smallest keys. @param chosen  scratch for as many keys
  template <class Group>
  MT_HD void write_nearest(Group& g, int cell, const int64_t* keys, int n, int64_t* chosen,
                           const Scratch& scratch) const {
    int32_t* out = nearest + static_cast<int64_t>(cell) * kRerankNearest;
    const auto key = [=](int i) { return keys[i]; };
    const int count = n < kRerankNearest ? n : kRerankNearest;
    gather(g, n, key, select(g, n, count, key, scratch), chosen, scratch);
    g.for_each(kRerankNearest, [=](int i) {
      int rank = 0;
      for (int j = 0; j < count && i < count; ++j) rank += chosen[j] < chosen[i];
      out[i < count ? rank : i] = i < count ? static_cast<int32_t>(chosen[i]) : -1;
    });
    g.sync();
  }

  /// Replaces keys of distance and tile by keys of cost and tile. Leaves the largest distance in
  /// state[3].
  template <class Group>
  MT_HD void replace_by_costs(Group& g, int cell, int64_t factor, int64_t* keys, int n,
                              const Scratch& scratch) const {
    const auto key = [=](int i) { return keys[i]; };
    Prefix close{INT64_MAX, 0};
    if (n > kOklabNearest) close = select(g, n, kOklabNearest, key, scratch);
    int64_t most = 0;
    g.for_each(n, [=, &most](int i) { most = keys[i] > most ? keys[i] : most; });
    const uint64_t least = g.min(static_cast<uint64_t>(INT64_MAX - most));
    int32_t* state = scratch.state;
    g.for_each(1, [=](int) { state[3] = static_cast<int32_t>((INT64_MAX - least) >> 32); });

    const int64_t limit = close.value << close.shift | ((int64_t{1} << close.shift) - 1);
    int64_t* limits = near_limit;
    g.for_each(1, [=](int) { limits[cell] = limit; });
    const int32_t* oklab = cells[cell].oklab;
    const CellStats* tiles_ = tiles;
    g.for_each(n, [=](int i) {
      const int64_t k = keys[i];
      keys[i] = distance_key(tile_cost(k, factor, limit, oklab, tiles_), static_cast<int32_t>(k));
    });
    g.sync();
  }

  /// Writes the list, sorted. @param sorted scratch for `wanted` keys, because the list itself may
  /// be in slow memory
  template <class Group>
  MT_HD void write_sorted(Group& g, int cell, const int64_t* keys, int64_t* sorted) const {
    int32_t* out_tile = tile + static_cast<int64_t>(cell) * wanted;
    int32_t* out_cost = cost + static_cast<int64_t>(cell) * wanted;
    const int n = wanted;
    sort_keys(g, n, keys, sorted);
    g.for_each(n, [=](int i) {
      out_tile[i] = static_cast<int32_t>(sorted[i]);
      out_cost[i] = static_cast<int32_t>(sorted[i] >> 32);
    });
  }
};

}  // namespace mt
