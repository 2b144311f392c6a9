// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "cuda/frame/scene_change.h"
#include "cuda/matching/candidates.h"
#include "cuda/matching/distance.h"
#include "cuda/matching/row_threshold.h"
#include "cuda/matching/sketch.h"

namespace mt {

/// What a search for rough lists found for each cell: some tiles, and bounds on all others.
struct RoughTiles {
  static constexpr int kMax = 128;  ///< tiles, for a cell
  int64_t* keys;                    ///< [all cells][kMax]: see distance_key; in any order
  int32_t* count;                   ///< [all cells]
  /// [all cells]: no other tile's distance is less; INT32_MAX if there is no other tile
  int32_t* distance_bound;
  /// [all cells]: no other tile's distance plus price is less
  int32_t* priced_distance_bound;
  int64_t* near_limit;  ///< [all cells]: see tile_cost; estimated distance of the 100th nearest
  /// [all cells][2]: Threshold::limit of the last search, first of gaps, then of gaps with prices
  int32_t* threshold_hints;
  int32_t* farthest;  ///< [all cells][blocks]: written at a scene cut: [0] estimates the largest
                      ///< distance, the rest is 0
  int32_t blocks;     ///< see Distance
};

/// Finds for each cell tiles with a small sum of distance and price, with a lower bound in place of
/// the distance (see sketch.h): much faster than computing all distances. A tile that many cells
/// want has a high price, so a cell finds tiles that it can get. Index: cell, counted from `first`
/// to the last and then from 0.
struct RoughNearest {
  static constexpr KernelId kId = KernelId::kRoughNearest;
  static constexpr int kWanted = 48;   ///< tiles to find, and up to a quarter more
  static constexpr int kChunk = 4096;  ///< sketches that are compared at a time
  static constexpr int kShared = shared_block<int32_t>(kSketchSize) + shared_block<Sketch>(1) +
                                 shared_block<uint16_t>(kChunk) + shared_block<uint8_t>(kChunk) +
                                 shared_block<int32_t>(RoughTiles::kMax) + shared_block<int32_t>(1);
  const uint8_t* rough;  ///< [cell_count]: not 0 for the cells to search for
  int32_t first, cell_count;
  const SketchBasis* basis;
  FineFeatures cells;  ///< [all cells]
  FineFeatures tiles;  ///< [tile_count]
  Sketches sketches;   ///< [tile_count]
  int32_t tile_count;
  /// The tiles' prices, in any unit. They are ignored at a scene cut and at a scene return,
  /// because they belong to another scene.
  const float* price;        ///< [tile_count], >= 0
  const float* price_steps;  ///< [all cells]: a price of 1 in steps of 2^kGapBits (see sketch.h)
  const SceneState* scene;
  RoughTiles out;

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    const int cell = (first + index) % cell_count;
    if (!rough[cell]) return;
    const Work w = begin(g, cell);
    const float steps_ = scene->cut || scene->returned ? 0 : price_steps[cell];
    NearEstimate estimate{};
    int32_t least_limit = UINT16_MAX, largest_gap = 0;
    int32_t* hints = out.threshold_hints + int64_t{2} * cell;
    int32_t near_hint = hints[0], hint = hints[1];
    int found = 0;
    for (int base = 0; base < tile_count; base += kChunk) {
      const int n = tile_count - base < kChunk ? tile_count - base : kChunk;
      const int least = share(kWanted, n), near = share(kOklabNearest, n);
      write_gaps(g, w, base, n);
      if (scene->cut) largest_gap = larger_gap(g, w.row, n, largest_gap);
      const int32_t near_gap = find_threshold(g, w.row, n, near, max_share(near), near_hint).limit;
      add_prices(g, w, base, n, steps_);
      // If the pool is so large that one tile of each chunk is too many, the last chunks are
      // skipped.
      const int most = max_share(least);
      const Threshold threshold = found + most <= RoughTiles::kMax
                                      ? find_threshold(g, w.row, n, least, most, hint)
                                      : Threshold{0, 0};
      const int selected = gather(g, w, base, n, threshold);
      write_keys(g, w, selected, found);
      add_excess(g, w, base, found, selected, near_gap, steps_, estimate);
      estimate.gap += int64_t{near_gap} * n;
      found += selected;
      near_hint = near_gap;
      hint = threshold.limit;
      least_limit = threshold.limit < least_limit ? threshold.limit : least_limit;
    }
    g.sync();
    g.for_each(1, [=](int) {
      hints[0] = near_hint;
      hints[1] = hint;
    });
    write_bounds(g, cell, found, least_limit, steps_ > 0, largest_gap, estimate);
  }

