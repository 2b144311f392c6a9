// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "kernels/group.h"
#include "kernels/kernel_list.h"
#include "kernels/math/convolve.h"
#include "kernels/network/layer.h"

namespace mt {

/// A layer that a convolution reads, and how many of its channels, from the first one.
struct ConvolutionInput {
  Layer layer;  ///< the border is at least half the kernel's side
  int32_t channels;
};

/// A convolution of one or two layers with a square kernel. Index: (pair of blocks of channels,
/// picture, row), the last changes fastest, so that the weights of a pair stay in a cache.
struct Convolution {
  static constexpr KernelId kId = KernelId::kConvolution;
  ConvolutionInput in[kInputs];
  int32_t inputs, side, stride;
  int32_t pictures;
  int32_t blocks;        ///< of kChannelBlock channels
  const float* weights;  ///< [blocks][input][side][side][channels][kChannelBlock]
  const float* bias;     ///< [blocks * kChannelBlock]; unused with `start`
  Layer start;           ///< what each sum begins with in place of the bias, if it has data
  Layer out;
  int32_t relu;  ///< whether negative results become 0

  /// Indexes of a launch.
  int count() const { return (blocks + kRowBlocks - 1) / kRowBlocks * pictures * out.height; }

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    const int rows = pictures * out.height;
    const int block = index / rows * kRowBlocks, row = index % rows;
    ConvolutionRow r;
    r.inputs = inputs;
    r.block_weights = 0;
    for (int i = 0; i < inputs; ++i) {
      r.in[i] = runs(in[i], row);
      r.block_weights += int64_t{side} * side * in[i].channels * kChannelBlock;
    }
    r.blocks = blocks - block < kRowBlocks ? blocks - block : kRowBlocks;
    r.weights = weights + block * r.block_weights;
    r.start = (start.data ? start.at(row) : bias) + block * kChannelBlock;
    r.start_step = start.data ? start.channels : 0;
    r.relu = relu;
    r.out = out.at(row) + block * kChannelBlock;
    r.out_step = out.channels;
    r.count = out.width;
    convolve(g, r);
  }

 private:
  MT_HD ConvolutionRuns runs(const ConvolutionInput& from, int row) const {
    const Layer& layer = from.layer;
    const int picture = row / out.height, y = row % out.height;
    ConvolutionRuns r;
    r.data = layer.at(picture * layer.height) + (y * stride - side / 2) * layer.row() -
             int64_t{side / 2} * layer.channels;
    const bool all = from.channels == layer.channels;
    r.rows = side;
    r.runs = all ? 1 : side;
    r.length = all ? side * from.channels : from.channels;
    r.run = layer.channels;
    r.step = stride * layer.channels;
    r.row = layer.row();
    return r;
  }
};

}  // namespace mt
