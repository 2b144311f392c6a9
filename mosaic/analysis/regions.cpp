// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/analysis/regions.h"

#include <algorithm>

namespace mosaic {
namespace {

/// Half-open.
struct CellRange {
  int begin = 0, end = 0;
  bool empty() const { return begin >= end; }
};

/// One axis of the source, and the row or column of cells along it.
struct Axis {
  int source;    ///< pixels
  int analysed;  ///< pixels of the analysed picture, see Grid
  int start;     ///< analysed pixel at which the first cell begins, 0 or negative
  int side;      ///< of a cell, analysed pixels
  int cells;

  /// The cells whose centre lies in a part of the source, and at least the cell in its middle;
  /// empty if the part is outside the source.
  CellRange cells_in(int64_t begin, int64_t size) const {
    const int64_t from = std::clamp<int64_t>(begin, 0, source);
    const int64_t to = std::clamp<int64_t>(begin + size, 0, source);
    if (from >= to) return {};
    const int middle = cell_at((from + to) * analysed / (2 * source));
    CellRange range{middle, middle + 1};
    while (range.begin > 0 && contains(from, to, range.begin - 1)) --range.begin;
    while (range.end < cells && contains(from, to, range.end)) ++range.end;
    return range;
  }

 private:
  int cell_at(int64_t pixel) const {
    return static_cast<int>(std::clamp<int64_t>((pixel - start) / side, 0, cells - 1));
  }
  /// Whether the centre of a cell lies in from..to, pixels of the source.
  bool contains(int64_t from, int64_t to, int cell) const {
    const int64_t twice_centre = 2 * int64_t{start} + (2 * int64_t{cell} + 1) * side;
    const int64_t at = twice_centre * source;
    return at >= 2 * from * analysed && at < 2 * to * analysed;
  }
};

}  // namespace

void find_cells_in_regions(const Grid& grid, std::span<const Region> regions,
                           std::span<uint8_t> inside) {
  std::fill(inside.begin(), inside.end(), uint8_t{0});
  const Axis across{.source = grid.in_width,
                    .analysed = grid.analysed.width,
                    .start = grid.left(),
                    .side = grid.side,
                    .cells = grid.columns};
  const Axis down{.source = grid.in_height,
                  .analysed = grid.analysed.height,
                  .start = grid.top(),
                  .side = grid.side,
                  .cells = grid.rows};
  for (const Region& region : regions) {
    const CellRange columns = across.cells_in(region.x, region.width);
    const CellRange rows = down.cells_in(region.y, region.height);
    if (columns.empty() || rows.empty()) continue;
    for (int row = rows.begin; row < rows.end; ++row)
      std::fill_n(inside.begin() + row * grid.columns + columns.begin, columns.end - columns.begin,
                  uint8_t{1});
  }
}

}  // namespace mosaic
