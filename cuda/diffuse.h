// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Tiles by error diffusion: cell after cell takes the tile nearest to what it wants, and hands on
/// what is left to those that follow. Weights: R. W. Floyd, L. Steinberg, "An adaptive algorithm
/// for spatial greyscale" (1976), every other row from the right.
#pragma once

#include <math.h>

#include "cuda/cell_features.h"
#include "cuda/cost_scale.h"

namespace mt {

/// Fractional bits of Diffuse::strength.
inline constexpr int kStrengthBits = 30;

/// Places all tiles of a frame. One group: index 0.
///
/// Every step depends on the one before, because the reference's does; the workers share the search
/// for the nearest tile: first with coarse features, then exactly among those that may be it.
struct Diffuse {
  static constexpr KernelId kId = KernelId::kDiffuse;
  static constexpr int kShared =
      shared_block<int32_t>(kFeatureStride) + shared_block<int16_t>(kFeatureStride);
  const SceneState* scene;
  const uint8_t* changed;  ///< [columns * rows]
  FineFeatures cells;      ///< [columns * rows]
  FineFeatures tiles;      ///< [tile_count]
  int32_t columns, rows;
  int32_t tile_count;
  int32_t again;      ///< not 0: even if no cell changed
  int32_t fresh;      ///< not 0: `tile` holds nothing yet
  int32_t radius;     ///< cells: a tile stands once in the square that reaches so far each way
  int32_t most_uses;  ///< of a tile in the frame; at least ceil(columns * rows / tile_count)
  int64_t strength;   ///< share of the error that is handed on, 0..1 times 2^kStrengthBits
  int64_t price;      ///< what leaving the tile of the last frame costs, in units of `distance`
  int32_t* tile;      ///< [columns * rows]: of the last frame, and then of this one
  int64_t*
      distance;     ///< [columns * rows]: from what the cell wanted, squared, times 2^(2 kFineBits)
  int32_t* errors;  ///< [2][columns][kFeatureStride]: given to the cells of this row and the next
  int32_t* rough;   ///< [tile_count]
  int32_t* standing;  ///< [tile_count]: how often within the radius
  int32_t* uses;      ///< [tile_count]: how often in the frame
  int32_t* kept;      ///< [kKeptScenes][columns * rows]: tiles of scenes that may return

  template <class Group>
  MT_HD void operator()(Group& g, int) const {
    if (is_as_it_was(g)) return;
    clear(g);
    turn_to_scene(g);
    int32_t* wanted = g.template shared<int32_t>(kFeatureStride);
    int16_t* coarse = g.template shared<int16_t>(kFeatureStride);
    for (int y = 0; y < rows; ++y) {
      for (int i = 0; i < columns; ++i) {
        const int x = y % 2 == 0 ? i : columns - 1 - i;
        want(g, y, x, wanted, coarse);
        count_near(g, y, x, 1);
        const int32_t chosen = place(g, y * columns + x, wanted, coarse);
        count_near(g, y, x, -1);
        hand_on(g, y, x, chosen, wanted);
      }
      int32_t* row = error_row(y);
      g.for_each(columns * kFeatureStride, [=](int i) { row[i] = 0; });
      g.sync();
    }
  }

 private:
  static constexpr int kCoarseBits = 4;  ///< fractional bits of features in the first search

  /// What is best so far: a squared distance and its tile.
  struct Best {
    int64_t distance = INT64_MAX;
    int32_t tile = INT32_MAX;
  };

  /// Nothing that it hangs on has changed since the last frame.
  template <class Group>
  MT_HD bool is_as_it_was(Group& g) const {
    const uint8_t* in = changed;
    int32_t count = 0;
    g.for_each(columns * rows, [=, &count](int i) { count += in[i]; });
    return g.sum(count) == 0 && !again && !fresh && !scene->cut && !scene->returned;
  }

