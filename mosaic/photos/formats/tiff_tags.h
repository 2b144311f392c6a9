// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "mosaic/base/bytes.h"

namespace mosaic {

inline constexpr uint32_t kTiffWidth = 256, kTiffHeight = 257, kTiffOrientation = 274;

/// The number with a tag in the first directory of a TIFF file, or of Exif data, which have the
/// same form (TIFF 6.0, section 2). nullopt: there is no such tag of type SHORT or LONG.
std::optional<uint32_t> tiff_number(FileBytes bytes, uint32_t tag);

/// How a picture is to be turned according to its Exif data, 2 to 8 (Exif 2.3, 4.6.4); 1: not.
/// @param exif what a PNG or WebP file contains, with or without the mark that JPEG puts before it
int exif_orientation(FileBytes exif);

/// Whether Exif data say that the colours are those of Adobe RGB: cameras name no colour profile,
/// but an "interoperability" that stands for it (DCF 2.0, Exif 2.3, 4.6.8).
bool exif_is_adobe_rgb(FileBytes exif);

}  // namespace mosaic
