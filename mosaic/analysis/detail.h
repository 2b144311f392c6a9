// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "executor/executor.h"
#include "kernels/features/cell_detail.h"
#include "mosaic/base/grid.h"

namespace mosaic {

/// Edges and the Laplacian of the newest frame, cell by cell, with the results of OpenCV's Canny,
/// GaussianBlur and Laplacian. They are computed on the picture that FrameAnalysis takes the cells
/// from; parts of cells beyond the picture's edge are not counted.
class Detail {
 public:
  Detail(const Grid& grid, const std::shared_ptr<mt::Executor>& executor);

  /// Launches the analysis of a frame; if no cell changed, the results stay.
  /// @param picture that the cells are taken from, see FrameAnalysis::picture
  /// @param gray    [height][picture.stride]; null: it is computed from the picture
  /// @param changed [cells], FrameAnalysis::on_device()
  void enqueue(const mt::Planes& picture, const uint8_t* gray, const uint8_t* changed);

  /// Results, once enqueue() has been waited for.
  std::span<const mt::CellDetail> cells() const { return {cells_.host(), cells_.size()}; }
  /// Pixels of a cell that lie in the picture, 1 or more.
  int pixels(int cell) const;

 private:
  void find_edges(const mt::GrayView& gray);
  void link_edges();
  mt::EdgeBits bits_of(mt::DeviceBuffer<uint32_t>& bits) const;

  std::shared_ptr<mt::Executor> executor_;
  mt::CellLayout layout_;
  int padded_width_;  ///< length of a plane's rows with a pixel's border on each side, rounded up
  mt::DeviceBuffer<int32_t> any_changed_;
  mt::DeviceBuffer<uint8_t> gray_, smooth_;
  mt::DeviceBuffer<uint16_t> gradients_;
  mt::DeviceBuffer<uint32_t> weak_edges_, edges_, word_lists_;
  mt::DeviceBuffer<int32_t> listed_;
  mt::DeviceBuffer<mt::LaplacianPart> parts_;
  mt::Mirror<mt::CellDetail> cells_;
};

}  // namespace mosaic
