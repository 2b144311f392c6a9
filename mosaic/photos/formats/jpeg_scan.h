// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "mosaic/base/bytes.h"

namespace mosaic {

/// Whether a JPEG file that lacks the mark of its end (EOI) has the data of all its pixels. Some
/// cameras and programs leave the mark out; a file that was cut off lacks more than that. False if
/// that cannot be told, as with arithmetic coding.
bool jpeg_has_all_pixels(FileBytes bytes);

}  // namespace mosaic
