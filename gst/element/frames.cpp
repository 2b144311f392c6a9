// SPDX-License-Identifier: LGPL-2.1-or-later
#include <exception>
#include <utility>

#include "gst/element/element_state.h"
#include "gst/element/virtual_methods.h"
#include "gst/memory/mapped_frame.h"
#include "gst/messages/errors.h"
#include "gst/messages/log.h"
#include "gst/messages/mosaic_meta.h"
#include "gst/messages/stats.h"

#define GST_CAT_DEFAULT mosaic_gst::log_category(mosaic_gst::LogPart::kFrames)

namespace mosaic_gst {
namespace {

bool may_write(GstBuffer* buffer) {
  return gst_buffer_is_writable(buffer) && gst_buffer_is_all_memory_writable(buffer);
}

/// Sets the properties that are animated to their values at a frame.
void animate(GstBaseTransform* trans, GstBuffer* frame) {
  // Frames that come straight from a file have a segment in bytes, and no time to animate by.
  const GstSegment& segment = trans->segment;
  if (segment.format != GST_FORMAT_TIME) return;
  const guint64 time = gst_segment_to_stream_time(&segment, GST_FORMAT_TIME, GST_BUFFER_PTS(frame));
  if (GST_CLOCK_TIME_IS_VALID(time)) gst_object_sync_values(GST_OBJECT(trans), time);
}

/// Updates the engine's settings for a frame that arrives.
void update_frame_settings(ElementState& state) {
  const std::shared_ptr<const Settings>& settings = state.generation;
  const int64_t budget = state.timing.solve_budget(*settings);
  const int economy = state.timing.economy(*settings);
  const GstClockTime duration = state.timing.frame_duration();
  const mosaic::FrameSettings* last = state.frame_settings.get();
  if (last && settings == state.frame_settings_source && last->economy == economy &&
      state.frame_settings_budget == budget && state.frame_settings_duration == duration)
    return;
  auto next = std::make_shared<mosaic::FrameSettings>(settings->frame_settings(budget, duration));
  next->economy = economy;
  state.frame_settings = std::move(next);
  state.frame_settings_source = settings;
  state.frame_settings_budget = budget;
  state.frame_settings_duration = duration;
}

/// A frame has arrived: notes what it is to be drawn with, and holds it back.
/// A decoder on a GPU has only a few surfaces. So that it does not run out of them, frames in GPU
/// memory are copied when they are held back.
GstFlowReturn take(GstBaseTransform* trans, Owned<GstBuffer> frame) try {
  ElementState& state = state_of(trans);
  animate(trans, frame.get());
  if (!state.timing.continues(frame.get())) state.painter.forget();
  state.timing.find_whether_live();
  state.generation = state.current_settings();
  const guint lookahead = state.generation->lookahead;
  if (lookahead > 0 && state.timing.lacks_frame_rate()) {
    GST_ELEMENT_ERROR(
        trans, STREAM, FORMAT,
        ("lookahead=%u needs a known frame rate, and the caps of this live source have none "
         "(put videorate and a capsfilter with a framerate before this element, or "
         "set lookahead to 0)",
         lookahead),
        (nullptr));
    return GST_FLOW_ERROR;
  }
  update_frame_settings(state);
  if (state.on_gpu && !state.failure && lookahead > 0) {
    Owned<GstBuffer> copy;
    const GstFlowReturn flow = state.spare.take(trans, state.gpu, frame.get(), copy);
    if (flow != GST_FLOW_OK) return flow;
    state.gpu.copy(state.in_format, frame.get(), copy.get());
    frame = std::move(copy);
  }
  state.held.push({.buffer = std::move(frame), .settings = state.frame_settings});
  return GST_FLOW_OK;
} catch (const std::exception&) {
  post_current_exception(GST_ELEMENT(trans));
  return GST_FLOW_ERROR;
}

/// Chooses where a frame is drawn: in place, or to another buffer, which `other` receives.
GstFlowReturn choose_output(GstBaseTransform* trans, GstBuffer* input, Owned<GstBuffer>& other) {
  ElementState& state = state_of(trans);
  if (gst_base_transform_is_in_place(trans)) {
    // A cropped frame is drawn to another buffer, because downstream may not support crop metas. So
    // is a read-only frame.
    if (!is_cropped(state.in_format, input) && may_write(input)) return GST_FLOW_OK;
    return state.spare.take(trans, state.gpu, input, other);
  }
  const Owned<GstBufferPool> pool(gst_base_transform_get_buffer_pool(trans));
  if (pool) return take_from_pool(trans, pool.get(), input, other);
  GstBuffer* allocated = nullptr;
  const GstFlowReturn flow = base_class()->prepare_output_buffer(trans, input, &allocated);
  other.reset(allocated);
  return flow;
}

/// If hardware is required, decoding in software is an error, as in mosaic-temporal-gpu.
bool has_wanted_decoder(GstBaseTransform* trans) {
  const ElementState& state = state_of(trans);
  if (!state.generation->require_hardware) return true;
  const std::string why = why_not_hardware(state.decoder, state.on_gpu);
  if (why.empty()) return true;
  GST_ELEMENT_ERROR(trans, STREAM, WRONG_TYPE,
                    ("require-hardware: %s (use a decoder such as nvh264dec, and no element "
                     "between that copies frames out of CUDA memory, or set require-hardware to "
                     "false)",
                     why.c_str()),
                    (nullptr));
  return false;
}

/// Counts a frame that is not drawn, and posts a message for one that is dropped.
void count_skipped(ElementState& state, GstBuffer* frame, Timing::Decision decision) {
  const bool dropped = decision == Timing::Decision::kDrop;
  std::unique_lock lock(state.mutex);
  ++(dropped ? state.stats.dropped : state.stats.repeated);
  const StreamStats& stats = state.stats;
  const guint64 frames = stats.frames, count = stats.dropped;
  lock.unlock();
  if (dropped) state.timing.post_dropped(frame, frames, count);
}

/// Counts a frame that was drawn, and posts its statistics unless the element is silent.
void report(GstBaseTransform* trans, GstClockTime pts) {
  ElementState& state = state_of(trans);
  const mosaic::FrameStats& last = state.painter.last();
  guint64 frame;
  {
    const std::lock_guard lock(state.mutex);
    frame = state.stats.frames++;
    state.stats.skipped = static_cast<guint>(state.painter.skipped());
    state.stats.device = state.painter.on_gpu() ? "cuda" : "cpu";
    state.stats.economy = state.frame_settings->economy;
    state.stats.last = last;
  }
  if (state.generation->silent) return;
  gst_element_post_message(GST_ELEMENT(trans),
                           make_stats_message(GST_OBJECT(trans), frame, pts, last));
}

void list_later_frames(ElementState& state) {
  state.later_frames.clear();
  for (const HeldFrame& later : state.held.frames())
    state.later_frames.push_back({later.buffer.get(), later.settings.get()});
}

/// Draws a frame's mosaic to `out`, which may be the frame itself, or repeats the last mosaic.
Painter::Outcome draw(ElementState& state, const HeldFrame& frame, GstBuffer* out,
                      Timing::Decision decision) {
  const Painter::Frame in{.buffer = frame.buffer.get(), .settings = frame.settings.get()};
  if (decision == Timing::Decision::kRepeat) return state.painter.repeat(in, out, state.generation);
  list_later_frames(state);
  return state.painter.paint(in, out, state.later_frames, state.generation, !state.timing.live());
}

/// Makes a frame's packet for a stream of indices.
/// @param packet receives it; null: the frame has none
Painter::Outcome describe(ElementState& state, const HeldFrame& frame, Timing::Decision decision,
                          Owned<GstBuffer>& packet) {
  const bool live = state.timing.live();
  if (decision == Timing::Decision::kRepeat) {
    packet = state.packets.repeat(frame.buffer.get());
    if (packet) return Painter::Outcome::kRepeated;
  }
  list_later_frames(state);
  return state.painter.describe(
      {.buffer = frame.buffer.get(), .settings = frame.settings.get()}, state.later_frames,
      state.generation, !live,
      [&](const mosaic::stream::StreamHeader& header, const mosaic::stream::FrameState& described) {
        packet = state.packets.write(frame.buffer.get(), live, header, described);
      });
}

/// Tells of the mosaic that was drawn, with the buffer and otherwise.
/// @param start when drawing began, by the monotonic clock, microseconds
void publish(GstBaseTransform* trans, Painter::Outcome outcome, GstBuffer* out, gint64 start) {
  ElementState& state = state_of(trans);
  switch (outcome) {
    case Painter::Outcome::kDrawn:
      // Drawn in place, the buffer still has the input's gap flag, but a mosaic is not a gap.
      GST_BUFFER_FLAG_UNSET(out, GST_BUFFER_FLAG_GAP);
      set_meta(out, state.painter.shown());
      state.show(state.painter.shown());
      state.timing.drawn((g_get_monotonic_time() - start) * GST_USECOND);
      report(trans, GST_BUFFER_PTS(out));
      break;
    case Painter::Outcome::kRepeated:
      GST_BUFFER_FLAG_UNSET(out, GST_BUFFER_FLAG_GAP);
      set_meta(out, state.painter.shown());
      break;
    case Painter::Outcome::kInputUnchanged:
    case Painter::Outcome::kCopied:
      state.show({});
      break;
    case Painter::Outcome::kInterrupted:
      break;
  }
}

/// Makes the output of the oldest frame that is held, of which there must be one.
GstFlowReturn make_output(GstBaseTransform* trans, GstBuffer** output) try {
  ElementState& state = state_of(trans);
  HeldFrame frame = state.held.pop();
  if (state.failure) std::rethrow_exception(std::exchange(state.failure, nullptr));
  Owned<GstBuffer> other;
  if (!state.packets.wanted()) {
    const GstFlowReturn chosen = choose_output(trans, frame.buffer.get(), other);
    if (chosen != GST_FLOW_OK) return chosen;
  }
  if (!state.negotiated) return GST_FLOW_NOT_NEGOTIATED;
  if (!has_wanted_decoder(trans)) return GST_FLOW_ERROR;
  const Timing::Decision decision = state.timing.decide(frame.buffer.get(), *state.generation);
  if (decision != Timing::Decision::kDraw) count_skipped(state, frame.buffer.get(), decision);
  if (decision == Timing::Decision::kDrop) return GST_BASE_TRANSFORM_FLOW_DROPPED;
  const gint64 start = g_get_monotonic_time();
  if (state.packets.wanted()) {
    const Painter::Outcome outcome = describe(state, frame, decision, other);
    if (outcome == Painter::Outcome::kInterrupted) return GST_FLOW_FLUSHING;
    if (!other) return GST_BASE_TRANSFORM_FLOW_DROPPED;
    publish(trans, outcome, other.get(), start);
    *output = other.release();
    return GST_FLOW_OK;
  }
  GstBuffer* out = other ? other.get() : frame.buffer.get();
  const Painter::Outcome outcome = draw(state, frame, out, decision);
  if (outcome == Painter::Outcome::kInterrupted) return GST_FLOW_FLUSHING;
  publish(trans, outcome, out, start);
  const bool sends_other = other && outcome != Painter::Outcome::kInputUnchanged;
  *output = (sends_other ? other : frame.buffer).release();
  return GST_FLOW_OK;
} catch (const std::exception&) {
  post_current_exception(GST_ELEMENT(trans));
  return GST_FLOW_ERROR;
}

/// Sends the events that arrived before every frame still held back.
void push_events(GstBaseTransform* trans) {
  while (Owned<GstEvent> event = state_of(trans).held.pop_event())
    base_class()->sink_event(trans, event.release());
}

void before_transform(GstBaseTransform* trans, GstBuffer* buffer) {
  ElementState& state = state_of(trans);
  if (!state.on_gpu || !state.gpu.is_in_other_context(buffer)) return;
  drain(trans);
  state.gpu.adopt_context(buffer, state.current_settings()->cuda_device_id);
  state.spare.drop();
  state.painter.drop_executor();
  gst_base_transform_reconfigure_src(trans);  // for a pool in the new context
}

GstFlowReturn submit_input_buffer(GstBaseTransform* trans, gboolean discont, GstBuffer* buffer) {
  ElementState& state = state_of(trans);
  Owned<GstBuffer> frame(buffer);
  if (GST_BUFFER_IS_DISCONT(buffer)) drain(trans);
  if (const GstFlowReturn refusal = state.refusal; refusal != GST_FLOW_OK) return refusal;
  const GstFlowReturn flow = base_class()->submit_input_buffer(trans, discont, frame.release());
  if (flow == GST_BASE_TRANSFORM_FLOW_DROPPED) {
    const std::lock_guard lock(state.mutex);
    ++state.stats.dropped;
  }
  return flow;
}

// GstBaseTransform calls this until there is no more output. Some decoders go on after an error,
// and the end of the stream sends the frames that are held back: each frame would post the error
// again.
GstFlowReturn generate_output(GstBaseTransform* trans, GstBuffer** output) {
  ElementState& state = state_of(trans);
  GstFlowReturn flow = GST_FLOW_OK;
  if (Owned<GstBuffer> arrived{std::exchange(trans->queued_buf, nullptr)})
    flow = take(trans, std::move(arrived));
  else
    state.generation = state.current_settings();
  if (flow == GST_FLOW_OK) {
    push_events(trans);
    if (state.held.frames().size() > state.generation->lookahead) flow = make_output(trans, output);
  }
  if (flow == GST_FLOW_ERROR) state.drop_frames(flow);
  return flow;
}

// GstBaseTransform lets a frame be drawn in place, or to another buffer, only by a class that has
// methods for both. Here generate_output() makes every output, and they are not called.
GstFlowReturn transform(GstBaseTransform*, GstBuffer*, GstBuffer*) {
  return GST_FLOW_NOT_SUPPORTED;
}
GstFlowReturn transform_ip(GstBaseTransform*, GstBuffer*) {
  return GST_FLOW_NOT_SUPPORTED;
}

/// All metas are kept if the size of the picture does not change; otherwise only those that do not
/// depend on it.
gboolean transform_meta(GstBaseTransform* trans, GstBuffer* output, GstMeta* meta,
                        GstBuffer* input) {
  const gchar* const* tags = gst_meta_api_type_get_tags(meta->info->api);
  const bool same =
      gst_base_transform_is_in_place(trans) && !is_cropped(state_of(trans).in_format, input);
  if (same || !tags) return TRUE;
  static const GQuark video = g_quark_from_static_string(GST_META_TAG_VIDEO_STR);
  if (!tags[0] || (!tags[1] && gst_meta_api_type_has_tag(meta->info->api, video))) return TRUE;
  return base_class()->transform_meta(trans, output, meta, input);
}

}  // namespace

void drain(GstBaseTransform* trans) {
  ElementState& state = state_of(trans);
  GST_DEBUG_OBJECT(trans, "sending %zu frames that are held back", state.held.frames().size());
  GstFlowReturn flow = GST_FLOW_OK;
  while (flow == GST_FLOW_OK && !state.held.frames().empty()) {
    push_events(trans);
    state.generation = state.current_settings();
    GstBuffer* output = nullptr;
    flow = make_output(trans, &output);
    if (output) flow = gst_pad_push(GST_BASE_TRANSFORM_SRC_PAD(trans), output);
    if (flow == GST_BASE_TRANSFORM_FLOW_DROPPED) flow = GST_FLOW_OK;
  }
  push_events(trans);
  if (flow != GST_FLOW_OK) state.drop_frames(flow);
}

void install_frames(GstBaseTransformClass* klass) {
  klass->before_transform = before_transform;
  klass->submit_input_buffer = submit_input_buffer;
  klass->generate_output = generate_output;
  klass->transform = transform;
  klass->transform_ip = transform_ip;
  klass->transform_meta = transform_meta;
}

}  // namespace mosaic_gst
