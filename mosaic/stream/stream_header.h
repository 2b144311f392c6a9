// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mosaic/base/grid.h"
#include "mosaic/pack/pack_format.h"
#include "mosaic/settings/look.h"

namespace mosaic::stream {

/// The most cells of a mosaic that is sent.
inline constexpr int kMostCells = 1 << 18;

/// What all frames of a stream have in common. It stands at the beginning of every keyframe.
struct StreamHeader {
  int width = 1, height = 1;  ///< of the frames that the mosaic was made of, 1..16384 pixels
  Shape pixel = {};
  Shape cell = {};                ///< on the display, 1..255 each
  uint32_t fps_n = 0, fps_d = 1;  ///< frames a second; 0/1: not constant
  /// Size of the grid: either the side of a cell, 8..256, or columns and rows.
  int side = 0;
  int columns = 0, rows = 0;
  pack::Hash photos = {};    ///< of the pack
  uint32_t photo_count = 0;  ///< in the pack
  bool augment = true;       ///< as PoolOptions
  int color_variants = 0;
  Look look = {};
  double newest = 1;  ///< 0..1, FrameSettings::ema_alpha

  bool operator==(const StreamHeader&) const = default;

  /// Number of tiles: of photos in all variants.
  int tiles() const;
  /// The grid of the mosaic, shown at another size.
  /// Throws Error (kSettings) if such cells would be too large, or smaller than a pixel.
  Grid grid(int out_width, int out_height) const;
};

/// The header of a stream of mosaics. @param grid that choose_grid() made with these arguments
void set_grid(StreamHeader& header, const Grid& grid, Shape pixel, Shape cell);

/// What drawing needs of a cell's source.
enum class SourceNeeds {
  kNothing,
  kMeans,    ///< of the cell and its quadrants, exactly: fidelity, without anything below
  kPicture,  ///< a small picture and the spread of colours: colour transfer, or the source blended
};
SourceNeeds source_needs(const Look& look);

/// Appends the header to a payload.
void append_header(std::vector<uint8_t>& to, const StreamHeader& header);

/// Reads the header at the beginning of a payload. @param size receives its size, bytes
/// Throws Error (kRead) if it is damaged, or a number is out of its range.
StreamHeader read_header(std::span<const uint8_t> payload, size_t& size);

}  // namespace mosaic::stream
