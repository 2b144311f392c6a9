// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <array>
#include <memory>
#include <span>

#include "executor/executor.h"
#include "kernels/network/correlation.h"
#include "kernels/views.h"
#include "mosaic/motion_network/raft_encoder.h"
#include "mosaic/motion_network/raft_layers.h"
#include "mosaic/motion_network/raft_weights.h"

namespace mosaic {

/// What RAFT's encoders find in a batch of pictures, which it needs to estimate motion from them
/// and to them.
class RaftFeatures {
 public:
  /// @param size of the pictures; @param pictures at most so many
  RaftFeatures(const std::shared_ptr<mt::Executor>& executor, mt::PixelSize size, int pictures);

 private:
  friend class Raft;
  int pictures_ = 0;  ///< how many there are
  LayerMemory features_;
  std::array<mt::DeviceBuffer<float>, mt::kFeatureLevels> level_memory_;
  std::array<mt::FeatureLevel, mt::kFeatureLevels> level_;
  LayerMemory hidden_;            ///< before the first update
  LayerMemory gates_, proposed_;  ///< what the recurrent unit takes from the context
};

/// The motion of every pixel from one picture to another, for a batch of pairs.
class FlowField {
 public:
  /// @param size of the pictures
  FlowField(const std::shared_ptr<mt::Executor>& executor, mt::PixelSize size, int pairs);

  /// [pairs][height][width][2]: to the right and down, pixels; where kernels reach it.
  const float* pixels() const { return pixels_.data(); }
  size_t size() const { return pixels_.size(); }
  /// The same for squares of 8 pixels, in units of 8 pixels; what Raft::estimate() begins with.
  const float* coarse() const { return coarse_.data(); }

 private:
  friend class Raft;
  mt::DeviceBuffer<float> coarse_, pixels_;
};

/// Estimates motion with the small model of RAFT (Teed and Deng, ECCV 2020), as torchvision's
/// raft_small does, in 32-bit floating point. Every sum has one order, so that results are the same
/// bytes on every device, with any number of threads and in any batch.
class Raft {
 public:
  /// Pictures have to be at least this large, and sides multiples of kMultiple.
  static constexpr int kMinSide = 64, kMultiple = 32;

  /// Allocates all memory. @param size of the pictures; @param pairs in a batch, at most
  Raft(std::shared_ptr<const RaftWeights> weights, const std::shared_ptr<mt::Executor>& executor,
       mt::PixelSize size, int pairs);

  mt::PixelSize size() const { return size_; }

  /// Launches the encoders. @param pictures at most as many as there are pairs; smaller ones than
  /// size() are extended at the right and below
  void encode(std::span<const mt::Planes> pictures, RaftFeatures& features);

  /// Launches the estimation of the motion from pictures to as many others, which encode() got.
  /// @param initial FlowField::coarse() of a flow that is expected to be close; null: no motion
  /// @param flow    written; may contain `initial`
  void estimate(const RaftFeatures& from, const RaftFeatures& to, const float* initial,
                int iterations, FlowField& flow);

 private:
  void update(const RaftFeatures& from, const RaftFeatures& to, const mt::Layer& hidden,
              FlowField& flow);

  std::shared_ptr<mt::Executor> executor_;
  mt::PixelSize size_;
  RaftConvolutions convolutions_;
  RaftEncoder encoder_;
  LayerMemory split_, context_;  ///< what the context encoder found
  LayerMemory flow_, looked_up_, flow_wide_;
  LayerMemory both_;    ///< 96 channels of correlations, 32 of the flow
  LayerMemory motion_;  ///< 80 channels, and the flow itself
  LayerMemory gates_, reset_, proposed_, hidden_, head_wide_, change_;
};

}  // namespace mosaic
