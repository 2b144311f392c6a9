// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>

#include "mosaic/photos/photo.h"

namespace mosaic {

/// The most pixels a photo may have: 64 megapixels. Fuzzers would spend most of their time on large
/// pictures of one colour, so for them it is 1 megapixel.
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
inline constexpr int64_t kMaxPhotoPixels = int64_t{1} << 20;
#else
inline constexpr int64_t kMaxPhotoPixels = int64_t{64} << 20;
#endif

/// Decodes an image file with gdk-pixbuf: JPEG, PNG, WebP, TIFF, BMP or GIF, recognised by the
/// contents of the file, not by its name.
///
/// The EXIF orientation is applied. Of an animation the first frame is taken. Grey, palette and
/// 16-bit pictures become 8-bit RGB. Transparent parts are laid over white, as on paper and in
/// most viewers.
/// Throws Error (kRead), naming the file, if it cannot be read, is no regular file, has none of
/// these formats or one whose loader is not installed, ends too early, or has more than
/// kMaxPhotoPixels (checked before memory for them is allocated). May be called from several
/// threads at once.
Photo decode_photo(const std::string& path);

}  // namespace mosaic
