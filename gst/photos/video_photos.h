// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "mosaic/photos/photo.h"

namespace mosaic_gst {

/// Maximum number of frames taken from videos.
inline constexpr int kMaxVideoPhotos = 1024;

/// Reports how many frames of a video have been read.
using VideoProgress = std::function<void(int done, int total)>;

/// Photos from the frames of a video: all frames of a short video, otherwise `most`
/// frames at regular intervals, the same frames each time. Opening decodes only the first frame;
/// the first call of decode() reads all the photos.
/// @param shape      to which frames are cut, at their centre
/// @param short_side pixels to which the shorter side of a frame is reduced if it is longer
/// @param most       number of photos, 1..kMaxVideoPhotos
/// @param progress   called from the thread that calls decode() first
/// Throws mosaic::Error as VideoReader does. `cancelled` must outlive the source.
std::unique_ptr<mosaic::PhotoSource> open_video_photos(const std::string& uri, mosaic::Shape shape,
                                                       int short_side,
                                                       const std::atomic<bool>& cancelled,
                                                       VideoProgress progress,
                                                       int most = kMaxVideoPhotos);

}  // namespace mosaic_gst
