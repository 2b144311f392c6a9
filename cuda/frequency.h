// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "cuda/blur.h"
#include "cuda/hsv.h"

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

/// What is finer than a Gaussian by 1.08, the rest by 1.03 around the middle grey; and where the
/// result may be skin. Index: row.
struct Frequency {
  static constexpr KernelId kId = KernelId::kFrequency;
  const Tables* tables;
  BlurWeights weights;
  Planes from;
  WidePlanes blurred;  ///< of `from`, along its rows
  Planes to;
  uint8_t* skin;  ///< [height][to.stride]: 255 or 0; may be null

  template <class Group>
  MT_HD void operator()(Group& g, int y) const {
    const int64_t in_row = static_cast<int64_t>(y) * from.stride;
    const int64_t out_row = static_cast<int64_t>(y) * to.stride;
    for (int i = 0; i < 3; ++i)
      enhance(g, y, blurred.plane[i], from.plane[i] + in_row, to.plane[i] + out_row);
    if (!skin) return;
    g.sync();
    const uint8_t *r = to.plane[0] + out_row, *gr = to.plane[1] + out_row,
                  *b = to.plane[2] + out_row;
    uint8_t* out = skin + out_row;
    const Tables* t = tables;
    g.for_each(to.width, [=](int x) { out[x] = may_be_skin(t, r[x], gr[x], b[x]) ? 255 : 0; });
  }

 private:
  template <class Group>
  MT_HD void enhance(Group& g, int y, const uint16_t* plane, const uint8_t* in,
                     uint8_t* out) const {
    const BlurColumn column(plane, blurred.stride, from.height, y);
    const BlurWeights w = weights;
    // 128 + 1.03 (low - 128) + 1.08 (v - low), times 2^16.
    constexpr int32_t kFine = 70779, kCoarse = 3277, kGrey = -251658;
    g.for_each(from.width, [=](int x) {
      const int32_t low = column(w, x);
      const int32_t v = in[x] * kFine - ((low * kCoarse) >> kBlurredBits) + kGrey;
      out[x] = static_cast<uint8_t>(clamp_int(v >> 16, 0, 255));
    });
  }
};

}  // namespace mt
