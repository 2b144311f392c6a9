// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/video/video.h>

#include <array>
#include <memory>

#include "executor/executor.h"
#include "kernels/views.h"

namespace mosaic_gst {

/// Buffers on a device for copies of frames that are in system memory, one for each plane. They are
/// kept from frame to frame.
/// Functions throw what the executor throws.
class DeviceFrameCopy {
 public:
  /// Allocates buffers for a frame of this layout, unless the present ones are large enough.
  /// @return the view of the device's copy; its bytes are undefined until upload()
  mt::FrameView allocate(const std::shared_ptr<mt::Executor>& executor, GstVideoFrame& frame);

  /// Copy every byte of a frame's planes to the device and back. The frame must have the layout of
  /// the one that allocate() was last called with. Wait for the executor before unmapping the
  /// frame.
  void upload(mt::Executor& executor, GstVideoFrame& frame);
  void download(mt::Executor& executor, GstVideoFrame& frame);

 private:
  std::array<mt::DeviceBuffer<uint8_t>, GST_VIDEO_MAX_PLANES> planes_;
};

}  // namespace mosaic_gst
