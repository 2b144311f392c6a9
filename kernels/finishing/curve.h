// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "kernels/kernel_list.h"
#include "kernels/math/part_rows.h"
#include "kernels/views.h"

namespace mt {

/// Applies a tone curve to every channel, for looks without local contrast. Index: row of a part.
struct Curve {
  static constexpr KernelId kId = KernelId::kCurve;
  PartRows rows;
  const int32_t* curve;  ///< [256]: 0..255
  Planes from;
  Planes to;

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    const PartRow row = rows[index];
    const int32_t* c = curve;
    for (int i = 0; i < 3; ++i) {
      const uint8_t* in = plane_row(from, i, row);
      uint8_t* out = plane_row(to, i, row);
      g.for_each(row.width, [=](int x) { out[x] = static_cast<uint8_t>(c[in[x]]); });
    }
  }
};

}  // namespace mt
