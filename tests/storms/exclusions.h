// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// What storms leave out, because it is known to fail. Each line goes when its cause is mended.
#pragma once

#include <climits>

namespace storm::exclusions {

/// Larger values overflow with placement=faiss_diffusion.
inline constexpr unsigned kMostTileUses = INT_MAX;
/// Whether grids of a cell for each pixel are asked for: assigning so many cells delays the change
/// to NULL by seconds.
inline constexpr bool kHugeGrids = false;
/// Frames that are smaller, or longer for their height, have no good grid.
inline constexpr int kShortestSide = 16, kMostElongated = 8;
/// 1/2147483647 frames per second cause a critical message in gst_query_set_latency().
inline constexpr int kSlowestRate = 1;

}  // namespace storm::exclusions
