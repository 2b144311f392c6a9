// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

#include "kernels/group.h"

namespace mt {

/// Pixels begin..end-1 of a row or a column; none where end <= begin.
struct Span {
  int32_t begin, end;
};

/// Where the cells lie on a picture. Each row of cells is divided into strips of at most kStripRows
/// rows of pixels; strips are numbered from top to bottom.
struct CellLayout {
  static constexpr int kStripRows = 16;
  int32_t width, height;  ///< of the picture, pixels
  int32_t left, top;      ///< where the first cell begins, 0 or negative
  int32_t columns, rows;
  int32_t side;  ///< 8..256

  /// The part of column c (of row r) of cells that lies inside the picture.
  MT_HD Span across(int c) const { return cut(left + c * side, left + (c + 1) * side, width); }
  MT_HD Span down(int r) const { return cut(top + r * side, top + (r + 1) * side, height); }
  MT_HD int strips_per_row() const { return (side + kStripRows - 1) / kStripRows; }
  MT_HD int strips() const { return rows * strips_per_row(); }
  /// The rows of strip s that lie inside the picture.
  MT_HD Span strip(int s) const {
    const int row = s / strips_per_row(), first = s % strips_per_row() * kStripRows;
    const int last = first + kStripRows < side ? first + kStripRows : side;
    return cut(top + row * side + first, top + row * side + last, height);
  }

 private:
  static MT_HD Span cut(int begin, int end, int size) {
    return {begin < 0 ? 0 : begin, end < size ? end : size};
  }
};

}  // namespace mt
