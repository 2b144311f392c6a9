// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

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

}  // namespace mosaic
