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

/// One row of a ColorMatrix.
struct ColorRow {
  int32_t m[3], offset;
  MT_HD uint8_t operator()(int32_t a, int32_t b, int32_t c) const {
    const int32_t v = (m[0] * a + m[1] * b + m[2] * c + offset) >> 16;
    return static_cast<uint8_t>(clamp_int(v, 0, 255));
  }
};
static MT_HD inline ColorRow color_row(const ColorMatrix& c, int i) {
  return {{c.m[i][0], c.m[i][1], c.m[i][2]}, c.offset[i]};
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
      else if (shift == 1)  // two samples at a time: this vectorises
        g.for_each((width + 1) / 2, [in, out, width](int x) {
          out[2 * x] = in[x * kStep];
          if (2 * x + 1 < width) out[2 * x + 1] = in[x * kStep];
        });
      else
        g.for_each(width, [in, out, shift](int x) { out[x] = in[(x >> shift) * kStep]; });
    });
  }

  template <class Group>
  MT_HD void fill(Group& g, uint8_t* out, uint8_t value) const {
    g.for_each(to.width, [out, value](int x) { out[x] = value; });
  }

  template <class Group>
  MT_HD void to_rgb(Group& g, uint8_t* a, uint8_t* b, uint8_t* d) const {
    const ColorRow red = color_row(from.to_rgb, 0), green = color_row(from.to_rgb, 1),
                   blue = color_row(from.to_rgb, 2);
    g.for_each(to.width, [=](int x) {
      const int32_t luma = a[x], u = b[x], v = d[x];
      a[x] = red(luma, u, v);
      b[x] = green(luma, u, v);
      d[x] = blue(luma, u, v);
    });
  }
};

}  // namespace mt