 private:
  static constexpr uint16_t kLargestGap = INT16_MAX;
  /// A gap between sketches, in steps of 2^kGapBits, as a distance.
  static MT_HD int64_t gap_distance(int64_t gap) {
    return (gap << (kGapBits + kDistanceBits)) / (kSketchScale * kSketchScale);
  }

  /// Working memory of a group.
  struct Work {
    int cell;
    const Sketch* own;
    uint16_t* row;      ///< [kChunk]: gaps between sketches, then with prices added
    uint8_t* selected;  ///< [kChunk]
    int32_t* ids;       ///< [RoughTiles::kMax]
    int32_t* count;
  };

  /// Sums from which the distance of the 100th nearest tile is estimated: the gap of the 100th
  /// nearest sketch, plus the mean excess of distances over gaps among tiles about as near.
  struct NearEstimate {
    int64_t gap;     ///< of the 100th nearest sketch, times tile_count
    int64_t excess;  ///< sum over `tiles` tiles
    int32_t tiles;
  };

  template <class Group>
  MT_HD Work begin(Group& g, int cell) const {
    int32_t* products = g.template shared<int32_t>(kSketchSize);
    Sketch* own = g.template shared<Sketch>(1);
    make_sketch(g, cells.at(cell).features, basis, products, own->coordinate, 1);
    Work w{};
    w.cell = cell;
    w.own = own;
    w.row = g.template shared<uint16_t>(kChunk);
    w.selected = g.template shared<uint8_t>(kChunk);
    w.ids = g.template shared<int32_t>(RoughTiles::kMax);
    w.count = g.template shared<int32_t>(1);
    return w;
  }

  /// How many of `of` tiles a chunk of n tiles contributes, at least one; max_share() is the limit.
  MT_HD int share(int of, int n) const {
    const int64_t part = int64_t{of} * n / tile_count;
    return part > 1 ? static_cast<int>(part) : 1;
  }
  static MT_HD int max_share(int share) { return share + share / 4 + 1; }

  /// Writes the gaps between the cell's sketch and those of n tiles.
  template <class Group>
  MT_HD void write_gaps(Group& g, const Work& w, int first, int n) const {
    const Sketch own = *w.own;
    const int16_t* tile = sketches.coordinates + first;
    const int64_t stride = sketches.stride;
    uint16_t* row = w.row;
    g.sync();
    g.for_each(n, [=](int i) {
      uint16_t gap = 0;
      MT_UNROLL
      for (int k = 0; k < kSketchSize; ++k) {
        const auto d = static_cast<int16_t>(tile[k * stride + i] - own.coordinate[k]);
        gap = static_cast<uint16_t>(gap + ((((d * d) >> (kGapBits - 1)) + 1) >> 1));
      }
      row[i] = gap < kLargestGap ? gap : kLargestGap;
    });
    g.sync();
  }

  template <class Group>
  static MT_HD int32_t larger_gap(Group& g, const uint16_t* row, int n, int32_t than) {
    uint16_t most = 0;
    g.for_each(n, [=, &most](int i) { most = row[i] > most ? row[i] : most; });
    const auto here = static_cast<int32_t>(UINT16_MAX - g.min(uint64_t{UINT16_MAX} - most));
    return here > than ? here : than;
  }

  static MT_HD uint16_t to_steps(float price_, float steps_) {
    const float p = price_ * steps_;
    return static_cast<uint16_t>(p < kLargestGap ? static_cast<int32_t>(p) : kLargestGap);
  }

