// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/photos/photo_location.h"

#include <gst/gst.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "gst/pointers.h"
#include "mosaic/base/error.h"
#include "mosaic/pack/pack_photos.h"
#include "mosaic/photos/files/image_names.h"
#include "mosaic/photos/files/path_pattern.h"
#include "mosaic/photos/photo.h"

namespace mosaic_gst {
namespace {

namespace fs = std::filesystem;
using mosaic::Error;

constexpr char kSeparator = ';';
constexpr size_t kMaxEntries = 1024;
/// A pattern may match files of any kind, so videos among them are known by their names.
constexpr std::string_view kVideoExtensions[] = {".mp4",  ".m4v", ".mov",  ".mkv", ".webm",
                                                 ".avi",  ".mpg", ".mpeg", ".ts",  ".mts",
                                                 ".m2ts", ".wmv", ".flv",  ".ogv", ".3gp"};

bool exists(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

bool is_video_name(const std::string& path) {
  const Owned<gchar> lower(g_ascii_strdown(path.c_str(), -1));
  const std::string_view name = lower.get();
  return std::any_of(std::begin(kVideoExtensions), std::end(kVideoExtensions),
                     [&](std::string_view extension) { return name.ends_with(extension); });
}

/// The URI of a file; nullopt if its path has none.
std::optional<std::string> uri_of(const std::string& path) {
  const Owned<gchar> uri(gst_filename_to_uri(path.c_str(), nullptr));
  if (!uri) return std::nullopt;
  return uri.get();
}

std::vector<std::string> entries_of(const std::string& location) {
  if (exists(location)) return {location};
  std::vector<std::string> entries;
  size_t start = 0;
  while (start <= location.size()) {
    const size_t end = std::min(location.find(kSeparator, start), location.size());
    if (end > start) entries.push_back(location.substr(start, end - start));
    start = end + 1;
    if (entries.size() > kMaxEntries)
      throw Error(Error::Kind::kSettings,
                  "tile-location has more than " + std::to_string(kMaxEntries) + " entries",
                  "name a folder that contains them, or use a pattern with *");
  }
  if (entries.empty())
    throw Error(Error::Kind::kNotFound, "tile-location names nothing: '" + location + "'",
                "name a folder of photos");
  return entries;
}

/// Adds a file to the packs, the videos or the paths.
void add_file(PhotoLocation& to, const std::string& path, bool is_video) {
  std::error_code error;
  if (mosaic::pack::is_pack_name(path) && !fs::is_directory(path, error)) {
    to.packs.push_back(path);
    return;
  }
  const std::optional<std::string> uri = is_video ? uri_of(path) : std::nullopt;
  if (uri)
    to.videos.push_back(*uri);
  else
    to.paths.push_back(path);
}

PhotoLocation resolve_entry(const std::string& entry, const std::atomic<bool>& cancelled) {
  PhotoLocation location;
  location.name = entry;
  std::string path = entry;
  if (!exists(path) && gst_uri_is_valid(entry.c_str())) {
    const auto local = local_path(entry);
    if (!local) {
      location.videos.push_back(entry);
      return location;
    }
    path = *local;
  }
  std::error_code error;
  if (exists(path) || !mosaic::is_path_pattern(path)) {
    add_file(location, path, fs::is_regular_file(path, error) && !mosaic::is_image_name(path));
    return location;
  }
  const mosaic::MatchingPaths matching = mosaic::match_paths(path, cancelled);
  location.is_pattern = true;
  location.links = matching.links;
  for (const std::string& match : matching.paths)
    add_file(location, match, is_video_name(match) && fs::is_regular_file(match, error));
  return location;
}

}  // namespace

std::vector<PhotoLocation> resolve_location(const std::string& location,
                                            const std::atomic<bool>& cancelled) {
  std::vector<PhotoLocation> all;
  for (const std::string& entry : entries_of(location))
    all.push_back(resolve_entry(entry, cancelled));
  return all;
}

std::optional<std::string> local_path(const std::string& uri) {
  const Owned<gchar> path(g_filename_from_uri(uri.c_str(), nullptr, nullptr));
  if (!path) return std::nullopt;
  return path.get();
}

}  // namespace mosaic_gst
