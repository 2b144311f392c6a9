// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "cuda/kernel_list.h"
#include "cuda/math/lab.h"
#include "cuda/views.h"

namespace mt {

/// Applies a tone curve to every channel and converts to CIELAB. Index: row.
struct Tone {
  static constexpr KernelId kId = KernelId::kTone;
  const Tables* tables;
  const int32_t* curve;  ///< [256]: 0..255
  Planes from;           ///< R, G, B
  Planes to;             ///< L, a, b

  template <class Group>
  MT_HD void operator()(Group& g, int y) const {
    const int64_t in_row = static_cast<int64_t>(y) * from.stride;
    const int64_t out_row = static_cast<int64_t>(y) * to.stride;
    const uint8_t *r = from.plane[0] + in_row, *gr = from.plane[1] + in_row,
                  *b = from.plane[2] + in_row;
    uint8_t *out_l = to.plane[0] + out_row, *out_a = to.plane[1] + out_row,
            *out_b = to.plane[2] + out_row;
    const Tables* t = tables;
    const int32_t* c = curve;
    g.for_each(from.width, [=](int x) {
      const Triple lab = rgb_to_lab(t, c[r[x]], c[gr[x]], c[b[x]]);
      out_l[x] = static_cast<uint8_t>(lab.v[0]);
      out_a[x] = static_cast<uint8_t>(lab.v[1]);
      out_b[x] = static_cast<uint8_t>(lab.v[2]);
    });
  }
};

}  // namespace mt
