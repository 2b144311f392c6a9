// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/base/delay_transform.h"

#include <gst/video/video.h>

#include <atomic>
#include <utility>

#include "gst/messages/errors.h"
#include "gst/messages/log.h"

#define GST_CAT_DEFAULT mosaic_gst::log_category(mosaic_gst::LogPart::kBase)

using mosaic_gst::delay_of;
using mosaic_gst::HeldFrame;

namespace {

/// Frames that are held back, and the events that arrived between them.
class Queue {
 public:
  ~Queue() { clear(); }

  /// Both overloads take ownership.
  void push(HeldFrame frame) {
    frames_.push_back(std::move(frame));
    ++pushed_;
  }
  void push(GstEvent* event) { events_.push_back({event, pushed_}); }

  /// Transfers the oldest frame to the caller. The queue must not be empty.
  HeldFrame pop() {
    HeldFrame frame = std::move(frames_.front());
    frames_.pop_front();
    return frame;
  }
  /// Transfers the oldest event to the caller; null while a frame waits that arrived before it.
  GstEvent* pop_event() {
    if (events_.empty() || events_.front().frames_before > pushed_ - frames_.size()) return nullptr;
    GstEvent* event = events_.front().event;
    events_.pop_front();
    return event;
  }

  const std::deque<HeldFrame>& frames() const { return frames_; }

  void clear() {
    for (const HeldFrame& frame : frames_) gst_buffer_unref(frame.buffer);
    for (const QueuedEvent& queued : events_) gst_event_unref(queued.event);
    frames_.clear();
    events_.clear();
  }

 private:
  struct QueuedEvent {
    GstEvent* event;
    guint64 frames_before;  ///< frames pushed before it since the start
  };
  std::deque<HeldFrame> frames_;
  std::deque<QueuedEvent> events_;
  guint64 pushed_ = 0;  ///< frames pushed since the start
};

struct State {
  Queue queue;
  std::shared_ptr<const void> data;  ///< of the frame whose output is being made
  /// What every frame is refused with, see fail(). Any thread may set it to GST_FLOW_OK.
  std::atomic<GstFlowReturn> failure = GST_FLOW_OK;

  void reset() {
    queue.clear();
    failure = GST_FLOW_OK;
  }
  void fail(GstFlowReturn flow) {
    queue.clear();
    failure = flow;
  }
};

}  // namespace

struct GstMosaicDelayTransformPrivate {
  State* state;
};

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE(GstMosaicDelayTransform, gst_mosaic_delay_transform,
                                    GST_TYPE_BASE_TRANSFORM)

#define PARENT GST_BASE_TRANSFORM_CLASS(gst_mosaic_delay_transform_parent_class)

static State& state_of(gpointer instance) {
  auto* self = GST_MOSAIC_DELAY_TRANSFORM(instance);
  return *static_cast<GstMosaicDelayTransformPrivate*>(
              gst_mosaic_delay_transform_get_instance_private(self))
              ->state;
}

const void* mosaic_gst::frame_data(GstMosaicDelayTransform* self) {
  return state_of(self).data.get();
}

const std::deque<HeldFrame>& mosaic_gst::later_frames(GstMosaicDelayTransform* self) {
  return state_of(self).queue.frames();
}

static void gst_mosaic_delay_transform_init(GstMosaicDelayTransform* self) {
  static_cast<GstMosaicDelayTransformPrivate*>(
      gst_mosaic_delay_transform_get_instance_private(self))
      ->state = new State;
}

static void gst_mosaic_delay_transform_finalize(GObject* object) {
  delete &state_of(object);
  G_OBJECT_CLASS(gst_mosaic_delay_transform_parent_class)->finalize(object);
}

static gboolean gst_mosaic_delay_transform_stop(GstBaseTransform* trans) {
  state_of(trans).reset();
  return TRUE;
}

guint mosaic_gst::delay_of(gpointer instance) {
  auto* self = GST_MOSAIC_DELAY_TRANSFORM(instance);
  return GST_MOSAIC_DELAY_TRANSFORM_GET_CLASS(self)->delay(self);
}

