// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "executor/executor.h"
#include "kernels/network/convolution.h"
#include "kernels/network/layer.h"
#include "mosaic/motion_network/raft_weights.h"

namespace mosaic {

/// A layer and its memory, zeroed.
class LayerMemory {
 public:
  LayerMemory() = default;
  /// @param pictures in a batch
  LayerMemory(const std::shared_ptr<mt::Executor>& executor, int pictures, int width, int height,
              int channels, int border = 0)
      : layer_{.data = nullptr,
               .width = width,
               .height = height,
               .channels = channels,
               .border = border},
        memory_(executor, static_cast<size_t>(pictures * layer_.picture())) {
    layer_.data = memory_.data();
  }
  const mt::Layer& layer() const { return layer_; }
  operator const mt::Layer&() const { return layer_; }  // NOLINT(google-explicit-constructor)
  size_t bytes() const { return memory_.size() * sizeof(float); }

 private:
  mt::Layer layer_;
  mt::DeviceBuffer<float> memory_;
};

/// Channels of a layer that a convolution with so many outputs writes.
inline int padded_channels(int outputs) {
  return (outputs + mt::kChannelBlock - 1) / mt::kChannelBlock * mt::kChannelBlock;
}

/// RAFT's weights where kernels reach them, and the launches of convolutions with them.
class RaftConvolutions {
 public:
  RaftConvolutions(std::shared_ptr<const RaftWeights> weights,
                   const std::shared_ptr<mt::Executor>& executor)
      : weights_(std::move(weights)),
        executor_(executor),
        values_(executor, weights_->values().size()) {
    executor->to_device(values_.data(), weights_->values().data(), values_.size() * sizeof(float));
    executor->wait();
  }

  const RaftWeights& weights() const { return *weights_; }
  /// How many pictures of a batch later launches work on.
  void set_pictures(int pictures) { pictures_ = pictures; }
  int pictures() const { return pictures_; }

  struct Options {
    int stride = 1;
    bool relu = false;
    mt::Layer start{};  ///< see mt::Convolution
  };
  void launch(int convolution, const mt::Layer& in, const mt::Layer& out,
              const Options& options) const {
    launch(convolution, in, {}, out, options);
  }
  void launch(int convolution, const mt::Layer& in, const mt::Layer& second, const mt::Layer& out,
              const Options& options) const;

 private:
  std::shared_ptr<const RaftWeights> weights_;
  std::shared_ptr<mt::Executor> executor_;
  int pictures_ = 0;
  mt::DeviceBuffer<float> values_;
};

}  // namespace mosaic
