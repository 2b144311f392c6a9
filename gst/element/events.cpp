// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gst/video/navigation.h>

#include "gst/element/element_state.h"
#include "gst/element/virtual_methods.h"
#include "gst/messages/errors.h"
#include "gst/messages/tile_message.h"

namespace mosaic_gst {
namespace {

bool is_serialised(GstEvent* event) {
  return gst_event_type_get_flags(GST_EVENT_TYPE(event)) & GST_EVENT_TYPE_SERIALIZED;
}

/// Whether an event concerns only the frames around it, so that it waits among the held frames.
bool keeps_its_place(GstEvent* event) {
  switch (GST_EVENT_TYPE(event)) {
    case GST_EVENT_TAG:
    case GST_EVENT_GAP:
    case GST_EVENT_SINK_MESSAGE:
    case GST_EVENT_CUSTOM_DOWNSTREAM:
    case GST_EVENT_CUSTOM_DOWNSTREAM_STICKY:
      return true;
    default:
      return false;
  }
}

/// Sends the held frames and makes the next frame a keyframe.
void start_new_history(GstBaseTransform* trans) {
  drain(trans);
  state_of(trans).painter.forget();
}

/// Whether a segment is another one than that of the frames before it.
bool is_new(const GstSegment& segment, const GstSegment& last) {
  GstSegment current = last;
  current.position = segment.position;  // moves with every buffer
  return !gst_segment_is_equal(&segment, &current);
}

void end_history(GstBaseTransform* trans, GstEvent* event) {
  Painter& painter = state_of(trans).painter;
  const GstSegment* segment = nullptr;
  switch (GST_EVENT_TYPE(event)) {
    case GST_EVENT_FLUSH_START:
      painter.interrupt(PoolLoader::kFlushing, true);
      break;
    case GST_EVENT_FLUSH_STOP:
      painter.interrupt(PoolLoader::kFlushing, false);
      painter.forget();
      break;
    case GST_EVENT_STREAM_START:
      start_new_history(trans);
      break;
    case GST_EVENT_SEGMENT:
      gst_event_parse_segment(event, &segment);
      if (is_new(*segment, trans->segment)) start_new_history(trans);
      break;
    default:
      break;
  }
}

/// Whether upstream sends an event with the next buffer again if it is refused. Not caps: buffers
/// must not come before them.
bool is_sent_again(GstEvent* event) {
  return gst_event_type_get_flags(GST_EVENT_TYPE(event)) & GST_EVENT_TYPE_STICKY &&
         GST_EVENT_TYPE(event) != GST_EVENT_CAPS;
}

/// When an element is stopped, its source pad is deactivated before its sink pad. An event that
/// arrives between cannot be passed on. If it were refused, upstream would take that for an error
/// and post it; the next buffer tells upstream that the pad is flushing.
bool is_stopping(GstBaseTransform* trans) {
  return GST_PAD_IS_FLUSHING(GST_BASE_TRANSFORM_SRC_PAD(trans));
}

/// Sends the index, which makes a file of packets complete.
void end_stream_of_packets(GstBaseTransform* trans) {
  ElementState& state = state_of(trans);
  if (!state.packets.wanted() || state.timing.live()) return;
  Owned<GstBuffer> index;
  try_or_post(GST_ELEMENT(trans), [&] { index = state.packets.index(); });
  if (index) gst_pad_push(GST_BASE_TRANSFORM_SRC_PAD(trans), index.release());
}

gboolean sink_event(GstBaseTransform* trans, GstEvent* event) {
  ElementState& state = state_of(trans);
  end_history(trans, event);
  if (GST_EVENT_TYPE(event) == GST_EVENT_FLUSH_STOP) {
    state.drop_frames(GST_FLOW_OK);
  } else if (is_serialised(event) && !state.held.frames().empty()) {
    if (keeps_its_place(event)) {
      Owned<GstEvent> held(event);
      return try_or_post(GST_ELEMENT(trans), [&] { state.held.push(held); });
    }
    drain(trans);
  }
  if (GST_EVENT_TYPE(event) == GST_EVENT_EOS) end_stream_of_packets(trans);
  const bool resent = is_sent_again(event);
  return base_class()->sink_event(trans, event) || (resent && is_stopping(trans));
}

/// Converts the coordinates of a navigation event from pixels of the output to pixels of the input.
/// @return the event, or its copy
GstEvent* in_pixels_of_input(ElementState& state, GstEvent* event) {
  gdouble x = 0, y = 0;
  if (!gst_navigation_event_get_coordinates(event, &x, &y)) return event;
  std::unique_lock lock(state.mutex);
  const GstVideoInfo in = state.in_format, out = state.out_format;
  lock.unlock();
  if (!out.width || !out.height || (in.width == out.width && in.height == out.height)) return event;
  event = gst_event_make_writable(event);
  gst_navigation_event_set_coordinates(event, x * in.width / out.width, y * in.height / out.height);
  return event;
}

// Called from the sink's thread, while the streaming thread draws other frames.
gboolean src_event(GstBaseTransform* trans, GstEvent* event) {
  ElementState& state = state_of(trans);
  if (GST_EVENT_TYPE(event) == GST_EVENT_NAVIGATION) {
    GstMessage* message = make_tile_message(GST_OBJECT(trans), event, state.current_mosaic());
    if (message) gst_element_post_message(GST_ELEMENT(trans), message);
    event = in_pixels_of_input(state, event);
  }
  if (gst_video_event_is_force_key_unit(event)) state.packets.want_key();
  if (state.timing.notice_event(event))
    return gst_pad_push_event(GST_BASE_TRANSFORM_SINK_PAD(trans), event);
  return base_class()->src_event(trans, event);
}

gboolean query(GstBaseTransform* trans, GstPadDirection direction, GstQuery* query) {
  ElementState& state = state_of(trans);
  if (GST_QUERY_TYPE(query) == GST_QUERY_CONTEXT && state.gpu.answer_context_query(query))
    return TRUE;
  if (GST_QUERY_TYPE(query) == GST_QUERY_DRAIN) drain(trans);
  if (!base_class()->query(trans, direction, query)) return FALSE;
  if (GST_QUERY_TYPE(query) == GST_QUERY_LATENCY)
    state.timing.add_latency(query, state.current_settings()->lookahead);
  return TRUE;
}

}  // namespace

void install_events(GstBaseTransformClass* klass) {
  klass->sink_event = sink_event;
  klass->src_event = src_event;
  klass->query = query;
}

}  // namespace mosaic_gst
