// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "executor/executor.h"
#include "kernels/network/join.h"
#include "kernels/views.h"
#include "mosaic/motion_network/raft.h"
#include "mosaic/motion_network/window_groups.h"
#include "mosaic/windows/window_axis.h"
#include "mosaic/windows/window_options.h"

namespace mosaic {

/// The motion between consecutive frames of any size, by RAFT, in windows if frames are larger than
/// one. Windows of one size are estimated in batches; neither the size of a batch nor the device
/// makes any difference to the result.
class FrameFlow {
 public:
  enum class Direction {
    kForward,   ///< from the frame before to the newest
    kBackward,  ///< from the newest frame to the one before
  };

  /// Allocates all memory. @param frame size, at least 1x1
  /// @param windows of which size, overlap and batch are used; see check_windows()
  FrameFlow(std::shared_ptr<const RaftWeights> weights,
            const std::shared_ptr<mt::Executor>& executor, mt::PixelSize frame,
            const WindowOptions& windows);

  /// The memory of a FrameFlow, roughly, bytes.
  static uint64_t memory(mt::PixelSize frame, const WindowOptions& windows);

  /// The part of a frame from its upper left corner for which there is a flow. Where a side is cut
  /// into windows, they end at a multiple of 32 pixels.
  mt::PixelSize size() const { return {columns_.length(), rows_.length()}; }
  /// Batches of windows that each frame is divided into.
  int batches() const { return static_cast<int>(groups_.size()); }

  /// Launches what is to be found in a frame by itself.
  void add_frame(const mt::Planes& picture);
  /// Launches the estimation of the motion between the last two frames, which must exist.
  /// @param iterations updates of the flow
  void estimate(Direction direction, int iterations);

  /// [size().height][size().width][2]: to the right and down, in 1 / mt::kFlowUnit pixels, where
  /// kernels reach it. What the last estimate() in this direction found.
  const int32_t* flow(Direction direction) const {
    return flow_[static_cast<size_t>(direction)].data();
  }

 private:
  /// The network for windows of one size.
  struct Network {
    int width, height;  ///< of the windows
    Raft raft;
    FlowField flow;
  };
  struct Group {
    WindowGroup windows;
    int network;
    RaftFeatures before, newest;
  };
  void upload_weights();
  void add(const Group& group);

  std::shared_ptr<mt::Executor> executor_;
  WindowAxis columns_, rows_;
  std::vector<Network> networks_;
  std::vector<Group> groups_;
  std::vector<mt::Planes> pictures_;  ///< of the windows of one group
  mt::DeviceBuffer<uint16_t> weights_;
  std::vector<const uint16_t*> column_weights_, row_weights_;  ///< [windows of the axis], on device
  mt::DeviceBuffer<int64_t> sums_;
  std::array<mt::DeviceBuffer<int32_t>, 2> flow_;
};

}  // namespace mosaic
