// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/base/frame_transform.h"

#include <gst/video/navigation.h>

#include <atomic>
#include <exception>
#include <utility>

#include "gst/base/frame_allocation.h"
#include "gst/base/spare_frames.h"
#include "gst/memory/caps.h"
#include "gst/memory/gpu.h"
#include "gst/memory/mapped_frame.h"
#include "gst/messages/errors.h"
#include "gst/messages/log.h"
#include "gst/properties/property_flags.h"

#define GST_CAT_DEFAULT mosaic_gst::log_category(mosaic_gst::LogPart::kBase)

using mosaic_gst::delay_of;
using mosaic_gst::Gpu;

namespace {

enum : guint { PROP_0, PROP_CUDA_DEVICE_ID };

struct State {
  explicit State(GstElement* element) : gpu(element) {}

  std::atomic<int> device_id = -1;
  Gpu gpu;
  bool negotiated = false;
  GstVideoInfo in_info{}, out_info{};  ///< written with the object lock held
  bool on_gpu = false;                 ///< whether frames are in a GPU's memory
  /// An exception that the next frame posts as an error, see fail_next_frame().
  std::exception_ptr failure;
  mosaic_gst::SpareFrames spare;
  /// The input, if it is drawn to another buffer although both sizes are the same; otherwise null.
  /// Not owned; valid from prepare_output_buffer() to transform_ip().
  GstBuffer* input = nullptr;
};

}  // namespace

struct GstMosaicFrameTransformPrivate {
  State* state;
};

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE(GstMosaicFrameTransform, gst_mosaic_frame_transform,
                                    GST_TYPE_MOSAIC_DELAY_TRANSFORM)

#define PARENT GST_BASE_TRANSFORM_CLASS(gst_mosaic_frame_transform_parent_class)

static State& state_of(gpointer instance) {
  auto* self = GST_MOSAIC_FRAME_TRANSFORM(instance);
  return *static_cast<GstMosaicFrameTransformPrivate*>(
              gst_mosaic_frame_transform_get_instance_private(self))
              ->state;
}

Gpu& mosaic_gst::gpu_of(GstMosaicFrameTransform* self) {
  return state_of(self).gpu;
}

void mosaic_gst::fail_next_frame(GstMosaicFrameTransform* self) {
  state_of(self).failure = std::current_exception();
}

int mosaic_gst::device_id_of(GstMosaicFrameTransform* self) {
  return state_of(self).device_id;
}

static void gst_mosaic_frame_transform_init(GstMosaicFrameTransform* self) {
  static_cast<GstMosaicFrameTransformPrivate*>(
      gst_mosaic_frame_transform_get_instance_private(self))
      ->state = new State(GST_ELEMENT(self));
  gst_base_transform_set_qos_enabled(GST_BASE_TRANSFORM(self), TRUE);
}

static void gst_mosaic_frame_transform_finalize(GObject* object) {
  delete &state_of(object);
  G_OBJECT_CLASS(gst_mosaic_frame_transform_parent_class)->finalize(object);
}

