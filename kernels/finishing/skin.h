// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "kernels/kernel_list.h"
#include "kernels/math/hsv.h"
#include "kernels/math/part_rows.h"
#include "kernels/views.h"

namespace mt {

/// Whether a colour may be skin: OpenCV's HSV and YCrCb within mosaicraft's limits.
static MT_HD inline bool may_be_skin(const Tables* t, int32_t r, int32_t g, int32_t b) {
  const Triple hsv = rgb_to_hsv(t, r, g, b);
  const bool hue = (hsv.v[0] <= 28) | (hsv.v[0] >= 170);
  const bool rest = (hsv.v[1] >= 25) & (hsv.v[1] <= 180) & (hsv.v[2] >= 60);
  // Weights of BT.601 times 2^14.
  const int32_t luma = (r * 4899 + g * 9617 + b * 1868 + 8192) >> 14;
  const int32_t cr = ((r - luma) * 11682 + (128 << 14) + 8192) >> 14;
  const int32_t cb = ((b - luma) * 9241 + (128 << 14) + 8192) >> 14;
  return hue & rest & (cr >= 133) & (cr <= 173) & (cb >= 77) & (cb <= 127);
}

/// Marks where a row of a part of a picture may be skin.
/// @param skin [height][picture.stride]; the row is written: 255 or 0
template <class Group>
static MT_HD void mark_skin(Group& g, const Tables* t, const Planes& picture, const PartRow& row,
                            uint8_t* skin) {
  const uint8_t *r = plane_row(picture, 0, row), *gr = plane_row(picture, 1, row),
                *b = plane_row(picture, 2, row);
  uint8_t* out = skin + static_cast<int64_t>(row.y) * picture.stride + row.x;
  g.for_each(row.width, [=](int x) { out[x] = may_be_skin(t, r[x], gr[x], b[x]) ? 255 : 0; });
}

/// Marks where a picture may be skin. Index: row of a part.
struct MarkSkin {
  static constexpr KernelId kId = KernelId::kMarkSkin;
  PartRows rows;
  const Tables* tables;
  Planes from;
  uint8_t* skin;  ///< [height][from.stride], written: 255 or 0

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    mark_skin(g, tables, from, rows[index], skin);
  }
};

}  // namespace mt
