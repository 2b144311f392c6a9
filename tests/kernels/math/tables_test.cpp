// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/math/tables.h"

#include <gtest/gtest.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cmath>
#include <vector>

#include "kernels/math/hsv.h"
#include "kernels/math/lab.h"
#include "kernels/math/oklab.h"

namespace {

constexpr int kColours = 1 << 24;

template <class F>
uint64_t hash_of_all_colours(F f) {
  std::vector<uint8_t> out;
  out.reserve(size_t{kColours} * 3);
  for (int c = 0; c < kColours; ++c) f(c >> 16, c >> 8 & 255, c & 255, out);
  return XXH3_64bits(out.data(), out.size());
}

// The hashes were taken when every value equalled OpenCV's (tests/parity/colours.py compares them).
TEST(Lab, AllColoursMatchGoldenHashes) {
  const mt::Tables* t = &mt::tables();
  const auto append = [](const mt::Triple& v, std::vector<uint8_t>& out) {
    for (int32_t x : v.v) out.push_back(static_cast<uint8_t>(x));
  };
  EXPECT_EQ(0xdb542eafdfa0615fu, hash_of_all_colours([&](int r, int g, int b, auto& out) {
              append(mt::rgb_to_lab(t, r, g, b), out);
            }));
  EXPECT_EQ(0xe460fe174c300c19u, hash_of_all_colours([&](int l, int a, int b, auto& out) {
              append(mt::lab_to_rgb(t, l, a, b), out);
            }));
  EXPECT_EQ(0x4f825cb7655e7993u, hash_of_all_colours([&](int r, int g, int b, auto& out) {
              out.push_back(static_cast<uint8_t>(mt::rgb_to_gray(r, g, b)));
            }));
}

TEST(Lab, IsCloseToTheFormula) {
  const mt::Tables* t = &mt::tables();
  const auto linear = [](double v) {
    v /= 255;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  };
  const auto f = [](double v) {
    return v > 216.0 / 24389 ? std::cbrt(v) : v * 841 / 108 + 16.0 / 116;
  };
  double worst = 0;
  for (int c = 0; c < kColours; c += 4099) {
    const int r = c >> 16, g = c >> 8 & 255, b = c & 255;
    const double lr = linear(r), lg = linear(g), lb = linear(b);
    const double x = f((0.412453 * lr + 0.357580 * lg + 0.180423 * lb) / 0.950456);
    const double y = f(0.212671 * lr + 0.715160 * lg + 0.072169 * lb);
    const double z = f((0.019334 * lr + 0.119193 * lg + 0.950227 * lb) / 1.088754);
    const mt::Triple lab = mt::rgb_to_lab(t, r, g, b);
    worst = std::max({worst, std::abs(lab.v[0] - (116 * y - 16) * 2.55),
                      std::abs(lab.v[1] - 128 - 500 * (x - y)),
                      std::abs(lab.v[2] - 128 - 200 * (y - z))});
  }
  EXPECT_LT(worst, 3.0);
  EXPECT_GT(worst, 0.0);
}

TEST(Oklab, CubeRootIsCloseToDoublePrecision) {
  double worst = 0;
  for (int i = 2; i <= 1000000; ++i) {
    const float x = static_cast<float>(i) * 1e-6f;
    worst = std::max(worst, std::abs(mt::cube_root(x) - std::cbrt(static_cast<double>(x))));
  }
  EXPECT_LT(worst, 1e-7);
  EXPECT_EQ(0.0f, mt::cube_root(0.0f));
}

TEST(Oklab, MatchesKnownColours) {
  // From Ottosson's post: white is L = 1, a = b = 0.
  const mt::Oklab white = mt::oklab_of_linear(1, 1, 1), black = mt::oklab_of_linear(0, 0, 0);
  EXPECT_NEAR(1, white.lightness, 1e-6);
  EXPECT_NEAR(0, white.a, 1e-4);
  EXPECT_NEAR(0, white.b, 1e-4);
  for (float v : {black.lightness, black.a, black.b}) EXPECT_EQ(0.0f, v);
}

TEST(Hsv, SaturationDivisorsMatchOpenCv) {
  for (int i = 1; i < 256; ++i)
    EXPECT_EQ(std::nearbyint(255.0 * 4096 / i), mt::saturation_divisor(i)) << i;
}

TEST(Lab, StepsOfLinearLightFollowFromTheUnit) {
  const mt::Tables& t = mt::tables();
  for (int i = 0; i < 256; ++i) EXPECT_EQ(t.linear[i], mt::light_steps(t.linear_unit[i])) << i;
}

}  // namespace
