// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/video/video.h>

namespace mosaic_gst {

/// Throws mosaic::Error for video with a high dynamic range, whose levels mean other colours (PQ
/// and HLG, ITU-R BT.2100): photos are compared and drawn as sRGB.
void check_dynamic_range(const GstVideoInfo& info);

}  // namespace mosaic_gst
