// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

#include "kernels/drawing/pieces.h"
#include "kernels/kernel_list.h"
#include "kernels/views.h"

namespace mt {

/// Shares of a picture in a mixture, in fixed point; kWholeShare is a share of 1.
inline constexpr int kShareBits = 16;
inline constexpr int32_t kWholeShare = 1 << kShareBits;

/// Of two levels 0..255. @param share_b  0..kWholeShare
static MT_HD inline uint8_t mixed_level(int32_t a, int32_t b, int32_t share_b) {
  return static_cast<uint8_t>((a * (kWholeShare - share_b) + b * share_b + kWholeShare / 2) >>
                              kShareBits);
}

/// A cell that fades from one picture to another.
struct FadingCell {
  CellRect at;
  int32_t share;  ///< of the picture `new_picture`, 0..kWholeShare
};

/// Mixes two pictures of the same size, in each cell with its own share. Index: entry of `cells`.
struct Crossfade {
  static constexpr KernelId kId = KernelId::kCrossfade;
  static constexpr int kShared = 2 * shared_block<uint8_t>(kPiecePixels);
  const FadingCell* cells;  ///< [count], without overlap
  Planes old_picture, new_picture;
  Planes shown;  ///< written; size and stride of all three are the same

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    const CellRect r = clipped(cells[index].at, shown);
    const int32_t share = cells[index].share;
    uint8_t* a = g.template shared<uint8_t>(kPiecePixels);
    uint8_t* b = g.template shared<uint8_t>(kPiecePixels);
    for_each_piece(r, [=, &g, this](const CellRect& piece) {
      for (int i = 0; i < 3; ++i) {
        copy_piece(g, old_picture, i, piece, a);
        copy_piece(g, new_picture, i, piece, b);
        g.sync();
        g.for_each(piece.width * piece.height,
                   [=](int k) { a[k] = mixed_level(a[k], b[k], share); });
        g.sync();
        write_piece(g, a, piece, shown, i);
        g.sync();
      }
    });
  }
};

}  // namespace mt