static void gst_mosaic_frame_transform_set_property(GObject* object, guint id, const GValue* value,
                                                    GParamSpec* spec) {
  if (id == PROP_CUDA_DEVICE_ID)
    state_of(object).device_id = g_value_get_int(value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
}

static void gst_mosaic_frame_transform_get_property(GObject* object, guint id, GValue* value,
                                                    GParamSpec* spec) {
  if (id == PROP_CUDA_DEVICE_ID)
    g_value_set_int(value, state_of(object).device_id);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
}

static void gst_mosaic_frame_transform_set_context(GstElement* element, GstContext* context) {
  State& state = state_of(element);
  state.gpu.set_context(context, state.device_id);
  GST_ELEMENT_CLASS(gst_mosaic_frame_transform_parent_class)->set_context(element, context);
}

static gboolean gst_mosaic_frame_transform_query(GstBaseTransform* trans, GstPadDirection direction,
                                                 GstQuery* query) {
  if (GST_QUERY_TYPE(query) == GST_QUERY_CONTEXT && state_of(trans).gpu.answer_context_query(query))
    return TRUE;
  return PARENT->query(trans, direction, query);
}

static gboolean gst_mosaic_frame_transform_stop(GstBaseTransform* trans) {
  State& state = state_of(trans);
  state.negotiated = false;
  state.failure = nullptr;
  state.spare.drop();
  state.gpu.drop_context();
  return PARENT->stop(trans);
}

static gboolean gst_mosaic_frame_transform_set_caps(GstBaseTransform* trans, GstCaps* incaps,
                                                    GstCaps* outcaps) {
  State& state = state_of(trans);
  state.negotiated = false;
  state.failure = nullptr;
  state.spare.drop();
  GstVideoInfo in, out;
  if (!gst_video_info_from_caps(&in, incaps) || !gst_video_info_from_caps(&out, outcaps)) {
    GST_ERROR_OBJECT(trans,
                     "cannot parse video caps: input %" GST_PTR_FORMAT ", output %" GST_PTR_FORMAT,
                     incaps, outcaps);
    return FALSE;
  }
  GST_INFO_OBJECT(trans, "input caps %" GST_PTR_FORMAT ", output caps %" GST_PTR_FORMAT, incaps,
                  outcaps);
  GST_OBJECT_LOCK(trans);
  state.in_info = in;
  state.out_info = out;
  GST_OBJECT_UNLOCK(trans);
  state.on_gpu = mosaic_gst::is_gpu_caps(incaps);
  try {
    if (state.on_gpu) state.gpu.find_context(state.device_id);
  } catch (const std::exception&) {
    state.failure = std::current_exception();
  }
  gst_base_transform_set_in_place(trans,
                                  GST_VIDEO_INFO_WIDTH(&in) == GST_VIDEO_INFO_WIDTH(&out) &&
                                      GST_VIDEO_INFO_HEIGHT(&in) == GST_VIDEO_INFO_HEIGHT(&out));
  auto* self = GST_MOSAIC_FRAME_TRANSFORM(trans);
  mosaic_gst::try_or_post(GST_ELEMENT(self), [&] {
    state.negotiated =
        GST_MOSAIC_FRAME_TRANSFORM_GET_CLASS(self)->set_info(self, &in, &out, state.on_gpu);
  });
  return state.negotiated;
}

static gboolean gst_mosaic_frame_transform_get_unit_size(GstBaseTransform*, GstCaps* caps,
                                                         gsize* size) {
  GstVideoInfo info;
  if (!gst_video_info_from_caps(&info, caps)) return FALSE;
  *size = GST_VIDEO_INFO_SIZE(&info);
  return TRUE;
}

// The output's size depends on its caps alone.
static gboolean gst_mosaic_frame_transform_transform_size(GstBaseTransform* trans, GstPadDirection,
                                                          GstCaps*, gsize, GstCaps* othercaps,
                                                          gsize* othersize) {
  return gst_mosaic_frame_transform_get_unit_size(trans, othercaps, othersize);
}

// When frames are drawn in place, decide_query is null: downstream has answered the query, and its
// buffers pass through this element.
static gboolean gst_mosaic_frame_transform_propose_allocation(GstBaseTransform* trans,
                                                              GstQuery* decide_query,
                                                              GstQuery* query) {
  if (!PARENT->propose_allocation(trans, decide_query, query)) return FALSE;
  State& state = state_of(trans);
  mosaic_gst::refuse_crop_metas(query);
  try {
    if (decide_query && !mosaic_gst::propose_pool(state.gpu, query)) return FALSE;
    // On a GPU the held frames are copies, so upstream needs no more buffers.
    if (!state.on_gpu) mosaic_gst::ask_for_more(query, delay_of(trans));
    return TRUE;
  } catch (const std::exception&) {
    state.failure = std::current_exception();
    return FALSE;
  }
}

static gboolean gst_mosaic_frame_transform_decide_allocation(GstBaseTransform* trans,
                                                             GstQuery* query) {
  State& state = state_of(trans);
  try {
    if (!mosaic_gst::decide_pool(state.gpu, query)) return FALSE;
  } catch (const std::exception&) {
    state.failure = std::current_exception();
    return TRUE;
  }
  // The base class replaces a pool that it cannot configure by one of system memory.
  if (!state.on_gpu) return PARENT->decide_allocation(trans, query);
  while (gst_query_get_n_allocation_metas(query) > 0)
    gst_query_remove_nth_allocation_meta(query, 0);
  return TRUE;
}

static void gst_mosaic_frame_transform_before_transform(GstBaseTransform* trans,
                                                        GstBuffer* buffer) {
  State& state = state_of(trans);
  if (!state.on_gpu || !state.gpu.is_in_other_context(buffer)) return;
  mosaic_gst::drain(GST_MOSAIC_DELAY_TRANSFORM(trans));
  state.gpu.adopt_context(buffer, state.device_id);
  state.spare.drop();
  auto* self = GST_MOSAIC_FRAME_TRANSFORM(trans);
  GST_MOSAIC_FRAME_TRANSFORM_GET_CLASS(self)->context_changed(self);
  gst_base_transform_reconfigure_src(trans);  // for a pool in the new context
}

static bool may_write(GstBuffer* buffer) {
  return gst_buffer_is_writable(buffer) && gst_buffer_is_all_memory_writable(buffer);
}

// A decoder on a GPU has only a few surfaces. So that it does not run out of them, frames in GPU
// memory are copied when they are held back.
static GstFlowReturn gst_mosaic_frame_transform_hold_frame(GstMosaicDelayTransform* base,
                                                           GstBuffer** frame,
                                                           std::shared_ptr<const void>* data) {
  GstBaseTransform* trans = GST_BASE_TRANSFORM(base);
  auto* self = GST_MOSAIC_FRAME_TRANSFORM(base);
  State& state = state_of(base);
  const GstFlowReturn flow =
      GST_MOSAIC_FRAME_TRANSFORM_GET_CLASS(self)->frame_arrived(self, *frame, data);
  if (flow != GST_FLOW_OK || !state.on_gpu || state.failure || delay_of(trans) == 0) return flow;
  GstBuffer* copy = nullptr;
  try {
    const GstFlowReturn taken = state.spare.take(trans, state.gpu, *frame, &copy);
    if (taken != GST_FLOW_OK) return taken;
    state.gpu.copy(state.in_info, *frame, copy);
  } catch (...) {
    gst_clear_buffer(&copy);
    throw;
  }
  gst_buffer_unref(*frame);
  *frame = copy;
  return GST_FLOW_OK;
}

static GstFlowReturn gst_mosaic_frame_transform_prepare_output_buffer(GstBaseTransform* trans,
                                                                      GstBuffer* input,
                                                                      GstBuffer** output) {
  State& state = state_of(trans);
  state.input = nullptr;
  try {
    if (state.failure) std::rethrow_exception(std::exchange(state.failure, nullptr));
    if (!gst_base_transform_is_in_place(trans)) {
      GstBufferPool* pool = gst_base_transform_get_buffer_pool(trans);
      if (!pool) return PARENT->prepare_output_buffer(trans, input, output);
      const GstFlowReturn flow = mosaic_gst::take_from_pool(trans, pool, input, output);
      gst_object_unref(pool);
      return flow;
    }
    // A cropped frame is drawn to another buffer, because downstream may not support crop metas. So
    // is a read-only frame, because the base class would allocate memory for each and copy it.
    if (!mosaic_gst::is_cropped(state.in_info, input) && may_write(input))
      return PARENT->prepare_output_buffer(trans, input, output);
    state.input = input;
    return state.spare.take(trans, state.gpu, input, output);
  } catch (const std::exception&) {
    mosaic_gst::post_current_exception(GST_ELEMENT(trans));
    return GST_FLOW_ERROR;
  }
}

static GstFlowReturn draw(GstBaseTransform* trans, GstBuffer* input, GstBuffer* output) {
  if (!state_of(trans).negotiated) return GST_FLOW_NOT_NEGOTIATED;
  auto* self = GST_MOSAIC_FRAME_TRANSFORM(trans);
  GstFlowReturn flow = GST_FLOW_ERROR;
  mosaic_gst::try_or_post(GST_ELEMENT(self), [&] {
    flow = GST_MOSAIC_FRAME_TRANSFORM_GET_CLASS(self)->draw(self, input, output);
  });
  return flow;
}

static GstFlowReturn gst_mosaic_frame_transform_transform_ip(GstBaseTransform* trans,
                                                             GstBuffer* buffer) {
  GstBuffer* input = state_of(trans).input;
  return draw(trans, input ? input : buffer, buffer);
}

static GstFlowReturn gst_mosaic_frame_transform_generate(GstMosaicDelayTransform* self,
                                                         GstBuffer** output) {
  GstBaseTransform* trans = GST_BASE_TRANSFORM(self);
  // draw() may ask for the input to be sent unchanged, so it is kept. But a further reference makes
  // a buffer read-only: none is taken where the input itself may be drawn on.
  GstBuffer* input = trans->queued_buf;
  if (input && may_write(input)) input = nullptr;
  if (input) gst_buffer_ref(input);
  GstFlowReturn flow = GST_MOSAIC_DELAY_TRANSFORM_CLASS(gst_mosaic_frame_transform_parent_class)
                           ->generate(self, output);
  if (flow == GST_MOSAIC_FRAME_TRANSFORM_FLOW_PASS) {
    flow = GST_FLOW_OK;
    if (input) std::swap(*output, input);
  }
  if (input) gst_buffer_unref(input);
  return flow;
}

static gboolean gst_mosaic_frame_transform_src_event(GstBaseTransform* trans, GstEvent* event) {
  gdouble x = 0, y = 0;
  if (GST_EVENT_TYPE(event) == GST_EVENT_NAVIGATION &&
      gst_navigation_event_get_coordinates(event, &x, &y)) {
    GST_OBJECT_LOCK(trans);
    const GstVideoInfo in = state_of(trans).in_info, out = state_of(trans).out_info;
    GST_OBJECT_UNLOCK(trans);
    if (out.width && out.height && (in.width != out.width || in.height != out.height)) {
      event = gst_event_make_writable(event);
      gst_navigation_event_set_coordinates(event, x * in.width / out.width,
                                           y * in.height / out.height);
    }
  }
  return PARENT->src_event(trans, event);
}

// All metas are kept if the size of the picture does not change; otherwise only those that do not
// depend on it.
static gboolean gst_mosaic_frame_transform_transform_meta(GstBaseTransform* trans,
                                                          GstBuffer* output, GstMeta* meta,
                                                          GstBuffer* input) {
  const gchar* const* tags = gst_meta_api_type_get_tags(meta->info->api);
  const bool same = gst_base_transform_is_in_place(trans) &&
                    !mosaic_gst::is_cropped(state_of(trans).in_info, input);
  if (same || !tags) return TRUE;
  static const GQuark video = g_quark_from_static_string(GST_META_TAG_VIDEO_STR);
  if (!tags[0] || (!tags[1] && gst_meta_api_type_has_tag(meta->info->api, video))) return TRUE;
  return PARENT->transform_meta(trans, output, meta, input);
}

static void gst_mosaic_frame_transform_class_init(GstMosaicFrameTransformClass* klass) {
  GObjectClass* object_class = G_OBJECT_CLASS(klass);
  object_class->finalize = gst_mosaic_frame_transform_finalize;
  object_class->set_property = gst_mosaic_frame_transform_set_property;
  object_class->get_property = gst_mosaic_frame_transform_get_property;
  g_object_class_install_property(
      object_class, PROP_CUDA_DEVICE_ID,
      g_param_spec_int(
          "cuda-device-id", "CUDA device",
          "Number of the GPU to use (-1 = the one that the pipeline uses, or the first). "
          "Frames that arrive in the memory of another GPU are drawn on that GPU",
          -1, G_MAXINT, -1, mosaic_gst::kReady));
  gst_type_mark_as_plugin_api(GST_TYPE_MOSAIC_FRAME_TRANSFORM, static_cast<GstPluginAPIFlags>(0));

  GST_ELEMENT_CLASS(klass)->set_context = gst_mosaic_frame_transform_set_context;

  GstBaseTransformClass* trans_class = GST_BASE_TRANSFORM_CLASS(klass);
  trans_class->stop = gst_mosaic_frame_transform_stop;
  trans_class->query = gst_mosaic_frame_transform_query;
  trans_class->src_event = gst_mosaic_frame_transform_src_event;
  trans_class->set_caps = gst_mosaic_frame_transform_set_caps;
  trans_class->get_unit_size = gst_mosaic_frame_transform_get_unit_size;
  trans_class->transform_size = gst_mosaic_frame_transform_transform_size;
  trans_class->propose_allocation = gst_mosaic_frame_transform_propose_allocation;
  trans_class->decide_allocation = gst_mosaic_frame_transform_decide_allocation;
  trans_class->before_transform = gst_mosaic_frame_transform_before_transform;
  trans_class->prepare_output_buffer = gst_mosaic_frame_transform_prepare_output_buffer;
  trans_class->transform = draw;
  trans_class->transform_ip = gst_mosaic_frame_transform_transform_ip;
  trans_class->transform_meta = gst_mosaic_frame_transform_transform_meta;

  GstMosaicDelayTransformClass* delay_class = GST_MOSAIC_DELAY_TRANSFORM_CLASS(klass);
  delay_class->hold_frame = gst_mosaic_frame_transform_hold_frame;
  delay_class->generate = gst_mosaic_frame_transform_generate;
}
