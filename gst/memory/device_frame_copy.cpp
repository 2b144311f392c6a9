// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/memory/device_frame_copy.h"

#include "gst/memory/frame_view.h"

namespace mosaic_gst {
namespace {

/// Bytes from the first of a plane to the last that belongs to the picture.
size_t plane_bytes(const GstVideoFrame& frame, guint plane) {
  const PlaneExtent extent = plane_extent(frame, plane);
  return static_cast<size_t>(GST_VIDEO_FRAME_PLANE_STRIDE(&frame, plane)) * (extent.rows - 1) +
         extent.row;
}

}  // namespace

mt::FrameView DeviceFrameCopy::allocate(const std::shared_ptr<mt::Executor>& executor,
                                        GstVideoFrame& frame) {
  GstVideoFrame copy = frame;
  for (guint p = 0; p < GST_VIDEO_FRAME_N_PLANES(&frame); ++p) {
    const size_t bytes = plane_bytes(frame, p);
    if (planes_[p].size() < bytes) {
      planes_[p] = {};  // freed before the larger one is allocated
      planes_[p] = {executor, bytes};
    }
    copy.data[p] = planes_[p].data();
  }
  return frame_view(copy);
}

void DeviceFrameCopy::upload(mt::Executor& executor, GstVideoFrame& frame) {
  for (guint p = 0; p < GST_VIDEO_FRAME_N_PLANES(&frame); ++p)
    executor.to_device(planes_[p].data(), GST_VIDEO_FRAME_PLANE_DATA(&frame, p),
                       plane_bytes(frame, p));
}

void DeviceFrameCopy::download(mt::Executor& executor, GstVideoFrame& frame) {
  for (guint p = 0; p < GST_VIDEO_FRAME_N_PLANES(&frame); ++p)
    executor.to_host(GST_VIDEO_FRAME_PLANE_DATA(&frame, p), planes_[p].data(),
                     plane_bytes(frame, p));
}

}  // namespace mosaic_gst
