// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "executor/executor.h"
#include "kernels/motion/block_search.h"
#include "mosaic/analysis/continuation.h"
#include "mosaic/analysis/motion_field.h"
#include "mosaic/analysis/motion_steps.h"
#include "mosaic/base/grid.h"

namespace mosaic {

/// How the motion that tiles follow is estimated.
enum class Flow {
  kIdentity,  ///< not at all: a cell holds its own tile
  kBlock,     ///< each cell's content is searched for in the frame before
  kRaft,      ///< by a network for the motion of each pixel
};

/// The motion of the cells in one frame.
struct FrameMotion {
  std::vector<mt::CellMotion> motion;  ///< [cells]: since the frame before
  /// [cells]: from which cell of the frame before a cell gets its tile; made from `motion`, in
  /// steps of whole cells.
  std::vector<CellOrigin> field;
};

/// The motion of cells from frame to frame. Derived classes launch what finds it.
class Motion {
 public:
  /// Reads the result of the last launch back, once that has been waited for. Where the frame does
  /// not continue the one before, nothing moved.
  void read_back(Continuation continuation);

  /// The motion of the frame that was read back last.
  const FrameMotion& found() const { return motion_; }

 protected:
  Motion(const Grid& grid, const std::shared_ptr<mt::Executor>& executor);

  Grid grid_;
  std::shared_ptr<mt::Executor> executor_;
  mt::Mirror<mt::CellMotion> found_;
  int frames_ = 0;  ///< how many were given; 2: two or more, so that there is a motion

 private:
  MotionSteps steps_;
  FrameMotion motion_;
};

}  // namespace mosaic
