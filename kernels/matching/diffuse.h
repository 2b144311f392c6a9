// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Placement by error diffusion (R. W. Floyd, L. Steinberg, "An adaptive algorithm for spatial
/// greyscale", 1976): each cell takes the tile nearest to its target, which is its features plus
/// the errors passed on to it, and passes its own error to the cells that follow. Every other row
/// runs from right to left.
#pragma once

#include <math.h>

#include "kernels/features/cell_features.h"
#include "kernels/matching/cost_scale.h"

namespace mt {

/// Fractional bits of Diffuse::strength.
inline constexpr int kStrengthBits = 30;

/// Places the tiles of a frame, or of some of its cells: a frame may take several launches, which
/// place its cells in the order of their rows. One group: index 0.
///
/// The cells get their tiles one after another, as in mosaicraft. The workers share the search for
/// the nearest tile: first with coarse features, then exactly among the tiles that may be the
/// nearest.
struct Diffuse {
  static constexpr KernelId kId = KernelId::kDiffuse;
  static constexpr int kShared =
      shared_block<int32_t>(kFeatureStride) + shared_block<int16_t>(kFeatureStride);
  const SceneState* scene;  ///< of this frame; at a cut nothing of the previous frame is used
  const uint8_t* changed;   ///< [columns * rows]
  FineFeatures cells;       ///< [columns * rows]
  FineFeatures tiles;       ///< [tile_count]
  int32_t columns, rows;
  int32_t first, end;  ///< the cells to place, counted in the order in which they are placed
  int32_t tile_count;
  int32_t force;      ///< not 0: place tiles even if no cell changed
  int32_t radius;     ///< a tile is not repeated within so many cells, horizontally and vertically
  int32_t max_uses;   ///< limit of a tile's uses in a frame; >= ceil(columns * rows / tile_count)
  int64_t strength;   ///< share of the error that is passed on, 0..1 times 2^kStrengthBits
  int64_t price;      ///< switching price of the previous frame's tile, in units of `distance`
  int32_t* tile;      ///< [columns * rows]: of the previous frame, replaced by this frame's
  int64_t* distance;  ///< [columns * rows], written: squared, from tile to target, times
                      ///< 2^(2 kFineBits)
  int32_t* errors;    ///< [2][columns][kFeatureStride], scratch: errors passed on to this row and
                      ///< the next
  int32_t* coarse_distances;  ///< [tile_count], scratch: distances by coarse features
  int32_t* nearby_uses;       ///< [tile_count], scratch: uses within the radius of the current cell
  int32_t* uses;              ///< [tile_count], scratch: uses in the frame
  int32_t* kept;              ///< [kKeptScenes][columns * rows]: tiles of kept scenes

  template <class Group>
  MT_HD void operator()(Group& g, int) const {
    if (is_unchanged(g)) return;
    if (first == 0) {
      clear(g);
      switch_scene(g);
    }
    int32_t* target = g.template shared<int32_t>(kFeatureStride);
    int16_t* coarse = g.template shared<int16_t>(kFeatureStride);
    for (int n = first; n < end; ++n) {
      const int y = n / columns, i = n % columns;
      const int x = y % 2 == 0 ? i : columns - 1 - i;
      find_target(g, y, x, target, coarse);
      count_nearby_uses(g, y, x, 1);
      const int32_t chosen = place(g, y * columns + x, target, coarse);
      count_nearby_uses(g, y, x, -1);
      diffuse_error(g, y, x, chosen, target);
      if (i == columns - 1) clear_errors(g, y);
    }
  }

 private:
  static constexpr int kCoarseBits = 4;  ///< fractional bits of features in the first search

  /// The best tile so far and its squared distance.
  struct Best {
    int64_t distance = INT64_MAX;
    int32_t tile = INT32_MAX;
  };

  /// Whether nothing that the placement depends on has changed since the previous frame.
  template <class Group>
  MT_HD bool is_unchanged(Group& g) const {
    const uint8_t* in = changed;
    int32_t count = 0;
    g.for_each(columns * rows, [=, &count](int i) { count += in[i]; });
    return g.sum(count) == 0 && !force && !scene->cut && !scene->returned;
  }

  /// Saves the tiles of a scene to be kept, and restores those of a scene that returns.
  template <class Group>
  MT_HD void switch_scene(Group& g) const {
    const int cells = columns * rows;
    int32_t* held = tile;
    if (int32_t* to = kept_tiles(scene->kept)) g.for_each(cells, [=](int i) { to[i] = held[i]; });
    if (const int32_t* from = kept_tiles(scene->returned))
      g.for_each(cells, [=](int i) { held[i] = from[i]; });
    g.sync();
  }

  /// The tiles of the kept scene in slot `which`; null for 0.
  MT_HD int32_t* kept_tiles(int32_t which) const {
    return which ? kept + static_cast<int64_t>(which - 1) * columns * rows : nullptr;
  }

  template <class Group>
  MT_HD void clear(Group& g) const {
    int32_t *errors_ = errors, *nearby_uses_ = nearby_uses, *uses_ = uses;
    g.for_each(2 * columns * kFeatureStride, [=](int i) { errors_[i] = 0; });
    g.for_each(tile_count, [=](int t) { nearby_uses_[t] = uses_[t] = 0; });
    g.sync();
  }

  template <class Group>
  MT_HD void clear_errors(Group& g, int y) const {
    int32_t* row = error_row(y);
    g.for_each(columns * kFeatureStride, [=](int i) { row[i] = 0; });
    g.sync();
  }

