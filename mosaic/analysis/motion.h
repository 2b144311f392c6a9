// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cuda/executor.h"
#include "cuda/motion/block_search.h"
#include "mosaic/analysis/continuation.h"
#include "mosaic/analysis/motion_field.h"
#include "mosaic/analysis/motion_steps.h"
#include "mosaic/base/grid.h"

namespace mosaic {

/// How the motion that tiles follow is estimated.
enum class Flow {
  kIdentity,  ///< not at all: a cell holds its own tile
  kBlock,     ///< each cell's content is searched for in the frame before
};

/// The motion of the cells in one frame.
struct FrameMotion {
  std::vector<mt::CellMotion> motion;  ///< [cells]: since the frame before
  /// [cells]: which cells of the frame before the tiles come from, in whole cells; made from
  /// `motion`.
  std::vector<CellOrigin> field;
};

/// The motion of cells from frame to frame, by block search (Flow::kBlock).
class Motion {
 public:
  Motion(const Grid& grid, const std::shared_ptr<mt::Executor>& executor);

  /// Launches the search for a frame's cells in the frame of the last enqueue(), which must have
  /// been waited for. @param small the frame, grey and scaled down: [height][width]
  void enqueue(mt::Executor& executor, const uint8_t* small, int width, int height);

  /// Reads the result of the last enqueue() back, once that has been waited for. Where the frame
  /// does not continue the one before, nothing moved.
  void read_back(Continuation continuation);

  /// The motion of the frame that was read back last.
  const FrameMotion& found() const { return motion_; }

 private:
  void place_samples(mt::Executor& executor, int width, int height);

  Grid grid_;
  MotionSteps steps_;
  std::shared_ptr<mt::Executor> executor_;
  int width_ = 0, height_ = 0;               ///< of the small pictures
  std::vector<mt::SampleSpan> x_at_, y_at_;  ///< of each column of samples, and of each row
  mt::DeviceBuffer<mt::SampleSpan> x_on_device_, y_on_device_;
  mt::DeviceBuffer<uint8_t> now_, last_;  ///< samples of the newest frame and the one before
  mt::Mirror<mt::CellMotion> found_;
  FrameMotion motion_;
  int frames_ = 0;  ///< how many were enqueued; 2: two or more
};

}  // namespace mosaic
