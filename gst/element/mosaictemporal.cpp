// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/element/mosaictemporal.h"

#include <memory>
#include <mutex>
#include <string_view>

#include "gst/element/element_state.h"
#include "gst/element/pacing.h"
#include "gst/memory/caps.h"
#include "gst/memory/dynamic_range.h"
#include "gst/messages/errors.h"
#include "gst/messages/log.h"
#include "gst/messages/mosaic_meta.h"
#include "gst/messages/stats.h"
#include "gst/messages/tile_message.h"
#include "gst/properties/properties.h"

#define GST_CAT_DEFAULT mosaic_gst::log_category(mosaic_gst::LogPart::kElement)

using mosaic_gst::ElementState;
using mosaic_gst::Painter;
using mosaic_gst::PoolLoader;
using mosaic_gst::Settings;
using mosaic_gst::ShownMosaic;

/// Assumed if the caps have no frame rate, to set the time limit of a live frame.
static constexpr GstClockTime kFrameDuration = GST_SECOND / 25;

struct _GstMosaicTemporal {
  GstMosaicFrameTransform parent;
  ElementState* state;
};

// GStreamer itself stores and loads presets, by the names of the properties.
G_DEFINE_TYPE_WITH_CODE(GstMosaicTemporal, gst_mosaic_temporal, GST_TYPE_MOSAIC_FRAME_TRANSFORM,
                        G_IMPLEMENT_INTERFACE(GST_TYPE_PRESET, nullptr))
GST_ELEMENT_REGISTER_DEFINE(mosaictemporal, "mosaictemporal", GST_RANK_NONE,
                            GST_TYPE_MOSAIC_TEMPORAL)

static ElementState& state_of(gpointer instance) {
  return *GST_MOSAIC_TEMPORAL(instance)->state;
}

static void gst_mosaic_temporal_init(GstMosaicTemporal* self) {
  self->state = new ElementState(GST_ELEMENT(self));
}

static void gst_mosaic_temporal_finalize(GObject* object) {
  delete GST_MOSAIC_TEMPORAL(object)->state;
  G_OBJECT_CLASS(gst_mosaic_temporal_parent_class)->finalize(object);
}

static void log_property(GObject* object, const GParamSpec* spec, const GValue* value) {
  GstDebugCategory* category = mosaic_gst::log_category(mosaic_gst::LogPart::kProperties);
  if (gst_debug_category_get_threshold(category) < GST_LEVEL_DEBUG) return;
  gchar* text = g_strdup_value_contents(value);
  GST_CAT_DEBUG_OBJECT(category, object, "%s=%s", spec->name, text);
  g_free(text);
}

static void gst_mosaic_temporal_set_property(GObject* object, guint id, const GValue* value,
                                             GParamSpec* spec) {
  bool writable = true, other_latency = false;
  mosaic_gst::try_or_post(GST_ELEMENT(object), [&] {
    state_of(object).change_settings([&](Settings& settings) {
      const guint lookahead = settings.lookahead;
      writable = set_setting(settings, id, value);
      other_latency = settings.lookahead != lookahead;
    });
  });
  if (!writable) G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
  log_property(object, spec, value);
  mosaic_gst::try_again(GST_MOSAIC_DELAY_TRANSFORM(object));
  if (other_latency)  // no lock is held: a synchronous bus handler may set a property
    gst_element_post_message(GST_ELEMENT(object), gst_message_new_latency(GST_OBJECT(object)));
}

static void gst_mosaic_temporal_get_property(GObject* object, guint id, GValue* value,
                                             GParamSpec* spec) {
  ElementState& state = state_of(object);
  const std::string_view name = spec->name;
  if (name == "photos") {
    g_value_take_boxed(value, mosaic_gst::photo_names(state.current_mosaic()));
    return;
  }
  const std::lock_guard lock(state.mutex);
  if (name == "stats")
    g_value_take_boxed(value, make_stats_structure(state.stats));
  else if (name == "active-codec")
    g_value_set_string(value, state.stats.codec ? state.stats.codec->c_str() : nullptr);
  else if (!get_setting(*state.settings, id, value))
    G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
}

