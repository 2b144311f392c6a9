// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <atomic>

namespace mosaic_gst {

/// Keeps a live mosaic in time on a machine that cannot draw every frame: decides which frames
/// repeat the last picture, how much latency the element needs, and how much work to leave out. It
/// interferes only if a sink reports lateness (QoS events); otherwise every frame is drawn.
///
/// Streaming thread only, unless stated otherwise. Times are in nanoseconds.
class LivePace {
 public:
  /// Starts anew, switched off. @param frame_duration  above 0
  void start(GstClockTime frame_duration);
  /// Switches it on, for a live source, or off.
  void enable(bool on) { enabled_ = on; }
  /// Called from any thread.
  bool enabled() const { return enabled_; }

  /// The latency of the whole pipeline has been set. Called from any thread.
  void set_pipeline_latency(GstClockTime latency) { pipeline_latency_ = latency; }
  /// A sink has reported how late a frame was. Called from any thread.
  void sink_reported() { sink_reports_ = true; }
  /// How long drawing may take: what the element adds to the latency. Called from any thread.
  GstClockTime latency() const { return latency_; }

  enum class Decision {
    kDraw,
    kRepeat,  ///< drawing would take too long: send the last picture again
    kDrop,    ///< even that would come too late
  };
  /// What to do with a frame.
  /// @param now     the running time
  /// @param wanted  the frame's running time
  Decision decide(GstClockTime now, GstClockTime wanted);

  /// A frame has been drawn. @param took  how long that took
  /// @return whether latency() has changed
  bool drawn(GstClockTime took);

  /// How much work is to be left out so that drawing keeps up with the frames: 0 (none) to
  /// mosaic::kMostEconomy. Changes slowly.
  int economy() const { return economy_; }

 private:
  void adjust_economy();
  bool adjust_latency(GstClockTime took);

  GstClockTime frame_duration_ = GST_SECOND / 30;
  std::atomic<GstClockTime> pipeline_latency_ = GST_CLOCK_TIME_NONE;
  std::atomic<GstClockTime> latency_ = GST_SECOND / 30;
  std::atomic<bool> sink_reports_ = false, enabled_ = false;
  double expected_ = 0;  ///< duration of the next drawing; 0: nothing was drawn yet
  int repeated_ = 0;     ///< frames since the last one that was drawn
  int economy_ = 0;
  int since_economy_ = 0;     ///< frames drawn since economy_ changed
  GstClockTime longest_ = 0;  ///< of the frames drawn in the window
  int in_window_ = 0;         ///< frames drawn in the window
  int short_windows_ = 0;     ///< windows in a row in which far less latency would have sufficed
};

}  // namespace mosaic_gst
