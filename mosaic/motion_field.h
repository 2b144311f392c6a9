// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// What is known of motion, whoever found it: for each cell the one of the last frame that its
/// content came from.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mosaic {

/// Where a cell's content was in the last frame.
struct CellOrigin {
  int16_t dx = 0, dy = 0;  ///< cells to the right and down, from this one; 0, 0: here
  uint8_t confidence = 0;  ///< of what came from elsewhere, 1..255

  bool moved() const { return dx != 0 || dy != 0; }
  bool operator==(const CellOrigin&) const = default;
};

/// Which cell's tile each cell is to hold, so that tiles go where their content went. A tile that
/// several cells want goes to the one that is surest (the first of those as sure); one that none
/// wants stays where it is, unless another comes there.
/// @param field [cells], of a grid of so many columns
/// @param from  [cells], written: a cell, no two alike; -1: none
/// @param taker room to work in: [cells]
/// Returns whether any tile is to move.
bool carried_from(int columns, std::span<const CellOrigin> field, std::vector<int32_t>& from,
                  std::vector<int32_t>& taker);

}  // namespace mosaic
