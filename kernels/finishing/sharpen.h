// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "kernels/finishing/harmony.h"
#include "kernels/finishing/unsharp_mask.h"
#include "kernels/math/part_rows.h"

namespace mt {

/// Sharpens, and restores the lightness that skin had before grading. Index: row of a part.
struct Sharpen {
  static constexpr KernelId kId = KernelId::kSharpen;
  static constexpr int kShared = UnsharpMask::kShared;
  PartRows rows;
  const Tables* tables;
  UnsharpMask mask;
  float skin_lightness;     ///< how far the lightness of skin is restored, 0..1
  const uint16_t* skin;     ///< Grade::skin; null: nothing is restored
  const GradeMeans* means;  ///< MeanGrade::means: nothing is restored without enough skin
  Planes before;            ///< the picture before grading

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    const PartRow at = rows[index];
    mask.apply(g, at);
    if (!skin || !means->skin) return;
    g.sync();
    restore(g, at);
  }

 private:
  template <class Group>
  MT_HD void restore(Group& g, const PartRow& at) const {
    const uint8_t *r = plane_row(before, 0, at), *gr = plane_row(before, 1, at),
                  *b = plane_row(before, 2, at);
    uint8_t *out_r = plane_row(mask.to, 0, at), *out_g = plane_row(mask.to, 1, at),
            *out_b = plane_row(mask.to, 2, at);
    const uint16_t* share = skin + static_cast<int64_t>(at.y) * mask.to.stride + at.x;
    const Tables* t = tables;
    const float scale = skin_lightness / Grade::kSkin;
    g.for_each(at.width, [=](int x) {
      const float back = static_cast<float>(share[x]) * scale;
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
