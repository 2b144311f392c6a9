// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

#include "executor/coarse_cost.h"
#include "kernels/features/cell_stats.h"

namespace mt {

/// A convenient number of cells for feature_distances(): their features stay in the L1 cache, while
/// those of the tiles are loaded from memory once.
inline constexpr int kCellsTogether = 8;

/// The feature_distance() of each cell to each of n tiles, with the best instructions that this
/// processor has. For the host: it takes features in memory of the host, and calls no executor.
/// @param cells  [count]
/// @param tiles  the first of n
/// @param out    [count][stride], elements 0..n - 1 of each row written
void feature_distances(const FineFeatures* cells, int count, const FineFeatures& tiles, int n,
                       int32_t* out, int64_t stride);

/// The tiles that may be among the `need` nearest to a cell, and so at least all that are no
/// farther than these, with their exact distances.
/// @param coarse    [n]: CoarseDistance::distances of the cell
/// @param need      1..n
/// @param tiles     the first of n
/// @param tile      [n + kFindMargin] (see kernels/math/find_up_to.h), written: ascending
/// @param distance  [n], written
/// @return their number
int near_tiles(const FineFeatures& cell, const uint32_t* coarse, const FineFeatures& tiles, int n,
               int need, int32_t* tile, uint32_t* distance);

/// The feature_distance() of a cell to each of the tiles in a list.
/// @param tile      [count]
/// @param distance  [count], written
void listed_distances(const FineFeatures& cell, const FineFeatures& tiles, const int32_t* tile,
                      int count, uint32_t* distance);

/// Lower bounds on the sums of cost and price. A cost is rounded down by less than 1, times a
/// weight of at most 4, and again by less than 1.
/// @param coarse  [n]: CoarseDistance::distances of a cell
/// @param price   [n]: 0..2^30
/// @param sum     [n], written
void least_sums(const uint32_t* coarse, int n, const CoarseCost& cost, const int32_t* price,
                uint32_t* sum);

/// A value up to which there are at least `need` values, and rarely many more. @param need  1..n
uint32_t value_limit(const uint32_t* values, int n, int need);

/// Writes i for each values[i] <= most, ascending. @param out  [n + kFindMargin] @return how many
int indices_up_to(const uint32_t* values, int n, uint32_t most, int32_t* out);

/// feature_distances() of a single cell and tile.
inline int32_t host_feature_distance(const FineFeatures& cell, const FineFeatures& tile) {
  int32_t distance;
  feature_distances(&cell, 1, tile, 1, &distance, 1);
  return distance;
}

}  // namespace mt
