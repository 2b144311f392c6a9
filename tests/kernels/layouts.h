// SPDX-License-Identifier: LGPL-2.1-or-later
// Memory layouts of video formats, for tests.
#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>

#include "kernels/views.h"

namespace test {

/// Where the components of a format are, and how they are subsampled.
struct Layout {
  const char* name;
  mt::PixelKind kind;
  struct {
    int plane, offset, step, x_shift, y_shift;
  } component[3];
  int alpha_offset;              ///< in plane 0, with the step of component 0; -1: no alpha
  int depth = 8, low_zeros = 0;  ///< as in mt::Component

  int components() const { return kind == mt::PixelKind::kGray ? 1 : 3; }
  int bytes_per_sample() const { return depth > 8 ? 2 : 1; }
  int planes() const { return kind == mt::PixelKind::kGray ? 1 : component[2].plane + 1; }
};

inline constexpr Layout kLayouts[] = {
    {"RGB", mt::PixelKind::kRgb, {{0, 0, 3, 0, 0}, {0, 1, 3, 0, 0}, {0, 2, 3, 0, 0}}, -1},
    {"BGR", mt::PixelKind::kRgb, {{0, 2, 3, 0, 0}, {0, 1, 3, 0, 0}, {0, 0, 3, 0, 0}}, -1},
    {"RGBA", mt::PixelKind::kRgb, {{0, 0, 4, 0, 0}, {0, 1, 4, 0, 0}, {0, 2, 4, 0, 0}}, 3},
    {"ARGB", mt::PixelKind::kRgb, {{0, 1, 4, 0, 0}, {0, 2, 4, 0, 0}, {0, 3, 4, 0, 0}}, 0},
    {"Y444", mt::PixelKind::kYuv, {{0, 0, 1, 0, 0}, {1, 0, 1, 0, 0}, {2, 0, 1, 0, 0}}, -1},
    {"I420", mt::PixelKind::kYuv, {{0, 0, 1, 0, 0}, {1, 0, 1, 1, 1}, {2, 0, 1, 1, 1}}, -1},
    {"NV12", mt::PixelKind::kYuv, {{0, 0, 1, 0, 0}, {1, 0, 2, 1, 1}, {1, 1, 2, 1, 1}}, -1},
    {"YUY2", mt::PixelKind::kYuv, {{0, 0, 2, 0, 0}, {0, 1, 4, 1, 0}, {0, 3, 4, 1, 0}}, -1},
    {"GRAY8", mt::PixelKind::kGray, {{0, 0, 1, 0, 0}, {}, {}}, -1},
    {"P010", mt::PixelKind::kYuv, {{0, 0, 2, 0, 0}, {1, 0, 4, 1, 1}, {1, 2, 4, 1, 1}}, -1, 10, 6},
    {"P016", mt::PixelKind::kYuv, {{0, 0, 2, 0, 0}, {1, 0, 4, 1, 1}, {1, 2, 4, 1, 1}}, -1, 16},
    {"I420_10", mt::PixelKind::kYuv, {{0, 0, 2, 0, 0}, {1, 0, 2, 1, 1}, {2, 0, 2, 1, 1}}, -1, 10},
    {"ARGB64", mt::PixelKind::kRgb, {{0, 2, 8, 0, 0}, {0, 4, 8, 0, 0}, {0, 6, 8, 0, 0}}, 0, 16},
};

/// The layout with this name, which must be in kLayouts.
inline const Layout& layout_of(std::string_view name) {
  const Layout* layout = kLayouts;
  while (layout->name != name) ++layout;
  return *layout;
}

// The matrices of BT.601, limited range, as ColorMatrix in views.h describes.
inline mt::ColorMatrix bt601_to_rgb() {
  const double m[3][3] = {
      {1.164384, 0, 1.596027}, {1.164384, -0.391762, -0.812968}, {1.164384, 2.017232, 0}};
  mt::ColorMatrix c{};
  for (int i = 0; i < 3; ++i) {
    double offset = 0.5;
    for (int k = 0; k < 3; ++k) {
      c.m[i][k] = static_cast<int32_t>(std::lround(m[i][k] * 65536));
      offset -= m[i][k] * (k ? 128 : 16);
    }
    c.offset[i] = static_cast<int32_t>(std::lround(offset * 65536));
  }
  return c;
}

inline mt::ColorMatrix bt601_from_rgb() {
  const double m[3][3] = {{0.256788, 0.504129, 0.097906},
                          {-0.148223, -0.290993, 0.439216},
                          {0.439216, -0.367788, -0.071427}};
  mt::ColorMatrix c{};
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) c.m[i][k] = static_cast<int32_t>(std::lround(m[i][k] * 65536));
    c.offset[i] = static_cast<int32_t>(std::lround(((i ? 128 : 16) + 0.5) * 65536));
  }
  return c;
}

/// A frame whose planes, all with the same stride, follow each other at intervals of `plane_bytes`.
inline mt::FrameView view_of(const Layout& layout, int width, int height, uint8_t* first,
                             int stride, size_t plane_bytes) {
  mt::FrameView view;
  view.kind = layout.kind;
  view.width = width;
  view.height = height;
  view.to_rgb = bt601_to_rgb();
  view.from_rgb = bt601_from_rgb();
  for (int i = 0; i < layout.components(); ++i) {
    const auto& c = layout.component[i];
    view.component[i] = {first + c.plane * plane_bytes + c.offset,
                         stride,
                         c.step,
                         c.x_shift,
                         c.y_shift,
                         layout.depth,
                         layout.low_zeros};
  }
  if (layout.alpha_offset >= 0)
    view.alpha = {first + layout.alpha_offset,
                  stride,
                  layout.component[0].step,
                  0,
                  0,
                  layout.depth,
                  layout.low_zeros};
  return view;
}

}  // namespace test
