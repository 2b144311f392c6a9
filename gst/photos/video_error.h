// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>

#include "mosaic/base/error.h"

namespace mosaic_gst {

/// The error that a video cannot be used, with its cause.
/// @param label name of the video in messages
inline mosaic::Error video_error(const std::string& label, const std::string& why) {
  return {mosaic::Error::Kind::kRead, "Cannot read the video " + label + ": " + why,
          "set tile-location to a folder of photos, an image, or a video of known duration that "
          "the installed GStreamer plugins can decode"};
}

}  // namespace mosaic_gst
