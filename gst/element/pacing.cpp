// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/element/pacing.h"

#include "gst/messages/log.h"

#define GST_CAT_DEFAULT mosaic_gst::log_category(mosaic_gst::LogPart::kElement)

namespace mosaic_gst {
namespace {

/// The running time of the pipeline's clock; NONE without a clock.
GstClockTime running_time(GstElement* element) {
  GstClock* clock = gst_element_get_clock(element);
  if (!clock) return GST_CLOCK_TIME_NONE;
  const GstClockTime now = gst_clock_get_time(clock), base = gst_element_get_base_time(element);
  gst_object_unref(clock);
  return now > base ? now - base : 0;
}

void post_dropped(GstBaseTransform* trans, const ElementState& state, GstBuffer* frame,
                  GstClockTime wanted, GstClockTime now) {
  const GstClockTime pts = GST_BUFFER_PTS(frame);
  GstMessage* message =
      gst_message_new_qos(GST_OBJECT(trans), TRUE, wanted,
                          gst_segment_to_stream_time(&trans->segment, GST_FORMAT_TIME, pts), pts,
                          GST_BUFFER_DURATION(frame));
  gst_message_set_qos_values(message, GST_CLOCK_DIFF(wanted, now), 1, 1000000);
  gst_message_set_qos_stats(message, GST_FORMAT_BUFFERS, state.stats.frames, state.stats.dropped);
  gst_element_post_message(GST_ELEMENT(trans), message);
}

}  // namespace

bool notice_event(GstBaseTransform* trans, ElementState& state, GstEvent* event) {
  GstClockTime latency = GST_CLOCK_TIME_NONE;
  switch (GST_EVENT_TYPE(event)) {
    case GST_EVENT_LATENCY:
      gst_event_parse_latency(event, &latency);
      state.pace.set_pipeline_latency(latency);
      return false;
    case GST_EVENT_QOS:
      if (!gst_base_transform_is_qos_enabled(trans)) return false;
      state.pace.sink_reported();
      return state.pace.enabled();
    default:
      return false;
  }
}

LivePace::Decision decide(GstBaseTransform* trans, ElementState& state, GstBuffer* frame) {
  using Decision = LivePace::Decision;
  const GstSegment& segment = trans->segment;
  if (!state.pace.enabled() || segment.format != GST_FORMAT_TIME) return Decision::kDraw;
  const GstClockTime wanted =
      gst_segment_to_running_time(&segment, GST_FORMAT_TIME, GST_BUFFER_PTS(frame));
  const GstClockTime now = running_time(GST_ELEMENT(trans));
  if (!GST_CLOCK_TIME_IS_VALID(wanted) || !GST_CLOCK_TIME_IS_VALID(now)) return Decision::kDraw;
  const Decision decision = state.pace.decide(now, wanted);
  if (decision == Decision::kDraw) return decision;
  {
    const std::lock_guard lock(state.mutex);
    ++(decision == Decision::kRepeat ? state.stats.repeated : state.stats.dropped);
  }
  if (decision == Decision::kDrop) post_dropped(trans, state, frame, wanted, now);
  return decision;
}

void note_drawn(GstBaseTransform* trans, ElementState& state, GstClockTime took) {
  if (!state.pace.enabled() || !state.pace.drawn(took)) return;
  GST_INFO_OBJECT(trans, "drawing needs a latency of %" GST_TIME_FORMAT,
                  GST_TIME_ARGS(state.pace.latency()));
  gst_element_post_message(GST_ELEMENT(trans), gst_message_new_latency(GST_OBJECT(trans)));
}

}  // namespace mosaic_gst
