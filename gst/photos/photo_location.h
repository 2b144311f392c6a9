// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

namespace mosaic_gst {

/// An entry of the property tile-location, and where its photos are.
struct PhotoLocation {
  std::string name;                 ///< as the user wrote it
  bool is_pattern = false;          ///< `paths` and `videos` exist, and are those that match it
  std::vector<std::string> paths;   ///< folders and image files, which may not exist
  std::vector<std::string> videos;  ///< URIs
  std::vector<std::string> packs;   ///< files with the name of a pack, which may not exist
  int links = 0;                    ///< see mosaic::MatchingPaths
};

/// What tile-location names: several entries are separated by semicolons, and a path that exists is
/// an entry even if it contains one. An entry is the first of these that it can be:
/// - An existing path, or a URI. A pack is a path with the name of one. A video is a URI other than
///   file://, or an existing file without the name of an image or a pack.
/// - A pattern (see mosaic::match_paths). It stands for the folders, images and videos that match
///   it; their names tell images from videos.
/// - A path that does not exist.
/// Throws mosaic::Error: kSettings if there are more than 1024 entries, or a pattern is too long;
/// kNotFound if there is none; kCancelled.
std::vector<PhotoLocation> resolve_location(const std::string& location,
                                            const std::atomic<bool>& cancelled);

/// The path of a file:// URI; nullopt for any other.
std::optional<std::string> local_path(const std::string& uri);

}  // namespace mosaic_gst
