// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "mosaic/photos/photo.h"

namespace mosaic::pack {

/// A photo as a JPEG file. @param quality 1..100
/// Throws Error (kRead) with the reason if it cannot be made.
std::vector<uint8_t> jpeg_file(const Photo& photo, int quality);

}  // namespace mosaic::pack