static GstFlowReturn generate(GstMosaicDelayTransform* self, GstBuffer** output) {
  return PARENT->generate_output(GST_BASE_TRANSFORM(self), output);
}

static GstFlowReturn hold_back(GstBaseTransform* trans, GstBuffer* frame) {
  auto* self = GST_MOSAIC_DELAY_TRANSFORM(trans);
  std::shared_ptr<const void> data;
  GstFlowReturn flow = GST_FLOW_ERROR;
  const bool held = mosaic_gst::try_or_post(GST_ELEMENT(trans), [&] {
    flow = GST_MOSAIC_DELAY_TRANSFORM_GET_CLASS(self)->hold_frame(self, &frame, &data);
    if (flow == GST_FLOW_OK) state_of(trans).queue.push({frame, std::move(data)});
  });
  if (held && flow == GST_FLOW_OK) return GST_FLOW_OK;
  gst_buffer_unref(frame);
  return held ? flow : GST_FLOW_ERROR;
}

static GstFlowReturn release(GstBaseTransform* trans, GstBuffer** output) {
  State& state = state_of(trans);
  HeldFrame oldest = state.queue.pop();
  state.data = std::move(oldest.data);
  trans->queued_buf = oldest.buffer;
  auto* self = GST_MOSAIC_DELAY_TRANSFORM(trans);
  return GST_MOSAIC_DELAY_TRANSFORM_GET_CLASS(self)->generate(self, output);
}

// Sends the events that arrived before every frame still held back.
static void push_events(GstBaseTransform* trans) {
  while (GstEvent* event = state_of(trans).queue.pop_event()) PARENT->sink_event(trans, event);
}

static GstFlowReturn next_output(GstBaseTransform* trans, GstBuffer** output) {
  if (GstBuffer* arrived = std::exchange(trans->queued_buf, nullptr)) {
    const GstFlowReturn flow = hold_back(trans, arrived);
    if (flow != GST_FLOW_OK) return flow;
  }
  push_events(trans);
  if (state_of(trans).queue.frames().size() <= delay_of(trans)) return GST_FLOW_OK;
  return release(trans, output);
}

// The base class calls this until there is no more output. Some decoders go on after an error, and
// the end of the stream sends the frames that are held back: each frame would post the error again.
static GstFlowReturn gst_mosaic_delay_transform_generate_output(GstBaseTransform* trans,
                                                                GstBuffer** output) {
  const GstFlowReturn flow = next_output(trans, output);
  if (flow == GST_FLOW_ERROR) state_of(trans).fail(flow);
  return flow;
}

static void drain(GstBaseTransform* trans) {
  State& state = state_of(trans);
  GST_DEBUG_OBJECT(trans, "sending %zu frames that are held back", state.queue.frames().size());
  GstFlowReturn flow = GST_FLOW_OK;
  while (flow == GST_FLOW_OK && !state.queue.frames().empty()) {
    push_events(trans);
    GstBuffer* output = nullptr;
    flow = release(trans, &output);
    if (flow == GST_FLOW_OK && output)
      flow = gst_pad_push(trans->srcpad, output);
    else if (output)
      gst_buffer_unref(output);
    if (flow == GST_BASE_TRANSFORM_FLOW_DROPPED) flow = GST_FLOW_OK;
  }
  push_events(trans);
  if (flow != GST_FLOW_OK) state.fail(flow);
}

void mosaic_gst::drain(GstMosaicDelayTransform* self) {
  drain(GST_BASE_TRANSFORM(self));
}

void mosaic_gst::try_again(GstMosaicDelayTransform* self) {
  state_of(self).failure = GST_FLOW_OK;
}

static GstFlowReturn gst_mosaic_delay_transform_submit_input_buffer(GstBaseTransform* trans,
                                                                    gboolean discont,
                                                                    GstBuffer* frame) {
  if (GST_BUFFER_IS_DISCONT(frame)) drain(trans);
  const GstFlowReturn failure = state_of(trans).failure;
  if (failure == GST_FLOW_OK) return PARENT->submit_input_buffer(trans, discont, frame);
  gst_buffer_unref(frame);
  return failure;
}

