// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/memory/frame_view.h"

#include <algorithm>

#include <cmath>

namespace mosaic_gst {
namespace {

constexpr int kOne = 1 << 16;
constexpr int kHalf = kOne / 2;

int fixed(double value) {
  return static_cast<int>(std::lround(value * kOne));
}

/// Weights of red and blue in luma, and the range of each component's values, in levels of 8 bits.
/// Levels of deeper formats have fractions: in full range the largest value of 10 bits is 255.75.
struct Colorimetry {
  double kr, kb;
  gint offset[3];
  double scale[3];
};

Colorimetry colorimetry_of(const GstVideoInfo& info) {
  GstVideoColorimetry colorimetry = info.colorimetry;
  GstVideoInfo standard;
  gst_video_info_set_format(&standard, GST_VIDEO_INFO_FORMAT(&info), GST_VIDEO_INFO_WIDTH(&info),
                            GST_VIDEO_INFO_HEIGHT(&info));
  Colorimetry c;
  if (!gst_video_color_matrix_get_Kr_Kb(colorimetry.matrix, &c.kr, &c.kb))
    gst_video_color_matrix_get_Kr_Kb(standard.colorimetry.matrix, &c.kr, &c.kb);
  if (colorimetry.range == GST_VIDEO_COLOR_RANGE_UNKNOWN)
    colorimetry.range = standard.colorimetry.range;
  gint offset[GST_VIDEO_MAX_COMPONENTS], scale[GST_VIDEO_MAX_COMPONENTS];
  gst_video_color_range_offsets(colorimetry.range, info.finfo, offset, scale);
  const int per_level = 1 << (GST_VIDEO_INFO_COMP_DEPTH(&info, 0) - 8);
  for (int i = 0; i < 3; ++i) {
    c.offset[i] = offset[i] / per_level;
    c.scale[i] = static_cast<double>(scale[i]) / per_level;
  }
  if (GST_VIDEO_INFO_IS_GRAY(&info)) {
    // A grey format has no chroma range in GStreamer; the view treats its chroma as 128.
    c.offset[1] = c.offset[2] = 128;
    c.scale[1] = c.scale[2] = c.scale[0] == 255 ? 255 : 224;
  }
  return c;
}

/// The first sample of a component. GStreamer's table of formats has V of P010 and P016 one byte
/// after U, within U's sample; it is after it.
uint8_t* first_sample(const GstVideoFrame& frame, int c) {
  const int bytes = GST_VIDEO_FRAME_COMP_DEPTH(&frame, c) > 8 ? 2 : 1;
  const int offset = (GST_VIDEO_FRAME_COMP_POFFSET(&frame, c) + bytes - 1) / bytes * bytes;
  return static_cast<uint8_t*>(
             GST_VIDEO_FRAME_PLANE_DATA(&frame, GST_VIDEO_FRAME_COMP_PLANE(&frame, c))) +
         offset;
}

/// The unused byte of a 32-bit RGB pixel. It is copied from the input as if it were alpha, so that
/// the output does not depend on earlier contents of its memory.
mt::Component unused_byte(GstVideoFrame& frame) {
  int place = 0 + 1 + 2 + 3;
  for (int c = 0; c < 3; ++c) place -= GST_VIDEO_FRAME_COMP_POFFSET(&frame, c);
  return {.data = static_cast<uint8_t*>(GST_VIDEO_FRAME_PLANE_DATA(&frame, 0)) + place,
          .stride = GST_VIDEO_FRAME_PLANE_STRIDE(&frame, 0),
          .step = 4};
}

}  // namespace

// ITU-R BT.601 and its successors: Y = Kr R + Kg G + Kb B, Cb = (B - Y) / (2 (1 - Kb)),
// Cr = (R - Y) / (2 (1 - Kr)). In each row of from_rgb one coefficient is computed from the sum of
// the others, so that rounding does not tint grey.
ColorTransforms color_transforms(const GstVideoInfo& info) {
  const Colorimetry c = colorimetry_of(info);
  const double kg = 1 - c.kr - c.kb;
  ColorTransforms t;

  // Samples come rounded to 8 bits.
  double luma = 255 / std::floor(c.scale[0]);
  double cb = 255 / std::floor(c.scale[1]), cr = 255 / std::floor(c.scale[2]);
  mt::ColorMatrix& to = t.to_rgb;
  for (auto& row : to.m) row[0] = fixed(luma);
  to.m[0][1] = 0;
  to.m[0][2] = fixed(2 * (1 - c.kr) * cr);
  to.m[1][1] = fixed(-2 * (1 - c.kb) * c.kb / kg * cb);
  to.m[1][2] = fixed(-2 * (1 - c.kr) * c.kr / kg * cr);
  to.m[2][1] = fixed(2 * (1 - c.kb) * cb);
  to.m[2][2] = 0;
  for (int i = 0; i < 3; ++i) {
    to.offset[i] = kHalf;
    for (int j = 0; j < 3; ++j) to.offset[i] -= to.m[i][j] * c.offset[j];
  }

  luma = 255 / c.scale[0], cb = 255 / c.scale[1], cr = 255 / c.scale[2];
  mt::ColorMatrix& from = t.from_rgb;
  from.m[0][0] = fixed(c.kr / luma);
  from.m[0][2] = fixed(c.kb / luma);
  from.m[0][1] = fixed(1 / luma) - from.m[0][0] - from.m[0][2];
  from.m[1][0] = fixed(-c.kr / (2 * (1 - c.kb)) / cb);
  from.m[1][2] = fixed(0.5 / cb);
  from.m[1][1] = -from.m[1][0] - from.m[1][2];
  from.m[2][0] = fixed(0.5 / cr);
  from.m[2][2] = fixed(-c.kb / (2 * (1 - c.kr)) / cr);
  from.m[2][1] = -from.m[2][0] - from.m[2][2];
  for (int i = 0; i < 3; ++i) from.offset[i] = c.offset[i] * kOne + kHalf;
  return t;
}

mt::FrameView frame_view(GstVideoFrame& frame) {
  const GstVideoFormatInfo* format = frame.info.finfo;
  const auto component = [&](int c) {
    return mt::Component{.data = first_sample(frame, c),
                         .stride = GST_VIDEO_FRAME_COMP_STRIDE(&frame, c),
                         .step = GST_VIDEO_FRAME_COMP_PSTRIDE(&frame, c),
                         .x_shift = static_cast<int>(GST_VIDEO_FORMAT_INFO_W_SUB(format, c)),
                         .y_shift = static_cast<int>(GST_VIDEO_FORMAT_INFO_H_SUB(format, c)),
                         .depth = static_cast<int>(GST_VIDEO_FORMAT_INFO_DEPTH(format, c)),
                         .low_zeros = static_cast<int>(GST_VIDEO_FORMAT_INFO_SHIFT(format, c))};
  };
  mt::FrameView view;
  view.width = GST_VIDEO_FRAME_WIDTH(&frame);
  view.height = GST_VIDEO_FRAME_HEIGHT(&frame);
  const bool gray = GST_VIDEO_FORMAT_INFO_IS_GRAY(format);
  const bool rgb = GST_VIDEO_FORMAT_INFO_IS_RGB(format);
  view.kind = gray ? mt::PixelKind::kGray : rgb ? mt::PixelKind::kRgb : mt::PixelKind::kYuv;
  for (int c = 0; c < (gray ? 1 : 3); ++c) view.component[c] = component(c);
  if (GST_VIDEO_FORMAT_INFO_HAS_ALPHA(format))
    view.alpha = component(GST_VIDEO_COMP_A);
  else if (rgb && GST_VIDEO_FRAME_COMP_PSTRIDE(&frame, 0) == 4)
    view.alpha = unused_byte(frame);
  if (!rgb) {
    const ColorTransforms colors = color_transforms(frame.info);
    view.to_rgb = colors.to_rgb;
    view.from_rgb = colors.from_rgb;
  }
  return view;
}

PlaneExtent plane_extent(const GstVideoFrame& frame, guint plane) {
  PlaneExtent extent{0, 1};
  for (guint c = 0; c < GST_VIDEO_FRAME_N_COMPONENTS(&frame); ++c) {
    if (static_cast<guint>(GST_VIDEO_FRAME_COMP_PLANE(&frame, c)) != plane) continue;
    extent.rows = static_cast<size_t>(GST_VIDEO_FRAME_COMP_HEIGHT(&frame, c));
    extent.row =
        std::max(extent.row, static_cast<size_t>(GST_VIDEO_FRAME_COMP_WIDTH(&frame, c)) *
                                 static_cast<size_t>(GST_VIDEO_FRAME_COMP_PSTRIDE(&frame, c)));
  }
  return extent;
}

}  // namespace mosaic_gst
