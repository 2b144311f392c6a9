// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The steps of grading for one colour.
#pragma once

#include "kernels/math/hsv.h"
#include "kernels/math/oklab.h"

namespace mt {

/// Strengths of the grading.
struct GradeLook {
  float vibrance;         ///< 0 or more: how much weak colours gain
  float boost_cool;       ///< factor of the saturation of cool hues; 1: no change
  float boost_warm;       ///< the same of warm hues
  float contrast;         ///< factor around middle grey; 1: no change
  float skin_protection;  ///< 0..1: how far skin is exempt from vibrance and contrast
};

/// Multiplies the chroma by 1 + amount (1 - chroma / most)^2, and compresses it above 0.85 x most.
/// @param most  the picture's percentile (ChromaPercentile::chroma)
/// @param kept  how far the colour is exempt from it, 0..1
static MT_HD inline Triple make_vibrant(const Tables* t, float amount, float most, float kept,
                                        int32_t r, int32_t g, int32_t b) {
  const float* unit = t->linear_unit;
  const Oklab c = oklab_of_linear(unit[r], unit[g], unit[b]);
  const float is = sqrtf(c.a * c.a + c.b * c.b);
  const float share = is < most ? is / most : 1.0f;
  const float boost = 1.0f + amount * (1.0f - share) * (1.0f - share);
  const float wanted = is * (boost * (1.0f - kept) + kept);
  const float knee = most * 0.85f, over = wanted > knee ? wanted - knee : 0.0f;
  const float bent = (wanted < knee ? wanted : knee) + over / (1.0f + over / (most * 0.5f));
  const float ratio = bent / (is > 1e-6f ? is : 1e-6f);
  return oklab_to_rgb(t, {c.lightness, c.a * ratio, c.b * ratio});
}

/// Multiplies the saturation by a factor between that of warm hues (up to 25, in OpenCV's units of
/// 2 degrees, and from 170) and that of cool ones (from 40).
static MT_HD inline Triple saturate(const Tables* t, const GradeLook& look, int32_t r, int32_t g,
                                    int32_t b) {
  const Triple hsv = rgb_to_hsv(t, r, g, b);
  const int32_t h = hsv.v[0];
  const float rise = (static_cast<float>(h) - 25.0f) / 15.0f;
  const float cool = rise < 0.0f ? 0.0f : rise > 1.0f ? 1.0f : rise;
  const float more = look.boost_cool - look.boost_warm;
  const float s =
      static_cast<float>(hsv.v[1]) * (look.boost_warm + more * (h >= 170 ? 0.0f : cool));
  return hsv_to_rgb(h, static_cast<int32_t>(s < 255.0f ? s : 255.0f), hsv.v[2]);
}

/// Multiplies the distance of a channel from middle grey.
/// @param kept  how far the colour is exempt from it, 0..1
static MT_HD inline int32_t raise_contrast(float factor, float kept, int32_t channel) {
  const float f = static_cast<float>(channel);
  const float v = (128.0f + (f - 128.0f) * factor) * (1.0f - kept) + f * kept;
  return static_cast<int32_t>(v < 0.0f ? 0.0f : v > 255.0f ? 255.0f : v);
}

}  // namespace mt
