// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "cuda/kernel_list.h"
#include "cuda/math/lab.h"
#include "cuda/math/plane_row.h"
#include "cuda/views.h"

namespace mt {

/// The step of a component as a compile-time constant, without which the loop over a row would not
/// be vectorised.
template <int kStep>
struct Step {
  static constexpr int kValue = kStep;
};

/// Calls f(Step<step>{}); step is one of those of 8-bit formats, 1..4.
template <class F>
static MT_HD inline void with_step(int step, F f) {
  if (step == 1) f(Step<1>{});
  if (step == 2) f(Step<2>{});
  if (step == 3) f(Step<3>{});
  if (step == 4) f(Step<4>{});
}

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
    const int width = to.width, shift = c.x_shift;
    with_step(c.step, [&](auto step) {
      constexpr int kStep = decltype(step)::kValue;
      if (shift == 0)
        g.for_each(width, [in, out](int x) { out[x] = in[x * kStep]; });
      else if (shift == 1)
        copy_twice<kStep>(g, in, out);
      else
        g.for_each(width, [in, out, shift](int x) { out[x] = in[(x >> shift) * kStep]; });
    });
  }

  /// Each sample twice. With a condition for odd widths in the loop it would not be vectorised.
  template <int kStep, class Group>
  MT_HD void copy_twice(Group& g, const uint8_t* in, uint8_t* out) const {
    const int pairs = to.width / 2;
    g.for_each(pairs, [in, out](int x) { out[2 * x] = out[2 * x + 1] = in[x * kStep]; });
    if (to.width % 2) g.for_each(1, [=](int) { out[2 * pairs] = in[pairs * kStep]; });
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
