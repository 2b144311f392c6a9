// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

namespace mosaic_program {

/// The name of an element (an identity) before the parser of a video whose colours are to be read
/// in the bitstream.
constexpr char kUncoloured[] = "uncoloured";

/// Has the container's colours taken out of what comes to that element, if there is one.
/// @param pipeline not started
void read_colours_in_bitstream(GstElement* pipeline);

}  // namespace mosaic_program