  MT_HD int32_t* error_row(int y) const {
    return errors + static_cast<int64_t>(y % 2) * columns * kFeatureStride;
  }

  /// The target of a cell: its features plus the errors passed on to it.
  template <class Group>
  MT_HD void find_target(Group& g, int y, int x, int32_t* target, int16_t* coarse) const {
    const int64_t at = (static_cast<int64_t>(y) * columns + x) * kFeatureStride;
    const int16_t *f = cells.features + at, *r = cells.residuals + at;
    const int32_t* error = error_row(y) + static_cast<int64_t>(x) * kFeatureStride;
    g.for_each(kFeatureStride, [=](int i) {
      constexpr int kShift = kFineBits - kCoarseBits, kMaxCoarse = 1024 << kCoarseBits;
      const int32_t w = fine_feature(f[i], r[i]) + error[i];
      target[i] = w;
      coarse[i] = static_cast<int16_t>(
          clamp_int((w + (1 << (kShift - 1))) >> kShift, -kMaxCoarse, kMaxCoarse));
    });
    g.sync();
  }

  /// Adds `by` to `nearby_uses` for each tile placed within the radius of a cell.
  template <class Group>
  MT_HD void count_nearby_uses(Group& g, int y, int x, int32_t by) const {
    const int32_t* placed = tile;
    int32_t* counts = nearby_uses;
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
  MT_HD int32_t place(Group& g, int cell, const int32_t* target, const int16_t* coarse) const {
    const int32_t *near = nearby_uses, *used = uses, most = max_uses;
    find_coarse_distances(g, coarse);
    Best best = nearest(g, target, [=](int t) { return near[t] == 0 && used[t] < most; });
    // If no tile is left, tiles used within the radius are allowed too.
    if (best.tile == INT32_MAX) best = nearest(g, target, [=](int t) { return used[t] < most; });
    const int32_t held = scene->cut ? -1 : tile[cell];
    if (held >= 0 && near[held] == 0 && used[held] < most) {
      const int64_t of_held = exact_distance(target, held);
      if (of_held - price <= best.distance) best = {of_held, held};
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

  /// The nearest of the allowed tiles; tile INT32_MAX if there is none.
  template <class Group, class Allowed>
  MT_HD Best nearest(Group& g, const int32_t* target, Allowed allowed) const {
    const int32_t* coarse = coarse_distances;
    int64_t least = INT64_MAX;
    g.for_each(tile_count, [=, &least](int t) {
      if (coarse[t] < least && allowed(t)) least = coarse[t];
    });
    least = static_cast<int64_t>(g.min(static_cast<uint64_t>(least)));
    if (least == INT64_MAX) return {};
    const int64_t limit = coarse_limit(least);
    Best best;
    g.for_each(tile_count, [=, this, &best](int t) {
      if (coarse[t] > limit || !allowed(t)) return;
      const int64_t d = exact_distance(target, t);
      if (d < best.distance || (d == best.distance && t < best.tile)) best = {d, t};
    });
    const auto all = static_cast<int64_t>(g.min(static_cast<uint64_t>(best.distance)));
    const int32_t mine = best.distance == all ? best.tile : INT32_MAX;
    return {all, static_cast<int32_t>(g.min(static_cast<uint64_t>(mine)))};
  }

  /// A tile with a coarse distance above this is not nearer than one with coarse distance `least`.
  /// Rounding changes the difference of target and tile by a vector shorter than 1: 192 components
  /// of at most 9/128, and 192 (9/128)^2 < 1.
  static MT_HD int64_t coarse_limit(int64_t least) {
    constexpr float kUnit = 1 << (2 * kCoarseBits - 1);
    const float reach = sqrtf(static_cast<float>(least + 1) / kUnit) + 2;
    return static_cast<int64_t>(reach * reach * kUnit) + 1;
  }

  /// The squared distance, times 2^(2 kFineBits).
  MT_HD int64_t exact_distance(const int32_t* target, int32_t t) const {
    const int64_t at = static_cast<int64_t>(t) * kFeatureStride;
    const int16_t *f = tiles.features + at, *r = tiles.residuals + at;
    int64_t sum = 0;
    for (int i = 0; i < kFeatureStride; ++i) {
      const int64_t d = target[i] - fine_feature(f[i], r[i]);
      sum += d * d;
    }
    return sum;
  }

  /// The squared distances of coarse features, times 2^(2 kCoarseBits - 1).
  template <class Group>
  MT_HD void find_coarse_distances(Group& g, const int16_t* coarse) const {
    static_assert(kFeatureScale == 4 << kCoarseBits);
    const int16_t* features = tiles.features;
    int32_t* out = coarse_distances;
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

  /// Passes the error of a cell on to its neighbours that follow.
  template <class Group>
  MT_HD void diffuse_error(Group& g, int y, int x, int32_t chosen, const int32_t* target) const {
    const int64_t at = static_cast<int64_t>(chosen) * kFeatureStride;
    const int16_t *f = tiles.features + at, *r = tiles.residuals + at;
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
      const int64_t off = target[i] - fine_feature(f[i], r[i]);
      const auto error = static_cast<int32_t>((off * share + (int64_t{1} << (kStrengthBits - 1))) >>
                                              kStrengthBits);
      for (int k = 0; k < 4; ++k)
        if (to[k]) to[k][i] += (error * kSixteenths[k] + 8) >> 4;
    });
    g.sync();
  }
};

}  // namespace mt
