// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/element/timing.h"

#include <algorithm>

#include "gst/element/upstream.h"
#include "gst/messages/log.h"
#include "gst/pointers.h"

#define GST_CAT_DEFAULT mosaic_gst::log_category(mosaic_gst::LogPart::kElement)

namespace mosaic_gst {
namespace {

/// Assumed if the caps have no frame rate.
constexpr GstClockTime kFrameDuration = GST_SECOND / 25;

/// In a live pipeline a queue that drops frames, or a camera, marks each gap as a discontinuity. A
/// gap of up to this length ends no history: a change of scene is found by the picture.
constexpr GstClockTime kLongestGap = GST_SECOND;

/// Sums of latencies stay below this, which the largest number that is a time leaves room for: with
/// the lowest frame rate that caps can have, a few frames take longer than that.
constexpr GstClockTime kMaxLatency = G_MAXINT64;

GstClockTime add_up(GstClockTime a, GstClockTime b) {
  return a < kMaxLatency && b < kMaxLatency - a ? a + b : kMaxLatency;
}

/// The running time of the pipeline's clock; NONE without a clock.
GstClockTime running_time(GstElement* element) {
  const Owned<GstClock> clock(gst_element_get_clock(element));
  if (!clock) return GST_CLOCK_TIME_NONE;
  const GstClockTime now = gst_clock_get_time(clock.get()),
                     base = gst_element_get_base_time(element);
  return now > base ? now - base : 0;
}

/// How long `frames` frames take; 0 if the frame rate is unknown.
GstClockTime duration_of(GstBaseTransform* element, guint frames) {
  if (frames == 0) return 0;
  const Owned<GstCaps> caps(gst_pad_get_current_caps(GST_BASE_TRANSFORM_SINK_PAD(element)));
  GstVideoInfo info;
  if (!caps || !gst_video_info_from_caps(&info, caps.get()) || info.fps_n <= 0) return 0;
  return gst_util_uint64_scale(frames * GST_SECOND, info.fps_d, info.fps_n);
}

}  // namespace

void Timing::start(const GstVideoInfo& in) {
  live_.reset();
  last_pts_ = GST_CLOCK_TIME_NONE;
  frame_duration_.reset();
  const int fps_n = GST_VIDEO_INFO_FPS_N(&in), fps_d = GST_VIDEO_INFO_FPS_D(&in);
  if (fps_n > 0) frame_duration_ = gst_util_uint64_scale_int(GST_SECOND, fps_d, fps_n);
  pace_.start(std::max<GstClockTime>(frame_duration_.value_or(kFrameDuration), 1));
}

bool Timing::continues(GstBuffer* frame) {
  const GstClockTime pts = GST_BUFFER_PTS(frame), last = last_pts_;
  last_pts_ = pts;
  if (!GST_BUFFER_IS_DISCONT(frame)) return true;
  return live() && GST_CLOCK_TIME_IS_VALID(pts) && GST_CLOCK_TIME_IS_VALID(last) && pts >= last &&
         pts - last <= kLongestGap;
}

void Timing::find_whether_live() {
  if (live_) return;
  live_ = upstream_is_live(GST_BASE_TRANSFORM_SINK_PAD(element_));
  GST_INFO_OBJECT(element_, "upstream is %slive", *live_ ? "" : "not ");
  pace_.enable(*live_);
  // The latency was perhaps asked for before the frame rate was known.
  if (*live_ && told_ != pace_.latency()) post_latency();
}

int64_t Timing::solve_budget(const Settings& settings) const {
  return settings.solve_budget(live(), frame_duration_.value_or(kFrameDuration));
}

int Timing::economy(const Settings& settings) const {
  return settings.live_quality == LiveQuality::kAuto ? pace_.economy() : 0;
}

Timing::Decision Timing::decide(GstBuffer* frame, const Settings& settings) {
  const GstSegment& segment = element_->segment;
  if (settings.lookahead > 0 || !pace_.enabled() || segment.format != GST_FORMAT_TIME)
    return Decision::kDraw;
  wanted_ = gst_segment_to_running_time(&segment, GST_FORMAT_TIME, GST_BUFFER_PTS(frame));
  now_ = running_time(GST_ELEMENT(element_));
  if (!GST_CLOCK_TIME_IS_VALID(wanted_) || !GST_CLOCK_TIME_IS_VALID(now_)) return Decision::kDraw;
  return pace_.decide(now_, wanted_);
}

void Timing::post_dropped(GstBuffer* frame, guint64 frames, guint64 dropped) const {
  const GstClockTime pts = GST_BUFFER_PTS(frame);
  GstMessage* message =
      gst_message_new_qos(GST_OBJECT(element_), TRUE, wanted_,
                          gst_segment_to_stream_time(&element_->segment, GST_FORMAT_TIME, pts), pts,
                          GST_BUFFER_DURATION(frame));
  gst_message_set_qos_values(message, GST_CLOCK_DIFF(wanted_, now_), 1, 1000000);
  gst_message_set_qos_stats(message, GST_FORMAT_BUFFERS, frames, dropped);
  gst_element_post_message(GST_ELEMENT(element_), message);
}

void Timing::drawn(GstClockTime took) {
  if (!pace_.enabled() || !pace_.drawn(took)) return;
  GST_INFO_OBJECT(element_, "drawing needs a latency of %" GST_TIME_FORMAT,
                  GST_TIME_ARGS(pace_.latency()));
  post_latency();
}

bool Timing::notice_event(GstEvent* event) {
  GstClockTime latency = GST_CLOCK_TIME_NONE;
  switch (GST_EVENT_TYPE(event)) {
    case GST_EVENT_LATENCY:
      gst_event_parse_latency(event, &latency);
      pace_.set_pipeline_latency(latency);
      return false;
    case GST_EVENT_QOS:
      if (!gst_base_transform_is_qos_enabled(element_)) return false;
      pace_.sink_reported();
      return pace_.enabled();
    default:
      return false;
  }
}

void Timing::add_latency(GstQuery* query, guint lookahead) {
  gboolean live = FALSE;
  GstClockTime least = 0, most = 0;
  gst_query_parse_latency(query, &live, &least, &most);
  GstClockTime own = duration_of(element_, lookahead);
  if (live) {
    told_ = pace_.latency();
    own = add_up(own, told_);
  }
  GST_DEBUG_OBJECT(element_, "adding a latency of %" GST_TIME_FORMAT, GST_TIME_ARGS(own));
  if (GST_CLOCK_TIME_IS_VALID(most)) most = add_up(most, own);
  gst_query_set_latency(query, live, add_up(least, own), most);
}

void Timing::post_latency() const {
  gst_element_post_message(GST_ELEMENT(element_), gst_message_new_latency(GST_OBJECT(element_)));
}

}  // namespace mosaic_gst
