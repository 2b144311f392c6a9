// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "mosaic/photos/formats/photo_format.h"

namespace mosaic {

PhotoFormat webp_format();

}  // namespace mosaic
