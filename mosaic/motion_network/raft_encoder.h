// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <array>
#include <memory>
#include <span>

#include "executor/executor.h"
#include "kernels/views.h"
#include "mosaic/motion_network/raft_layers.h"

namespace mosaic {

/// The encoders of RAFT's small model: the same layers with other weights, for features with
/// instance normalisation, for the context without. They use the same memory in turn.
class RaftEncoder {
 public:
  RaftEncoder(const std::shared_ptr<mt::Executor>& executor, mt::PixelSize size, int pictures);

  /// Launches the conversion of pictures, which encode() then reads: at most as many as memory was
  /// allocated for. A smaller picture is extended at the right and below by its last pixels.
  void set_pictures(std::span<const mt::Planes> pictures);

  /// Launches an encoder. @param out an eighth of the size
  void encode(const RaftConvolutions& convolutions, const EncoderConvolutions& which,
              bool normalised, const mt::Layer& out);

 private:
  struct Block {
    int channels, stride;
    mt::Layer expanded, bypass, out;
    LayerMemory reduced;  ///< with a border
    mt::Layer middle;
  };
  const float* moments_of(const mt::Layer& layer, float* moments);

  std::shared_ptr<mt::Executor> executor_;
  int pictures_ = 0;  ///< that encode() reads
  LayerMemory input_;
  mt::Layer first_;
  std::array<Block, EncoderConvolutions::kBlocks> blocks_;
  /// What blocks read and write in turn, and what lies between.
  std::array<mt::DeviceBuffer<float>, 2> values_;
  mt::DeviceBuffer<float> expanded_, bypass_, middle_;
  mt::DeviceBuffer<float> row_moments_, moments_, bypass_moments_;
  mt::DeviceBuffer<float> no_moments_;  ///< those of values that need no normalisation
};

}  // namespace mosaic
