// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "mosaic/photo.h"

namespace mosaic_gst {

/// Most frames that are taken from a video.
inline constexpr int kMostVideoPhotos = 1024;

/// How far the frames of a video have been read.
using VideoProgress = std::function<void(int done, int total)>;

/// Photos from the frames of a video, spread evenly over its length: all frames of a short one, at
/// most kMostVideoPhotos. The same ones each time. Opening looks only at the first frame; the first
/// decode() reads all of them.
/// @param short_side pixels to which the shorter side of a frame is reduced if it is longer
/// @param progress   called from the thread that calls decode() first
/// Throws mosaic::Error as VideoReader does. `cancelled` must outlive the source.
std::unique_ptr<mosaic::PhotoSource> open_video_photos(const std::string& uri, int short_side,
                                                       const std::atomic<bool>& cancelled,
                                                       VideoProgress progress);

}  // namespace mosaic_gst
