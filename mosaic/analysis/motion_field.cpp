// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/analysis/motion_field.h"

#include <algorithm>

namespace mosaic {
namespace {

/// The cell that a cell's content came from; -1: the cell itself, or from outside the grid.
int32_t origin(int columns, std::span<const CellOrigin> field, int cell) {
  const CellOrigin& at = field[cell];
  if (!at.moved()) return -1;
  const int rows = static_cast<int>(field.size()) / columns;
  const int x = cell % columns + at.dx, y = cell / columns + at.dy;
  return x >= 0 && x < columns && y >= 0 && y < rows ? y * columns + x : -1;
}

}  // namespace

bool find_tile_origins(int columns, std::span<const CellOrigin> field, std::vector<int32_t>& from,
                       std::vector<int32_t>& taker) {
  const int cells = static_cast<int>(field.size());
  taker.assign(cells, -1);
  bool any = false;
  for (int cell = 0; cell < cells; ++cell) {
    const int32_t source = origin(columns, field, cell);
    if (source < 0) continue;
    any = true;
    int32_t& winner = taker[source];
    if (winner < 0 || field[cell].confidence > field[winner].confidence) winner = cell;
  }
  from.resize(cells);
  for (int cell = 0; cell < cells; ++cell) {
    const int32_t source = origin(columns, field, cell);
    const bool gets = source >= 0 && taker[source] == cell;
    from[cell] = gets ? source : taker[cell] < 0 ? cell : -1;
  }
  return any;
}

}  // namespace mosaic
