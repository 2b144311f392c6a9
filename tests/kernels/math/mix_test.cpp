// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/math/mix.h"

#include <gtest/gtest.h>

#include <cmath>

namespace {

TEST(Mix, RoundsHalvesToEven) {
  EXPECT_EQ(mt::round_half_even(0.5f), 0);
  EXPECT_EQ(mt::round_half_even(1.5f), 2);
  EXPECT_EQ(mt::round_half_even(2.5f), 2);
  EXPECT_EQ(mt::round_half_even(254.5f), 254);
  EXPECT_EQ(mt::round_half_even(254.51f), 255);
  EXPECT_EQ(mt::round_half_even(-1.5f), -2);
}

// OpenCV uses a fused multiply-add, in which only the sum is rounded.
int opencv(int a, int b, float share) {
  const float sum = std::fma(static_cast<float>(a), 1.0f - share, static_cast<float>(b) * share);
  return static_cast<int>(std::nearbyint(sum));
}

TEST(Mix, ExactMixMatchesOpenCv) {
  for (float share : {0.30f, 0.35f, 0.55f, 0.0625f, 0.9f})
    for (int a = 0; a < 256; ++a)
      for (int b = 0; b < 256; ++b)
        ASSERT_EQ(mt::mix_exactly(a, b, share), opencv(a, b, share))
            << a << " and " << b << ", " << share;
}

TEST(Mix, QuickMixIsNearlyAlwaysExact) {
  int other = 0;
  for (int step = 1; step < 100; ++step) {
    const float share = 0.0017f + 0.0099f * static_cast<float>(step);
    for (int a = 0; a < 256; ++a)
      for (int b = 0; b < 256; ++b) {
        const int quick = mt::mix(a, b, 1.0f - share, share), exact = opencv(a, b, share);
        ASSERT_NEAR(quick, exact, 1);
        other += quick != exact;
      }
  }
  EXPECT_LT(other, 99 * 65536 / 1000);
}

TEST(Mix, WeightZeroGivesTheOtherValue) {
  for (int v = 0; v < 256; ++v) {
    EXPECT_EQ(mt::mix(v, 255 - v, 1, 0), v);
    EXPECT_EQ(mt::mix(v, 255 - v, 0, 1), 255 - v);
  }
}

}  // namespace
