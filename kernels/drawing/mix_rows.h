// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

#include "kernels/drawing/crossfade.h"
#include "kernels/kernel_list.h"
#include "kernels/math/plane_row.h"
#include "kernels/views.h"

namespace mt {

/// Mixes two pictures of the same size, everywhere with the same share. Index: row.
struct MixRows {
  static constexpr KernelId kId = KernelId::kMixRows;
  Planes a, b;
  Planes mixed;   ///< written
  int32_t share;  ///< of b, 0..kWholeShare

  template <class Group>
  MT_HD void operator()(Group& g, int y) const {
    const int32_t share_b = share;
    for (int i = 0; i < 3; ++i) {
      const uint8_t* from = plane_row(a, i, y);
      const uint8_t* to = plane_row(b, i, y);
      uint8_t* out = plane_row(mixed, i, y);
      g.for_each(mixed.width, [=](int x) { out[x] = mixed_level(from[x], to[x], share_b); });
    }
  }
};

}  // namespace mt
