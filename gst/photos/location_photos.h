// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "gst/photos/video_photos.h"
#include "mosaic/base/error.h"
#include "mosaic/photos/photo.h"

namespace mosaic_gst {

/// The most videos that tile-location may name: each is opened at once. Together they give at most
/// kMaxVideoPhotos photos.
inline constexpr size_t kMaxVideos = 16;

/// The photos of everything that tile-location names: images first, by their paths, each once; then
/// the frames of videos.
struct LocationPhotos {
  std::unique_ptr<mosaic::PhotoSource> source;
  /// For each entry that has no photos the reason, and what else could not be read.
  std::vector<mosaic::Error> problems;
};

/// Opens what a tile-location (see resolve_location) names. The other parameters are those of
/// open_video_photos().
/// @param tile_side the largest at which tiles are analysed or drawn, pixels: of videos and packs,
///        photos of about twice that side are read
/// @param shape of the tiles: frames of videos are cut to it
/// Throws mosaic::Error if no entry has photos, as resolve_location() does, and kSettings if there
/// are more than kMaxVideos videos.
LocationPhotos open_location(const std::string& location, int tile_side, mosaic::Shape shape,
                             const std::atomic<bool>& cancelled, const VideoProgress& progress);

}  // namespace mosaic_gst
