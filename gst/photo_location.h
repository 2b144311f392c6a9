// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <optional>
#include <string>

namespace mosaic_gst {

/// What the property tile-location points to.
struct PhotoLocation {
  bool is_video;
  std::string where;  ///< the URI of a video; the path of a folder or an image, existing or not
};

/// A video is a URI that is no local path, or an existing file whose name is not that of an image.
PhotoLocation resolve_location(const std::string& location);

/// The path behind a file:// URI.
std::optional<std::string> local_path(const std::string& uri);

}  // namespace mosaic_gst