  /// Keeps the tiles of a scene that is cut off, and takes up those of one that returns.
  template <class Group>
  MT_HD void turn_to_scene(Group& g) const {
    const int cells = columns * rows;
    int32_t* held = tile;
    if (int32_t* to = kept_tiles(scene->kept)) g.for_each(cells, [=](int i) { to[i] = held[i]; });
    if (const int32_t* from = kept_tiles(scene->returned))
      g.for_each(cells, [=](int i) { held[i] = from[i]; });
    g.sync();
  }

  /// Null: of no scene.
  MT_HD int32_t* kept_tiles(int32_t which) const {
    return which ? kept + static_cast<int64_t>(which - 1) * columns * rows : nullptr;
  }

  template <class Group>
  MT_HD void clear(Group& g) const {
    int32_t *errors_ = errors, *standing_ = standing, *uses_ = uses;
    g.for_each(2 * columns * kFeatureStride, [=](int i) { errors_[i] = 0; });
    g.for_each(tile_count, [=](int t) { standing_[t] = uses_[t] = 0; });
    g.sync();
  }

  MT_HD int32_t* error_row(int y) const {
    return errors + static_cast<int64_t>(y % 2) * columns * kFeatureStride;
  }

  /// What the cell wants: its features and the errors it was given.
  template <class Group>
  MT_HD void want(Group& g, int y, int x, int32_t* wanted, int16_t* coarse) const {
    const int64_t at = (static_cast<int64_t>(y) * columns + x) * kFeatureStride;
    const int16_t *f = cells.features + at, *r = cells.remainders + at;
    const int32_t* error = error_row(y) + static_cast<int64_t>(x) * kFeatureStride;
    g.for_each(kFeatureStride, [=](int i) {
      constexpr int kShift = kFineBits - kCoarseBits, kMost = 1024 << kCoarseBits;
      const int32_t w = fine_feature(f[i], r[i]) + error[i];
      wanted[i] = w;
      coarse[i] =
          static_cast<int16_t>(clamp_int((w + (1 << (kShift - 1))) >> kShift, -kMost, kMost));
    });
    g.sync();
  }

  /// Counts the tiles that stand too near for another use.
  template <class Group>
  MT_HD void count_near(Group& g, int y, int x, int32_t by) const {
    const int32_t* placed = tile;
    int32_t* counts = standing;
    const int reach = radius, across = columns, top = y - reach < 0 ? 0 : y - reach;
    g.for_each(y - top + 1, 2 * reach + 1, [=, &g](int j, int i) {
      const int row = top + j, column = x - reach + i;
      const bool before = row < y || (y % 2 == 0 ? column < x : column > x);
      if (before && column >= 0 && column < across)
        g.add(counts[placed[row * across + column]], by);
    });
    g.sync();
  }

  /// Chooses the tile of a cell.
  template <class Group>
  MT_HD int32_t place(Group& g, int cell, const int32_t* wanted, const int16_t* coarse) const {
    const int32_t *near = standing, *used = uses, most = most_uses;
    measure_roughly(g, coarse);
    Best best = nearest(g, wanted, [=](int t) { return near[t] == 0 && used[t] < most; });
    // Where every tile stands near, only those that are used up are out.
    if (best.tile == INT32_MAX) best = nearest(g, wanted, [=](int t) { return used[t] < most; });
    const int32_t held = fresh || scene->cut ? -1 : tile[cell];
    if (held >= 0 && near[held] == 0 && used[held] < most) {
      const int64_t its = measure(wanted, held);
      if (its - price <= best.distance) best = {its, held};
    }
    g.sync();
    g.for_each(1, [=, this](int) {
      tile[cell] = best.tile;
      distance[cell] = best.distance;
      ++uses[best.tile];
    });
    g.sync();
    return best.tile;
  }

