// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <string>

namespace mosaic_program {

/// What to tell a user whose sound has fewer channels in the output than in the input, because its
/// encoder takes no more; empty: nothing. @param pipeline that has drawn frames
std::string warning_of_mixed_sound(GstElement* pipeline);

}  // namespace mosaic_program