  template <class Group>
  MT_HD void add_prices(Group& g, const Work& w, int first, int n, float steps_) const {
    uint16_t* row = w.row;
    const float* price_ = price + first;
    g.for_each(
        n, [=](int i) { row[i] = static_cast<uint16_t>(row[i] + to_steps(price_[i], steps_)); });
    g.sync();
  }

  /// Writes the ids of the selected ones of n tiles, at most RoughTiles::kMax; returns how many.
  /// The first loop vectorises, and the second skips eight tiles at a time of which none is
  /// selected.
  template <class Group>
  MT_HD int gather(Group& g, const Work& w, int first, int n, Threshold threshold) const {
    constexpr int kWord = sizeof(uint64_t);
    const uint16_t* row = w.row;
    uint8_t* selected = w.selected;
    int32_t *ids = w.ids, *count = w.count;
    const auto limit = static_cast<uint16_t>(threshold.limit);
    if (threshold.tie_end == 0)
      g.for_each(n, [=](int i) { selected[i] = row[i] < limit; });
    else
      g.for_each(n, [=](int i) { selected[i] = threshold(row[i], i); });
    g.for_each(1, [=](int) {
      count[0] = 0;
      for (int i = n; i % kWord != 0; ++i) selected[i] = 0;
    });
    g.sync();
    const auto* words = reinterpret_cast<const uint64_t*>(selected);
    g.for_each((n + kWord - 1) / kWord, [=, &g](int word) {
      if (words[word] == 0) return;
      for (int i = kWord * word; i < kWord * (word + 1); ++i)
        if (selected[i]) ids[g.add(count[0], 1)] = first + i;
    });
    g.sync();
    return count[0];
  }

  /// Adds the keys of the `count` gathered tiles to those found.
  template <class Group>
  MT_HD void write_keys(Group& g, const Work& w, int count, int found) const {
    const FineFeatures own = cells.at(w.cell), all = tiles;
    const int32_t* ids = w.ids;
    int64_t* to = out.keys + int64_t{w.cell} * RoughTiles::kMax + found;
    g.for_each(count,
               [=](int i) { to[i] = distance_key(feature_distance(own, all.at(ids[i])), ids[i]); });
    g.sync();
  }

  /// Adds those of the `count` keys from index `found` on to `estimate` whose gap is at most 1.5 x
  /// that of the 100th nearest sketch.
  template <class Group>
  MT_HD void add_excess(Group& g, const Work& w, int first, int found, int count, int32_t near_gap,
                        float steps_, NearEstimate& estimate) const {
    const int64_t* keys = out.keys + int64_t{w.cell} * RoughTiles::kMax + found;
    const uint16_t* row = w.row;
    const float* price_ = price;
    const int32_t limit = near_gap + near_gap / 2;
    int64_t excess = 0, tiles_ = 0;
    g.for_each(count, [=, &excess, &tiles_](int i) {
      const auto tile = static_cast<int32_t>(keys[i]);
      const int32_t gap = row[tile - first] - to_steps(price_[tile], steps_);
      if (gap > limit) return;
      excess += (keys[i] >> 32) - gap_distance(gap);
      ++tiles_;
    });
    estimate.excess += g.sum(excess);
    estimate.tiles += static_cast<int32_t>(g.sum(tiles_));
  }

  template <class Group>
  MT_HD void write_bounds(Group& g, int cell, int found, int32_t least_limit, bool priced,
                          int32_t largest_gap, const NearEstimate& estimate) const {
    // Divided last, so that if all gaps are equal, this is exactly gap_distance() of one of them.
    const int64_t excess = estimate.excess / (estimate.tiles > 0 ? estimate.tiles : 1);
    const int64_t limit = gap_distance(estimate.gap) / tile_count + excess;
    const bool all_near = tile_count <= kOklabNearest || limit >= INT32_MAX;
    const RoughTiles to = out;
    const int count = tile_count;
    g.for_each(scene->cut ? to.blocks : 0, [=](int i) {
      const auto far = static_cast<int32_t>(gap_distance(largest_gap));
      to.farthest[int64_t{cell} * to.blocks + i] = i == 0 ? far : 0;
    });
    g.for_each(1, [=](int) {
      const int32_t least =
          least_limit == UINT16_MAX ? INT32_MAX : distance_lower_bound(least_limit);
      to.count[cell] = found;
      to.distance_bound[cell] = priced && least < INT32_MAX ? 0 : least;
      to.priced_distance_bound[cell] = least;
      to.near_limit[cell] =
          all_near ? INT64_MAX : distance_key(static_cast<int32_t>(limit > 0 ? limit : 0), count);
    });
  }
};

