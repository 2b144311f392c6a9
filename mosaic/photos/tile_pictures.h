// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/views.h"
#include "mosaic/photos/photo.h"
#include "mosaic/photos/photo_cut.h"

namespace mosaic {

/// What tiles need of a photo: the part that a cut leaves of it, in one or two sizes.
struct TilePictures {
  struct Picture {
    mt::PixelSize size;      ///< sides 1..16384; 0x0: this picture is not wanted
    uint8_t* out = nullptr;  ///< [3: R, G, B][height][width], written
    size_t bytes() const { return size_t{3} * size.width * size.height; }
  };
  PhotoCut cut = {};
  std::array<Picture, 2> picture = {};
};

/// Makes the pictures of a photo.
void cut_out(const PhotoView& photo, const TilePictures& pictures);

/// The number by which a JPEG's decoder may divide the sides of a photo while it decodes: 4, 2 or
/// 1. What is left has at least kSpare times the pixels that each picture needs along either side,
/// so that few bytes of the pictures differ from those of the whole photo, and by little. It holds
/// for a photo that is yet to be turned upright, too.
/// @param width, height of the photo in its file
int divisor_for(int width, int height, const TilePictures& pictures);

inline constexpr int kSpare = 8;

}  // namespace mosaic
