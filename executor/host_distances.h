// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

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

/// feature_distances() of a single cell and tile.
inline int32_t host_feature_distance(const FineFeatures& cell, const FineFeatures& tile) {
  int32_t distance;
  feature_distances(&cell, 1, tile, 1, &distance, 1);
  return distance;
}

}  // namespace mt