  /// The nearest of the tiles that are allowed; none: the tile is INT32_MAX.
  template <class Group, class Allowed>
  MT_HD Best nearest(Group& g, const int32_t* wanted, Allowed allowed) const {
    const int32_t* near = rough;
    int64_t least = INT64_MAX;
    g.for_each(tile_count, [=, &least](int t) {
      if (near[t] < least && allowed(t)) least = near[t];
    });
    least = static_cast<int64_t>(g.min(static_cast<uint64_t>(least)));
    if (least == INT64_MAX) return {};
    const int64_t limit = reach_of(least);
    Best best;
    g.for_each(tile_count, [=, this, &best](int t) {
      if (near[t] > limit || !allowed(t)) return;
      const int64_t d = measure(wanted, t);
      if (d < best.distance || (d == best.distance && t < best.tile)) best = {d, t};
    });
    const auto all = static_cast<int64_t>(g.min(static_cast<uint64_t>(best.distance)));
    const int32_t mine = best.distance == all ? best.tile : INT32_MAX;
    return {all, static_cast<int32_t>(g.min(static_cast<uint64_t>(mine)))};
  }

  /// No tile whose rough distance is above this is nearer than one at rough distance `least`: the
  /// length of what rounding does to wanted and to a tile is below 1 (192 times 9/128, squared).
  static MT_HD int64_t reach_of(int64_t least) {
    constexpr float kUnit = 1 << (2 * kCoarseBits - 1);
    const float reach = sqrtf(static_cast<float>(least + 1) / kUnit) + 2;
    return static_cast<int64_t>(reach * reach * kUnit) + 1;
  }

  /// The squared distance, times 2^(2 kFineBits).
  MT_HD int64_t measure(const int32_t* wanted, int32_t t) const {
    const int64_t at = static_cast<int64_t>(t) * kFeatureStride;
    const int16_t *f = tiles.features + at, *r = tiles.remainders + at;
    int64_t sum = 0;
    for (int i = 0; i < kFeatureStride; ++i) {
      const int64_t d = wanted[i] - fine_feature(f[i], r[i]);
      sum += d * d;
    }
    return sum;
  }

  /// The squared distances of coarse features, times 2^(2 kCoarseBits - 1).
  template <class Group>
  MT_HD void measure_roughly(Group& g, const int16_t* coarse) const {
    static_assert(kFeatureScale == 4 << kCoarseBits);
    const int16_t* features = tiles.features;
    int32_t* out = rough;
    g.for_each(tile_count, [=](int t) {
      const int16_t* f = features + static_cast<int64_t>(t) * kFeatureStride;
      uint32_t sum = 0;
      for (int i = 0; i < kFeatureStride; ++i) {
        const int16_t d = static_cast<int16_t>(coarse[i] - ((f[i] + 2) >> 2));
        sum += static_cast<uint32_t>(d * d);
      }
      out[t] = static_cast<int32_t>(sum >> 1);
    });
    g.sync();
  }

  /// Hands the error on to the cells that come next.
  template <class Group>
  MT_HD void hand_on(Group& g, int y, int x, int32_t chosen, const int32_t* wanted) const {
    const int64_t at = static_cast<int64_t>(chosen) * kFeatureStride;
    const int16_t *f = tiles.features + at, *r = tiles.remainders + at;
    const int ahead = y % 2 == 0 ? 1 : -1;
    const int64_t share = strength;
    int32_t *here = error_row(y), *below = error_row(y + 1);
    const auto slot = [=, across = columns](int32_t* row, int column) {
      const bool inside = column >= 0 && column < across;
      return inside ? row + static_cast<int64_t>(column) * kFeatureStride : nullptr;
    };
    int32_t* const to[4] = {slot(here, x + ahead), slot(below, x - ahead), slot(below, x),
                            slot(below, x + ahead)};
    constexpr int kSixteenths[4] = {7, 3, 5, 1};
    g.for_each(kFeatureStride, [=](int i) {
      const int64_t off = wanted[i] - fine_feature(f[i], r[i]);
      const auto error = static_cast<int32_t>((off * share + (int64_t{1} << (kStrengthBits - 1))) >>
                                              kStrengthBits);
      for (int k = 0; k < 4; ++k)
        if (to[k]) to[k][i] += (error * kSixteenths[k] + 8) >> 4;
    });
    g.sync();
  }
};

}  // namespace mt
