// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/farm/film/mapped_frames.h"

#include <utility>

#include "gst/memory/frame_view.h"
#include "mosaic/base/hash.h"

namespace mosaic_program {

using mosaic_gst::Owned;

bool FrameMapper::map(GstPad* pad, GstBuffer* buffer, GstVideoFrame& frame) {
  Owned<GstCaps> caps(gst_pad_get_current_caps(pad));
  if (!caps) return false;
  if (caps.get() != caps_.get()) {
    if (!gst_video_info_from_caps(&info_, caps.get())) return false;
    caps_ = std::move(caps);
  }
  return gst_video_frame_map(&frame, &info_, buffer, GST_MAP_READ);
}

uint64_t hash_of_frame(const GstVideoFrame& frame) {
  mosaic::HashState hash;
  for (guint plane = 0; plane < GST_VIDEO_FRAME_N_PLANES(&frame); ++plane) {
    const mosaic_gst::PlaneExtent extent = mosaic_gst::plane_extent(frame, plane);
    const auto* row = static_cast<const uint8_t*>(GST_VIDEO_FRAME_PLANE_DATA(&frame, plane));
    for (size_t y = 0; y < extent.rows; ++y) {
      hash.add(row, extent.row);
      row += GST_VIDEO_FRAME_PLANE_STRIDE(&frame, plane);
    }
  }
  return hash.digest().low64;
}

}  // namespace mosaic_program
