// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "kernels/finishing/frequency.h"
#include "kernels/finishing/harmony.h"
#include "kernels/finishing/unsharp_mask.h"
#include "kernels/math/blur.h"

namespace mt {

/// As Sharpen, but what is restored in skin is luma, which needs no conversion of colours. Index:
/// row of a part.
struct SharpenInLuma {
  static constexpr KernelId kId = KernelId::kSharpenInLuma;
  static constexpr int kShared = UnsharpMask::kShared;
  static constexpr int kOne = 256;  ///< the whole of a share
  PartRows rows;
  UnsharpMask mask;
  int32_t skin_luma;          ///< how far the luma of skin is restored, 0..kOne
  BlurWeights weights;        ///< of the blur of the marks of skin
  const uint16_t* skin_rows;  ///< the marks of skin, blurred by BlurRows, stride as `before`; null:
                              ///< nothing is restored
  const GradeMeans* means;    ///< MeanGrade::means: nothing is restored without enough skin
  FrequencyGains gains;       ///< of the detail that grading removed
  Planes before;              ///< the picture before grading

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    const PartRow at = rows[index];
    prefetch_row(g, before, at);
    mask.apply(g, at);
    if (!skin_rows || !means->skin) return;
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
    const BlurColumn column(skin_rows, before.stride, before.height, at.y);
    const BlurWeights w = weights;
    const FrequencyGains gain = gains;
    const int first = at.x, most = skin_luma;
    g.for_each(at.width, [=](int x) {
      const int32_t share = (column(w, first + x) * most) / (255 << kBlurredBits);
      const int32_t level = rgb_to_gray(r[x], gr[x], b[x]);
      const int32_t old = gain.apply(level, level << kBlurredBits);
      const int32_t now = rgb_to_gray(out_r[x], out_g[x], out_b[x]);
      const int32_t add = ((old - now) * share + kOne / 2) / kOne;
      out_r[x] = static_cast<uint8_t>(clamp_int(out_r[x] + add, 0, 255));
      out_g[x] = static_cast<uint8_t>(clamp_int(out_g[x] + add, 0, 255));
      out_b[x] = static_cast<uint8_t>(clamp_int(out_b[x] + add, 0, 255));
    });
  }
};

}  // namespace mt