// The streaming thread may be waiting for the pool, or drawing. That has to end before the base
// class deactivates the pads, because deactivation waits for the streaming thread.
static GstStateChangeReturn gst_mosaic_temporal_change_state(GstElement* element,
                                                             GstStateChange transition) {
  Painter& painter = state_of(element).painter;
  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED) {
    painter.interrupt(PoolLoader::kStopping, false);
    painter.interrupt(PoolLoader::kFlushing, false);
  } else if (transition == GST_STATE_CHANGE_PAUSED_TO_READY) {
    painter.interrupt(PoolLoader::kStopping, true);
  }
  return GST_ELEMENT_CLASS(gst_mosaic_temporal_parent_class)->change_state(element, transition);
}

static gboolean gst_mosaic_temporal_start(GstBaseTransform* trans) {
  ElementState& state = state_of(trans);
  const std::lock_guard lock(state.mutex);
  state.stats = {};
  return TRUE;
}

static gboolean gst_mosaic_temporal_stop(GstBaseTransform* trans) {
  ElementState& state = state_of(trans);
  state.painter.stop();
  state.show({});
  state.live.reset();
  state.decoder.reset();
  state.frame_settings.reset();
  state.frame_settings_source.reset();
  return GST_BASE_TRANSFORM_CLASS(gst_mosaic_temporal_parent_class)->stop(trans);
}

// Sends the held frames and makes the next frame a keyframe.
static void start_new_history(GstBaseTransform* trans) {
  mosaic_gst::drain(GST_MOSAIC_DELAY_TRANSFORM(trans));
  state_of(trans).painter.forget();
}

static gboolean gst_mosaic_temporal_sink_event(GstBaseTransform* trans, GstEvent* event) {
  Painter& painter = state_of(trans).painter;
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
    case GST_EVENT_SEGMENT: {
      const GstSegment* segment;
      gst_event_parse_segment(event, &segment);
      GstSegment current = trans->segment;
      current.position = segment->position;  // moves with every buffer
      if (!gst_segment_is_equal(segment, &current)) start_new_history(trans);
      break;
    }
    default:
      break;
  }
  return GST_BASE_TRANSFORM_CLASS(gst_mosaic_temporal_parent_class)->sink_event(trans, event);
}

// Called from the sink's thread, while the streaming thread draws other frames.
static gboolean gst_mosaic_temporal_src_event(GstBaseTransform* trans, GstEvent* event) {
  if (GST_EVENT_TYPE(event) == GST_EVENT_NAVIGATION) {
    const ShownMosaic shown = state_of(trans).current_mosaic();
    GstMessage* message = mosaic_gst::make_tile_message(GST_OBJECT(trans), event, shown);
    if (message) gst_element_post_message(GST_ELEMENT(trans), message);
  }
  if (notice_event(trans, state_of(trans), event))
    return gst_pad_push_event(GST_BASE_TRANSFORM_SINK_PAD(trans), event);
  return GST_BASE_TRANSFORM_CLASS(gst_mosaic_temporal_parent_class)->src_event(trans, event);
}

static gboolean gst_mosaic_temporal_accept_caps(GstBaseTransform* trans, GstPadDirection direction,
                                                GstCaps* caps) {
  if (!mosaic_gst::may_be_progressive(caps)) {
    GST_WARNING_OBJECT(trans,
                       "only progressive video is accepted, not %" GST_PTR_FORMAT
                       " (put videoconvert ! deinterlace before this element)",
                       caps);
    return FALSE;
  }
  return GST_BASE_TRANSFORM_CLASS(gst_mosaic_temporal_parent_class)
      ->accept_caps(trans, direction, caps);
}

static GstCaps* gst_mosaic_temporal_transform_caps(GstBaseTransform*, GstPadDirection,
                                                   GstCaps* caps, GstCaps* filter) {
  GstCaps* result = mosaic_gst::with_any_size(caps);
  if (!filter) return result;
  GstCaps* filtered = gst_caps_intersect_full(filter, result, GST_CAPS_INTERSECT_FIRST);
  gst_caps_unref(result);
  return filtered;
}

static GstCaps* gst_mosaic_temporal_fixate_caps(GstBaseTransform*, GstPadDirection, GstCaps* caps,
                                                GstCaps* other) {
  return mosaic_gst::fixate_size(caps, other);
}

