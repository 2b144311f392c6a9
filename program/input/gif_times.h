// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

namespace mosaic_program {

/// Gives each picture of an animated GIF the time that the file says: GStreamer's decoder of GIF
/// puts all of them at the beginning. Does nothing for other inputs.
/// @param pipeline not started; its streaming threads have ended before it is freed
void keep_gif_times(GstElement* pipeline);

}  // namespace mosaic_program
