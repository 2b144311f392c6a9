// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/video/video.h>

#include <vector>

#include "mosaic/analysis/regions.h"

namespace mosaic_gst {

/// Reads the regions of interest of a frame (GstVideoRegionOfInterestMeta), of any type and from
/// any detector. Their coordinates are those of the picture that is shown, after cropping.
/// @param frame   a buffer of the format `info`, cropped or not
/// @param regions replaced by what was found: the first 64 regions that lie in the picture
void read_regions(const GstVideoInfo& info, GstBuffer* frame, std::vector<mosaic::Region>& regions);

}  // namespace mosaic_gst
