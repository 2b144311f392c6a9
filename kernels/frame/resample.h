// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "kernels/kernel_list.h"
#include "kernels/math/lab.h"
#include "kernels/math/plane_row.h"
#include "kernels/views.h"

namespace mt {

/// Scales a picture to another size: bilinear between pixel centres, edge pixels repeated, weights
/// in 1/256. Index: row of `to`.
struct Resample {
  static constexpr KernelId kId = KernelId::kResample;
  Planes from;
  Planes to;

  template <class Group>
  MT_HD void operator()(Group& g, int y) const {
    const Tap v = tap(y, to.height, from.height);
    const int in_width = from.width, out_width = to.width;
    for (int i = 0; i < 3; ++i) {
      const uint8_t* top = plane_row(from, i, v.at);
      const uint8_t* bottom = top + (v.at + 1 < from.height ? from.stride : 0);
      uint8_t* out = plane_row(to, i, y);
      g.for_each(out_width, [=](int x) {
        const Tap h = tap(x, out_width, in_width);
        const int next = h.at + 1 < in_width ? h.at + 1 : h.at;
        const int32_t upper = top[h.at] * (256 - h.weight) + top[next] * h.weight;
        const int32_t lower = bottom[h.at] * (256 - h.weight) + bottom[next] * h.weight;
        out[x] = static_cast<uint8_t>((upper * (256 - v.weight) + lower * v.weight + 32768) >> 16);
      });
    }
  }

 private:
  struct Tap {
    int32_t at;      ///< index of the first of two neighbouring samples
    int32_t weight;  ///< of the second sample, 0..255 of 256
  };
  /// Pixel i has its centre at i + 1/2: at = (i + 1/2) * from_size / to_size - 1/2, in 1/256.
  static MT_HD Tap tap(int i, int to_size, int from_size) {
    const int64_t centre = (static_cast<int64_t>(2 * i + 1) * from_size * 128) / to_size - 128;
    const int64_t last = static_cast<int64_t>(from_size - 1) * 256;
    const int64_t at = centre < 0 ? 0 : centre > last ? last : centre;
    return {static_cast<int32_t>(at >> 8), static_cast<int32_t>(at & 255)};
  }
};

}  // namespace mt
