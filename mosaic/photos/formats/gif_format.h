// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "mosaic/photos/formats/photo_format.h"

namespace mosaic {

PhotoFormat gif_format();

}  // namespace mosaic
