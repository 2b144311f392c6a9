// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/element/mosaictemporal.h"

#include <mutex>
#include <string_view>

#include "gst/element/element_state.h"
#include "gst/element/virtual_methods.h"
#include "gst/memory/caps.h"
#include "gst/messages/errors.h"
#include "gst/messages/log.h"
#include "gst/messages/mosaic_meta.h"
#include "gst/messages/stats.h"
#include "gst/properties/properties.h"
#include "gst/stream/stream_caps.h"

using mosaic_gst::ElementState;
using mosaic_gst::Owned;
using mosaic_gst::Painter;
using mosaic_gst::PoolLoader;
using mosaic_gst::Settings;
using mosaic_gst::state_of;

struct _GstMosaicTemporal {
  GstBaseTransform parent;
  ElementState* state;
};

// GStreamer itself stores and loads presets, by the names of the properties.
G_DEFINE_TYPE_WITH_CODE(GstMosaicTemporal, gst_mosaic_temporal, GST_TYPE_BASE_TRANSFORM,
                        G_IMPLEMENT_INTERFACE(GST_TYPE_PRESET, nullptr))
GST_ELEMENT_REGISTER_DEFINE(mosaictemporal, "mosaictemporal", GST_RANK_NONE,
                            GST_TYPE_MOSAIC_TEMPORAL)

ElementState& mosaic_gst::state_of(gpointer element) {
  return *GST_MOSAIC_TEMPORAL(element)->state;
}

GstBaseTransformClass* mosaic_gst::base_class() {
  return GST_BASE_TRANSFORM_CLASS(gst_mosaic_temporal_parent_class);
}

static void gst_mosaic_temporal_init(GstMosaicTemporal* self) {
  GstBaseTransform* trans = GST_BASE_TRANSFORM(self);
  self->state = new ElementState(trans);
  gst_base_transform_set_qos_enabled(trans, TRUE);
}

static void gst_mosaic_temporal_finalize(GObject* object) {
  delete GST_MOSAIC_TEMPORAL(object)->state;
  G_OBJECT_CLASS(gst_mosaic_temporal_parent_class)->finalize(object);
}

static void log_property(GObject* object, const GParamSpec* spec, const GValue* value) {
  GstDebugCategory* category = mosaic_gst::log_category(mosaic_gst::LogPart::kProperties);
  if (gst_debug_category_get_threshold(category) < GST_LEVEL_DEBUG) return;
  const Owned<gchar> text(g_strdup_value_contents(value));
  GST_CAT_DEBUG_OBJECT(category, object, "%s=%s", spec->name, text.get());
}

static void gst_mosaic_temporal_set_property(GObject* object, guint id, const GValue* value,
                                             GParamSpec* spec) {
  ElementState& state = state_of(object);
  bool writable = true, other_latency = false;
  mosaic_gst::try_or_post(GST_ELEMENT(object), [&] {
    state.change_settings([&](Settings& settings) {
      const guint lookahead = settings.lookahead;
      writable = set_setting(settings, id, value);
      other_latency = settings.lookahead != lookahead;
    });
  });
  if (!writable) G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
  log_property(object, spec, value);
  state.refusal = GST_FLOW_OK;  // the cause of an error may be gone
  // No lock is held: a synchronous bus handler may set a property.
  if (other_latency) state.timing.post_latency();
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

static void gst_mosaic_temporal_set_context(GstElement* element, GstContext* context) {
  ElementState& state = state_of(element);
  state.gpu.set_context(context, state.current_settings()->cuda_device_id);
  GST_ELEMENT_CLASS(gst_mosaic_temporal_parent_class)->set_context(element, context);
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
  state.timing.stop();
  state.decoder.reset();
  state.generation.reset();
  state.frame_settings.reset();
  state.frame_settings_source.reset();
  state.negotiated = false;
  state.failure = nullptr;
  state.packets.stop();
  state.spare.drop();
  state.gpu.drop_context();
  state.drop_frames(GST_FLOW_OK);
  return TRUE;
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
  element_class->set_context = gst_mosaic_temporal_set_context;
  gst_element_class_set_static_metadata(
      element_class, "Temporal photomosaic", "Filter/Effect/Video",
      "Turns video into a steady mosaic of photos", "The mosaictemporal authors");
  const Owned<GstCaps> caps(mosaic_gst::make_template_caps());
  gst_element_class_add_pad_template(
      element_class, gst_pad_template_new("sink", GST_PAD_SINK, GST_PAD_ALWAYS, caps.get()));
  const Owned<GstCaps> out(
      gst_caps_merge(gst_caps_ref(caps.get()), gst_caps_from_string(mosaic_gst::kStreamCaps)));
  gst_element_class_add_pad_template(
      element_class, gst_pad_template_new("src", GST_PAD_SRC, GST_PAD_ALWAYS, out.get()));

  GstBaseTransformClass* trans_class = GST_BASE_TRANSFORM_CLASS(klass);
  trans_class->start = gst_mosaic_temporal_start;
  trans_class->stop = gst_mosaic_temporal_stop;
  mosaic_gst::install_negotiation(trans_class);
  mosaic_gst::install_frames(trans_class);
  mosaic_gst::install_events(trans_class);
}
