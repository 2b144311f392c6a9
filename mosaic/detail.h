// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "cuda/cell_detail.h"
#include "cuda/executor.h"
#include "mosaic/grid.h"

namespace mosaic {

/// Edges and the Laplacian of the newest frame, cell by cell, in the numbers that OpenCV's Canny,
/// GaussianBlur and Laplacian give. Pixels are those of the picture that the analysis takes the
/// cells from; what cells have beyond its edge is not counted.
class Detail {
 public:
  Detail(const Grid& grid, const std::shared_ptr<mt::Executor>& executor);

  /// Has a frame looked at, unless no cell changed.
  /// @param picture where the cells come from (see FrameAnalysis)
  /// @param gray    [height][picture.stride]; null: it is made of the picture
  /// @param changed [cells], FrameAnalysis::on_device()
  void look(mt::Executor& executor, const mt::Planes& picture, const uint8_t* gray,
            const uint8_t* changed);

  /// What the host knows, once look() has been waited for.
  std::span<const mt::CellDetail> cells() const { return {cells_.host(), cells_.size()}; }
  /// Pixels of a cell that lie in the picture, 1 or more.
  int pixels(int cell) const;

 private:
  void find_edges(mt::Executor& executor, const mt::GrayView& gray);
  void settle(mt::Executor& executor);
  mt::EdgeBits bits_of(mt::DeviceBuffer<uint32_t>& bits) const;

  mt::CellLayout layout_;
  int framed_;  ///< row of a plane with room for a pixel on each side
  mt::DeviceBuffer<int32_t> any_;
  mt::DeviceBuffer<uint8_t> gray_, smooth_;
  mt::DeviceBuffer<uint16_t> slopes_;
  mt::DeviceBuffer<uint32_t> ridges_, edges_, lists_;
  mt::DeviceBuffer<int32_t> listed_;
  mt::DeviceBuffer<mt::LaplacianPart> parts_;
  mt::Mirror<mt::CellDetail> cells_;
};

}  // namespace mosaic
