// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

#include "mosaic/photos/photo.h"

namespace mosaic {

/// The largest centred square of a photo, brought to side x side pixels.
///
/// Shrinking averages over the area that each pixel covers, exactly in integers; where the square's
/// side is a whole multiple of `side` the bytes are those of OpenCV's INTER_AREA, otherwise within
/// one level of it. Enlarging is bilinear between pixel centres.
/// @param photo 1x1 up to 2^26 pixels
/// @param side  1..16384
/// @param out   [3: R, G, B][side][side], written
void resize_square(const Photo& photo, int side, uint8_t* out);

}  // namespace mosaic
