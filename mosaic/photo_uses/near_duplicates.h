// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Which photos are nearly the same, such as those of a burst: by a perceptual hash, and by colour.
/// A hash says of 8 x 8 places of the small picture whether it becomes lighter to the right, and of
/// as many whether it becomes lighter downwards (difference hash; N. Krawetz, "Kind of Like That",
/// hackerfactor.com, 2013). Mirrored pictures are not the same.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "executor/worker_pool.h"
#include "mosaic/pool/pool.h"

namespace mosaic {

using PictureHash = std::array<uint64_t, 2>;

/// @param gray [side][side]: luma; side is 8 or more
PictureHash picture_hash(std::span<const uint8_t> gray, int side);

/// Compares each photo with the first ones of groups before it, those of similar colours.
/// @param similarity 0..1: two photos are nearly the same if at least this share of the bits of
///                   their hashes is equal, and their mean colours are close
/// Throws mt::Cancelled, soon, where the workers' cancellation is requested.
/// @return [photos]: the first photo of each one's group, see PhotoGroups
std::vector<int32_t> find_near_duplicates(const Pool& pool, double similarity,
                                          mt::WorkerPool& workers);

}  // namespace mosaic