// Whether an event concerns only the frames around it, so that it waits among the held frames.
static bool keeps_its_place(GstEvent* event) {
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

static gboolean gst_mosaic_delay_transform_sink_event(GstBaseTransform* trans, GstEvent* event) {
  Queue& queue = state_of(trans).queue;
  if (GST_EVENT_TYPE(event) == GST_EVENT_FLUSH_STOP) {
    state_of(trans).reset();
  } else if ((gst_event_type_get_flags(GST_EVENT_TYPE(event)) & GST_EVENT_TYPE_SERIALIZED) &&
             !queue.frames().empty()) {
    if (keeps_its_place(event)) {
      if (mosaic_gst::try_or_post(GST_ELEMENT(trans), [&] { queue.push(event); })) return TRUE;
      gst_event_unref(event);
      return FALSE;
    }
    drain(trans);
  }
  return PARENT->sink_event(trans, event);
}

// Sums of latencies stay below this, which the largest number that is a time leaves room for: with
// the lowest frame rate that caps can have, a few frames take longer than that.
static constexpr GstClockTime kMaxLatency = G_MAXINT64;

static GstClockTime add_latency(GstClockTime a, GstClockTime b) {
  return a < kMaxLatency && b < kMaxLatency - a ? a + b : kMaxLatency;
}

// How long a frame is held back; 0 if the frame rate is unknown.
static GstClockTime latency_of(GstBaseTransform* trans) {
  const guint delay = delay_of(trans);
  GstCaps* caps = delay ? gst_pad_get_current_caps(trans->sinkpad) : nullptr;
  GstVideoInfo info;
  const bool known = caps && gst_video_info_from_caps(&info, caps) && info.fps_n > 0;
  if (caps) gst_caps_unref(caps);
  return known ? gst_util_uint64_scale(delay * GST_SECOND, info.fps_d, info.fps_n) : 0;
}

static gboolean gst_mosaic_delay_transform_query(GstBaseTransform* trans, GstPadDirection direction,
                                                 GstQuery* query) {
  if (GST_QUERY_TYPE(query) == GST_QUERY_DRAIN) ::drain(trans);
  if (!PARENT->query(trans, direction, query)) return FALSE;
  if (GST_QUERY_TYPE(query) != GST_QUERY_LATENCY) return TRUE;
  gboolean live = FALSE;
  GstClockTime least = 0, most = 0;
  gst_query_parse_latency(query, &live, &least, &most);
  GstClockTime own = latency_of(trans);
  auto* self = GST_MOSAIC_DELAY_TRANSFORM(trans);
  const auto drawing_time = GST_MOSAIC_DELAY_TRANSFORM_GET_CLASS(self)->drawing_time;
  if (live && drawing_time) own = add_latency(own, drawing_time(self));
  GST_DEBUG_OBJECT(trans, "adding a latency of %" GST_TIME_FORMAT, GST_TIME_ARGS(own));
  if (GST_CLOCK_TIME_IS_VALID(most)) most = add_latency(most, own);
  gst_query_set_latency(query, live, add_latency(least, own), most);
  return TRUE;
}

static void gst_mosaic_delay_transform_class_init(GstMosaicDelayTransformClass* klass) {
  G_OBJECT_CLASS(klass)->finalize = gst_mosaic_delay_transform_finalize;
  klass->generate = generate;
  GstBaseTransformClass* trans_class = GST_BASE_TRANSFORM_CLASS(klass);
  trans_class->stop = gst_mosaic_delay_transform_stop;
  trans_class->query = gst_mosaic_delay_transform_query;
  trans_class->sink_event = gst_mosaic_delay_transform_sink_event;
  trans_class->submit_input_buffer = gst_mosaic_delay_transform_submit_input_buffer;
  trans_class->generate_output = gst_mosaic_delay_transform_generate_output;
  gst_type_mark_as_plugin_api(GST_TYPE_MOSAIC_DELAY_TRANSFORM, static_cast<GstPluginAPIFlags>(0));
}
