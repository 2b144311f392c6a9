// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/engine/output_stages.h"

#include <utility>

#include "kernels/drawing/crossfade.h"
#include "mosaic/engine/analysis_stages.h"
#include "mosaic/engine/copy_frame.h"

namespace mosaic {
namespace {

/// Whether the settings ask for any overlay mark that can be drawn: without a motion search there
/// are no arrows.
bool has_overlay(const FrameSettings& settings) {
  const unsigned flags = settings.overlay;
  return (follows_motion(settings) ? flags : flags & ~unsigned{kOverlayMotion}) != 0;
}

}  // namespace

OutputStages::OutputStages(const Grid& grid, std::shared_ptr<mt::Executor> executor)
    : grid_(grid), executor_(std::move(executor)) {
  parts_.reserve(grid.cells());
}

// mosaicraft grades each picture by itself; with fidelity, statistics are averaged over frames, and
// cells that did not change stay as they are, so that only the others are finished.
void OutputStages::finish(const AnalysedFrame& frame, Drawing& drawing,
                          const FrameSettings& settings, int changed) {
  // With Laplacian blending a change of one cell also changes the edges of the cells around it.
  const bool starts = frame.scene.continuation == Continuation::kStart;
  const bool all = starts || look_ != settings.look || settings.look.laplacian_blend;
  look_ = settings.look;
  const bool continues = frame.scene.continuation == Continuation::kContinues;
  const double newest = look_.fidelity > 0 && continues ? settings.ema_alpha : 1;
  finished_ = drawing.canvas();
  if (look_.laplacian_blend) {
    if (!seams_) seams_.emplace(grid_, executor_);
    finished_ = seams_->apply(finished_, look_.laplacian_levels);
  }
  if (Finishing::wanted(look_)) {
    if (!finishing_)
      finishing_.emplace(grid_.out_width, grid_.out_height, grid_.cells(), executor_);
    if (all || look_.fidelity == 0) {
      finished_ = finishing_->apply(finished_, look_, newest);
    } else {
      merge_cells(grid_, {drawing.changed_cells(), static_cast<size_t>(changed)}, parts_);
      finished_ = finishing_->apply(finished_, look_, newest, parts_);
    }
  }
  if (look_.fidelity > 0) {
    if (!correction_) correction_.emplace(grid_, executor_);
    finished_ = correction_->apply(
        finished_, drawing.source_means(), look_.fidelity, frame.saliency->in_region(),
        all ? nullptr : drawing.changed_cells(), all ? grid_.cells() : changed);
  }
}

bool OutputStages::plain(const FrameSettings& settings) {
  return !has_overlay(settings) && mix_share(settings.mix) == mt::kWholeShare;
}

void OutputStages::pack(const mt::FrameView& in, const mt::FrameView& out) {
  mosaic::pack(*executor_, finished_, in, out);
  shown_ = true;
  marked_ = false;
}

/// Whether a frame is its source, and so is to have the same bytes: conversion to R, G, B and back
/// would change the colours that these cannot express.
bool OutputStages::is_source(int32_t share) const {
  return share == 0 && !grid_.scaled() && !marked_;
}

Mixing& OutputStages::mixing() {
  if (!mixing_) mixing_.emplace(grid_, executor_);
  return *mixing_;
}

void OutputStages::pack(const mt::Planes& source, const OverlayDrawing::Cells& cells,
                        const FrameSettings& settings, const mt::FrameView& in,
                        const mt::FrameView& out) {
  shown_ = true;
  marked_ = has_overlay(settings);
  const int32_t share = mix_share(settings.mix);
  if (is_source(share)) return copy_samples(*executor_, in, out);
  mt::Planes picture = finished_;
  if (share != mt::kWholeShare) picture = mixing().mix(source, finished_, share);
  if (marked_) {
    if (!overlay_) overlay_.emplace(grid_, executor_);
    picture = overlay_->draw(picture, settings.overlay, cells);
  }
  mosaic::pack(*executor_, picture, in, out);
}

bool OutputStages::repeat(double mix, const mt::FrameView& in, const mt::FrameView& out) {
  if (!shown_) return false;
  const int32_t share = mix_share(mix);
  if (is_source(share)) {
    copy_samples(*executor_, in, out);
    return true;
  }
  mt::Planes picture = finished_;
  if (share != mt::kWholeShare) picture = mixing().mix(mixing().unpack(in), finished_, share);
  if (marked_) picture = overlay_->draw_again(picture);
  mosaic::pack(*executor_, picture, in, out);
  return true;
}

}  // namespace mosaic
