// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/views.h"
#include "mosaic/base/shape.h"

namespace mosaic {

/// Where the cells of a frame lie.
///
/// Square cells of side x side pixels are centred on the analysed picture, whose edge cuts the
/// outer ones. That picture is the frame itself if its pixels and the cells are square on the
/// display. Otherwise it is the frame, reduced along one axis until side x side of its pixels have
/// the shape of a cell on the display. If the user gave COLSxROWS, it is the frame scaled to
/// columns*side x rows*side, which the cells divide exactly.
struct Grid {
  int columns = 1;
  int rows = 1;
  int side = 8;                       ///< analysis side of a cell, pixels, 8..256
  int in_width = 1, in_height = 1;    ///< pixels
  int out_width = 1, out_height = 1;  ///< pixels
  /// The size of the whole mosaic where the output is a part of it, and where that part begins; 0:
  /// the output is the whole mosaic.
  int whole_width = 0, whole_height = 0, part_x = 0, part_y = 0;
  mt::PixelSize analysed = 1;  ///< the picture that the cells are laid on
  /// The size at which tiles are prepared for drawing: covers the largest cell, and has the shape
  /// of the cells on the display (where COLSxROWS are given, of the photos).
  mt::PixelSize draw_size = 8;

  int cells() const { return columns * rows; }
  /// Whether the analysed picture is a resampled one.
  bool resampled() const { return analysed != mt::PixelSize(in_width, in_height); }
  /// Whether the mosaic has another size than the frame.
  bool scaled() const { return in_width != out_width || in_height != out_height; }
  /// Pixel of the analysed picture at which the first column (row) begins: 0 or negative.
  int left() const;
  int top() const;
  /// Output pixel at which column c (row r) begins; c may be `columns`. Not clamped to the frame.
  int out_x(int c) const;
  int out_y(int r) const;
  /// The part of the output that a cell covers. Not clamped to the frame.
  mt::CellRect out_rect(int cell) const;

  bool operator==(const Grid&) const = default;
};

/// The parts of the output that some cells cover, within the frame, with neighbours in a row as one
/// part. Does not allocate memory if `parts` has room for as many parts as there are cells.
/// @param cells ascending
/// @param parts written
void merge_cells(const Grid& grid, std::span<const int32_t> cells,
                 std::vector<mt::CellRect>& parts);

/// Throws Error (kSettings) when a size is neither a number of cells ("700") nor COLSxROWS
/// ("48x27"), or has more than 16384 columns or rows.
void check_size(const std::string& size);

/// Chooses the grid.
/// @param tile_size cell side in input pixels, 8..256; 0: as `size` says. Cells that are not square
///                  in pixels have this as their shorter side
/// @param size      about how many cells ("700"), or exactly "COLSxROWS"
/// @param pixel     of both input and output
/// @param cell      on the display; its shape divided by the pixel's is clamped to 1:16..16:1
/// Throws as check_size() does, when COLSxROWS makes cells of more than 256 pixels, and when a cell
/// of the output has more than 16384 pixels along a side.
Grid choose_grid(int in_width, int in_height, int out_width, int out_height, unsigned tile_size,
                 const std::string& size, Shape pixel = {}, Shape cell = {});

/// Why `grid`, which choose_grid() made, does not have the cells that `size` asks for, and how many
/// it has; empty: it has them as nearly as possible, or `tile_size` decided.
std::string why_other_size(const Grid& grid, unsigned tile_size, const std::string& size);

}  // namespace mosaic
