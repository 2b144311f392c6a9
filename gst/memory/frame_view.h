// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/video/video.h>

#include "kernels/views.h"

namespace mosaic_gst {

/// The matrices between the components of a YUV or grey format and 8-bit R, G, B. Components of
/// more than 8 bits count in levels of 8 bits.
///
/// Matrix and range are those of the colorimetry. If it names none (or RGB's matrix, which a YUV
/// format cannot have), they are GStreamer's defaults for a picture of that format and size. Grey
/// is unchanged by conversion to R, G, B and back, and its chroma is exactly neutral.
struct ColorTransforms {
  mt::ColorMatrix to_rgb{};
  mt::ColorMatrix from_rgb{};
};
ColorTransforms color_transforms(const GstVideoInfo& info);

/// Describes a mapped frame of any format of make_template_caps(). The view points into the frame
/// and is valid as long as the frame stays mapped.
mt::FrameView frame_view(GstVideoFrame& frame);

/// The bytes of a plane that belong to the picture.
struct PlaneExtent {
  size_t row, rows;
};
PlaneExtent plane_extent(const GstVideoFrame& frame, guint plane);

}  // namespace mosaic_gst
