// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>

#include "cuda/views.h"

namespace mosaic {

/// Where the cells of a frame lie.
///
/// Square cells of side x side input pixels are centred on the frame, whose edge cuts the outer
/// ones. If the user gave COLSxROWS, the cells divide the frame into exactly that many instead, and
/// the analysis uses a resampled picture of columns*side x rows*side pixels.
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
  /// The part of the output that a cell covers. Not clamped to the frame.
  mt::CellRect out_rect(int cell) const;

  bool operator==(const Grid&) const = default;
};

/// Throws Error (kSettings) when a size is neither a number of cells ("700") nor COLSxROWS
/// ("48x27"), or has more than 16384 columns or rows.
void check_size(const std::string& size);

/// Chooses the grid.
/// @param tile_size cell side in input pixels, 8..256; 0: as `size` says
/// @param size      about how many cells ("700"), or exactly "COLSxROWS"
/// Throws as check_size() does, and when COLSxROWS makes cells of more than 256 pixels.
Grid choose_grid(int in_width, int in_height, int out_width, int out_height, unsigned tile_size,
                 const std::string& size);

/// Why `grid`, which choose_grid() made, does not have the cells that `size` asks for, and how many
/// it has; empty: it has them as nearly as possible, or `tile_size` decided.
std::string why_other_size(const Grid& grid, unsigned tile_size, const std::string& size);

}  // namespace mosaic
