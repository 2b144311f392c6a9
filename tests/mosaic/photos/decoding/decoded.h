// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "mosaic/photos/decoding/photo_decode.h"
#include "mosaic/photos/photo.h"
#include "tests/mosaic/photos/photo_files.h"

namespace mosaic {

/// A photo decoded in this process, whole. Throws as decode_photo() does.
inline Photo decoded(const Bytes& bytes) {
  Photo photo;
  decode_photo(bytes, [&photo](int width, int height) {
    photo = {width, height, Bytes(size_t{3} * width * height)};
    return photo.rgb.data();
  });
  return photo;
}

}  // namespace mosaic
