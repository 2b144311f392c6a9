// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <optional>
#include <string>

namespace mosaic_gst {

/// The source of photos that the property tile-location names.
struct PhotoLocation {
  bool is_video;
  std::string where;  ///< a video's URI, or the path of a folder or image, which may not exist
};

/// A video is a URI other than file://, or an existing file whose name is not that of an image.
PhotoLocation resolve_location(const std::string& location);

/// The path of a file:// URI; nullopt for any other.
std::optional<std::string> local_path(const std::string& uri);

}  // namespace mosaic_gst
