// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/motion/block_search.h"
#include "mosaic/analysis/motion_field.h"

namespace mosaic {

/// Turns motion by fractions of a cell into steps of whole cells: a tile steps to the next cell
/// when its content is more than half a cell away, and only if the content of that cell moves
/// alike. Neighbouring tiles whose content moves alike step in the same frame.
class MotionSteps {
 public:
  MotionSteps(int columns, int rows);

  /// Sets the offset from each tile to its content to 0.
  void clear();

  /// Advances by one frame. @param motion [cells]
  void advance(std::span<const mt::CellMotion> motion);

  /// [cells]: for the last advance(); no two cells have the same origin.
  const std::vector<CellOrigin>& field() const { return field_; }

 private:
  struct Vector {
    int32_t x = 0, y = 0;
    bool any() const { return x != 0 || y != 0; }
  };
  int neighbour(int cell, const Vector& step) const;
  void find_steps(std::span<const mt::CellMotion> motion);
  void join_neighbours(std::span<const mt::CellMotion> motion);
  void move(std::span<const mt::CellMotion> motion);

  int columns_, rows_;
  std::vector<Vector>
      offset_;                ///< [cells]: from the tile to its content, 1 / mt::kMotionUnit cells
  std::vector<Vector> step_;  ///< [cells]: of the cell's tile
  std::vector<int32_t> stepping_;  ///< cells whose tile steps; room for all
  std::vector<int32_t> from_;      ///< [cells]: the cell whose tile steps here, or -1
  std::vector<Vector> next_;
  std::vector<CellOrigin> field_;
};

}  // namespace mosaic
