// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <deque>
#include <memory>

#include "gst/pointers.h"
#include "mosaic/engine/engine.h"

namespace mosaic_gst {

/// A frame, from its arrival until its mosaic is drawn.
struct HeldFrame {
  Owned<GstBuffer> buffer;
  /// The engine's settings as they were when the frame arrived, however long it is held.
  std::shared_ptr<const mosaic::FrameSettings> settings;
};

/// The frames that are held back until enough later frames are known for the lookahead, and the
/// events that arrived between them. Streaming thread only.
class HeldFrames {
 public:
  void push(HeldFrame frame);
  /// Puts an event behind all frames that are held. Takes ownership; if it throws, `event` still
  /// has it.
  void push(Owned<GstEvent>& event);

  /// Transfers the oldest frame to the caller. There must be one.
  HeldFrame pop();
  /// Transfers the oldest event to the caller; null while a frame waits that arrived before it.
  Owned<GstEvent> pop_event();

  /// Oldest first.
  const std::deque<HeldFrame>& frames() const { return frames_; }

  /// Drops all frames and events.
  void clear();

 private:
  struct HeldEvent {
    Owned<GstEvent> event;
    guint64 frames_before;  ///< frames pushed before it since the start
  };
  std::deque<HeldFrame> frames_;
  std::deque<HeldEvent> events_;
  guint64 pushed_ = 0;  ///< frames pushed since the start
};

}  // namespace mosaic_gst
