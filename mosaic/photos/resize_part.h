// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

#include "kernels/views.h"
#include "mosaic/photos/photo.h"

namespace mosaic {

/// A part of a photo, brought to a size.
///
/// Shrinking averages over the area that each pixel covers, exactly in integers; where the part's
/// sides are whole multiples of width and height the bytes are those of OpenCV's INTER_AREA,
/// otherwise within one level of it. Enlarging is bilinear between pixel centres. A part that is
/// to be shrunk along one axis and enlarged along the other is shrunk first.
/// @param photo 1x1 up to 2^26 pixels
/// @param part  lies within the photo, at least 1x1
/// @param size  1..16384 each
/// @param out   [3: R, G, B][height][width], written
void resize_part(const PhotoView& photo, const mt::CellRect& part, const mt::PixelSize& size,
                 uint8_t* out);

}  // namespace mosaic
