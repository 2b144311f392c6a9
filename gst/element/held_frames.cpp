// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/element/held_frames.h"

#include <utility>

namespace mosaic_gst {

void HeldFrames::push(HeldFrame frame) {
  frames_.push_back(std::move(frame));
  ++pushed_;
}

void HeldFrames::push(Owned<GstEvent>& event) {
  events_.push_back({nullptr, pushed_});
  events_.back().event = std::move(event);
}

HeldFrame HeldFrames::pop() {
  HeldFrame frame = std::move(frames_.front());
  frames_.pop_front();
  return frame;
}

Owned<GstEvent> HeldFrames::pop_event() {
  if (events_.empty() || events_.front().frames_before > pushed_ - frames_.size()) return nullptr;
  Owned<GstEvent> event = std::move(events_.front().event);
  events_.pop_front();
  return event;
}

void HeldFrames::clear() {
  frames_.clear();
  events_.clear();
}

}  // namespace mosaic_gst
