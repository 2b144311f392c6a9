// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/video/video.h>

#include <array>
#include <memory>

#include "cuda/executor.h"
#include "cuda/views.h"

namespace mosaic_gst {

/// A device's copy of frames in system memory, plane by plane, kept from frame to frame.
/// Functions throw what the executor throws.
class FrameStage {
 public:
  /// The view of a mapped frame's copy, made to fit; of its bytes nothing is known.
  mt::FrameView place(const std::shared_ptr<mt::Executor>& executor, GstVideoFrame& frame);

  /// Copies the frame there and back, every byte of its planes: the frame's is the layout of the
  /// last that was placed. The executor has to be waited for before the frame is unmapped.
  void load(mt::Executor& executor, GstVideoFrame& frame);
  void store(mt::Executor& executor, GstVideoFrame& frame);

 private:
  std::array<mt::DeviceBuffer<uint8_t>, GST_VIDEO_MAX_PLANES> planes_;
};

}  // namespace mosaic_gst
