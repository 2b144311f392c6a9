// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>

#include "mosaic/photo.h"

namespace mosaic {

/// The most pixels a photo may have: 64 megapixels.
inline constexpr int64_t kMaxPhotoPixels = int64_t{64} << 20;

/// Decodes an image file with gdk-pixbuf: JPEG, PNG, WebP, TIFF, BMP, GIF, told by what is in the
/// file, not by its name.
///
/// The EXIF orientation is applied. Of an animation the first frame is taken. Grey, palette and
/// 16-bit pictures become 8-bit RGB. Transparent parts are laid over white, as paper and most
/// viewers do.
/// Throws Error (kRead), naming the file: it cannot be read, is no regular file, is none of these
/// formats or its loader is not installed, ends too early, or has more than kMaxPhotoPixels (found
/// out before memory is taken for them). Safe from several threads at once.
Photo decode_photo(const std::string& path);

}  // namespace mosaic
