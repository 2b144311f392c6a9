// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "mosaic/pack/pack_format.h"
#include "mosaic/photos/photo.h"
#include "mosaic/photos/photo_cut.h"

namespace mosaic::pack {

/// The levels of a photo, as PackedPhoto has them. Each is made of the pixels of the next larger
/// one, the largest of the photo's. Those of kRawSides are enlarged if the photo is smaller. They
/// are squares, whatever the shape of the cut.
/// @param largest side that is wanted, pixels
/// Throws Error (kRead) if a JPEG cannot be written, std::bad_alloc. May be called from several
/// threads.
std::array<std::vector<uint8_t>, kLevels> photo_levels(const Photo& photo, const PhotoCut& cut,
                                                       int largest);

}  // namespace mosaic::pack
