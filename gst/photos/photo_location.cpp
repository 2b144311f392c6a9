// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/photos/photo_location.h"

#include <gst/gst.h>

#include <filesystem>

#include "mosaic/photos/photo.h"

namespace mosaic_gst {
namespace fs = std::filesystem;

PhotoLocation resolve_location(const std::string& location) {
  std::error_code error;
  std::string path = location;
  if (!fs::exists(path, error) && gst_uri_is_valid(location.c_str())) {
    const auto local = local_path(location);
    if (!local) return {true, location};
    path = *local;
  }
  if (!fs::is_regular_file(path, error) || mosaic::is_image_name(path)) return {false, path};
  gchar* uri = gst_filename_to_uri(path.c_str(), nullptr);
  if (!uri) return {false, path};
  PhotoLocation video{true, uri};
  g_free(uri);
  return video;
}

std::optional<std::string> local_path(const std::string& uri) {
  gchar* path = g_filename_from_uri(uri.c_str(), nullptr, nullptr);
  if (!path) return std::nullopt;
  const std::string copy = path;
  g_free(path);
  return copy;
}

}  // namespace mosaic_gst
