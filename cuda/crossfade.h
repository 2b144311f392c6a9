// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

#include "cuda/group.h"
#include "cuda/kernel_list.h"
#include "cuda/views.h"

namespace mt {

/// A share of 1 of a picture in another.
inline constexpr int kShareBits = 16;
inline constexpr int32_t kWholeShare = 1 << kShareBits;

/// A cell of two pictures that lie on each other.
struct FadingCell {
  CellRect at;
  int32_t share;  ///< of the picture above, 0..kWholeShare
};

/// Shows cells of two pictures of the same size, one through the other. Index: entry of `cells`.
struct Crossfade {
  static constexpr KernelId kId = KernelId::kCrossfade;
  const FadingCell* cells;  ///< none overlaps another
  Planes below, above;
  Planes shown;

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    const CellRect r = clipped(cells[index].at, shown);
    const int32_t share = cells[index].share, rest = kWholeShare - share;
    const int64_t pitch = shown.stride, first = r.y * pitch + r.x;
    for (int i = 0; i < 3; ++i) {
      const uint8_t *a = below.plane[i] + first, *b = above.plane[i] + first;
      uint8_t* out = shown.plane[i] + first;
      g.for_each(r.height, r.width, [=](int y, int x) {
        const int64_t k = y * pitch + x;
        out[k] = static_cast<uint8_t>((a[k] * rest + b[k] * share + kWholeShare / 2) >> kShareBits);
      });
    }
  }
};

}  // namespace mt
