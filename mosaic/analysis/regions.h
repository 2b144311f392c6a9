// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <span>

#include "mosaic/base/grid.h"

namespace mosaic {

/// A rectangle of the source that matters more than the rest, for example a face, in pixels. It may
/// lie outside the source in part or whole.
struct Region {
  int x = 0, y = 0, width = 0, height = 0;
};

/// Finds the cells that lie in regions: those whose centre does and, so that no region is too
/// small, the cell in which the centre of a region lies.
/// @param regions any of width and height; parts outside the source do not count
/// @param inside  [cells]: 1 or 0
void find_cells_in_regions(const Grid& grid, std::span<const Region> regions,
                           std::span<uint8_t> inside);

}  // namespace mosaic
