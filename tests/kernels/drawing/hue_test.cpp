// SPDX-License-Identifier: LGPL-2.1-or-later
// Compares rotated hues with mosaicraft's formula in double precision; tests/parity/hues.py
// compares them with mosaicraft itself.
#include "kernels/drawing/hue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "cpu/cpu_executor.h"

namespace {

using Rgb = std::array<int, 3>;

Rgb turned(const mt::HueRotation& turn, const Rgb& c) {
  const mt::Triple out = mt::rotate_hue(&mt::tables(), turn, c[0], c[1], c[2]);
  return {out.v[0], out.v[1], out.v[2]};
}

/// The formula, with Ottosson's matrices.
Rgb formula(double degrees, const Rgb& rgb) {
  double linear[3], lms[3], out[3];
  for (int i = 0; i < 3; ++i) {
    const double v = rgb[i] / 255.0;
    linear[i] = v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  }
  static const double kLms[3][3] = {{0.4122214708, 0.5363325363, 0.0514459929},
                                    {0.2119034982, 0.6806995451, 0.1073969566},
                                    {0.0883024619, 0.2817188376, 0.6299787005}};
  for (int i = 0; i < 3; ++i)
    lms[i] = std::cbrt(kLms[i][0] * linear[0] + kLms[i][1] * linear[1] + kLms[i][2] * linear[2]);
  const double l = 0.2104542553 * lms[0] + 0.7936177850 * lms[1] - 0.0040720468 * lms[2];
  const double a = 1.9779984951 * lms[0] - 2.4285922050 * lms[1] + 0.4505937099 * lms[2];
  const double b = 0.0259040371 * lms[0] + 0.7827717662 * lms[1] - 0.8086757660 * lms[2];
  const double hue = std::atan2(b, a) + degrees * M_PI / 180;
  double chroma = std::hypot(a, b);
  chroma *= 1 - std::clamp((l - 0.85) / 0.15, 0.0, 1.0) * 0.5;
  chroma *= 1 - std::clamp((0.25 - l) / 0.25, 0.0, 1.0) * 0.3;
  chroma = std::clamp(chroma, 0.0, 0.4);
  const double x = chroma * std::cos(hue), y = chroma * std::sin(hue);
  const double cubes[3] = {std::pow(l + 0.3963377774 * x + 0.2158037573 * y, 3),
                           std::pow(l - 0.1055613458 * x - 0.0638541728 * y, 3),
                           std::pow(l - 0.0894841775 * x - 1.2914855480 * y, 3)};
  static const double kRgb[3][3] = {{4.0767416621, -3.3077115913, 0.2309699292},
                                    {-1.2684380046, 2.6097574011, -0.3413193965},
                                    {-0.0041960863, -0.7034186147, 1.7076147010}};
  for (int i = 0; i < 3; ++i) {
    const double v =
        std::clamp(kRgb[i][0] * cubes[0] + kRgb[i][1] * cubes[1] + kRgb[i][2] * cubes[2], 0.0, 1.0);
    out[i] = 255 * (v <= 0.0031308 ? v * 12.92 : 1.055 * std::pow(v, 1 / 2.4) - 0.055);
  }
  return {static_cast<int>(out[0]), static_cast<int>(out[1]), static_cast<int>(out[2])};
}

class Hues : public testing::TestWithParam<int> {};

TEST_P(Hues, MatchTheFormula) {
  const int hues = GetParam();
  std::mt19937 random(hues);
  for (int i = 0; i < hues; ++i) {
    const mt::HueRotation turn = mt::hue_rotation(hues, i);
    const double degrees = 360.0 * (i + 1) / (hues + 1);
    int different = 0;
    constexpr int kColours = 4000;
    for (int k = 0; k < kColours; ++k) {
      const Rgb c = {int(random() % 256), int(random() % 256), int(random() % 256)};
      const Rgb expected = formula(degrees, c), found = turned(turn, c);
      for (int j = 0; j < 3; ++j) {
        ASSERT_NEAR(expected[j], found[j], 1)
            << degrees << ": " << c[0] << " " << c[1] << " " << c[2];
        different += expected[j] != found[j];
      }
    }
    EXPECT_LT(different, 3 * kColours / 50) << degrees;
  }
}

TEST_P(Hues, RoundGreysLikeTheFormula) {
  const int hues = GetParam();
  for (int i = 0; i < hues; ++i) {
    const mt::HueRotation turn = mt::hue_rotation(hues, i);
    int different = 0;
    for (int v = 0; v < 256; ++v) {
      const Rgb expected = formula(360.0 * (i + 1) / (hues + 1), {v, v, v});
      const Rgb found = turned(turn, {v, v, v});
      for (int j = 0; j < 3; ++j) different += expected[j] != found[j];
    }
    EXPECT_LT(different, 12) << "of 768, turn " << i;
  }
}

TEST(RotateHue, TurnsThePixelsOfItsTile) {
  const auto executor = mt::make_cpu_executor(1);
  constexpr int kTiles = 3, kArea = 13 * 13;
  std::mt19937 random(5);
  std::vector<uint8_t> tiles(size_t{3} * kTiles * kArea);
  for (size_t i = 0; i < tiles.size(); ++i) {
    const int pixel = static_cast<int>(i) % kArea;  // black, white, saturated, and any colours
    tiles[i] = static_cast<uint8_t>(pixel < 8 ? (pixel >> (i / kArea % 3) & 1) * 255 : random());
  }
  const std::vector<uint8_t> before = tiles;
  executor->launch(mt::RotateHue{executor->tables(), mt::hue_rotation(4, 1), tiles.data(), kArea},
                   2);
  int different = 0;
  for (int i = 0; i < kTiles * kArea; ++i) {
    const int at = i / kArea * 3 * kArea + i % kArea;
    const Rgb rgb = {before[at], before[at + kArea], before[at + 2 * kArea]};
    const Rgb expected = i < 2 * kArea ? formula(144, rgb) : rgb;
    for (int c = 0; c < 3; ++c) {
      ASSERT_NEAR(expected[c], tiles[at + c * kArea], 1) << "pixel " << i;
      different += expected[c] != tiles[at + c * kArea];
    }
  }
  EXPECT_LT(different, 3 * 2 * kArea / 50);
}

INSTANTIATE_TEST_SUITE_P(Numbers, Hues, testing::Values(1, 4, 5, 12));

TEST(TileVariants, AugmentFirstAndThenRotate) {
  const mt::TileVariants both = mt::tile_variants(true, 4);
  EXPECT_EQ(20, both.count());
  EXPECT_EQ(mt::Variant::kPlain, both.augmentation(0));
  EXPECT_EQ(mt::Variant::kDarker, both.augmentation(3));
  EXPECT_EQ(mt::Variant::kMirrored, both.augmentation(9));
  EXPECT_EQ(nullptr, both.rotation(3));
  EXPECT_EQ(both.rotations, both.rotation(4));
  EXPECT_EQ(both.rotations + 3, both.rotation(19));
  EXPECT_NEAR(std::cos(72 * M_PI / 180), both.rotation(4)->cosine, 1e-6);
  EXPECT_NEAR(std::sin(288 * M_PI / 180), both.rotation(19)->sine, 1e-6);
  const mt::TileVariants turned = mt::tile_variants(false, 2);
  EXPECT_EQ(3, turned.count());
  EXPECT_EQ(mt::Variant::kPlain, turned.augmentation(2));
  EXPECT_NEAR(-0.5, turned.rotation(1)->cosine, 1e-6);
  EXPECT_EQ(1, mt::tile_variants(false, 0).count());
  EXPECT_EQ(mt::kVariants, mt::TileVariants{}.count());
}

}  // namespace
