// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/engine/analysed_frame.h"

#include <utility>

namespace mosaic {

KeptFrame::KeptFrame(const Grid& grid, std::shared_ptr<const PoolOnDevice> pool,
                     const std::shared_ptr<mt::Executor>& executor)
    : source_(grid.in_width, grid.in_height, executor),
      cells_(grid, executor),
      candidates_(grid.cells(), std::move(pool), executor),
      saliency_(grid) {}

void KeptFrame::copy(const AnalysedFrame& from) {
  cells_.copy(*from.cells);
  if (from.diffused.empty()) candidates_.copy(*from.candidates);
  saliency_ = *from.saliency;
  diffused_.assign(from.diffused.begin(), from.diffused.end());
  if (from.motion) motion_ = *from.motion;
  frame_ = from;
  frame_.source = source_.planes();
  frame_.cells = &cells_;
  frame_.candidates = &candidates_;
  frame_.saliency = &saliency_;
  frame_.diffused = diffused_;
  if (from.motion) frame_.motion = &motion_;
}

FrameRing::FrameRing(const Grid& grid, std::shared_ptr<const PoolOnDevice> pool,
                     std::shared_ptr<mt::Executor> executor)
    : grid_(grid), pool_(std::move(pool)), executor_(std::move(executor)) {}

void FrameRing::set_room(int frames) {
  room_ = frames ? frames + 1 : 0;  // one more for the frame that was drawn last
  free_unused();
  const size_t used = frames_.size() + (drawn_ ? 1 : 0);
  while (used + unused_.size() < room_)
    unused_.push_back(std::make_unique<KeptFrame>(grid_, pool_, executor_));
}

void FrameRing::free_unused() {
  const size_t used = frames_.size() + (drawn_ ? 1 : 0);
  while (!unused_.empty() && used + unused_.size() > room_) unused_.pop_back();
}

void FrameRing::push() {
  frames_.push_back(std::move(unused_.back()));
  unused_.pop_back();
}

const AnalysedFrame& FrameRing::pop() {
  drop_drawn();
  drawn_ = std::move(frames_.front());
  frames_.pop_front();
  return drawn_->frame();
}

void FrameRing::drop_drawn() {
  if (drawn_) unused_.push_back(std::move(drawn_));
  free_unused();
}

void FrameRing::clear() {
  for (std::unique_ptr<KeptFrame>& frame : frames_) unused_.push_back(std::move(frame));
  frames_.clear();
  free_unused();
}

}  // namespace mosaic
