// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

#include "cuda/group.h"
#include "cuda/kernel_list.h"
#include "cuda/views.h"

namespace mt {

/// Shares of a picture in a mixture, in fixed point; kWholeShare is a share of 1.
inline constexpr int kShareBits = 16;
inline constexpr int32_t kWholeShare = 1 << kShareBits;

/// A cell that fades from one picture to another.
struct FadingCell {
  CellRect at;
  int32_t share;  ///< of the picture `new_picture`, 0..kWholeShare
};

/// Mixes two pictures of the same size, in each cell with its own share. Index: entry of `cells`.
struct Crossfade {
  static constexpr KernelId kId = KernelId::kCrossfade;
  const FadingCell* cells;  ///< [count], without overlap
  Planes old_picture, new_picture;
  Planes shown;  ///< written; size and stride of all three are the same

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    const CellRect r = clipped(cells[index].at, shown);
    const int32_t share = cells[index].share, rest = kWholeShare - share;
    const int64_t pitch = shown.stride, first = r.y * pitch + r.x;
    for (int i = 0; i < 3; ++i) {
      const uint8_t *a = old_picture.plane[i] + first, *b = new_picture.plane[i] + first;
      uint8_t* out = shown.plane[i] + first;
      g.for_each(r.height, r.width, [=](int y, int x) {
        const int64_t k = y * pitch + x;
        out[k] = static_cast<uint8_t>((a[k] * rest + b[k] * share + kWholeShare / 2) >> kShareBits);
      });
    }
  }
};

}  // namespace mt
