// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/memory/mapped_frame.h"

#include <algorithm>
#include <string>

#include "gst/memory/frame_view.h"
#include "mosaic/base/error.h"

namespace mosaic_gst {
namespace {

constexpr char kHint[] =
    "this is a fault of the element that sent or allocated the frame: use another there";

[[noreturn]] void refuse(const std::string& why) {
  throw mosaic::Error(mosaic::Error::Kind::kRead, "a frame does not fit its caps: " + why, kHint);
}

std::string describe(GstVideoFormat format, guint width, guint height) {
  const char* name =
      format == GST_VIDEO_FORMAT_UNKNOWN ? nullptr : gst_video_format_to_string(format);
  return std::string(name ? name : "an unknown format,") + " " + std::to_string(width) + "x" +
         std::to_string(height);
}

bool has_size_of(const GstVideoMeta& meta, const GstVideoInfo& info) {
  return meta.width == static_cast<guint>(GST_VIDEO_INFO_WIDTH(&info)) &&
         meta.height == static_cast<guint>(GST_VIDEO_INFO_HEIGHT(&info));
}

/// The crop meta of a cropped buffer, see is_cropped(); null for others.
const GstVideoCropMeta* crop_of(const GstVideoInfo& info, GstBuffer* buffer) {
  const GstVideoMeta* meta = gst_buffer_get_video_meta(buffer);
  const GstVideoCropMeta* crop = gst_buffer_get_video_crop_meta(buffer);
  if (!meta || !crop || has_size_of(*meta, info)) return nullptr;
  const auto width = static_cast<guint>(GST_VIDEO_INFO_WIDTH(&info));
  const auto height = static_cast<guint>(GST_VIDEO_INFO_HEIGHT(&info));
  const bool inside = crop->width == width && crop->height == height && width <= meta->width &&
                      height <= meta->height && crop->x <= meta->width - width &&
                      crop->y <= meta->height - height;
  return inside ? crop : nullptr;
}

/// The checks that are possible before the buffer is mapped.
void check_meta(const GstVideoInfo& info, GstBuffer* buffer, const GstVideoCropMeta* crop) {
  const GstVideoMeta* meta = gst_buffer_get_video_meta(buffer);
  if (!meta) return;
  const GstVideoFormat format = GST_VIDEO_INFO_FORMAT(&info);
  if (meta->format != format || (!crop && !has_size_of(*meta, info))) {
    std::string why = "its GstVideoMeta says " + describe(meta->format, meta->width, meta->height) +
                      ", the caps say " + describe(format, info.width, info.height);
    if (const GstVideoCropMeta* other = gst_buffer_get_video_crop_meta(buffer))
      why += "; its GstVideoCropMeta says " + std::to_string(other->width) + "x" +
             std::to_string(other->height) + " at (" + std::to_string(other->x) + ", " +
             std::to_string(other->y) + ")";
    refuse(why);
  }
  if (meta->n_planes != GST_VIDEO_INFO_N_PLANES(&info))
    refuse("its GstVideoMeta has " + std::to_string(meta->n_planes) + " planes, " +
           describe(format, info.width, info.height) + " has " +
           std::to_string(GST_VIDEO_INFO_N_PLANES(&info)));
}

/// The number of bytes from a plane's first to the end of the memory that was mapped for it.
/// @return false: unknown, because the producer of the buffer maps it with a function of its own
bool mapped_bytes(const GstVideoFrame& frame, guint plane, size_t* bytes) {
  const GstMapInfo& map = frame.map[frame.meta ? plane : 0];
  if (!map.data) return false;
  const auto first = reinterpret_cast<uintptr_t>(GST_VIDEO_FRAME_PLANE_DATA(&frame, plane));
  const auto begin = reinterpret_cast<uintptr_t>(map.data);
  *bytes = first >= begin && first - begin <= map.size ? map.size - (first - begin) : 0;
  return true;
}

void check_planes(const GstVideoFrame& frame) {
  for (guint p = 0; p < GST_VIDEO_FRAME_N_PLANES(&frame); ++p) {
    const PlaneExtent extent = plane_extent(frame, p);
    const std::string name = "plane " + std::to_string(p);
    const int stride = GST_VIDEO_FRAME_PLANE_STRIDE(&frame, p);
    if (stride < 0 || static_cast<size_t>(stride) < extent.row)
      refuse(name + " has a stride of " + std::to_string(stride) + " bytes, a row needs " +
             std::to_string(extent.row));
    const size_t needed = static_cast<size_t>(stride) * (extent.rows - 1) + extent.row;
    size_t bytes = 0;
    if (mapped_bytes(frame, p, &bytes) && bytes < needed)
      refuse(name + " needs " + std::to_string(needed) + " bytes, its memory has " +
             std::to_string(bytes));
  }
}

/// Reduces the frame to its visible part. Subsampled chroma begins with the sample of the first
/// pixel. If luma and subsampled chroma share a plane, the whole plane begins there, as in
/// videocrop.
void apply_crop(GstVideoFrame& frame, const GstVideoCropMeta& crop) {
  for (guint p = 0; p < GST_VIDEO_FRAME_N_PLANES(&frame); ++p) {
    int shift = 0, row_shift = 0, step = 0;
    for (guint c = 0; c < GST_VIDEO_FRAME_N_COMPONENTS(&frame); ++c) {
      if (static_cast<guint>(GST_VIDEO_FRAME_COMP_PLANE(&frame, c)) != p) continue;
      shift = std::max<int>(shift, GST_VIDEO_FORMAT_INFO_W_SUB(frame.info.finfo, c));
      row_shift = std::max<int>(row_shift, GST_VIDEO_FORMAT_INFO_H_SUB(frame.info.finfo, c));
      step = std::max<int>(step, GST_VIDEO_FRAME_COMP_PSTRIDE(&frame, c));
    }
    const auto stride = static_cast<size_t>(GST_VIDEO_FRAME_PLANE_STRIDE(&frame, p));
    frame.data[p] = static_cast<uint8_t*>(frame.data[p]) + (crop.y >> row_shift) * stride +
                    static_cast<size_t>(crop.x >> shift) * static_cast<size_t>(step);
  }
  frame.info.width = static_cast<gint>(crop.width);
  frame.info.height = static_cast<gint>(crop.height);
}

}  // namespace

bool is_cropped(const GstVideoInfo& info, GstBuffer* buffer) {
  return crop_of(info, buffer) != nullptr;
}

MappedFrame::MappedFrame(const GstVideoInfo& info, GstBuffer* buffer, int flags) {
  const GstVideoCropMeta* crop = crop_of(info, buffer);
  check_meta(info, buffer, crop);
  if (!gst_video_frame_map(&frame_, &info, buffer,
                           static_cast<GstMapFlags>(flags | GST_VIDEO_FRAME_MAP_FLAG_NO_REF)))
    refuse("its memory, " + std::to_string(gst_buffer_get_size(buffer)) +
           " bytes, is too small or cannot be mapped");
  try {
    check_planes(frame_);
  } catch (...) {
    gst_video_frame_unmap(&frame_);
    throw;
  }
  if (crop) apply_crop(frame_, *crop);
}

}  // namespace mosaic_gst
