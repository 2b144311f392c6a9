// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>

#include "cuda/views.h"

namespace mosaic {

/// Where the cells of a frame lie.
///
/// Square cells stand 1:1 over the input, centred, the outer ones cut by the frame's edge. Where
/// the user named COLSxROWS, the cells divide the frame into exactly that many instead, and the
/// analysis looks at a resampled picture of columns*side x rows*side pixels.
struct Grid {
  int columns = 1;
  int rows = 1;
  int side = 8;                       ///< analysis side of a cell, pixels, 8..256
  bool stretched = false;             ///< COLSxROWS was asked for
  int in_width = 1, in_height = 1;    ///< pixels
  int out_width = 1, out_height = 1;  ///< pixels
  int draw_side = 8;  ///< side that tiles are prepared at for drawing: covers the largest cell

  int cells() const { return columns * rows; }
  /// Input pixel at which the first column (row) begins: 0 or negative. Square cells only.
  int in_left() const;
  int in_top() const;
  /// Output pixel at which column c (row r) begins; c may be `columns`. Not clamped to the frame.
  int out_x(int c) const;
  int out_y(int r) const;
  /// What a cell covers of the output. Not clamped to the frame.
  mt::CellRect out_rect(int cell) const;

  bool operator==(const Grid&) const = default;
};

/// Throws Error (kSettings) when a size is neither a number of cells ("700") nor COLSxROWS
/// ("48x27"), or is more than 16384 each way.
void check_size(const std::string& size);

/// Chooses the grid.
/// @param tile_size cell side in input pixels, 8..256; 0: as `size` says
/// @param size      about how many cells ("700"), or exactly "COLSxROWS"
/// Throws as check_size() does, and when COLSxROWS makes cells of more than 256 pixels.
Grid choose_grid(int in_width, int in_height, int out_width, int out_height, unsigned tile_size,
                 const std::string& size);

}  // namespace mosaic
