// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>

#include "executor/executor.h"
#include "kernels/views.h"
#include "mosaic/analysis/motion.h"
#include "mosaic/base/grid.h"
#include "mosaic/motion_network/frame_flow.h"
#include "mosaic/motion_network/raft_weights.h"
#include "mosaic/windows/window_options.h"

namespace mosaic {

/// The motion of cells by RAFT (Flow::kRaft): the mean flow of their pixels, and as confidence the
/// share of those for which the flow there and the flow back agree.
class NetworkMotion : public Motion {
 public:
  struct Options {
    std::shared_ptr<const RaftWeights> weights;
    mt::PixelSize size = 1;  ///< that frames are scaled down to; at most theirs
    WindowOptions windows;   ///< that pictures of this size are cut into

    bool operator==(const Options&) const = default;
  };
  /// Allocates all memory.
  NetworkMotion(const Grid& grid, const std::shared_ptr<mt::Executor>& executor,
                const Options& options);

  const Options& options() const { return options_; }

  /// Launches the estimation of the motion since the frame of the last enqueue(), which must have
  /// been waited for. @param frame of the grid's input size; @param iterations updates of the flow
  void enqueue(const mt::Planes& frame, int iterations);

 private:
  Options options_;
  mt::DeviceBuffer<uint8_t> small_;       ///< [3][height][width]
  mt::DeviceBuffer<int64_t> difference_;  ///< that mt::Thumbnail writes; not used
  FrameFlow flow_;
  mt::DeviceBuffer<int32_t> samples_;  ///< where columns of samples lie, then rows: pixels
};

}  // namespace mosaic