static gboolean gst_mosaic_temporal_set_info(GstMosaicFrameTransform* self, const GstVideoInfo* in,
                                             const GstVideoInfo* out, gboolean on_gpu) {
  ElementState& state = state_of(self);
  state.live.reset();
  state.last_pts = GST_CLOCK_TIME_NONE;
  const int fps_n = GST_VIDEO_INFO_FPS_N(in), fps_d = GST_VIDEO_INFO_FPS_D(in);
  state.frame_duration.reset();
  if (fps_n > 0) state.frame_duration = gst_util_uint64_scale_int(GST_SECOND, fps_d, fps_n);
  state.pace.start(std::max<GstClockTime>(state.frame_duration.value_or(kFrameDuration), 1));
  const std::shared_ptr<const Settings> settings = state.current_settings();
  state.place = {settings->device, on_gpu != FALSE};
  state.decoder = mosaic_gst::find_decoder(GST_BASE_TRANSFORM_SINK_PAD(self));
  {
    const std::lock_guard lock(state.mutex);
    state.stats.width = GST_VIDEO_INFO_WIDTH(out);
    state.stats.height = GST_VIDEO_INFO_HEIGHT(out);
    state.stats.fps = static_cast<double>(fps_n) / fps_d;
    state.stats.codec.reset();
    if (state.decoder) state.stats.codec = state.decoder->name;
  }
  try {
    mosaic_gst::check_dynamic_range(*in);
    state.painter.set_format(*in, *out, state.place, mosaic_gst::gpu_of(self),
                             mosaic_gst::device_id_of(self));
    state.painter.prepare(settings);
  } catch (const std::exception&) {
    mosaic_gst::fail_next_frame(self);
  }
  return TRUE;
}

static void gst_mosaic_temporal_context_changed(GstMosaicFrameTransform* self) {
  state_of(self).painter.drop_executor();
}

static GstFlowReturn gst_mosaic_temporal_submit_input_buffer(GstBaseTransform* trans,
                                                             gboolean discont, GstBuffer* buffer) {
  const GstFlowReturn flow = GST_BASE_TRANSFORM_CLASS(gst_mosaic_temporal_parent_class)
                                 ->submit_input_buffer(trans, discont, buffer);
  if (flow == GST_BASE_TRANSFORM_FLOW_DROPPED) {
    ElementState& state = state_of(trans);
    const std::lock_guard lock(state.mutex);
    ++state.stats.dropped;
  }
  return flow;
}

static guint gst_mosaic_temporal_delay(GstMosaicDelayTransform* self) {
  return state_of(self).current_settings()->lookahead;
}

// Whether a frame after a discontinuity still continues those before it: in a live pipeline a queue
// that drops frames, or a camera, marks each gap as one. A change of scene is found by the picture.
static bool continues_live(const ElementState& state, GstBuffer* frame) {
  constexpr GstClockTime kLongestGap = GST_SECOND;
  const GstClockTime pts = GST_BUFFER_PTS(frame), last = state.last_pts;
  return state.live.value_or(false) && GST_CLOCK_TIME_IS_VALID(pts) &&
         GST_CLOCK_TIME_IS_VALID(last) && pts >= last && pts - last <= kLongestGap;
}

static GstClockTime gst_mosaic_temporal_drawing_time(GstMosaicDelayTransform* self) {
  ElementState& state = state_of(self);
  return state.latency = state.pace.latency();
}

