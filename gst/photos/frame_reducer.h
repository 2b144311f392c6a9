// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/video/video.h>

#include <cstdint>
#include <string>
#include <vector>

#include "gst/pointers.h"
#include "mosaic/photos/photo.h"

namespace mosaic_gst {

/// Converts frames to RGB photos with square pixels, of which the shorter side is reduced to a
/// given length if it is longer. Of a photo only the square in the middle is kept: tiles show no
/// more, and so the memory for a video's photos does not depend on the shape of its frames.
class FrameReducer {
 public:
  /// @param short_side of a photo, pixels
  /// @param label      name of the video in messages
  FrameReducer(int short_side, std::string label)
      : short_side_(short_side), label_(std::move(label)) {}

  /// Prepares for frames of this format. Throws mosaic::Error (kRead) if they, or what they become,
  /// are larger than why_refused() allows, or if they cannot be converted.
  void configure(const GstVideoInfo& info);

  /// The photo of a frame. Throws mosaic::Error (kRead) as configure() does, and if the frame
  /// cannot be read; std::bad_alloc.
  mosaic::Photo reduce(GstSample* sample);

 private:
  [[noreturn]] void fail(const std::string& why) const;
  mosaic::Photo middle() const;

  int short_side_;
  std::string label_;
  Owned<GstVideoConverter> converter_;
  GstVideoInfo in_{}, out_{};
  std::vector<uint8_t> reduced_;  ///< the whole frame, laid out as out_ says
};

}  // namespace mosaic_gst
