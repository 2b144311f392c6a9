// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/mosaictemporal.h"

#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "gst/caps.h"
#include "gst/errors.h"
#include "gst/mosaic_meta.h"
#include "gst/painter.h"
#include "gst/properties.h"
#include "gst/stats.h"
#include "gst/tile_message.h"
#include "gst/upstream.h"

GST_DEBUG_CATEGORY(gst_mosaic_temporal_debug);
#define GST_CAT_DEFAULT gst_mosaic_temporal_debug

using mosaic_gst::Painter;
using mosaic_gst::PoolLoader;
using mosaic_gst::Settings;
using mosaic_gst::ShownMosaic;
using mosaic_gst::StreamStats;

namespace {

/// Assumed where the caps do not say, for the share of a live frame's time.
constexpr GstClockTime kFrameDuration = GST_SECOND / 25;

struct State {
  explicit State(GstElement* element) : painter(element) {}

  std::mutex setting;  ///< held by whoever sets a property, which may read a file
  std::mutex mutex;    ///< guards what follows; held only to copy it
  std::shared_ptr<const Settings> settings = std::make_shared<Settings>();  ///< never changed
  StreamStats stats;
  ShownMosaic shown;  ///< by the frame that went out last

  // The streaming thread's.
  Painter painter;
  std::optional<bool> live;                    ///< nullopt: to be asked
  std::optional<GstClockTime> frame_duration;  ///< where the caps say it
  mosaic_gst::Place place;                     ///< as of the last caps
  std::optional<mosaic_gst::Decoder> decoder;
  /// What the last frame that arrived was noted with, and made of.
  std::shared_ptr<const mosaic::FrameSettings> noted;
  std::shared_ptr<const Settings> noted_settings;
  std::vector<Painter::Frame> behind;  ///< scratch

  std::shared_ptr<const Settings> current_settings() {
    const std::lock_guard lock(mutex);
    return settings;
  }
  ShownMosaic current_mosaic() {
    const std::lock_guard lock(mutex);
    return shown;
  }
  void show(ShownMosaic mosaic) {
    const std::lock_guard lock(mutex);
    std::swap(shown, mosaic);  // what it was goes after the lock
  }
};

}  // namespace

struct _GstMosaicTemporal {
  GstMosaicFrameTransform parent;
  State* state;
};

// Presets are kept by the names of the properties, which GStreamer does by itself.
G_DEFINE_TYPE_WITH_CODE(GstMosaicTemporal, gst_mosaic_temporal, GST_TYPE_MOSAIC_FRAME_TRANSFORM,
                        G_IMPLEMENT_INTERFACE(GST_TYPE_PRESET, nullptr))
GST_ELEMENT_REGISTER_DEFINE(mosaictemporal, "mosaictemporal", GST_RANK_NONE,
                            GST_TYPE_MOSAIC_TEMPORAL)

static State& state_of(gpointer instance) {
  return *GST_MOSAIC_TEMPORAL(instance)->state;
}

static void gst_mosaic_temporal_init(GstMosaicTemporal* self) {
  self->state = new State(GST_ELEMENT(self));
}

static void gst_mosaic_temporal_finalize(GObject* object) {
  delete GST_MOSAIC_TEMPORAL(object)->state;
  G_OBJECT_CLASS(gst_mosaic_temporal_parent_class)->finalize(object);
}

static void gst_mosaic_temporal_set_property(GObject* object, guint id, const GValue* value,
                                             GParamSpec* spec) {
  State& state = state_of(object);
  std::unique_lock one_at_a_time(state.setting);
  const auto changed = std::make_shared<Settings>(*state.current_settings());
  if (!set_setting(*changed, spec, value)) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
    return;
  }
  const guint lookahead = changed->lookahead;
  std::unique_lock lock(state.mutex);
  const bool other_latency = lookahead != state.settings->lookahead;
  state.settings = changed;
  lock.unlock();
  one_at_a_time.unlock();  // who hears of it at once may set another
  if (other_latency)
    gst_element_post_message(GST_ELEMENT(object), gst_message_new_latency(GST_OBJECT(object)));
}

static void gst_mosaic_temporal_get_property(GObject* object, guint id, GValue* value,
                                             GParamSpec* spec) {
  State& state = state_of(object);
  if (id == mosaic_gst::PROP_PHOTOS) {
    g_value_take_boxed(value, mosaic_gst::photo_names(state.current_mosaic()));
    return;
  }
  const std::lock_guard lock(state.mutex);
  if (id == mosaic_gst::PROP_STATS)
    g_value_take_boxed(value, make_stats_structure(state.stats));
  else if (id == mosaic_gst::PROP_ACTIVE_CODEC)
    g_value_set_string(value, state.stats.codec ? state.stats.codec->c_str() : nullptr);
  else if (!get_setting(*state.settings, id, value))
    G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
}

