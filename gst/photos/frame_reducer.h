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
/// given length if it is longer. Of a photo only the part in the middle is kept that tiles show: so
/// the memory for a video's photos does not depend on the shape of its frames.
class FrameReducer {
 public:
  /// @param shape      of the part that is kept
  /// @param short_side of a photo, pixels
  /// @param label      name of the video in messages
  FrameReducer(mosaic::Shape shape, int short_side, std::string label)
      : shape_(shape), short_side_(short_side), label_(std::move(label)) {}

  /// Prepares for frames of this format. Throws mosaic::Error (kRead) if they, or what they become,
  /// are larger than why_refused() allows, or if they cannot be converted.
  void configure(const GstVideoInfo& info);

  /// The photo of a frame. Throws mosaic::Error (kRead) as configure() does, and if the frame
  /// cannot be read; std::bad_alloc.
  mosaic::Photo reduce(GstSample* sample);

 private:
  [[noreturn]] void fail(const std::string& why) const;
  mosaic::Photo middle() const;

  mosaic::Shape shape_;
  int short_side_;
  std::string label_;
  Owned<GstVideoConverter> converter_;
  GstVideoInfo in_{}, out_{};
  std::vector<uint8_t> reduced_;  ///< the whole frame, laid out as out_ says
};

}  // namespace mosaic_gst
