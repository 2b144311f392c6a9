// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <span>

#include "kernels/features/cell_stats.h"

namespace mosaic {

/// Whether values that were read from a file could be those of tiles. The kernels rely on it: with
/// other values, their sums and products overflow.
/// @param features, residuals [tiles][mt::kFeatureStride], see mt::FeatureOut
bool are_tile_features(std::span<const int16_t> features, std::span<const int16_t> residuals);

/// @param stats [tiles]; @param side of a tile, pixels
bool are_tile_stats(std::span<const mt::CellStats> stats, int side);

}  // namespace mosaic
