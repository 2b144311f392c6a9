// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/base/gstbasetransform.h>
#include <gst/video/video.h>

#include <atomic>
#include <optional>

#include "gst/element/live_pace.h"
#include "gst/properties/settings.h"

namespace mosaic_gst {

/// Owns everything that the element decides about time: whether upstream is live, whether a frame
/// continues the one before it, how long choosing its tiles may take, how much work is left out,
/// which frames repeat the last mosaic or are dropped, and which latency the element reports.
///
/// Streaming thread only, unless stated otherwise.
class Timing {
 public:
  /// @param element not owned; must outlive this
  explicit Timing(GstBaseTransform* element) : element_(element) {}

  /// A stream of a format begins.
  void start(const GstVideoInfo& in);
  /// The stream has ended; start() has to be called before the next frame.
  void stop() { live_.reset(); }

  /// A frame has arrived. @return whether it continues the frames before it
  bool continues(GstBuffer* frame);

  /// Asks upstream whether it is live, unless it has answered since start(). Has to be called
  /// before the functions below, because most of them depend on the answer.
  void find_whether_live();
  /// Whether upstream is live.
  bool live() const { return live_.value_or(false); }
  /// NONE: the caps have no frame rate.
  GstClockTime frame_duration() const { return frame_duration_.value_or(GST_CLOCK_TIME_NONE); }
  /// Whether upstream is live and the caps have no frame rate. Frames cannot be held back then,
  /// because the latency that this adds would be unknown.
  bool lacks_frame_rate() const { return live() && !frame_duration_; }

  /// The time limit for choosing a frame's tiles, nanoseconds; 0: unlimited.
  int64_t solve_budget(const Settings& settings) const;
  /// How much work is to be left out: 0 (none) to mosaic::kMostEconomy.
  int economy(const Settings& settings) const;

  using Decision = LivePace::Decision;
  /// What to do with the frame whose turn it is.
  Decision decide(GstBuffer* frame, const Settings& settings);
  /// Posts that the frame that decide() was last called with is dropped.
  /// @param frames, dropped how many were drawn and dropped since the start
  void post_dropped(GstBuffer* frame, guint64 frames, guint64 dropped) const;
  /// A frame has been drawn. @param took nanoseconds
  void drawn(GstClockTime took);

  /// Takes notice of an event from downstream. Called from any thread.
  /// @return whether the caller has to send it upstream itself. GstBaseTransform must not see it
  ///         then: it would drop late frames, about which this class decides
  bool notice_event(GstEvent* event);

  /// Adds the element's own latency to an answer: the time that frames are held back and, in a live
  /// pipeline, the time that drawing takes. Called from any thread.
  /// @param lookahead how many frames are held back
  void add_latency(GstQuery* query, guint lookahead);
  /// Asks the application to distribute the latency anew. Called from any thread.
  void post_latency() const;

 private:
  GstBaseTransform* element_;
  LivePace pace_;
  std::atomic<GstClockTime> told_ = 0;           ///< the latency for drawing, as last told
  std::optional<bool> live_;                     ///< nullopt: not known yet
  std::optional<GstClockTime> frame_duration_;   ///< nullopt: the caps have no frame rate
  GstClockTime last_pts_ = GST_CLOCK_TIME_NONE;  ///< of the frame that arrived last
  /// The running times of the last decision: the pipeline's, and the frame's.
  GstClockTime now_ = GST_CLOCK_TIME_NONE, wanted_ = GST_CLOCK_TIME_NONE;
};

}  // namespace mosaic_gst
