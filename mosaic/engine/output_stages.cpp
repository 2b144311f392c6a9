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
void OutputStages::finish(Drawing& drawing, const CellChanges& changes, Continuation continuation,
                          std::span<const uint8_t> in_region, const Look& look, double newest,
                          const Part* of) {
  // With Laplacian blending a change of one cell also changes the edges of the cells around it.
  const bool all = continuation == Continuation::kStart || look_ != look || look.laplacian_blend;
  const int changed = static_cast<int>(changes.changed.size());
  look_ = look;
  if (look.fidelity == 0 || continuation != Continuation::kContinues) newest = 1;
  finished_ = drawing.canvas();
  if (look_.laplacian_blend) {
    if (!seams_) seams_.emplace(grid_, executor_);
    finished_ = seams_->apply(finished_, look_.laplacian_levels);
  }
  if (Finishing::wanted(look_)) {
    if (!finishing_)
      finishing_.emplace(grid_.out_width, grid_.out_height, grid_.cells(), executor_);
    const mt::CellRect canvas{0, 0, grid_.out_width, grid_.out_height};
    std::span<const mt::CellRect> parts{&canvas, 1};
    if (!all && look_.fidelity > 0) {
      merge_cells(grid_, changes.changed, parts_);
      parts = parts_;
    }
    finished_ = of ? finishing_->apply(
                         finished_, look_,
                         Finishing::Part{*of->whole.finishing_, of->size, of->left, of->top}, parts)
                   : finishing_->apply(finished_, look_, newest, parts);
  }
  if (look_.fidelity > 0) {
    if (!correction_) correction_.emplace(grid_, executor_);
    finished_ =
        correction_->apply(finished_, drawing.source_means(), look_.fidelity, in_region,
                           all ? nullptr : drawing.changed_cells(), all ? grid_.cells() : changed);
  }
}

bool OutputStages::plain(const FrameSettings& settings) {
  return !has_overlay(settings) && mix_share(settings.mix) == mt::kWholeShare;
}

void OutputStages::pack(const mt::FrameView& in, const mt::FrameView& out) {
  write_frame(*executor_, finished_, in, out);
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
  write_frame(*executor_, picture, in, out);
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
  write_frame(*executor_, picture, in, out);
  return true;
}

}  // namespace mosaic
