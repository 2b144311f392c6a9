// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// A Gaussian blur over 15 x 15 pixels in integers: BlurRows along the rows, then BlurColumn.
#pragma once

#include "kernels/kernel_list.h"
#include "kernels/math/border.h"
#include "kernels/math/lab.h"
#include "kernels/math/part_rows.h"
#include "kernels/views.h"

namespace mt {

/// Taps on each side of the centre.
inline constexpr int kBlurReach = 7;

/// Weights of the taps at distance 0..kBlurReach: at[0] + 2 (at[1] + ... ) = 2^kBlurBits.
struct BlurWeights {
  int32_t at[kBlurReach + 1];
};
inline constexpr int kBlurBits = 15;

/// Fractional bits of a blurred value.
inline constexpr int kBlurredBits = 8;

/// Planes with 16 bits for each sample.
struct WidePlanes {
  uint16_t* plane[3];
  int32_t stride;  ///< elements
};

/// Blurs along the rows, reflected at the ends. Index: row of a part.
struct BlurRows {
  static constexpr KernelId kId = KernelId::kBlurRows;
  PartRows rows;
  BlurWeights weights;
  Planes from;
  int32_t planes;  ///< how many planes of `from` are blurred, 1..3
  WidePlanes to;   ///< size of `from`, times 2^kBlurredBits

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    const PartRow at = rows[index];
    for (int i = 0; i < planes; ++i) blur(g, at, plane_row(from, i, at.y), plane_row(to, i, at.y));
  }

 private:
  template <class Group>
  MT_HD void blur(Group& g, const PartRow& at, const uint8_t* in, uint16_t* out) const {
    const BlurWeights w = weights;
    const int width = from.width;
    const InnerColumns inner(at, width, kBlurReach);
    g.for_each(inner.count(), [=](int i) {
      const int x = inner.begin + i;
      int32_t sum = w.at[0] * in[x];
      for (int k = 1; k <= kBlurReach; ++k) sum += w.at[k] * (in[x - k] + in[x + k]);
      out[x] = round(sum);
    });
    g.for_each(inner.outer_count(), [=](int i) {
      const int x = inner.outer(i);
      int32_t sum = w.at[0] * in[x];
      for (int k = 1; k <= kBlurReach; ++k)
        sum += w.at[k] * (in[mirrored(x - k, width)] + in[mirrored(x + k, width)]);
      out[x] = round(sum);
    });
  }
  static MT_HD uint16_t round(int32_t sum) {
    constexpr int kShift = kBlurBits - kBlurredBits;
    return static_cast<uint16_t>((sum + (1 << (kShift - 1))) >> kShift);
  }
};

/// The rows from which row y is blurred along the columns, reflected at the edges.
struct BlurColumn {
  const uint16_t* row[2 * kBlurReach + 1];

  MT_HD BlurColumn(const uint16_t* plane, int stride, int height, int y) {
    for (int k = -kBlurReach; k <= kBlurReach; ++k)
      row[k + kBlurReach] = plane + static_cast<int64_t>(mirrored(y + k, height)) * stride;
  }
  /// The blurred value in column x, times 2^kBlurredBits.
  MT_HD int32_t operator()(const BlurWeights& w, int x) const {
    int32_t sum = w.at[0] * row[kBlurReach][x];
    for (int k = 1; k <= kBlurReach; ++k)
      sum += w.at[k] * (row[kBlurReach - k][x] + row[kBlurReach + k][x]);
    return (sum + (1 << (kBlurBits - 1))) >> kBlurBits;
  }
};

}  // namespace mt
