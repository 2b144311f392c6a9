// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "kernels/math/mix.h"
#include "kernels/math/part_rows.h"
#include "kernels/views.h"

namespace mt {

/// An unsharp mask over OpenCV's 5 x 5 Gaussian (weights 1 4 6 4 1 both ways), for a row of a part
/// of a picture.
struct UnsharpMask {
  static constexpr int kPiece = 1024;  ///< columns processed together
  static constexpr int kShared = shared_block<uint16_t>(kPiece + 4);
  float strength;  ///< 0 or more
  Planes from;
  Planes to;

  template <class Group>
  MT_HD void apply(Group& g, const PartRow& at) const {
    uint16_t* sums = g.template shared<uint16_t>(kPiece + 4);
    prefetch_row(g, from, at, 3);
    prefetch_row(g, to, at);
    for (int i = 0; i < 3; ++i) apply(g, at, from.plane[i], sums, plane_row(to, i, at.y));
  }

 private:
  template <class Group>
  MT_HD void apply(Group& g, const PartRow& at, const uint8_t* plane, uint16_t* sums,
                   uint8_t* out) const {
    const uint8_t* row[5];
    for (int k = 0; k < 5; ++k)
      row[k] = plane + static_cast<int64_t>(mirrored(at.y + k - 2, from.height)) * from.stride;
    const float more = 1.0f + strength, less = strength;
    for (int begin = at.x; begin < at.x + at.width; begin += kPiece) {
      const int left = at.x + at.width - begin, n = left < kPiece ? left : kPiece;
      g.sync();
      sum_columns(g, row, begin - 2, n + 4, sums);
      g.sync();
      const uint8_t* centre = row[2];
      g.for_each(n, [=](int i) {
        const int32_t sum =
            sums[i] + sums[i + 4] + 4 * (sums[i + 1] + sums[i + 3]) + 6 * sums[i + 2];
        const float blurred = static_cast<float>((sum + 128) >> 8);
        const float v = static_cast<float>(centre[begin + i]) * more - blurred * less;
        out[begin + i] = static_cast<uint8_t>(round_half_even(v < 0.0f     ? 0.0f
                                                              : v > 255.0f ? 255.0f
                                                                           : v));
      });
    }
  }

  /// The weighted sums of five rows in columns first..first + n - 1, reflected at the edges.
  template <class Group>
  MT_HD void sum_columns(Group& g, const uint8_t* const* row, int first, int n,
                         uint16_t* sums) const {
    const uint8_t *a = row[0], *b = row[1], *c = row[2], *d = row[3], *e = row[4];
    const int width = from.width;
    const auto sum = [=](int x) {
      return static_cast<uint16_t>(a[x] + e[x] + 4 * (b[x] + d[x]) + 6 * c[x]);
    };
    const int begin = first < 0 ? -first : 0, end = first + n > width ? width - first : n;
    g.for_each(end - begin, [=](int i) { sums[begin + i] = sum(first + begin + i); });
    g.for_each(n - (end - begin), [=](int i) {
      const int k = i < begin ? i : i + end - begin;
      sums[k] = sum(mirrored(first + k, width));
    });
  }
};

}  // namespace mt
