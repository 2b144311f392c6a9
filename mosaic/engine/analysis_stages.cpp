// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/engine/analysis_stages.h"

#include <chrono>
#include <utility>

#include "kernels/frame/unpack.h"
#include "mosaic/engine/economy.h"

namespace mosaic {
namespace {

/// AnalysisTolerance::levels.
/// @param ahead the frame is analysed before its turn comes, to be looked at ahead
double analysis_levels(const FrameSettings& settings, bool ahead) {
  // With fidelity small changes of a cell's source are not drawn either. Looking ahead takes more
  // time than an analysis of all cells, and what it gains is more than a tolerance would leave.
  const bool tolerant =
      settings.look.fidelity > 0 && settings.coherence != Coherence::kNone && !ahead;
  return tolerant ? kEconomies[settings.economy].analysis_levels : 0;
}

}  // namespace

bool follows_motion(const FrameSettings& settings) {
  const bool wanted =
      settings.flow == Flow::kBlock || (settings.flow == Flow::kRaft && settings.flow_weights);
  return wanted && settings.coherence == Coherence::kTemporal &&
         settings.look.placement == PlacementKind::kAssignment;
}

AnalysisStages::AnalysisStages(const Grid& grid, std::shared_ptr<const PoolOnDevice> pool,
                               int max_diffused, std::shared_ptr<mt::Executor> executor)
    : grid_(grid),
      pool_(std::move(pool)),
      max_diffused_(max_diffused),
      executor_(std::move(executor)),
      source_(grid.in_width, grid.in_height, executor_),
      gray_(executor_, static_cast<size_t>(source_.planes().stride) * grid.in_height),
      scene_(grid.in_width, grid.in_height, executor_),
      analysis_(grid, executor_),
      detail_(grid, executor_),
      saliency_(grid),
      candidates_(grid.cells(), pool_, executor_) {}

void AnalysisStages::enqueue(const mt::FrameView& in, const FrameSettings& settings,
                             KeptFrame* kept) {
  kept_ = kept;
  // Tiles that one kind of placement chose are of no use to the other. The frame's picture is still
  // compared with the one before.
  if (settings.look.placement != placement_) starts_ = true;
  placement_ = settings.look.placement;
  executor_->lap();
  unpack(in);
  end_stage(kUnpack);
  find_scene(settings);
  find_motion(settings);
  end_stage(kScene);
  analyse(settings);
  end_stage(kAnalysis);
}

void AnalysisStages::list(const FrameSettings& settings) {
  if (placement_ == PlacementKind::kDiffusion)
    diffuse(settings);
  else
    candidates_.enqueue(analysis_, scene_.on_device());
  if (kept_) analysis_.fetch_features();
  end_stage(kCandidates);
}

void AnalysisStages::unpack(const mt::FrameView& in) {
  executor_->launch(mt::Unpack{in, source_.planes(), gray_.data()}, in.height);
}

/// Searches for the frame's picture in the scenes before it.
void AnalysisStages::find_scene(const FrameSettings& settings) {
  scene_.set_size(settings.flow_width, settings.flow_height);
  const bool every_frame_cut = settings.coherence == Coherence::kNone;
  const Continuation given = starts_           ? Continuation::kStart
                             : every_frame_cut ? Continuation::kCut
                                               : Continuation::kContinues;
  scene_.enqueue(gray_.data(), source_.planes().stride, settings.scene_threshold, given);
}

/// Searches for motion, where tiles are to follow it.
void AnalysisStages::find_motion(const FrameSettings& settings) {
  motion_ = nullptr;
  const Flow flow = follows_motion(settings) ? settings.flow : Flow::kIdentity;
  if (flow != Flow::kBlock) block_motion_.reset();
  if (flow != Flow::kRaft) network_motion_.reset();
  if (flow == Flow::kBlock) {
    if (!block_motion_) block_motion_.emplace(grid_, executor_);
    block_motion_->enqueue(scene_.small(), scene_.columns(), scene_.rows());
    motion_ = &*block_motion_;
  } else if (flow == Flow::kRaft) {
    find_motion_by_network(settings);
    motion_ = &*network_motion_;
  }
}

void AnalysisStages::find_motion_by_network(const FrameSettings& settings) {
  const NetworkMotion::Options options{
      settings.flow_weights, {scene_.columns(), scene_.rows()}, settings.flow_windows};
  if (!network_motion_ || !(network_motion_->options() == options)) {
    network_motion_.reset();  // frees its memory before the next one allocates
    network_motion_.emplace(grid_, executor_, options);
  }
  network_motion_->enqueue(source_.planes(), settings.flow_iterations);
}

void AnalysisStages::analyse(const FrameSettings& settings) {
  const mt::Planes planes = source_.planes();
  analysis_.enqueue(planes, starts_, kept_ ? kept_->pixels() : nullptr,
                    {analysis_levels(settings, kept_), scene_.on_device()});
  detail_.enqueue(analysis_.picture(planes), grid_.resampled() ? nullptr : gray_.data(),
                  analysis_.on_device().changed);
}

void AnalysisStages::diffuse(const FrameSettings& settings) {
  if (!diffusion_) diffusion_.emplace(grid_, pool_, max_diffused_, executor_);
  diffusion_->enqueue(
      analysis_, scene_.on_device(), starts_,
      {settings.look.error_diffusion_strength, settings.beta, settings.dedup_radius});
}

void AnalysisStages::read_back(const FrameSettings& settings, std::span<const Region> regions) {
  const bool diffused = placement_ == PlacementKind::kDiffusion;
  frame_.scene = scene_.found();
  starts_ = false;
  analysis_.read_back(frame_.scene);
  saliency_.update(analysis_.stats(), detail_, frame_.scene, settings.ema_alpha, regions);
  if (!diffused) candidates_.read_back(analysis_);
  if (motion_) motion_->read_back(frame_.scene.continuation);
  frame_.source = source_.planes();
  frame_.cells = &analysis_;
  frame_.candidates = &candidates_.lists();
  frame_.saliency = &saliency_;
  frame_.diffused = diffused ? diffusion_->tiles() : std::span<const int32_t>();
  frame_.motion = motion_ ? &motion_->found() : nullptr;
  frame_.solve_budget = std::chrono::nanoseconds(settings.solve_budget_ns);
  for (int i = 0; i < kAnalysisStages; ++i)
    if (const std::optional<double> ms = executor_->ms(laps_[i])) frame_.stage_ms[i] = *ms;
  if (!kept_) return;
  std::swap(source_, kept_->source());
  kept_->copy(frame_);
}

void AnalysisStages::forget() {
  starts_ = true;
  scene_.forget();
}

}  // namespace mosaic