// The streaming thread may wait for the pool: it has to return before the base class takes the pads
// down, which waits for it.
static GstStateChangeReturn gst_mosaic_temporal_change_state(GstElement* element,
                                                             GstStateChange transition) {
  PoolLoader& loader = state_of(element).painter.loader();
  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED) {
    loader.interrupt(PoolLoader::kStopping, false);
    loader.interrupt(PoolLoader::kFlushing, false);
  } else if (transition == GST_STATE_CHANGE_PAUSED_TO_READY) {
    loader.interrupt(PoolLoader::kStopping, true);
  }
  return GST_ELEMENT_CLASS(gst_mosaic_temporal_parent_class)->change_state(element, transition);
}

static gboolean gst_mosaic_temporal_start(GstBaseTransform* trans) {
  State& state = state_of(trans);
  const std::lock_guard lock(state.mutex);
  state.stats = {};
  return TRUE;
}

static gboolean gst_mosaic_temporal_stop(GstBaseTransform* trans) {
  State& state = state_of(trans);
  state.painter.stop();
  state.show({});
  state.live.reset();
  state.decoder.reset();
  state.noted.reset();
  state.noted_settings.reset();
  return GST_BASE_TRANSFORM_CLASS(gst_mosaic_temporal_parent_class)->stop(trans);
}

// The next frame has nothing to do with those that came.
static void begin_anew(GstBaseTransform* trans) {
  mosaic_gst::drain(GST_MOSAIC_DELAY_TRANSFORM(trans));
  state_of(trans).painter.forget();
}

static gboolean gst_mosaic_temporal_sink_event(GstBaseTransform* trans, GstEvent* event) {
  Painter& painter = state_of(trans).painter;
  switch (GST_EVENT_TYPE(event)) {
    case GST_EVENT_FLUSH_START:
      painter.loader().interrupt(PoolLoader::kFlushing, true);
      break;
    case GST_EVENT_FLUSH_STOP:
      painter.loader().interrupt(PoolLoader::kFlushing, false);
      painter.forget();
      break;
    case GST_EVENT_STREAM_START:
      begin_anew(trans);
      break;
    case GST_EVENT_SEGMENT: {
      const GstSegment* segment;
      gst_event_parse_segment(event, &segment);
      GstSegment current = trans->segment;
      current.position = segment->position;  // moves with every buffer
      if (!gst_segment_is_equal(segment, &current)) begin_anew(trans);
      break;
    }
    default:
      break;
  }
  return GST_BASE_TRANSFORM_CLASS(gst_mosaic_temporal_parent_class)->sink_event(trans, event);
}

// From the thread of whoever shows the frames, while others are drawn.
static gboolean gst_mosaic_temporal_src_event(GstBaseTransform* trans, GstEvent* event) {
  if (GST_EVENT_TYPE(event) == GST_EVENT_NAVIGATION) {
    const ShownMosaic shown = state_of(trans).current_mosaic();
    GstMessage* message = mosaic_gst::make_tile_message(GST_OBJECT(trans), event, shown);
    if (message) gst_element_post_message(GST_ELEMENT(trans), message);
  }
  return GST_BASE_TRANSFORM_CLASS(gst_mosaic_temporal_parent_class)->src_event(trans, event);
}

static gboolean gst_mosaic_temporal_accept_caps(GstBaseTransform* trans, GstPadDirection direction,
                                                GstCaps* caps) {
  if (!mosaic_gst::may_be_progressive(caps)) {
    GST_WARNING_OBJECT(trans, "only progressive video is taken, not %" GST_PTR_FORMAT, caps);
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
  State& state = state_of(self);
  state.live.reset();
  const int fps_n = GST_VIDEO_INFO_FPS_N(in), fps_d = GST_VIDEO_INFO_FPS_D(in);
  state.frame_duration.reset();
  if (fps_n > 0) state.frame_duration = gst_util_uint64_scale_int(GST_SECOND, fps_d, fps_n);
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
    State& state = state_of(trans);
    const std::lock_guard lock(state.mutex);
    ++state.stats.dropped;
  }
  return flow;
}

static guint gst_mosaic_temporal_delay(GstMosaicDelayTransform* self) {
  return state_of(self).current_settings()->lookahead;
}

