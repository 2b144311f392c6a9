// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <atomic>
#include <string>

#include "gst/pointers.h"

namespace mosaic_program {

/// Notices that a pipeline stands still: that for some time nothing has passed any of its pads, and
/// no thread has run: a large picture may take minutes to draw or to encode.
class Watchdog {
 public:
  /// @param pipeline not started; its streaming threads have ended before this object does
  explicit Watchdog(GstElement* pipeline);
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// To be called at regular intervals. Calls are counted instead of reading a clock, so that a
  /// process that was stopped for a while does not seem to have stood still.
  void look();
  /// For how many calls of look() it has stood still.
  int intervals() const { return intervals_; }
  /// What the pipeline waits for, in words.
  std::string what_waits(const std::string& input) const;
  /// Begins anew, as if something had moved.
  void reset() { intervals_ = 0; }

 private:
  void watch(GstElement* element);
  void watch(GstPad* pad);

  GstElement* pipeline_;
  mosaic_gst::Owned<GstElement> mosaic_;
  std::atomic<guint64> passed_ = 0;  ///< buffers and events that have passed source pads
  guint64 seen_ = 0;                 ///< of these, at the last look
  int intervals_ = 0;
};

}  // namespace mosaic_program
