// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "kernels/views.h"
#include "mosaic/base/shape.h"
#include "mosaic/photos/photo.h"

namespace mosaic {

/// Which part of a photo that has another shape is shown.
enum class Crop {
  kCentre,  ///< the middle
  kDetail,  ///< where edges and colours of skin are
};

/// How photos are cut.
struct PhotoCut {
  Shape shape = {};  ///< of what is left
  Crop crop = Crop::kCentre;
  bool operator==(const PhotoCut&) const = default;
};

/// The largest part of a photo that has, rounded to pixels, the shape of the cut on the display. It
/// has the photo's whole width or height.
///
/// Crop::kDetail slides the part along the other axis. Each position is rated by the edges and the
/// colours of skin in it, of which those in its middle half count fully and those at its ends not
/// at all; the best position replaces the middle if it is rated more than an eighth higher. All is
/// computed in integers, from a reduced picture, so that a photo is cut alike on all machines.
/// @param photo 1x1 up to 2^26 pixels
mt::CellRect shown_part(const PhotoView& photo, const PhotoCut& cut = {});

}  // namespace mosaic
