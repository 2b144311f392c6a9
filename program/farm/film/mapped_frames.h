// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/video/video.h>

#include <cstdint>

#include "gst/pointers.h"

namespace mosaic_program {

/// Maps the frames that reach a pad, in the system's memory. Used in one streaming thread.
class FrameMapper {
 public:
  /// @param pad with caps @return whether the frame was mapped; if so, its caller unmaps it
  bool map(GstPad* pad, GstBuffer* buffer, GstVideoFrame& frame);

 private:
  mosaic_gst::Owned<GstCaps> caps_;  ///< that `info_` is of
  GstVideoInfo info_;
};

/// XXH3 with 64 bits of a mapped frame's pixels, without what pads their rows.
uint64_t hash_of_frame(const GstVideoFrame& frame);

}  // namespace mosaic_program
