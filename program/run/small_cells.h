// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <string>

namespace mosaic_program {

/// What to say about cells that are too small to show a photo; empty: they are large enough.
/// @param mosaic the element, which has drawn a frame
std::string warning_of_small_cells(GstElement* mosaic);

}  // namespace mosaic_program
