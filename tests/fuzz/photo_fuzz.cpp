// SPDX-License-Identifier: LGPL-2.1-or-later
// The input is a photo.
#include <cstdlib>
#include <vector>

#include "mosaic/base/error.h"
#include "mosaic/photos/photo_decode.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<uint8_t> rgb;
  try {
    mosaic::decode_photo({data, size}, [&rgb](int width, int height) {
      const int64_t pixels = int64_t{width} * height;
      if (width < 1 || height < 1 || pixels > mosaic::kMaxPhotoPixels) std::abort();
      rgb.resize(static_cast<size_t>(3 * pixels));
      return rgb.data();
    });
  } catch (const mosaic::Error&) {
  }
  return 0;
}
