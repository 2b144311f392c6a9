// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Pieces of cells, copied to the shared memory of a group without gaps between their rows: loops
/// over the pixels of a piece are faster than loops over each of its short rows.
#pragma once

#include "kernels/group.h"
#include "kernels/math/copy_bytes.h"
#include "kernels/views.h"

namespace mt {

inline constexpr int kPiecePixels = 4096;  ///< the largest piece
inline constexpr int kLongestRow = 1024;   ///< the longest row of a piece, pixels

/// Whether a cell is a single piece.
static MT_HD inline bool is_single_piece(const CellRect& r) {
  return r.width <= kLongestRow && r.width * r.height <= kPiecePixels;
}

/// Calls f for the pieces of a cell: some rows, or parts of very long rows.
template <class F>
static MT_HD void for_each_piece(const CellRect& r, F f) {
  const int width = r.width < kLongestRow ? r.width : kLongestRow;
  const int height = width ? kPiecePixels / width : 1;
  for (int y = 0; y < r.height; y += height)
    for (int x = 0; x < r.width; x += width)
      f(CellRect{r.x + x, r.y + y, r.width - x < width ? r.width - x : width,
                 r.height - y < height ? r.height - y : height});
}

/// Copies a piece of one plane of a picture.
/// @param to  [piece.height][piece.width], written
template <class Group>
static MT_HD void copy_piece(Group& g, const Planes& picture, int plane, const CellRect& piece,
                             uint8_t* to) {
  copy_bytes(g, picture.plane[plane] + int64_t{piece.y} * picture.stride + piece.x, picture.stride,
             piece.height, piece.width, to, piece.width);
}

/// Writes a piece of one plane of a picture.
/// @param from  [piece.height][piece.width]
template <class Group>
static MT_HD void write_piece(Group& g, const uint8_t* from, const CellRect& piece,
                              const Planes& picture, int plane) {
  copy_bytes(g, from, piece.width, piece.height, piece.width,
             picture.plane[plane] + int64_t{piece.y} * picture.stride + piece.x, picture.stride);
}

}  // namespace mt