/// Rough lists from the tiles that RoughNearest found. Index: cell.
struct RoughCandidates {
  static constexpr KernelId kId = KernelId::kRoughCandidates;
  static constexpr int kShared = 2 * shared_block<int64_t>(RoughTiles::kMax);
  const uint8_t* rough;  ///< [all cells]: not 0 where a list is made
  RoughTiles found;
  const CostScale* scale;
  /// The CostScale::factor that RoughNearest::price_steps was computed with.
  int64_t priced_factor;
  const SceneState* scene;
  int32_t wanted;  ///< this and what follows: see Candidates
  const CellStats* cells;
  const CellStats* tiles;
  int32_t* tile;
  int32_t* cost;  ///< INT32_MAX where there are fewer
  int32_t* bound;
  int32_t* priced_bound;  ///< [all cells]: no other tile's cost plus price is less
  int32_t* nearest;       ///< the cheapest of the list, as the nearest of all are not known

  template <class Group>
  MT_HD void operator()(Group& g, int cell) const {
    if (!rough[cell]) return;
    const int n = found.count[cell], listed = wanted;
    int64_t* sorted = g.template shared<int64_t>(RoughTiles::kMax);
    sort(g, cell, n, g.template shared<int64_t>(RoughTiles::kMax), sorted);
    int32_t* to_tile = tile + int64_t{cell} * listed;
    int32_t* to_cost = cost + int64_t{cell} * listed;
    g.for_each(listed, [=](int i) {
      to_tile[i] = i < n ? static_cast<int32_t>(sorted[i]) : -1;
      to_cost[i] = i < n ? static_cast<int32_t>(sorted[i] >> 32) : INT32_MAX;
    });
    int32_t* to_nearest = nearest + int64_t{cell} * kRerankNearest;
    g.for_each(kRerankNearest,
               [=](int i) { to_nearest[i] = i < n ? static_cast<int32_t>(sorted[i]) : -1; });
    const auto next = listed < n ? static_cast<int32_t>(sorted[listed] >> 32) : INT32_MAX;
    g.for_each(1, [=, this](int) {
      const int64_t factor = scale->factor;
      const bool other = !scene->cut && !scene->returned && priced_factor < factor;
      bound[cell] = cost_bound(found.distance_bound[cell], factor, next);
      priced_bound[cell] =
          cost_bound(found.priced_distance_bound[cell], other ? priced_factor : factor, next);
    });
  }

 private:
  /// Sorts by cost, equal ones by tile.
  template <class Group>
  MT_HD void sort(Group& g, int cell, int n, int64_t* keys, int64_t* sorted) const {
    const int64_t* from = found.keys + int64_t{cell} * RoughTiles::kMax;
    const int64_t factor = scale->factor, limit = found.near_limit[cell];
    const int32_t* oklab = cells[cell].oklab;
    const CellStats* tiles_ = tiles;
    g.for_each(n, [=](int i) {
      const int32_t cost_ = tile_cost(from[i], factor, limit, oklab, tiles_);
      keys[i] = distance_key(cost_, static_cast<int32_t>(from[i]));
    });
    sort_keys(g, n, keys, sorted);
  }

  /// A lower bound on what a tile outside the list costs.
  static MT_HD int32_t cost_bound(int32_t distance_bound, int64_t factor, int32_t next) {
    const int32_t far =
        distance_bound < INT32_MAX ? distance_cost(distance_bound, factor) : INT32_MAX;
    return far < next ? far : next;
  }
};

}  // namespace mt
