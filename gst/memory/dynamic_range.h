// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/video/video.h>

namespace mosaic_gst {

/// Throws mosaic::Error if the video has a high dynamic range (transfer function PQ or HLG, ITU-R
/// BT.2100): photos are compared and drawn as sRGB, so its colours would be wrong.
void check_dynamic_range(const GstVideoInfo& info);

}  // namespace mosaic_gst
