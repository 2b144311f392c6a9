// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/drawing/grading.h"

#include <cmath>

namespace mosaic {

mt::BlurWeights gaussian(double sigma) {
  double w[mt::kBlurReach + 1], sum = 0;
  for (int i = 0; i <= mt::kBlurReach; ++i) {
    w[i] = std::exp(-i * i / (2 * sigma * sigma));
    sum += i ? 2 * w[i] : w[i];
  }
  mt::BlurWeights weights;
  weights.at[0] = 1 << mt::kBlurBits;
  for (int i = 1; i <= mt::kBlurReach; ++i) {
    weights.at[i] = static_cast<int32_t>(std::lround(w[i] / sum * (1 << mt::kBlurBits)));
    weights.at[0] -= 2 * weights.at[i];
  }
  return weights;
}

double local_strength(const Look& look) {
  return 1 - 0.8 * look.fidelity;
}

// 128 + (1 + 0.03 strength) (low - 128) + (1 + 0.08 strength) (v - low), x 2^16.
mt::FrequencyGains frequency_gains(const Look& look, double low) {
  const double strength = look.local_contrast_clip > 0 ? local_strength(look) : 0;
  const auto fixed = [=](double v) { return static_cast<int32_t>(std::lround(v * 65536)); };
  return {fixed(1 + 0.08 * strength), fixed(0.05 * strength * low),
          fixed(-128 * (0.08 - 0.05 * low) * strength)};
}

mt::GradeLook grade_look(const Look& look) {
  return {.vibrance = static_cast<float>(look.vibrance),
          .boost_cool = static_cast<float>(look.cool()),
          .boost_warm = static_cast<float>(look.warm()),
          .contrast = static_cast<float>(look.contrast_boost),
          .skin_protection = static_cast<float>(look.skin_protection)};
}

bool protects_skin(const Look& look) {
  return look.skin_protection > 0 || look.skin_lum_protection > 0;
}

}  // namespace mosaic
