// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/video/video.h>

namespace mosaic_gst {

/// Whether a buffer is cropped: it holds a larger picture, and its GstVideoCropMeta names the
/// visible part, which has the size of the caps. videocrop and hardware decoders send such buffers.
/// A crop meta on a picture that already has the size of the caps is meant for sinks, and is
/// ignored.
/// @param info of the caps
bool is_cropped(const GstVideoInfo& info, GstBuffer* buffer);

/// Maps a frame for the lifetime of the object. Each plane has room for a picture of the caps'
/// format and size. Of a cropped buffer the frame is the visible part.
class MappedFrame {
 public:
  /// @param info  of the caps
  /// @param flags GstMapFlags
  /// Throws mosaic::Error (kRead) for a buffer that does not fit the caps, or cannot be mapped.
  MappedFrame(const GstVideoInfo& info, GstBuffer* buffer, int flags);
  ~MappedFrame() { gst_video_frame_unmap(&frame_); }
  MappedFrame(const MappedFrame&) = delete;
  MappedFrame& operator=(const MappedFrame&) = delete;

  GstVideoFrame& operator*() { return frame_; }

 private:
  GstVideoFrame frame_{};
};

}  // namespace mosaic_gst
