// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Softens the borders of cells as mosaicraft's Laplacian assembly does: near a border, the two
/// finest levels of the picture's Laplacian pyramid (Burt and Adelson 1983) are attenuated. All
/// coarser levels stay the same and are not computed: result = picture - 0.6 m0 l0 - up(0.4 m1 l1),
/// with l0 and l1 the levels at full and half size, and m0 and m1 the border mask at the same
/// sizes.
#pragma once

#include "kernels/features/cell_features.h"
#include "kernels/kernel_list.h"
#include "kernels/math/lab.h"
#include "kernels/math/plane_row.h"
#include "kernels/views.h"

namespace mt {

/// Planes of numbers in fixed point; each kernel says with what factor.
template <class T>
struct NumberPlanes {
  T* plane[3];
  int32_t stride;  ///< elements
  int32_t width, height;
};

/// The sum with weights 1 4 6 4 1 around x, reflected at the ends.
template <class T>
static MT_HD inline int32_t five_taps(const T* row, int x, int n) {
  const auto at = [=](int i) { return static_cast<int32_t>(row[mirrored(i, n)]); };
  return at(x - 2) + at(x + 2) + 4 * (at(x - 1) + at(x + 1)) + 6 * at(x);
}

/// Row y of a plane at half the size, by 5 x 5 binomial weights (OpenCV's pyrDown). The weights add
/// up to 2^8: the result has 8 more fractional bits.
template <class From, class To, class Group>
static MT_HD void halve(Group& g, const From* in, int64_t in_stride, int width, int height, int y,
                        To* out) {
  const From* row[5];
  for (int k = 0; k < 5; ++k) row[k] = in + mirrored(2 * y + k - 2, height) * in_stride;
  const From *a = row[0], *b = row[1], *c = row[2], *d = row[3], *e = row[4];
  g.for_each((width + 1) / 2, [=](int x) {
    const int x2 = 2 * x;
    out[x] = static_cast<To>(five_taps(a, x2, width) + five_taps(e, x2, width) +
                             4 * (five_taps(b, x2, width) + five_taps(d, x2, width)) +
                             6 * five_taps(c, x2, width));
  });
}

/// Row y of all three planes of `to` from those of `from`.
template <class From, class To, class Group>
static MT_HD void halve_planes(Group& g, const From& from, const To& to, int y) {
  for (int i = 0; i < 3; ++i)
    halve(g, from.plane[i], from.stride, from.width, from.height, y, plane_row(to, i, y));
}

/// Row y of a plane at double the size (OpenCV's pyrUp), times 2^6.
template <class T>
struct Doubled {
  const T* row[3];  ///< of the plane: above y / 2, y / 2, below
  int32_t odd;      ///< 1: row y lies between two rows of the plane
  int32_t n;        ///< columns of the plane

  MT_HD Doubled(const T* plane, int64_t stride, int width, int height, int y)
      : odd(y & 1), n(width) {
    const int at = y / 2;
    row[0] = plane + (at > 0 ? at - 1 : height > 1 ? 1 : 0) * stride;
    row[1] = plane + at * stride;
    row[2] = plane + (at + 1 < height ? at + 1 : at) * stride;
  }
  MT_HD int64_t column(int i) const {
    return odd ? 4 * (static_cast<int64_t>(row[1][i]) + row[2][i])
               : static_cast<int64_t>(row[0][i]) + 6 * static_cast<int64_t>(row[1][i]) + row[2][i];
  }
  MT_HD int64_t operator()(int x) const {
    const int at = x / 2, next = at + 1 < n ? at + 1 : at;
    if (x & 1) return 4 * (column(at) + column(next));
    const int last = at > 0 ? at - 1 : n > 1 ? 1 : 0;
    return column(last) + 6 * column(at) + column(next);
  }
};

/// Level 1 of the Gaussian pyramid: half the size, times 2^8. Index: row of `to`.
struct HalvePicture {
  static constexpr KernelId kId = KernelId::kHalvePicture;
  Planes from;
  NumberPlanes<uint16_t> to;

  template <class Group>
  MT_HD void operator()(Group& g, int y) const {
    halve_planes(g, from, to, y);
  }
};

/// Level 2: a quarter of the size, times 2^16. Index: row of `to`.
struct QuarterPicture {
  static constexpr KernelId kId = KernelId::kQuarterPicture;
  NumberPlanes<uint16_t> from;
  NumberPlanes<int32_t> to;

  template <class Group>
  MT_HD void operator()(Group& g, int y) const {
    halve_planes(g, from, to, y);
  }
};

/// Fractional bits of a border mask, 0..1.
inline constexpr int kSeamBits = 14;

/// What Seams subtracts at half size: 0.4 m1 l1, times 2^8. Index: row of `to`.
struct CoarseSeams {
  static constexpr KernelId kId = KernelId::kCoarseSeams;
  NumberPlanes<uint16_t> half;    ///< HalvePicture::to
  NumberPlanes<int32_t> quarter;  ///< QuarterPicture::to
  const uint16_t* mask;           ///< [height][half.stride]: m1, times 2^kSeamBits
  NumberPlanes<int32_t> to;       ///< size of `half`

  template <class Group>
  MT_HD void operator()(Group& g, int y) const {
    constexpr int64_t kAttenuation = 26214;  // 0.4 x 2^16
    for (int i = 0; i < 3; ++i) {
      const Doubled<int32_t> coarse(quarter.plane[i], quarter.stride, quarter.width, quarter.height,
                                    y);
      const uint16_t* in = plane_row(half, i, y);
      const uint16_t* m = mask + static_cast<int64_t>(y) * half.stride;
      int32_t* out = plane_row(to, i, y);
      g.for_each(half.width, [=](int x) {
        const int64_t level = static_cast<int64_t>(in[x]) * 256 - coarse(x) / 64;
        out[x] = static_cast<int32_t>((level * m[x] * kAttenuation) >> (16 + kSeamBits + 8));
      });
    }
  }
};

/// Attenuates the finest level, or with `two_levels` the two finest, near the borders. Index: row.
struct Seams {
  static constexpr KernelId kId = KernelId::kSeams;
  Planes from;
  NumberPlanes<uint16_t> half;   ///< HalvePicture::to
  NumberPlanes<int32_t> coarse;  ///< CoarseSeams::to
  const uint16_t* mask;          ///< [height][from.stride]: m0, times 2^kSeamBits
  int32_t two_levels;            ///< 0: only the finest level
  Planes to;

  template <class Group>
  MT_HD void operator()(Group& g, int y) const {
    constexpr int64_t kAttenuation = 39322;  // 0.6 x 2^16
    for (int i = 0; i < 3; ++i) {
      const Doubled<uint16_t> blurred(half.plane[i], half.stride, half.width, half.height, y);
      const Doubled<int32_t> attenuated(coarse.plane[i], coarse.stride, coarse.width, coarse.height,
                                        y);
      const uint8_t* in = plane_row(from, i, y);
      const uint16_t* m = mask + static_cast<int64_t>(y) * from.stride;
      uint8_t* out = plane_row(to, i, y);
      const int64_t use = two_levels ? 1 : 0;
      g.for_each(from.width, [=](int x) {
        const int64_t v = static_cast<int64_t>(in[x]) * 256;
        const int64_t level = v - blurred(x) / 64;
        const int64_t fine = (level * m[x] * kAttenuation) >> (16 + kSeamBits);
        const int64_t left = (v - fine - use * attenuated(x) / 64) >> 8;
        out[x] = static_cast<uint8_t>(left < 0 ? 0 : left > 255 ? 255 : left);
      });
    }
  }
};

}  // namespace mt
