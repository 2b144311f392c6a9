// SPDX-License-Identifier: LGPL-2.1-or-later
// Interpolation between the nodes of a lookup table. That vectors give the same is a matter of the
// kernels' tests (ApplyLut).
#include "kernels/math/lut3d.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace {

/// A table with f(r, g, b, i) as value i of the node at that colour.
template <class F>
std::vector<uint16_t> lut_of(F f) {
  std::vector<uint16_t> lut;
  for (int r = 0; r < mt::kLutSide; ++r)
    for (int g = 0; g < mt::kLutSide; ++g)
      for (int b = 0; b < mt::kLutSide; ++b)
        for (int i = 0; i < mt::kLutValues; ++i)
          lut.push_back(static_cast<uint16_t>(f(8 * r, 8 * g, 8 * b, i) * (1 << mt::kLutBits)));
  return lut;
}

TEST(Lut3d, InterpolatesLinearFunctionsExactly) {
  const auto lut = lut_of([](int r, int g, int b, int i) {
    return i == 0 ? r : i == 1 ? 256 - g : i == 2 ? b / 2 : (r + g) / 4;
  });
  for (int r = 0; r < 256; r += 5)
    for (int g = 0; g < 256; ++g)
      for (int b = 0; b < 256; b += 3) {
        uint8_t out[mt::kLutValues];
        mt::look_up_colour(lut.data(), r, g, b, out);
        ASSERT_EQ(out[0], r);
        ASSERT_EQ(out[1], std::min(256 - g, 255));
        ASSERT_EQ(out[2], (b + 1) / 2);
        ASSERT_EQ(out[3], (r + g + 2) / 4) << r << ", " << g;
      }
}

TEST(Lut3d, DependsOnTheNodesAroundAColourAlone) {
  const auto lut =
      lut_of([](int r, int g, int b, int) { return r == 64 && g == 96 && b == 200 ? 160 : 0; });
  const auto at = [&](int r, int g, int b) {
    uint8_t out[mt::kLutValues];
    mt::look_up_colour(lut.data(), r, g, b, out);
    return int{out[0]};
  };
  EXPECT_EQ(at(64, 96, 200), 160);
  EXPECT_EQ(at(68, 96, 200), 80);
  EXPECT_EQ(at(64, 90, 200), 40);
  EXPECT_EQ(at(60, 92, 196), 80);  // along the diagonal of a cube
  EXPECT_EQ(at(72, 96, 200), 0);
  EXPECT_EQ(at(56, 96, 200), 0);
  EXPECT_EQ(at(64, 96, 208), 0);
}

TEST(Lut3d, LimitsLevels) {
  const auto lut = lut_of([](int, int, int, int i) { return i == 0 ? 511 : 255; });
  uint8_t out[mt::kLutValues];
  mt::look_up_colour(lut.data(), 255, 255, 255, out);
  for (const uint8_t v : out) EXPECT_EQ(v, 255);
}

}  // namespace
