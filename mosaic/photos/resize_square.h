// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

#include "kernels/views.h"
#include "mosaic/photos/photo.h"

namespace mosaic {

/// The largest centred square of a photo, brought to a size, which is not a square where pixels are
/// not square.
///
/// Shrinking averages over the area that each pixel covers, exactly in integers; where the square's
/// side is a whole multiple of width and height the bytes are those of OpenCV's INTER_AREA,
/// otherwise within one level of it. Enlarging is bilinear between pixel centres. A square that is
/// to be shrunk along one axis and enlarged along the other is shrunk first.
/// @param photo 1x1 up to 2^26 pixels
/// @param size  1..16384 each
/// @param out   [3: R, G, B][height][width], written
void resize_square(const Photo& photo, const mt::PixelSize& size, uint8_t* out);

}  // namespace mosaic