// A frame is drawn with the settings at its arrival, however long it is held back.
static GstFlowReturn gst_mosaic_temporal_frame_arrived(GstMosaicFrameTransform* self,
                                                       GstBuffer* frame,
                                                       std::shared_ptr<const void>* data) {
  ElementState& state = state_of(self);
  // Frames that come straight from a file have a segment in bytes, and no time to animate by.
  const GstSegment& segment = GST_BASE_TRANSFORM(self)->segment;
  const guint64 time =
      segment.format == GST_FORMAT_TIME
          ? gst_segment_to_stream_time(&segment, GST_FORMAT_TIME, GST_BUFFER_PTS(frame))
          : GST_CLOCK_TIME_NONE;
  if (GST_CLOCK_TIME_IS_VALID(time)) gst_object_sync_values(GST_OBJECT(self), time);
  if (GST_BUFFER_IS_DISCONT(frame) && !continues_live(state, frame)) state.painter.forget();
  state.last_pts = GST_BUFFER_PTS(frame);
  const bool asked = state.live.has_value();
  if (!asked) {
    state.live = mosaic_gst::upstream_is_live(GST_BASE_TRANSFORM_SINK_PAD(self));
    GST_INFO_OBJECT(self, "upstream is %slive", *state.live ? "" : "not ");
    state.pace.enable(*state.live);
    // The latency was perhaps asked for before the frame rate was known.
    if (*state.live && state.latency != state.pace.latency())
      gst_element_post_message(GST_ELEMENT(self), gst_message_new_latency(GST_OBJECT(self)));
  }
  const std::shared_ptr<const Settings> settings = state.current_settings();
  if (settings->lookahead > 0 && *state.live && !state.frame_duration) {
    GST_ELEMENT_ERROR(
        self, STREAM, FORMAT,
        ("lookahead=%u needs a known frame rate, and the caps of this live source have none "
         "(put videorate and a capsfilter with a framerate before this element, or "
         "set lookahead to 0)",
         settings->lookahead),
        (nullptr));
    return GST_FLOW_ERROR;
  }
  const int economy =
      settings->live_quality == mosaic_gst::LiveQuality::kAuto ? state.pace.economy() : 0;
  if (!asked || settings != state.frame_settings_source || economy != state.economy) {
    const GstClockTime duration = state.frame_duration.value_or(kFrameDuration);
    const int64_t budget = settings->solve_budget(*state.live, duration);
    auto frame_settings = std::make_shared<mosaic::FrameSettings>(settings->frame_settings(budget));
    frame_settings->economy = economy;
    state.frame_settings = std::move(frame_settings);
    state.frame_settings_source = settings;
    state.economy = economy;
  }
  *data = state.frame_settings;
  return GST_FLOW_OK;
}

// Counts the frame, and posts its statistics unless the element is silent.
static void report(GstMosaicTemporal* self, GstClockTime pts, bool silent) {
  ElementState& state = *self->state;
  const mosaic::FrameStats& last = state.painter.last();
  guint64 frame;
  {
    const std::lock_guard lock(state.mutex);
    frame = state.stats.frames++;
    state.stats.skipped = static_cast<guint>(state.painter.skipped());
    state.stats.device = state.painter.on_gpu() ? "cuda" : "cpu";
    state.stats.economy = state.economy;
    state.stats.last = last;
  }
  if (silent) return;
  gst_element_post_message(GST_ELEMENT(self),
                           mosaic_gst::make_stats_message(GST_OBJECT(self), frame, pts, last));
}

// If hardware is required, decoding in software is an error, as in mosaic-temporal-gpu.
static bool has_wanted_decoder(GstMosaicTemporal* self) {
  const ElementState& state = *self->state;
  const std::string why = mosaic_gst::why_not_hardware(state.decoder, state.place.frames_on_gpu);
  if (why.empty()) return true;
  GST_ELEMENT_ERROR(self, STREAM, WRONG_TYPE,
                    ("require-hardware: %s (use a decoder such as nvh264dec, and no element "
                     "between that copies frames out of CUDA memory, or set require-hardware to "
                     "false)",
                     why.c_str()),
                    (nullptr));
  return false;
}

