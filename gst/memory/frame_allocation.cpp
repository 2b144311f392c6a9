// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/memory/frame_allocation.h"

#include <gst/video/video.h>

#include <algorithm>

#include "gst/memory/caps.h"

namespace mosaic_gst {
namespace {

/// The query's caps and the bytes of a frame without padding; false if they are not video caps.
bool parse(GstQuery* query, GstCaps** caps, guint* size) {
  gst_query_parse_allocation(query, caps, nullptr);
  GstVideoInfo info;
  if (!*caps || !gst_video_info_from_caps(&info, *caps)) return false;
  *size = static_cast<guint>(GST_VIDEO_INFO_SIZE(&info));
  return true;
}

bool configure(GstBufferPool* pool, GstCaps* caps, guint size, guint min, guint max) {
  GstStructure* config = gst_buffer_pool_get_config(pool);
  gst_buffer_pool_config_add_option(config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  gst_buffer_pool_config_set_params(config, caps, size, min, max);
  return gst_buffer_pool_set_config(pool, config);
}

}  // namespace

Owned<GstBufferPool> make_frame_pool(Gpu& gpu, GstCaps* caps, GstBuffer* like, guint* size) {
  if (is_gpu_caps(caps)) return gpu.make_pool(caps, 0, 0, like, size);
  GstVideoInfo info;
  if (!gst_video_info_from_caps(&info, caps)) return nullptr;
  *size = static_cast<guint>(GST_VIDEO_INFO_SIZE(&info));
  Owned<GstBufferPool> pool(gst_video_buffer_pool_new());
  if (!configure(pool.get(), caps, *size, 0, 0)) return nullptr;
  return pool;
}

void refuse_crop_metas(GstQuery* query) {
  guint index = 0;
  while (gst_query_find_allocation_meta(query, GST_VIDEO_CROP_META_API_TYPE, &index))
    gst_query_remove_nth_allocation_meta(query, index);
}

bool propose_pool(Gpu& gpu, GstQuery* query) {
  GstCaps* caps = nullptr;
  guint size = 0;
  if (!parse(query, &caps, &size)) return false;
  if (gst_query_get_n_allocation_pools(query) == 0) {
    const Owned<GstBufferPool> pool = make_frame_pool(gpu, caps, nullptr, &size);
    if (!pool) return false;
    gst_query_add_allocation_pool(query, pool.get(), size, 0, 0);
  }
  gst_query_add_allocation_meta(query, GST_VIDEO_META_API_TYPE, nullptr);
  return true;
}

void ask_for_more(GstQuery* query, guint frames) {
  GstCaps* caps = nullptr;
  guint packed = 0;
  if (frames > 0 && gst_query_get_n_allocation_pools(query) == 0 && parse(query, &caps, &packed))
    gst_query_add_allocation_pool(query, nullptr, packed, 0, 0);
  for (guint i = 0; i < gst_query_get_n_allocation_pools(query); ++i) {
    GstBufferPool* parsed = nullptr;
    guint size = 0, min = 0, max = 0;
    gst_query_parse_nth_allocation_pool(query, i, &parsed, &size, &min, &max);
    const Owned<GstBufferPool> pool(parsed);
    gst_query_set_nth_allocation_pool(query, i, parsed, size, min + frames, max ? max + frames : 0);
  }
}

bool decide_pool(Gpu& gpu, GstQuery* query) {
  GstCaps* caps = nullptr;
  guint packed = 0;
  if (!parse(query, &caps, &packed)) return false;
  GstBufferPool* parsed = nullptr;
  guint size = packed, min = 0, max = 0;
  const bool offered = gst_query_get_n_allocation_pools(query) > 0;
  if (offered) gst_query_parse_nth_allocation_pool(query, 0, &parsed, &size, &min, &max);
  Owned<GstBufferPool> pool(parsed);
  if (!is_gpu_caps(caps)) {
    size = std::max(size, packed);
    if (!pool) pool.reset(gst_video_buffer_pool_new());
    configure(pool.get(), caps, size, min, max);  // on failure the base class chooses a pool
  } else if (!pool || !gpu.configure_pool(pool.get(), caps, min, max, &size)) {
    pool.reset();
    max = 0;
    pool = gpu.make_pool(caps, min, max, nullptr, &size);
  }
  if (offered)
    gst_query_set_nth_allocation_pool(query, 0, pool.get(), size, min, max);
  else
    gst_query_add_allocation_pool(query, pool.get(), size, min, max);
  return true;
}

}  // namespace mosaic_gst
