// SPDX-License-Identifier: LGPL-2.1-or-later
// The input is a photo.
#include <cstdlib>
#include <vector>

#include "mosaic/base/error.h"
#include "mosaic/photos/decoding/photo_decode.h"

/// As a tile's, but JPEG no larger than the others. A progressive JPEG takes 6 bytes of memory for
/// each of its pixels, whatever the size in which it is decoded; the decoder's process has a limit
/// of memory for that, which the fuzzer's does not have.
constexpr mosaic::PhotoLimits kLimits{mosaic::kMaxPhotoPixels, 1 << 30, mosaic::kMaxPhotoPixels,
                                      mosaic::kMaxPhotoPixels};

constexpr int kMostPictures = 8;  // of an animation, so that time goes to other inputs

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<uint8_t> rgb;
  try {
    uint8_t tile[3 * 24 * 16];
    mosaic::TilePictures pictures{.cut = {.shape = {3, 2}, .crop = mosaic::Crop::kDetail},
                                  .picture = {}};
    pictures.picture[0] = {{24, 16}, tile};
    int width = 0, height = 0;
    // Whole, or as small as the tile needs it.
    mosaic::decode_photo({data, size}, kLimits, size % 2 ? &pictures : nullptr, [&](int w, int h) {
      const int64_t pixels = int64_t{w} * h;
      if (w < 1 || h < 1 || pixels > mosaic::kMaxPhotoPixels) std::abort();
      rgb.resize(static_cast<size_t>(3 * pixels));
      width = w;
      height = h;
      return rgb.data();
    });
    mosaic::cut_out({width, height, rgb.data()}, pictures);
    int taken = 0;
    mosaic::decode_animation({data, size}, kLimits, size % 2,
                             [&taken](mosaic::PhotoSize picture, const uint8_t* pixels) {
                               if (picture.pixels() < 1 || !pixels) std::abort();
                               return ++taken < kMostPictures;
                             });
  } catch (const mosaic::Error&) {
  }
  return 0;
}
