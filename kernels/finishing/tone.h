// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "kernels/kernel_list.h"
#include "kernels/math/lab.h"
#include "kernels/math/part_rows.h"
#include "kernels/views.h"

namespace mt {

/// Applies a tone curve to every channel and converts to CIELAB. Index: row of a part.
struct Tone {
  static constexpr KernelId kId = KernelId::kTone;
  PartRows rows;
  const Tables* tables;
  const int32_t* curve;  ///< [256]: 0..255
  Planes from;           ///< R, G, B
  Planes to;             ///< L, a, b

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    const PartRow row = rows[index];
    prefetch_row(g, from, row);
    prefetch_row(g, to, row);
    const uint8_t *r = plane_row(from, 0, row), *gr = plane_row(from, 1, row),
                  *b = plane_row(from, 2, row);
    uint8_t *out_l = plane_row(to, 0, row), *out_a = plane_row(to, 1, row),
            *out_b = plane_row(to, 2, row);
    const Tables* t = tables;
    const int32_t* c = curve;
    g.for_each(row.width, [=](int x) {
      const Triple lab = rgb_to_lab(t, c[r[x]], c[gr[x]], c[b[x]]);
      out_l[x] = static_cast<uint8_t>(lab.v[0]);
      out_a[x] = static_cast<uint8_t>(lab.v[1]);
      out_b[x] = static_cast<uint8_t>(lab.v[2]);
    });
  }
};

}  // namespace mt
