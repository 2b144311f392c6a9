// SPDX-License-Identifier: LGPL-2.1-or-later
// The input is a photo.
#include <cstdlib>

#include "mosaic/base/error.h"
#include "mosaic/photos/photo_decode.h"
#include "tests/fuzz/input_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const fuzz::InputFile file("photo");
  file.write(data, size);
  try {
    const mosaic::Photo photo = mosaic::decode_photo(file.path());
    const int64_t pixels = int64_t{photo.width} * photo.height;
    if (photo.width < 1 || photo.height < 1 || pixels > mosaic::kMaxPhotoPixels ||
        photo.rgb.size() != static_cast<size_t>(3 * pixels))
      std::abort();
  } catch (const mosaic::Error&) {
  }
  return 0;
}
