// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace mosaic {

/// The most pixels a photo may have: 64 megapixels. Fuzzers would spend most of their time on large
/// pictures of one colour, so for them it is 1 megapixel.
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
inline constexpr int64_t kMaxPhotoPixels = int64_t{1} << 20;
#else
inline constexpr int64_t kMaxPhotoPixels = int64_t{64} << 20;
#endif

/// Provides the memory for a decoded photo: [height][width][3: R, G, B], without padding.
using MakePhoto = std::function<uint8_t*(int width, int height)>;

/// Decodes the contents of an image file with gdk-pixbuf: JPEG, PNG, WebP, TIFF, BMP, GIF, HEIF or
/// AVIF, recognised by its first bytes.
///
/// The EXIF orientation is applied. Of an animation the first frame is taken. Grey, palette and
/// 16-bit pictures become 8-bit RGB. Transparent parts are laid over white, as on paper and in
/// most viewers.
///
/// The loaders run in the calling process, where a hostile file can take any amount of memory and
/// time, or find a fault in a loader: so only the program of PhotoDecoder (photo_decoder.h) calls
/// this.
/// @param make is called once, after the photo was decoded
/// Throws Error (kRead), with the reason alone, if `bytes` have none of these formats or one whose
/// loader is not installed, end too early, or have more than kMaxPhotoPixels (checked before memory
/// for them is allocated, except of HEIF and AVIF). May be called from several threads at once.
void decode_photo(std::span<const uint8_t> bytes, const MakePhoto& make);

}  // namespace mosaic
