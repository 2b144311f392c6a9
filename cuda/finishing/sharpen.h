// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "cuda/finishing/harmony.h"
#include "cuda/math/mix.h"
#include "cuda/math/part_rows.h"

namespace mt {

/// Sharpens by an unsharp mask over OpenCV's 5 x 5 Gaussian (weights 1 4 6 4 1 both ways), and
/// restores the lightness that skin had before grading. Index: row of a part.
struct Sharpen {
  static constexpr KernelId kId = KernelId::kSharpen;
  PartRows rows;
  const Tables* tables;
  float strength;  ///< 0 or more
  Planes from;
  Planes to;
  float skin_lightness;     ///< how far the lightness of skin is restored, 0..1
  const uint16_t* skin;     ///< Grade::skin; null: nothing is restored
  const GradeMeans* means;  ///< MeanGrade::means: nothing is restored without enough skin
  Planes before;            ///< the picture before grading

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    const PartRow at = rows[index];
    for (int i = 0; i < 3; ++i) sharpen(g, at, from.plane[i], plane_row(to, i, at.y));
    if (!skin || !means->skin) return;
    g.sync();
    restore(g, at);
  }

 private:
  template <class Group>
  MT_HD void sharpen(Group& g, const PartRow& at, const uint8_t* plane, uint8_t* out) const {
    const uint8_t* row[5];
    for (int k = 0; k < 5; ++k)
      row[k] = plane + static_cast<int64_t>(mirrored(at.y + k - 2, from.height)) * from.stride;
    const uint8_t *a = row[0], *b = row[1], *c = row[2], *d = row[3], *e = row[4];
    const auto column = [=](int x) { return a[x] + e[x] + 4 * (b[x] + d[x]) + 6 * c[x]; };
    const int width = from.width;
    const float more = 1.0f + strength, less = strength;
    const auto sharp = [=](int x, int32_t sum) {
      const float blurred = static_cast<float>((sum + 128) >> 8);
      const float v = static_cast<float>(c[x]) * more - blurred * less;
      return static_cast<uint8_t>(round_half_even(v < 0.0f ? 0.0f : v > 255.0f ? 255.0f : v));
    };
    const InnerColumns inner(at, width, 2);
    g.for_each(inner.count(), [=](int i) {
      const int x = inner.begin + i;
      out[x] = sharp(
          x, column(x - 2) + column(x + 2) + 4 * (column(x - 1) + column(x + 1)) + 6 * column(x));
    });
    const auto reflected = [=](int x) { return column(mirrored(x, width)); };
    g.for_each(inner.outer_count(), [=](int i) {
      const int x = inner.outer(i);
      const auto near = [=](int d) { return reflected(x - d) + reflected(x + d); };
      out[x] = sharp(x, near(2) + 4 * near(1) + 6 * reflected(x));
    });
  }

  template <class Group>
  MT_HD void restore(Group& g, const PartRow& at) const {
    const uint8_t *r = plane_row(before, 0, at), *gr = plane_row(before, 1, at),
                  *b = plane_row(before, 2, at);
    uint8_t *out_r = plane_row(to, 0, at), *out_g = plane_row(to, 1, at),
            *out_b = plane_row(to, 2, at);
    const uint16_t* mask = skin + static_cast<int64_t>(at.y) * to.stride + at.x;
    const Tables* t = tables;
    const float scale = skin_lightness / Grade::kSkin;
    g.for_each(at.width, [=](int x) {
      const float back = static_cast<float>(mask[x]) * scale;
      const Triple old = rgb_to_lab(t, r[x], gr[x], b[x]);
      const Triple now = rgb_to_lab(t, out_r[x], out_g[x], out_b[x]);
      const float l =
          static_cast<float>(now.v[0]) * (1.0f - back) + static_cast<float>(old.v[0]) * back;
      const Triple rgb = lab_to_rgb(t, static_cast<int32_t>(l), now.v[1], now.v[2]);
      out_r[x] = static_cast<uint8_t>(rgb.v[0]);
      out_g[x] = static_cast<uint8_t>(rgb.v[1]);
      out_b[x] = static_cast<uint8_t>(rgb.v[2]);
    });
  }
};

}  // namespace mt
