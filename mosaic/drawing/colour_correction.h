// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "executor/executor.h"
#include "kernels/drawing/cell_correction.h"
#include "mosaic/base/grid.h"
#include "mosaic/base/picture.h"

namespace mosaic {

/// Moves the colours of the cells of the finished picture towards those of their source, see
/// kernels/drawing/cell_correction.h. The corrected picture lasts from frame to frame, and a cell
/// stays as it is until its picture changes: finishing depends on the whole picture, so without
/// this every change of a tile would make all cells around it flicker.
class ColourCorrection {
 public:
  ColourCorrection(const Grid& grid, const std::shared_ptr<mt::Executor>& executor);

  /// @param from      the picture to correct, out_width x out_height
  /// @param wanted    [cells], on the device: the means of the source
  /// @param fidelity  above 0, up to 1; in regions of interest it is half as far from 1
  /// @param in_region [cells]: whether the cell is in a region of interest, 0 or 1
  /// @param changed   on the device: the cells to correct; null: the first `count` cells
  /// @param count     number of cells to correct
  /// @return the corrected picture, valid until the next call
  mt::Planes apply(const mt::Planes& from, const mt::CellMeans* wanted, double fidelity,
                   std::span<const uint8_t> in_region, const int32_t* changed, int count);

 private:
  std::shared_ptr<mt::Executor> executor_;
  mt::Buffer<mt::CellRect> cells_;
  mt::Buffer<uint8_t> in_region_;
  Picture corrected_;
};

}  // namespace mosaic
