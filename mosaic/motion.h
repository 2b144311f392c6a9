// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cuda/block_search.h"
#include "cuda/executor.h"
#include "mosaic/grid.h"
#include "mosaic/motion_field.h"
#include "mosaic/motion_steps.h"

namespace mosaic {

/// How the motion is found that tiles follow.
enum class Flow {
  kIdentity,  ///< not at all: a cell goes on with its own tile
  kBlock,     ///< by a search for each cell's content in the last frame
};

/// Flow::kBlock, from frame to frame.
class Motion {
 public:
  Motion(const Grid& grid, const std::shared_ptr<mt::Executor>& executor);

  /// Has a frame compared with that of the last look(), once that has been waited for.
  /// @param small the frame, grey and made small: [height][width]
  void look(mt::Executor& executor, const uint8_t* small, int width, int height);

  /// Takes in what the last look() found, once that has been waited for.
  /// @param goes_on false: the frame has nothing to do with the one before
  void collect(bool goes_on);

  /// What tiles follow, [cells]. Of the last frame, as is
  std::span<const CellOrigin> field() const { return steps_.field(); }
  /// the motion that this is made of, [cells].
  std::span<const mt::CellMotion> motion() const { return motion_; }

 private:
  void lay_samples(mt::Executor& executor, int width, int height);

  Grid grid_;
  MotionSteps steps_;
  std::shared_ptr<mt::Executor> executor_;
  int width_ = 0, height_ = 0;               ///< of the small pictures
  std::vector<mt::SampleSpan> x_at_, y_at_;  ///< of each column of samples, and of each row
  mt::DeviceBuffer<mt::SampleSpan> x_on_device_, y_on_device_;
  mt::DeviceBuffer<uint8_t> now_, last_;  ///< samples
  mt::Mirror<mt::CellMotion> found_;
  std::vector<mt::CellMotion> motion_;
  int looks_ = 0;  ///< 2: or more
};

}  // namespace mosaic
