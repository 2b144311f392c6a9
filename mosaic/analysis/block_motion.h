// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "executor/executor.h"
#include "kernels/motion/cell_samples.h"
#include "mosaic/analysis/motion.h"
#include "mosaic/base/grid.h"

namespace mosaic {

/// The motion of cells by block search (Flow::kBlock).
class BlockMotion : public Motion {
 public:
  BlockMotion(const Grid& grid, const std::shared_ptr<mt::Executor>& executor);

  /// Launches the search for a frame's cells in the frame of the last enqueue(), which must have
  /// been waited for. @param small the frame, grey and scaled down: [height][width]
  void enqueue(const uint8_t* small, int width, int height);

 private:
  void place_samples(int width, int height);

  int width_ = 0, height_ = 0;               ///< of the small pictures
  std::vector<mt::SampleSpan> x_at_, y_at_;  ///< of each column of samples, and of each row
  mt::DeviceBuffer<mt::SampleSpan> x_on_device_, y_on_device_;
  mt::DeviceBuffer<uint8_t> now_, last_;  ///< samples of the newest frame and the one before
};

}  // namespace mosaic
