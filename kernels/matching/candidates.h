// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <math.h>

#include "kernels/features/cell_stats.h"
#include "kernels/matching/coarse_distance.h"
#include "kernels/matching/cost_scale.h"
#include "kernels/matching/distance.h"
#include "kernels/matching/selection.h"
#include "kernels/math/find_up_to.h"
#include "kernels/math/oklab.h"

namespace mt {

/// As in mosaicraft: the cost of the 100 tiles nearest to a cell includes 0.2 x the Oklab distance.
inline constexpr float kOklabWeight = 0.2f;
inline constexpr int kOklabNearest = 100;

/// How many of a cell's nearest tiles are listed for the rerank (see
/// kernels/matching/tile_similarity.h).
inline constexpr int kRerankNearest = 25;

/// The highest cost of a distance: above 1, as the scale is updated rarely.
inline constexpr int64_t kMaxCost = 1 << (kCostBits + 1);

/// The cost of a distance. @param factor  see CostScale
static MT_HD inline int32_t distance_cost(int32_t distance, int64_t factor) {
  const int64_t cost = (distance * factor) >> kScaleBits;
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
    const int count = count_where(g, n, [=](int i) { return row[i] <= limit; });
    (count < need ? low : high) = limit;
    if (count >= need && count <= enough) break;
    // The number of tiles up to a limit grows about as the fourth power of the limit, so the count
    // tells which limit to expect. In every fourth step, and if the expected limit is not between
    // the bounds, their geometric mean is tried, because they may differ by orders of magnitude.
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
/// cheapest, sorts them. If an index has found the nearest, only these are compared. Index: row of
/// `coarse`.
struct Candidates {
  static constexpr KernelId kId = KernelId::kCandidates;
  static constexpr int kNearest = 160;    ///< tiles whose cost is computed
  static constexpr int kCompared = 1024;  ///< tiles with their distances in memory at once
  static constexpr int kPiece = 512;      ///< tiles of a row that are looked at in one go
  static_assert(kNearest + kPiece <= kCompared);
  static constexpr int kShared = 2 * shared_block<uint32_t>(kCompared) +
                                 shared_block<int32_t>(kCompared + kFindMargin) +
                                 3 * shared_block<uint32_t>(kNearest) +
                                 shared_block<int64_t>(kNearest) + shared_block<int32_t>(1);
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
  /// [all cells][min(tile_count, kNearest)]: the nearest tiles, where an index has found them;
  /// null: they are found by `coarse`.
  const int32_t* found = nullptr;

  template <class Group>
  MT_HD void operator()(Group& g, int row) const {
    const int cell = first + row;
    if (!choice(cell)) return;
    const Scratch scratch{
        g.template shared<uint32_t>(kCompared), g.template shared<int32_t>(kCompared),
        g.template shared<int32_t>(kCompared + kFindMargin), g.template shared<int32_t>(1)};
    const Near near{tile_count < kNearest ? tile_count : kNearest,
                    g.template shared<uint32_t>(kNearest), g.template shared<int32_t>(kNearest)};
    uint32_t* costs = g.template shared<uint32_t>(kNearest);
    int64_t* keys = g.template shared<int64_t>(kNearest);
    if (found)
      take_found(g, cell, near);
    else
      select_nearest(g, row, near, scratch);
    write_nearest(g, cell, near, keys, scratch);
    find_costs(g, cell, near, costs);
    const int64_t next = write_cheapest(g, cell, near, costs, keys, scratch);
    // A tile that is not listed either is one of the nearest and costs `next` or more, or is at
    // least as far away as the farthest of these. The Oklab distance only adds to its cost.
    const int64_t far = near.count == tile_count
                            ? int64_t{INT32_MAX}
                            : distance_cost(farthest(g, near), choice.scale->factor);
    int32_t* out = bound;
    g.for_each(1, [=](int) { out[cell] = static_cast<int32_t>(far < next ? far : next); });
  }

 private:
  struct Scratch {
    uint32_t* distance;  ///< [kCompared]
    int32_t* tile;       ///< [kCompared]
    int32_t* found;      ///< [kCompared + kFindMargin]: results of find_up_to()
    int32_t* count;      ///< [1]: their number
  };
  /// The nearest tiles, in any order.
  struct Near {
    int count;
    uint32_t* distance;  ///< [kNearest]
    int32_t* tile;       ///< [kNearest]
  };

  template <class Group>
  MT_HD void take_found(Group& g, int cell, const Near& near) const {
    const int32_t* tiles_of_cell = found + static_cast<int64_t>(cell) * near.count;
    g.for_each(near.count, [=](int i) { near.tile[i] = tiles_of_cell[i]; });
    g.sync();
    feature_distances(g, features.at(cell), tile_features, near.tile, near.count, near.distance);
    g.sync();
  }

  /// Finds the nearest tiles of a row. A tile whose coarse distance is above what errors allow for
  /// the coarse_limit() of as many tiles is not one of them.
  template <class Group>
  MT_HD void select_nearest(Group& g, int row, const Near& near, const Scratch& scratch) const {
    const int cell = first + row;
    const uint32_t* distances = coarse + static_cast<int64_t>(row) * tile_count;
    const uint32_t limit = coarse_limit(g, distances, tile_count, near.count, limits[cell]);
    g.sync();
    uint32_t* hint = limits + cell;
    g.for_each(1, [=](int) { *hint = limit; });
    const uint32_t most = coarse_above(limit);
    int held = 0;
    for (int begin = 0; begin < tile_count; begin += kPiece) {
      if (held + kPiece > kCompared) {
        keep_nearest(g, held, near, scratch);
        g.for_each(near.count, [=](int i) {
          scratch.distance[i] = near.distance[i];
          scratch.tile[i] = near.tile[i];
        });
        held = near.count;
      }
      const int n = tile_count - begin < kPiece ? tile_count - begin : kPiece;
      held += compare(g, cell, distances + begin, begin, n, most, held, scratch);
    }
    keep_nearest(g, held, near, scratch);
  }

  /// Adds those of n tiles to the `held` ones whose coarse distance is at most `most`, with their
  /// exact distance. @return their number
  template <class Group>
  MT_HD int compare(Group& g, int cell, const uint32_t* distances, int begin, int n, uint32_t most,
                    int held, const Scratch& scratch) const {
    g.sync();
    find_up_to(g, distances, n, most, scratch.found, scratch.count);
    g.sync();
    const int count = *scratch.count;
    int32_t* list = scratch.tile + held;
    g.for_each(count, [=](int i) { list[i] = begin + scratch.found[i]; });
    g.sync();
    feature_distances(g, features.at(cell), tile_features, list, count, scratch.distance + held);
    return count;
  }

  /// Of n tiles keeps the nearest.
  template <class Group>
  static MT_HD void keep_nearest(Group& g, int n, const Near& near, const Scratch& scratch) {
    g.sync();
    const TileLimit limit = find_tile_limit(g, n, near.count, {scratch.distance, scratch.tile});
    if (limit.tile != INT32_MAX) {  // moves those beyond it out of what find_up_to() finds
      g.for_each(n, [=](int i) {
        if (scratch.distance[i] == limit.value && scratch.tile[i] > limit.tile)
          ++scratch.distance[i];
      });
      g.sync();
    }
    find_up_to(g, scratch.distance, n, limit.value, scratch.found, scratch.count);
    g.sync();
    g.for_each(near.count, [=](int i) {
      near.distance[i] = scratch.distance[scratch.found[i]];
      near.tile[i] = scratch.tile[scratch.found[i]];
    });
    g.sync();
  }

  /// Sorts the `need` smallest of n values, equal ones by tile, and calls write(rank, value, tile)
  /// for each. Quadratic, but vectorised and without synchronisation among the workers.
  /// @param keys  [n], scratch
  /// @return the limit that was found for them
  template <class Group, class Write>
  static MT_HD ValueLimit sort_smallest(Group& g, int n, int need, const TileValues& list,
                                        int64_t* keys, const Scratch& scratch, Write write) {
    const uint32_t* values = list.value;
    const int32_t* tiles = list.tile;
    const ValueLimit limit = find_limit(g, n, need, [=](int i) { return values[i]; });
    find_up_to(g, values, n, limit.value, scratch.found, scratch.count);
    g.sync();
    g.for_each(limit.count, [=](int i) {
      const int32_t at = scratch.found[i];
      keys[i] = distance_key(static_cast<int32_t>(values[at]), tiles[at]);
    });
    g.sync();
    g.for_each(limit.count, [=](int i) {
      const int64_t key = keys[i];
      int64_t rank = 0;
      for (int j = 0; j < limit.count; ++j) rank += keys[j] < key;
      if (rank < need) write(rank, static_cast<int32_t>(key >> 32), static_cast<int32_t>(key));
    });
    g.sync();
    return limit;
  }

  /// Writes the kRerankNearest nearest.
  template <class Group>
  MT_HD void write_nearest(Group& g, int cell, const Near& near, int64_t* keys,
                           const Scratch& scratch) const {
    int32_t* out = nearest + static_cast<int64_t>(cell) * kRerankNearest;
    const int count = near.count < kRerankNearest ? near.count : kRerankNearest;
    sort_smallest(g, near.count, count, {near.distance, near.tile}, keys, scratch,
                  [=](int64_t rank, int32_t, int32_t tile_index) { out[rank] = tile_index; });
    g.for_each(kRerankNearest - count, [=](int i) { out[count + i] = -1; });
  }

  template <class Group>
  MT_HD void find_costs(Group& g, int cell, const Near& near, uint32_t* costs) const {
    TileLimit close{INT32_MAX, INT32_MAX};
    if (near.count > kOklabNearest)
      close = find_tile_limit(g, near.count, kOklabNearest, {near.distance, near.tile});
    const int64_t limit = distance_key(static_cast<int32_t>(close.value), close.tile);
    int64_t* limits_out = near_limit;
    g.for_each(1, [=](int) { limits_out[cell] = limit; });
    const int64_t factor = choice.scale->factor;
    const int32_t* oklab = cells[cell].oklab;
    const CellStats* tiles_ = tiles;
    g.for_each(near.count, [=](int i) {
      const int64_t key = distance_key(static_cast<int32_t>(near.distance[i]), near.tile[i]);
      costs[i] = static_cast<uint32_t>(tile_cost(key, factor, limit, oklab, tiles_));
    });
    g.sync();
  }

  /// Writes the list. @return the lowest cost among the near tiles that are not listed; INT32_MAX
  /// if there is none
  template <class Group>
  MT_HD int64_t write_cheapest(Group& g, int cell, const Near& near, const uint32_t* costs,
                               int64_t* keys, const Scratch& scratch) const {
    int32_t* out_tile = tile + static_cast<int64_t>(cell) * wanted;
    int32_t* out_cost = cost + static_cast<int64_t>(cell) * wanted;
    const ValueLimit limit = sort_smallest(g, near.count, wanted, {costs, near.tile}, keys, scratch,
                                           [=](int64_t rank, int32_t value, int32_t tile_index) {
                                             out_tile[rank] = tile_index;
                                             out_cost[rank] = value;
                                           });
    if (limit.count > wanted) return limit.value;
    uint32_t least = INT32_MAX;
    g.for_each(near.count, [=, &least](int i) {
      if (costs[i] > limit.value && costs[i] < least) least = costs[i];
    });
    return static_cast<int64_t>(g.min(least));
  }

  template <class Group>
  static MT_HD int32_t farthest(Group& g, const Near& near) {
    int32_t most = 0;
    g.for_each(near.count, [=, &most](int i) {
      const auto distance = static_cast<int32_t>(near.distance[i]);
      most = distance > most ? distance : most;
    });
    return static_cast<int32_t>(INT32_MAX - g.min(INT32_MAX - most));
  }
};

}  // namespace mt
