// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cuda/block_search.h"
#include "mosaic/motion_field.h"

namespace mosaic {

/// Makes steps of whole cells of motion that goes by parts of them: a tile goes on to the next cell
/// when its content is more than half a cell away from it, and only to one whose content moves
/// alike. What moves together goes on together, whoever of it is first.
class MotionSteps {
 public:
  MotionSteps(int columns, int rows);

  /// Everything is where its tile is.
  void clear();

  /// One frame on. @param motion [cells]
  void advance(std::span<const mt::CellMotion> motion);

  /// [cells]: of the last frame; no two came from the same cell.
  const std::vector<CellOrigin>& field() const { return field_; }

 private:
  struct Way {
    int32_t x = 0, y = 0;
    bool any() const { return x != 0 || y != 0; }
  };
  int neighbour(int cell, const Way& step) const;
  void begin(std::span<const mt::CellMotion> motion);
  void take_along(std::span<const mt::CellMotion> motion);
  void settle(std::span<const mt::CellMotion> motion);

  int columns_, rows_;
  std::vector<Way> off_;        ///< [cells] 1 / mt::kMotionUnit cells from the tile to its content
  std::vector<Way> step_;       ///< [cells] that its tile is to go
  std::vector<int32_t> going_;  ///< cells whose tile is to go; room for all
  std::vector<int32_t> comes_;  ///< [cells] the cell whose tile comes here, or -1
  std::vector<Way> next_;
  std::vector<CellOrigin> field_;
};

}  // namespace mosaic
