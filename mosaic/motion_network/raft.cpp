// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/motion_network/raft.h"

#include <utility>

#include "kernels/network/flow.h"
#include "kernels/network/recurrent.h"

namespace mosaic {
namespace {

using mt::kContext, mt::kFlowCell, mt::kHidden, mt::kMapChannels;
constexpr int kCorrelationChannels = 96, kFlowChannels = 32, kMotionChannels = 80;

}  // namespace

RaftFeatures::RaftFeatures(const std::shared_ptr<mt::Executor>& executor, mt::PixelSize size,
                           int pictures) {
  int w = size.width / kFlowCell, h = size.height / kFlowCell;
  features_ = {executor, pictures, w, h, kMapChannels};
  hidden_ = {executor, pictures, w, h, kHidden, 1};
  gates_ = {executor, pictures, w, h, 2 * kHidden};
  proposed_ = {executor, pictures, w, h, kHidden};
  for (int i = 0; i < mt::kFeatureLevels; ++i, w /= 2, h /= 2) {
    mt::FeatureLevel level{nullptr, w, h};
    level_memory_[i] = {executor, size_t(pictures) * h * kMapChannels * level.pitch()};
    level.data = level_memory_[i].data();
    level_[i] = level;
  }
}

FlowField::FlowField(const std::shared_ptr<mt::Executor>& executor, mt::PixelSize size, int pairs)
    : coarse_(executor, size_t{2} * pairs * (size.width / kFlowCell) * (size.height / kFlowCell)),
      pixels_(executor, coarse_.size() * kFlowCell * kFlowCell) {}

Raft::Raft(std::shared_ptr<const RaftWeights> weights,
           const std::shared_ptr<mt::Executor>& executor, mt::PixelSize size, int pairs)
    : executor_(executor),
      size_(size),
      convolutions_(std::move(weights), executor),
      encoder_(executor, size, pairs) {
  const int w = size.width / kFlowCell, h = size.height / kFlowCell;
  const auto layer = [&](int channels, int border) {
    return LayerMemory(executor, pairs, w, h, channels, border);
  };
  split_ = layer(kHidden + kContext, 0);
  context_ = layer(kContext, 1);
  flow_ = layer(2, 3);
  looked_up_ = layer(padded_channels(mt::kLookUps), 0);
  flow_wide_ = layer(64, 1);
  both_ = layer(kCorrelationChannels + kFlowChannels, 1);
  motion_ = layer(padded_channels(kMotionChannels + 2), 1);
  gates_ = layer(2 * kHidden, 0);
  reset_ = layer(kHidden, 1);
  proposed_ = layer(kHidden, 0);
  hidden_ = layer(kHidden, 1);
  head_wide_ = layer(128, 1);
  change_ = layer(padded_channels(2), 0);
}

void Raft::encode(std::span<const mt::Planes> pictures, RaftFeatures& features) {
  const RaftWeights& weights = convolutions_.weights();
  features.pictures_ = static_cast<int>(pictures.size());
  convolutions_.set_pictures(features.pictures_);
  encoder_.set_pictures(pictures);
  encoder_.encode(convolutions_, weights.features, true, features.features_);
  const auto& levels = features.level_;
  executor_->launch(mt::SpreadFeatures{features.features_, levels[0]},
                    convolutions_.pictures() * levels[0].height);
  for (int i = 1; i < mt::kFeatureLevels; ++i)
    executor_->launch(mt::HalveFeatures{levels[i - 1], levels[i]},
                      convolutions_.pictures() * levels[i].height);
  encoder_.encode(convolutions_, weights.context, false, split_);
  executor_->launch(mt::SplitContext{split_, features.hidden_, context_},
                    convolutions_.pictures() * split_.layer().height);
  convolutions_.launch(weights.gates_of_context, context_, features.gates_, {});
  convolutions_.launch(weights.proposed_of_context, context_, features.proposed_, {});
}

void Raft::estimate(const RaftFeatures& from, const RaftFeatures& to, const float* initial,
                    int iterations, FlowField& flow) {
  convolutions_.set_pictures(from.pictures_);
  const int rows = convolutions_.pictures() * flow_.layer().height;
  executor_->launch(mt::MoveFlow{.change = initial,
                                 .change_step = 2,
                                 .add = 0,
                                 .flow = flow_,
                                 .motion = motion_,
                                 .motion_channel = kMotionChannels,
                                 .coarse = flow.coarse_.data()},
                    rows);
  for (int i = 0; i < iterations; ++i) update(from, to, i ? hidden_ : from.hidden_, flow);
  executor_->launch(mt::EnlargeFlow{.coarse = flow.coarse(),
                                    .width = flow_.layer().width,
                                    .height = flow_.layer().height,
                                    .out = flow.pixels_.data()},
                    rows * kFlowCell);
}

/// One update of the flow. @param hidden the state before it; hidden_ gets the next one
void Raft::update(const RaftFeatures& from, const RaftFeatures& to, const mt::Layer& hidden,
                  FlowField& flow) {
  const RaftWeights& weights = convolutions_.weights();
  const int rows = convolutions_.pictures() * flow_.layer().height;
  mt::LookUp look_up{.features = from.features_, .level = {}, .flow = flow_, .out = looked_up_};
  for (int i = 0; i < mt::kFeatureLevels; ++i) look_up.level[i] = to.level_[i];
  executor_->launch(look_up, rows * look_up.runs());
  mt::Layer beside = both_;  // from the channels of the flow on
  beside.data += kCorrelationChannels;
  constexpr RaftConvolutions::Options kRelu{1, true, {}};
  convolutions_.launch(weights.look_ups, looked_up_, both_, kRelu);
  convolutions_.launch(weights.flow_wide, flow_, flow_wide_, kRelu);
  convolutions_.launch(weights.flow, flow_wide_, beside, kRelu);
  convolutions_.launch(weights.motion, both_, motion_, kRelu);
  convolutions_.launch(weights.gates, hidden, motion_, gates_, {1, false, from.gates_});
  executor_->launch(mt::ResetHidden{gates_, hidden, reset_}, rows);
  convolutions_.launch(weights.proposed, reset_, motion_, proposed_, {1, false, from.proposed_});
  executor_->launch(
      mt::UpdateHidden{.gates = gates_, .proposed = proposed_, .hidden = hidden, .out = hidden_},
      rows);
  convolutions_.launch(weights.head_wide, hidden_, head_wide_, kRelu);
  convolutions_.launch(weights.head, head_wide_, change_, {});
  executor_->launch(mt::MoveFlow{.change = change_.layer().data,
                                 .change_step = change_.layer().channels,
                                 .add = 1,
                                 .flow = flow_,
                                 .motion = motion_,
                                 .motion_channel = kMotionChannels,
                                 .coarse = flow.coarse_.data()},
                    rows);
}

}  // namespace mosaic
