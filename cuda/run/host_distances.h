// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

#include "cuda/features/cell_stats.h"

namespace mt {

/// The feature_distance() of a cell to each of n tiles, with the best instructions that this
/// processor has. For the host: it takes features in memory of the host, and calls no executor.
/// @param cell  its features
/// @param out   [n], written
void feature_distances(const FineFeatures& cell, const FineFeatures& tiles, int n, int32_t* out);

/// The same for a single tile.
inline int32_t host_feature_distance(const FineFeatures& cell, const FineFeatures& tile) {
  int32_t distance;
  feature_distances(cell, tile, 1, &distance);
  return distance;
}

}  // namespace mt