// What is set for a frame is what is set when it arrives, however long it is held back.
static GstFlowReturn gst_mosaic_temporal_note(GstMosaicFrameTransform* self, GstBuffer* frame,
                                              std::shared_ptr<const void>* note) {
  State& state = state_of(self);
  GstBaseTransform* trans = GST_BASE_TRANSFORM(self);
  const guint64 time =
      gst_segment_to_stream_time(&trans->segment, GST_FORMAT_TIME, GST_BUFFER_PTS(frame));
  if (GST_CLOCK_TIME_IS_VALID(time)) gst_object_sync_values(GST_OBJECT(self), time);
  if (GST_BUFFER_IS_DISCONT(frame)) state.painter.forget();
  const bool asked = state.live.has_value();
  if (!asked) state.live = mosaic_gst::upstream_is_live(GST_BASE_TRANSFORM_SINK_PAD(self));
  const std::shared_ptr<const Settings> settings = state.current_settings();
  if (settings->lookahead > 0 && *state.live && !state.frame_duration) {
    GST_ELEMENT_ERROR(self, STREAM, FORMAT,
                      ("lookahead=%u: how much latency that is nobody knows, as the live source "
                       "does not tell its frame rate (put a videorate and a capsfilter with a "
                       "framerate before this element, or unset lookahead)",
                       settings->lookahead),
                      (nullptr));
    return GST_FLOW_ERROR;
  }
  if (!asked || settings != state.noted_settings) {
    const GstClockTime duration = state.frame_duration.value_or(kFrameDuration);
    const int64_t budget = settings->solve_budget(*state.live, duration);
    state.noted = std::make_shared<const mosaic::FrameSettings>(settings->frame_settings(budget));
    state.noted_settings = settings;
  }
  *note = state.noted;
  return GST_FLOW_OK;
}

// Counts the frame and tells the bus if it wants to hear.
static void report(GstMosaicTemporal* self, GstClockTime pts, bool silent) {
  State& state = *self->state;
  const mosaic::FrameStats& last = state.painter.last();
  guint64 frame;
  {
    const std::lock_guard lock(state.mutex);
    frame = state.stats.frames++;
    state.stats.skipped = static_cast<guint>(state.painter.skipped());
    state.stats.device = state.painter.on_gpu() ? "cuda" : "cpu";
    state.stats.last = last;
  }
  if (silent) return;
  gst_element_post_message(GST_ELEMENT(self),
                           mosaic_gst::make_stats_message(GST_OBJECT(self), frame, pts, last));
}

// Rule of mosaic-temporal-gpu: whoever asks for hardware shall not get software unawares.
static bool has_wanted_decoder(GstMosaicTemporal* self) {
  const State& state = *self->state;
  const std::string why = mosaic_gst::why_not_hardware(state.decoder, state.place.frames_on_gpu);
  if (why.empty()) return true;
  GST_ELEMENT_ERROR(self, STREAM, WRONG_TYPE,
                    ("require-hardware: %s (use nvh264dec or its like, with nothing between that "
                     "takes frames out of CUDA memory, or unset require-hardware)",
                     why.c_str()),
                    (nullptr));
  return false;
}

static GstFlowReturn gst_mosaic_temporal_draw(GstMosaicFrameTransform* base, GstBuffer* in,
                                              GstBuffer* out) {
  GstMosaicTemporal* self = GST_MOSAIC_TEMPORAL(base);
  State& state = *self->state;
  const std::shared_ptr<const Settings> settings = state.current_settings();
  if (settings->require_hardware && !has_wanted_decoder(self)) return GST_FLOW_ERROR;
  auto* held = GST_MOSAIC_DELAY_TRANSFORM(self);
  const auto frame_settings = [](const void* note) {
    return static_cast<const mosaic::FrameSettings*>(note);
  };
  const Painter::Frame frame{in, frame_settings(mosaic_gst::note_of(held))};
  state.behind.clear();
  for (const mosaic_gst::HeldFrame& later : mosaic_gst::frames_behind(held))
    state.behind.push_back({later.buffer, frame_settings(later.note.get())});
  try {
    switch (state.painter.paint(frame, out, state.behind, settings, !*state.live)) {
      case Painter::Outcome::kInterrupted:
        return GST_FLOW_FLUSHING;
      case Painter::Outcome::kPassed:
        state.show({});
        return GST_MOSAIC_FRAME_TRANSFORM_FLOW_PASS;
      case Painter::Outcome::kDrawn:
        // In place the base class leaves the flag, but a mosaic of nothing is a picture.
        GST_BUFFER_FLAG_UNSET(out, GST_BUFFER_FLAG_GAP);
        set_meta(out, state.painter.shown());
        state.show(state.painter.shown());
        report(self, GST_BUFFER_PTS(in), settings->silent);
        break;
      case Painter::Outcome::kScaled:
        state.show({});
        break;
    }
    return GST_FLOW_OK;
  } catch (const std::exception&) {
    mosaic_gst::post_current_exception(GST_ELEMENT(self));
    return GST_FLOW_ERROR;
  }
}

static void gst_mosaic_temporal_class_init(GstMosaicTemporalClass* klass) {
  GST_DEBUG_CATEGORY_INIT(gst_mosaic_temporal_debug, "mosaictemporal", 0, "temporal photomosaic");

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
  GstMosaicFrameTransformClass* frame_class = GST_MOSAIC_FRAME_TRANSFORM_CLASS(klass);
  frame_class->set_info = gst_mosaic_temporal_set_info;
  frame_class->note = gst_mosaic_temporal_note;
  frame_class->draw = gst_mosaic_temporal_draw;
  frame_class->context_changed = gst_mosaic_temporal_context_changed;
}
