// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/engine/analysis_stages.h"

#include <chrono>
#include <utility>

#include "mosaic/engine/economy.h"

namespace mosaic {
namespace {

/// @param ahead the frame is analysed before its turn comes, to be looked at ahead
FrameAnalyser::Settings analyser_settings(const FrameSettings& settings, bool ahead) {
  const bool every_frame_cut = settings.coherence == Coherence::kNone;
  // With fidelity small changes of a cell's source are not drawn either. Looking ahead takes more
  // time than an analysis of all cells, and what it gains is more than a tolerance would leave.
  const bool tolerant = settings.look.fidelity > 0 && !every_frame_cut && !ahead;
  return {settings.scene_threshold, settings.flow_width, settings.flow_height, every_frame_cut,
          tolerant ? kEconomies[settings.economy].analysis_levels : 0};
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
      analyser_(grid, pool_, executor_) {}

void AnalysisStages::enqueue(const mt::FrameView& in, const FrameSettings& settings,
                             KeptFrame* kept) {
  kept_ = kept;
  // Tiles that one kind of placement chose are of no use to the other.
  if (settings.look.placement != placement_) analyser_.restart();
  placement_ = settings.look.placement;
  executor_->lap();
  analyser_.unpack(*executor_, in);
  end_stage(kUnpack);
  analyser_.find_scene(*executor_, analyser_settings(settings, kept));
  find_motion(settings);
  end_stage(kScene);
  analyser_.analyse(*executor_, analyser_settings(settings, kept), kept ? kept->pixels() : nullptr);
  end_stage(kAnalysis);
}

void AnalysisStages::list(const FrameSettings& settings) {
  if (placement_ == PlacementKind::kDiffusion)
    diffuse(settings);
  else
    analyser_.list(*executor_);
  if (kept_) analyser_.analysis().fetch_features(*executor_);
  end_stage(kCandidates);
}

/// Searches for motion, where tiles are to follow it.
void AnalysisStages::find_motion(const FrameSettings& settings) {
  motion_ = nullptr;
  const Flow flow = follows_motion(settings) ? settings.flow : Flow::kIdentity;
  if (flow != Flow::kBlock) block_motion_.reset();
  if (flow != Flow::kRaft) network_motion_.reset();
  if (flow == Flow::kBlock) {
    if (!block_motion_) block_motion_.emplace(grid_, executor_);
    const SceneDetector& scene = analyser_.scene_detector();
    block_motion_->enqueue(*executor_, scene.small(), scene.columns(), scene.rows());
    motion_ = &*block_motion_;
  } else if (flow == Flow::kRaft) {
    find_motion_by_network(settings);
    motion_ = &*network_motion_;
  }
}

void AnalysisStages::find_motion_by_network(const FrameSettings& settings) {
  const SceneDetector& scene = analyser_.scene_detector();
  const NetworkMotion::Options options{
      settings.flow_weights, {scene.columns(), scene.rows()}, settings.flow_windows};
  if (!network_motion_ || !(network_motion_->options() == options)) {
    network_motion_.reset();  // frees its memory before the next one allocates
    network_motion_.emplace(grid_, executor_, options);
  }
  network_motion_->enqueue(*executor_, analyser_.source(), settings.flow_iterations);
}

void AnalysisStages::diffuse(const FrameSettings& settings) {
  if (!diffusion_) diffusion_.emplace(grid_, pool_, max_diffused_, executor_);
  diffusion_->enqueue(
      *executor_, analyser_.analysis(), analyser_.scene_detector().on_device(), analyser_.starts(),
      {settings.look.error_diffusion_strength, settings.beta, settings.dedup_radius});
}

void AnalysisStages::read_back(const FrameSettings& settings, std::span<const Region> regions) {
  const bool diffused = placement_ == PlacementKind::kDiffusion;
  analyser_.read_back(settings.ema_alpha, !diffused, regions);
  frame_.scene = analyser_.scene();
  if (motion_) motion_->read_back(frame_.scene.continuation);
  frame_.source = analyser_.source();
  frame_.cells = &analyser_.analysis();
  frame_.candidates = &analyser_.candidates();
  frame_.saliency = &analyser_.saliency();
  frame_.diffused = diffused ? diffusion_->tiles() : std::span<const int32_t>();
  frame_.motion = motion_ ? &motion_->found() : nullptr;
  frame_.solve_budget = std::chrono::nanoseconds(settings.solve_budget_ns);
  for (int i = 0; i < kAnalysisStages; ++i)
    if (const std::optional<double> ms = executor_->ms(laps_[i])) frame_.stage_ms[i] = *ms;
  if (!kept_) return;
  analyser_.swap_source(kept_->source());
  kept_->copy(frame_);
}

}  // namespace mosaic
