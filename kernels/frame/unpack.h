// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "kernels/frame/samples.h"
#include "kernels/kernel_list.h"
#include "kernels/math/lab.h"
#include "kernels/math/plane_row.h"
#include "kernels/views.h"

namespace mt {

/// Converts a row of a video frame to planar RGB and, if wanted, to grey. Index: row of the frame.
struct Unpack {
  static constexpr KernelId kId = KernelId::kUnpack;
  FrameView from;
  Planes to;      ///< size of the frame
  uint8_t* gray;  ///< [height][to.stride], grey as OpenCV's RGB2GRAY; may be null

  template <class Group>
  MT_HD void operator()(Group& g, int y) const {
    uint8_t* row[3];
    for (int i = 0; i < 3; ++i) row[i] = plane_row(to, i, y);
    if (from.kind == PixelKind::kRgb) {
      for (int i = 0; i < 3; ++i) copy_component(g, from.component[i], y, row[i]);
    } else {
      // First a plain row for each component, so that the loop over the matrix is vectorised.
      for (int i = 0; i < 3; ++i) {
        if (from.component[i].data)
          copy_component(g, from.component[i], y, row[i]);
        else
          fill(g, row[i], 128);
      }
      g.sync();
      to_rgb(g, row[0], row[1], row[2]);
    }
    if (gray) {
      g.sync();
      gray_row(g, {row[0], row[1], row[2]}, to.width, gray + static_cast<int64_t>(y) * to.stride);
    }
  }

 private:
  template <class Group>
  MT_HD void copy_component(Group& g, const Component& c, int y, uint8_t* out) const {
    const uint8_t* in = c.data + static_cast<int64_t>(y >> c.y_shift) * c.stride;
    const int width = to.width;
    const bool rgb = from.kind == PixelKind::kRgb;
    with_samples(c, [&](auto samples) {
      const auto sample = [=](int x) {
        return static_cast<uint8_t>(rgb ? samples.rgb_level(in, x) : samples.level(in, x));
      };
      if (c.x_shift == 0) {
        g.for_each(width, [=](int x) { out[x] = sample(x); });
        return;
      }
      // With a condition for odd widths in the loop it would not be vectorised.
      const int pairs = width / 2;
      g.for_each(pairs, [=](int x) { out[2 * x] = out[2 * x + 1] = sample(x); });
      if (width % 2) g.for_each(1, [=](int) { out[2 * pairs] = sample(pairs); });
    });
  }

  template <class Group>
  MT_HD void fill(Group& g, uint8_t* out, uint8_t value) const {
    g.for_each(to.width, [out, value](int x) { out[x] = value; });
  }

  static MT_HD uint8_t component_of(int32_t sum) {
    return static_cast<uint8_t>(clamp_int(sum >> 16, 0, 255));
  }

  /// Applies the matrix, without the products that are equal or 0 (see FrameView::to_rgb).
  template <class Group>
  MT_HD void to_rgb(Group& g, uint8_t* a, uint8_t* b, uint8_t* d) const {
    const ColorMatrix& c = from.to_rgb;
    const int32_t gain = c.m[0][0], red_v = c.m[0][2], green_u = c.m[1][1], green_v = c.m[1][2],
                  blue_u = c.m[2][1];
    const int32_t red = c.offset[0], green = c.offset[1], blue = c.offset[2];
    g.for_each(to.width, [=](int x) {
      const int32_t luma = gain * a[x], u = b[x], v = d[x];
      a[x] = component_of(luma + red_v * v + red);
      b[x] = component_of(luma + green_u * u + green_v * v + green);
      d[x] = component_of(luma + blue_u * u + blue);
    });
  }
};

}  // namespace mt
