// SPDX-License-Identifier: LGPL-2.1-or-later
#include <exception>

#include "gst/element/element_state.h"
#include "gst/element/virtual_methods.h"
#include "gst/memory/caps.h"
#include "gst/memory/dynamic_range.h"
#include "gst/memory/frame_allocation.h"
#include "gst/messages/errors.h"
#include "gst/messages/log.h"
#include "gst/stream/stream_caps.h"

#define GST_CAT_DEFAULT mosaic_gst::log_category(mosaic_gst::LogPart::kElement)

namespace mosaic_gst {
namespace {

gboolean accept_caps(GstBaseTransform* trans, GstPadDirection direction, GstCaps* caps) {
  if (!may_be_progressive(caps)) {
    GST_WARNING_OBJECT(trans,
                       "only progressive video is accepted, not %" GST_PTR_FORMAT
                       " (put videoconvert ! deinterlace before this element)",
                       caps);
    return FALSE;
  }
  return base_class()->accept_caps(trans, direction, caps);
}

/// Caps of video; other structures are left out.
Owned<GstCaps> only_video(const GstCaps* caps) {
  GstCaps* video = gst_caps_copy(caps);
  for (guint i = gst_caps_get_size(video); i-- > 0;)
    if (gst_structure_has_name(gst_caps_get_structure(video, i), kStreamType))
      gst_caps_remove_structure(video, i);
  return Owned<GstCaps>(video);
}

GstCaps* transform_caps(GstBaseTransform* trans, GstPadDirection direction, GstCaps* caps,
                        GstCaps* filter) {
  GstCaps* result = with_any_size(only_video(caps).get());
  if (direction == GST_PAD_SINK) {
    result = append_streams_of(result, caps);
  } else {
    const Owned<GstCaps> all(gst_pad_get_pad_template_caps(GST_BASE_TRANSFORM_SINK_PAD(trans)));
    result = gst_caps_merge(result, video_of_streams(caps, all.get()).release());
  }
  const Owned<GstCaps> owned(result);
  if (!filter) return gst_caps_ref(owned.get());
  return gst_caps_intersect_full(filter, owned.get(), GST_CAPS_INTERSECT_FIRST);
}

GstCaps* fixate_caps(GstBaseTransform*, GstPadDirection, GstCaps* caps, GstCaps* other) {
  if (is_stream_caps(other)) return gst_caps_fixate(other);
  return fixate_size(caps, other);
}

/// A stream of frames of a format begins. What hinders drawing becomes an error of the next frame.
void start_stream(GstBaseTransform* trans, const GstVideoInfo& in, const GstVideoInfo& out) {
  ElementState& state = state_of(trans);
  state.timing.start(in);
  const std::shared_ptr<const Settings> settings = state.current_settings();
  state.decoder = find_decoder(GST_BASE_TRANSFORM_SINK_PAD(trans));
  {
    const std::lock_guard lock(state.mutex);
    state.stats.width = GST_VIDEO_INFO_WIDTH(&out);
    state.stats.height = GST_VIDEO_INFO_HEIGHT(&out);
    state.stats.fps = static_cast<double>(GST_VIDEO_INFO_FPS_N(&in)) / GST_VIDEO_INFO_FPS_D(&in);
    state.stats.codec.reset();
    if (state.decoder) state.stats.codec = state.decoder->name;
  }
  try {
    check_dynamic_range(in);
    state.painter.set_format(in, out,
                             {.device = settings->device,
                              .frames_on_gpu = state.on_gpu,
                              .device_id = settings->cuda_device_id});
    state.painter.prepare(settings);
  } catch (const std::exception&) {
    state.failure = std::current_exception();
  }
}

gboolean set_caps(GstBaseTransform* trans, GstCaps* incaps, GstCaps* outcaps) {
  ElementState& state = state_of(trans);
  state.negotiated = false;
  state.failure = nullptr;
  state.spare.drop();
  GstVideoInfo in, out;
  state.packets.set_wanted(is_stream_caps(outcaps));
  GstCaps* drawn = state.packets.wanted() ? incaps : outcaps;
  if (!gst_video_info_from_caps(&in, incaps) || !gst_video_info_from_caps(&out, drawn)) {
    GST_ERROR_OBJECT(trans,
                     "cannot parse video caps: input %" GST_PTR_FORMAT ", output %" GST_PTR_FORMAT,
                     incaps, outcaps);
    return FALSE;
  }
  GST_INFO_OBJECT(trans, "input caps %" GST_PTR_FORMAT ", output caps %" GST_PTR_FORMAT, incaps,
                  outcaps);
  {
    const std::lock_guard lock(state.mutex);
    state.in_format = in;
    state.out_format = out;
  }
  state.on_gpu = is_gpu_caps(incaps);
  try {
    if (state.on_gpu) state.gpu.find_context(state.current_settings()->cuda_device_id);
  } catch (const std::exception&) {
    state.failure = std::current_exception();
  }
  gst_base_transform_set_in_place(
      trans, !state.packets.wanted() && GST_VIDEO_INFO_WIDTH(&in) == GST_VIDEO_INFO_WIDTH(&out) &&
                 GST_VIDEO_INFO_HEIGHT(&in) == GST_VIDEO_INFO_HEIGHT(&out));
  state.negotiated = try_or_post(GST_ELEMENT(trans), [&] { start_stream(trans, in, out); });
  return state.negotiated;
}

gboolean get_unit_size(GstBaseTransform*, GstCaps* caps, gsize* size) {
  GstVideoInfo info;
  if (!gst_video_info_from_caps(&info, caps)) return FALSE;
  *size = GST_VIDEO_INFO_SIZE(&info);
  return TRUE;
}

// The output's size depends on its caps alone.
gboolean transform_size(GstBaseTransform* trans, GstPadDirection, GstCaps*, gsize,
                        GstCaps* othercaps, gsize* othersize) {
  return get_unit_size(trans, othercaps, othersize);
}

// When frames are drawn in place, decide_query is null: downstream has answered the query, and its
// buffers pass through this element.
gboolean propose_allocation(GstBaseTransform* trans, GstQuery* decide_query, GstQuery* query) {
  if (!base_class()->propose_allocation(trans, decide_query, query)) return FALSE;
  ElementState& state = state_of(trans);
  refuse_crop_metas(query);
  try {
    if (decide_query && !propose_pool(state.gpu, query)) return FALSE;
    // On a GPU the held frames are copies, so upstream needs no more buffers.
    if (!state.on_gpu) ask_for_more(query, state.current_settings()->lookahead);
    return TRUE;
  } catch (const std::exception&) {
    state.failure = std::current_exception();
    return FALSE;
  }
}

gboolean decide_allocation(GstBaseTransform* trans, GstQuery* query) {
  ElementState& state = state_of(trans);
  if (state.packets.wanted()) {  // their buffers have no fixed size
    while (gst_query_get_n_allocation_pools(query) > 0)
      gst_query_remove_nth_allocation_pool(query, 0);
    return TRUE;
  }
  try {
    if (!decide_pool(state.gpu, query)) return FALSE;
  } catch (const std::exception&) {
    state.failure = std::current_exception();
    return TRUE;
  }
  // The base class replaces a pool that it cannot configure by one of system memory.
  if (!state.on_gpu) return base_class()->decide_allocation(trans, query);
  while (gst_query_get_n_allocation_metas(query) > 0)
    gst_query_remove_nth_allocation_meta(query, 0);
  return TRUE;
}

}  // namespace

void install_negotiation(GstBaseTransformClass* klass) {
  klass->accept_caps = accept_caps;
  klass->transform_caps = transform_caps;
  klass->fixate_caps = fixate_caps;
  klass->set_caps = set_caps;
  klass->get_unit_size = get_unit_size;
  klass->transform_size = transform_size;
  klass->propose_allocation = propose_allocation;
  klass->decide_allocation = decide_allocation;
}

}  // namespace mosaic_gst
