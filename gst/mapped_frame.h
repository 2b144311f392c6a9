// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/video/video.h>

#include "mosaic/error.h"

namespace mosaic_gst {

/// A frame that is mapped as long as this lives.
class MappedFrame {
 public:
  /// @param flags GstMapFlags
  /// Throws mosaic::Error (kRead) for a buffer that is no such frame or cannot be reached.
  MappedFrame(const GstVideoInfo& info, GstBuffer* buffer, int flags) {
    if (!gst_video_frame_map(&frame_, &info, buffer,
                             static_cast<GstMapFlags>(flags | GST_VIDEO_FRAME_MAP_FLAG_NO_REF)))
      throw mosaic::Error(mosaic::Error::Kind::kRead, "a frame's memory cannot be reached",
                          "is it smaller than its caps say?");
  }
  ~MappedFrame() { gst_video_frame_unmap(&frame_); }
  MappedFrame(const MappedFrame&) = delete;
  MappedFrame& operator=(const MappedFrame&) = delete;

  GstVideoFrame& operator*() { return frame_; }

 private:
  GstVideoFrame frame_;
};

}  // namespace mosaic_gst
