// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Motion in whole cells: for each cell, the cell of the frame before that its content came from.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mosaic {

/// Where a cell's content was in the frame before.
struct CellOrigin {
  int16_t dx = 0, dy = 0;  ///< cells to the right and down, from this one; 0, 0: here
  uint8_t confidence = 0;  ///< 1..255 where the content came from another cell

  bool moved() const { return dx != 0 || dy != 0; }
  bool operator==(const CellOrigin&) const = default;
};

/// Computes which cell's tile each cell is to hold, so that tiles move with their content. Of
/// several cells with content from the same cell, the one with the highest confidence gets the tile
/// (among equals the first). A tile whose content went nowhere stays, unless another takes its
/// cell.
/// @param columns of the grid
/// @param field [cells]
/// @param from  [cells], written: the cell whose tile it gets, each at most once; -1: none
/// @param taker [cells], scratch memory
/// @return whether any tile moves
bool find_tile_origins(int columns, std::span<const CellOrigin> field, std::vector<int32_t>& from,
                       std::vector<int32_t>& taker);

}  // namespace mosaic