static GstFlowReturn gst_mosaic_temporal_draw(GstMosaicFrameTransform* base, GstBuffer* in,
                                              GstBuffer* out) {
  GstMosaicTemporal* self = GST_MOSAIC_TEMPORAL(base);
  ElementState& state = *self->state;
  const std::shared_ptr<const Settings> settings = state.current_settings();
  if (settings->require_hardware && !has_wanted_decoder(self)) return GST_FLOW_ERROR;
  auto* held = GST_MOSAIC_DELAY_TRANSFORM(self);
  const auto frame_settings = [](const void* data) {
    return static_cast<const mosaic::FrameSettings*>(data);
  };
  const Painter::Frame frame{in, frame_settings(mosaic_gst::frame_data(held))};
  state.later_frames.clear();
  for (const mosaic_gst::HeldFrame& later : mosaic_gst::later_frames(held))
    state.later_frames.push_back({later.buffer, frame_settings(later.data.get())});
  using Decision = mosaic_gst::LivePace::Decision;
  const Decision decision =
      settings->lookahead == 0 ? decide(GST_BASE_TRANSFORM(self), state, in) : Decision::kDraw;
  if (decision == Decision::kDrop) return GST_BASE_TRANSFORM_FLOW_DROPPED;
  const gint64 start = g_get_monotonic_time();
  const Painter::Outcome outcome =
      decision == Decision::kRepeat
          ? state.painter.repeat(frame, out, settings)
          : state.painter.paint(frame, out, state.later_frames, settings, !*state.live);
  switch (outcome) {
    case Painter::Outcome::kInterrupted:
      return GST_FLOW_FLUSHING;
    case Painter::Outcome::kInputUnchanged:
      state.show({});
      return GST_MOSAIC_FRAME_TRANSFORM_FLOW_PASS;
    case Painter::Outcome::kDrawn:
      // Drawn in place, the buffer still has the input's gap flag, but a mosaic is not a gap.
      GST_BUFFER_FLAG_UNSET(out, GST_BUFFER_FLAG_GAP);
      set_meta(out, state.painter.shown());
      state.show(state.painter.shown());
      note_drawn(GST_BASE_TRANSFORM(self), state, (g_get_monotonic_time() - start) * GST_USECOND);
      report(self, GST_BUFFER_PTS(in), settings->silent);
      break;
    case Painter::Outcome::kRepeated:
      GST_BUFFER_FLAG_UNSET(out, GST_BUFFER_FLAG_GAP);
      set_meta(out, state.painter.shown());
      break;
    case Painter::Outcome::kCopied:
      state.show({});
      break;
  }
  return GST_FLOW_OK;
}

static void gst_mosaic_temporal_class_init(GstMosaicTemporalClass* klass) {
  GObjectClass* object_class = G_OBJECT_CLASS(klass);
  object_class->finalize = gst_mosaic_temporal_finalize;
  object_class->set_property = gst_mosaic_temporal_set_property;
  object_class->get_property = gst_mosaic_temporal_get_property;
  mosaic_gst::install_properties(object_class);
  mosaic_gst::register_meta();

  GstElementClass* element_class = GST_ELEMENT_CLASS(klass);
  element_class->change_state = gst_mosaic_temporal_change_state;
  gst_element_class_set_static_metadata(
      element_class, "Temporal photomosaic", "Filter/Effect/Video",
      "Turns video into a steady mosaic of photos", "The mosaictemporal authors");
  GstCaps* caps = mosaic_gst::make_template_caps();
  gst_element_class_add_pad_template(
      element_class, gst_pad_template_new("sink", GST_PAD_SINK, GST_PAD_ALWAYS, caps));
  gst_element_class_add_pad_template(
      element_class, gst_pad_template_new("src", GST_PAD_SRC, GST_PAD_ALWAYS, caps));
  gst_caps_unref(caps);

  GstBaseTransformClass* trans_class = GST_BASE_TRANSFORM_CLASS(klass);
  trans_class->start = gst_mosaic_temporal_start;
  trans_class->stop = gst_mosaic_temporal_stop;
  trans_class->sink_event = gst_mosaic_temporal_sink_event;
  trans_class->src_event = gst_mosaic_temporal_src_event;
  trans_class->accept_caps = gst_mosaic_temporal_accept_caps;
  trans_class->transform_caps = gst_mosaic_temporal_transform_caps;
  trans_class->fixate_caps = gst_mosaic_temporal_fixate_caps;
  trans_class->submit_input_buffer = gst_mosaic_temporal_submit_input_buffer;

  GST_MOSAIC_DELAY_TRANSFORM_CLASS(klass)->delay = gst_mosaic_temporal_delay;
  GST_MOSAIC_DELAY_TRANSFORM_CLASS(klass)->drawing_time = gst_mosaic_temporal_drawing_time;
  GstMosaicFrameTransformClass* frame_class = GST_MOSAIC_FRAME_TRANSFORM_CLASS(klass);
  frame_class->set_info = gst_mosaic_temporal_set_info;
  frame_class->frame_arrived = gst_mosaic_temporal_frame_arrived;
  frame_class->draw = gst_mosaic_temporal_draw;
  frame_class->context_changed = gst_mosaic_temporal_context_changed;
}
