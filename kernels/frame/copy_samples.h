// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

#include "kernels/frame/samples.h"
#include "kernels/kernel_list.h"
#include "kernels/views.h"

namespace mt {

/// Copies the samples of a frame, alpha too, to another frame of the same format and size. Padding
/// bytes keep their values. Index: row of the frame.
struct CopySamples {
  static constexpr KernelId kId = KernelId::kCopySamples;
  FrameView from, to;

  template <class Group>
  MT_HD void operator()(Group& g, int y) const {
    for (int i = 0; i < 3; ++i) copy_row(g, from.component[i], to.component[i], y);
    copy_row(g, from.alpha, to.alpha, y);
  }

 private:
  template <class Group>
  MT_HD void copy_row(Group& g, const Component& a, const Component& b, int y) const {
    if (!a.data || !b.data || (y & ((1 << a.y_shift) - 1)) != 0) return;
    const uint8_t* in = a.data + static_cast<int64_t>(y >> a.y_shift) * a.stride;
    uint8_t* out = b.data + static_cast<int64_t>(y >> b.y_shift) * b.stride;
    const int count = (from.width + (1 << a.x_shift) - 1) >> a.x_shift;
    with_samples(
        a, [&](auto samples) { g.for_each(count, [=](int x) { samples.copy(in, out, x); }); });
  }
};

}  // namespace mt
