// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/motion_network/raft_encoder.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "kernels/network/flow.h"
#include "kernels/network/instance_norm.h"

namespace mosaic {
namespace {

constexpr int kFirstChannels = 32, kMostChannels = 96;

}  // namespace

void RaftConvolutions::launch(int convolution, const mt::Layer& in, const mt::Layer& second,
                              const mt::Layer& out, const Options& options) const {
  const RaftWeights::ConvolutionEntry& c = weights_->at(convolution);
  mt::Convolution kernel{};
  kernel.in[0] = {in, c.channels[0]};
  kernel.in[1] = {second, c.channels[1]};
  kernel.inputs = c.inputs;
  kernel.side = c.side;
  kernel.stride = options.stride;
  kernel.pictures = pictures_;
  kernel.blocks = padded_channels(c.outputs) / mt::kChannelBlock;
  kernel.weights = values_.data() + c.weights;
  kernel.bias = values_.data() + c.bias;
  kernel.start = options.start;
  kernel.out = out;
  kernel.relu = options.relu;
  executor_->launch(kernel, kernel.count());
}

RaftEncoder::RaftEncoder(const std::shared_ptr<mt::Executor>& executor, mt::PixelSize size,
                         int pictures)
    : executor_(executor),
      input_(executor, pictures, size.width, size.height, mt::NetworkInput::kChannels, 3) {
  // The first layers have the most values: half the width and height, kFirstChannels.
  const int width = size.width / 2, height = size.height / 2;
  const size_t most = size_t(pictures) * width * height * kFirstChannels;
  for (auto& values : values_) values = {executor, most};
  expanded_ = {executor, most};
  bypass_ = {executor, most / 2};  // half the size in each dimension, twice the channels
  middle_ = {executor, most / 2};
  first_ = {.data = values_[0].data(),
            .width = width,
            .height = height,
            .channels = kFirstChannels,
            .border = 0};
  mt::Layer in = first_;
  for (int i = 0; i < EncoderConvolutions::kBlocks; ++i) {
    Block& block = blocks_[i];
    block.channels = kFirstChannels * (i / 2 + 1);
    block.stride = i > 0 && i % 2 == 0 ? 2 : 1;
    const int narrow = padded_channels(block.channels / 4);
    const int w = in.width / block.stride, h = in.height / block.stride;
    block.reduced = {executor, pictures, in.width, in.height, narrow, 1};
    block.middle = {
        .data = middle_.data(), .width = w, .height = h, .channels = narrow, .border = 0};
    block.expanded = {
        .data = expanded_.data(), .width = w, .height = h, .channels = block.channels, .border = 0};
    block.bypass = {
        .data = bypass_.data(), .width = w, .height = h, .channels = block.channels, .border = 0};
    block.out = {.data = values_[(i + 1) % 2].data(),
                 .width = w,
                 .height = h,
                 .channels = block.channels,
                 .border = 0};
    in = block.out;
  }
  row_moments_ = {executor, size_t{2} * pictures * height * kMostChannels};
  moments_ = {executor, size_t{2} * pictures * kMostChannels};
  bypass_moments_ = {executor, size_t{2} * pictures * kMostChannels};
  // Kernels find the means before the deviations, as many as there are channels: for each number of
  // channels, zeros and ones of its own.
  std::vector<float> none;
  for (int channels = mt::kChannelBlock; channels <= kMostChannels; channels += mt::kChannelBlock) {
    none.insert(none.end(), channels, 0.0f);
    none.insert(none.end(), channels, 1.0f);
  }
  no_moments_ = {executor, none.size()};
  executor->to_device(no_moments_.data(), none.data(), none.size() * sizeof(float));
  executor->wait();
}

void RaftEncoder::set_pictures(std::span<const mt::Planes> pictures) {
  pictures_ = static_cast<int>(pictures.size());
  for (size_t i = 0; i < pictures.size(); ++i)
    executor_->launch(mt::NetworkInput{pictures[i], input_, static_cast<int32_t>(i)},
                      input_.layer().height);
}

const float* RaftEncoder::moments_of(const mt::Layer& layer, float* moments) {
  executor_->launch(mt::RowMoments{layer, row_moments_.data()}, pictures_ * layer.height);
  executor_->launch(mt::PictureMoments{.rows = row_moments_.data(),
                                       .width = layer.width,
                                       .height = layer.height,
                                       .channels = layer.channels,
                                       .moments = moments},
                    pictures_);
  return moments;
}

void RaftEncoder::encode(const RaftConvolutions& convolutions, const EncoderConvolutions& which,
                         bool normalised, const mt::Layer& out) {
  const auto none = [&](const mt::Layer& layer) {
    const int n = layer.channels / mt::kChannelBlock;  // after those of 1..n - 1 blocks
    return no_moments_.data() + n * (n - 1) * mt::kChannelBlock;
  };
  /// A convolution, normalised if that is wanted, without what is negative.
  const auto convolve = [&](int convolution, const mt::Layer& from, const mt::Layer& to,
                            int stride) {
    convolutions.launch(convolution, from, to, {stride, !normalised, {}});
    if (!normalised) return;
    const float* moments = moments_of(to, moments_.data());
    executor_->launch(mt::Normalise{.in = to,
                                    .moments = moments,
                                    .each_picture = 1,
                                    .other = {},
                                    .other_moments = nullptr,
                                    .other_each_picture = 0,
                                    .out = to},
                      pictures_ * to.height);
  };
  convolve(which.first, input_, first_, 2);
  mt::Layer in = first_;
  for (int i = 0; i < EncoderConvolutions::kBlocks; ++i) {
    const Block& block = blocks_[i];
    convolve(which.reduce[i], in, block.reduced, 1);
    convolve(which.middle[i], block.reduced, block.middle, block.stride);
    convolutions.launch(which.expand[i], block.middle, block.expanded, {});
    const mt::Layer& other = which.bypass[i] < 0 ? in : block.bypass;
    const float* other_moments = none(other);
    const bool normalise_other = normalised && which.bypass[i] >= 0;
    if (which.bypass[i] >= 0)
      convolutions.launch(which.bypass[i], in, block.bypass, {block.stride, false, {}});
    if (normalise_other) other_moments = moments_of(other, bypass_moments_.data());
    const float* moments =
        normalised ? moments_of(block.expanded, moments_.data()) : none(block.expanded);
    executor_->launch(mt::Normalise{.in = block.expanded,
                                    .moments = moments,
                                    .each_picture = normalised,
                                    .other = other,
                                    .other_moments = other_moments,
                                    .other_each_picture = normalise_other,
                                    .out = block.out},
                      pictures_ * block.out.height);
    in = block.out;
  }
  convolutions.launch(which.last, in, out, {});
}

}  // namespace mosaic
