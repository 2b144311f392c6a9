// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "mosaic/photos/photo_format.h"

namespace mosaic {

/// The most pixels a photo may have: 64 megapixels. Fuzzers would spend most of their time on large
/// pictures of one colour, so for them it is 1 megapixel.
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
inline constexpr int64_t kMaxPhotoPixels = int64_t{1} << 20;
#else
inline constexpr int64_t kMaxPhotoPixels = int64_t{64} << 20;
#endif

/// What is decoded of large photos.
struct PhotoLimits {
  int64_t pixels;       ///< of the decoded photo
  int side;             ///< of the decoded photo
  int64_t jpeg_pixels;  ///< of a JPEG in its file, which can be decoded smaller
  int64_t
      whole_pixels;  ///< of other pictures, which are decoded whole before they are made smaller
};

/// A tile's photo.
inline constexpr PhotoLimits kTileLimits{kMaxPhotoPixels, 1 << 30, 4 * kMaxPhotoPixels,
                                         kMaxPhotoPixels};

/// The photo that a mosaic is made of: as large as a frame of the element may be.
inline constexpr int kMaxPictureSide = 16384;
inline constexpr PhotoLimits kPictureLimits{int64_t{kMaxPictureSide} * kMaxPictureSide,
                                            kMaxPictureSide, int64_t{1} << 32, int64_t{1} << 29};

/// What was found in a file beside the picture.
struct PhotoFacts {
  bool is_animated = false;
  PhotoSize full_size;  ///< of a photo that was decoded smaller; 0: it was not
  std::string profile;  ///< of the colours, if they were converted to sRGB; empty: they were not
};

/// Provides the memory for a decoded photo: [height][width][3: R, G, B], without padding.
using MakePhoto = std::function<uint8_t*(int width, int height)>;

/// Decodes the contents of an image file with gdk-pixbuf: JPEG, PNG, WebP, TIFF, BMP, GIF, HEIF or
/// AVIF, recognised by its first bytes.
///
/// The EXIF orientation is applied. Colours of another colour profile are converted to sRGB. Of an
/// animation the first frame is taken. Grey, palette and 16-bit pictures become 8-bit RGB.
/// Transparent parts are laid over white, as on paper and in most viewers.
///
/// The loaders run in the calling process, where a hostile file can take any amount of memory and
/// time, or find a fault in a loader: so only the program of PhotoDecoder (photo_decoder.h) calls
/// this.
/// @param make is called once, after the photo was decoded
/// Throws Error, with the reason alone: kFormat if the format's loader is not installed; kRead if
/// `bytes` have none of these formats, end too early, or have more pixels than the limits allow
/// (checked before memory for them is allocated, except of HEIF and AVIF). May be called from
/// several threads at once.
PhotoFacts decode_photo(FileBytes bytes, const PhotoLimits& limits, const MakePhoto& make);
/// With the limits of a tile's photo.
void decode_photo(FileBytes bytes, const MakePhoto& make);

}  // namespace mosaic
