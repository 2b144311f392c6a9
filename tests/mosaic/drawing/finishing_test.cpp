// SPDX-License-Identifier: LGPL-2.1-or-later
// What finishing changes and what it leaves alone; tests/parity/looks.py compares it with
// mosaicraft's.
#include "mosaic/drawing/finishing.h"
#include "cpu/cpu_executor.h"

#include <gtest/gtest.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "mosaic/settings/profile.h"
#include "tests/mosaic/frames.h"

namespace {

using mosaic::Look;

constexpr int kWidth = 203, kHeight = 117;

constexpr char kGolden[] =
    "faithful c7ae120e569e25b3\n"
    "fast c5d08c39ec33be34\n"
    "film f4f4d13aeb76b48b\n"
    "natural 652dc03ab483aaa4\n"
    "photos cc98d10c2a440ed5\n"
    "tile cfe832a63cc6584c\n"
    "ultra 0303020cc251aeeb\n"
    "vivid 4882aeb5b3101327\n"
    "vivid_b 9590613bf9affb7c\n";

class Finishing : public testing::Test {
 protected:
  Finishing()
      : executor_(mt::make_cpu_executor(2)),
        picture_(kWidth, kHeight, executor_),
        finishing_(kWidth, kHeight, 2, executor_) {}

  using Rgb = std::vector<std::array<uint8_t, 3>>;

  void show(const test::RgbFrame& frame) { test::show(frame, picture_.planes()); }
  static Rgb pixels(const mt::Planes& p) {
    Rgb rgb;
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x) {
        const int i = y * p.stride + x;
        rgb.push_back({p.plane[0][i], p.plane[1][i], p.plane[2][i]});
      }
    return rgb;
  }
  Rgb finished(const Look& look) { return pixels(finishing_.apply(picture_.planes(), look)); }

  std::shared_ptr<mt::Executor> executor_;
  mosaic::Picture picture_;
  mosaic::Finishing finishing_;
};

double mean_of(const std::vector<std::array<uint8_t, 3>>& rgb, int c) {
  double sum = 0;
  for (const auto& p : rgb) sum += p[c];
  return sum / static_cast<double>(rgb.size());
}

double spread_of(const std::vector<std::array<uint8_t, 3>>& rgb) {
  double sum = 0;
  for (const auto& p : rgb) sum += std::max({p[0], p[1], p[2]}) - std::min({p[0], p[1], p[2]});
  return sum / static_cast<double>(rgb.size());
}

TEST_F(Finishing, IsOffOnlyInTheProfilePlain) {
  EXPECT_FALSE(mosaic::Finishing::wanted(mosaic::load_profile("plain")));
  for (const std::string& name : mosaic::profile_names())
    EXPECT_EQ(name != "plain", mosaic::Finishing::wanted(mosaic::load_profile(name)));
}

TEST_F(Finishing, EachFieldHasItsEffect) {
  show(test::moving_disc(kWidth, kHeight, 3));
  Look base;
  base.gamma = 1.0001;  // a look with finishing that changes next to nothing
  const Rgb plain = finished(base);
  const auto with = [&](auto member, auto value) {
    Look look = base;
    look.*member = value;
    return finished(look);
  };
  EXPECT_GT(mean_of(with(&Look::gamma, 0.7), 0), mean_of(plain, 0) + 10);
  EXPECT_GT(mean_of(with(&Look::shadow_lift, 40), 1), mean_of(plain, 1) + 5);
  EXPECT_GT(spread_of(with(&Look::vibrance, 1.0)), spread_of(plain) + 2);
  EXPECT_GT(spread_of(with(&Look::boost_cool, 1.5)), spread_of(plain) + 2);
  EXPECT_LT(spread_of(with(&Look::boost_warm, 0.5)), spread_of(plain) - 2);
  EXPECT_LT(spread_of(with(&Look::color_harmony, 1.0)), spread_of(plain) * 0.8);
  const Rgb flat = with(&Look::contrast_boost, 0.0);
  for (const auto& p : flat)
    for (uint8_t v : p) ASSERT_NEAR(128, v, 2);
}

TEST_F(Finishing, ClipLimitZeroTurnsOffClaheAndDetailEnhancement) {
  // Levels: each later step converts colours and quantises to whole levels.
  constexpr int kRounding = 3;
  // Greys, which later steps leave as they are.
  test::RgbFrame frame = test::noise(kWidth, kHeight, 8);
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) std::fill_n(frame.at(x, y), 3, frame.at(x, y)[0]);
  show(frame);
  const Rgb before = pixels(picture_.planes());
  Look look;
  look.local_contrast_clip = 0;
  look.shadow_lift = 51;  // levels at black, fewer above it, none at white
  for (const double skin : {0.0, 1.0}) {
    look.skin_protection = skin;
    const Rgb after = finished(look);
    for (size_t i = 0; i < before.size(); ++i)
      for (int c = 0; c < 3; ++c)
        ASSERT_NEAR(before[i][c] + 51 * (255 - before[i][c]) / 255.0, after[i][c], kRounding)
            << "pixel " << i << ", channel " << c;
  }
}

TEST_F(Finishing, SharpensEdgesButNotFlatAreas) {
  test::RgbFrame frame(kWidth, kHeight);
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x)
      for (int c = 0; c < 3; ++c) frame.at(x, y)[c] = x < 100 ? 90 : 160;
  show(frame);
  Look look;
  look.sharpness = 1;
  const Rgb rgb = finished(look);
  const auto at = [&](int x) { return int{rgb[50 * kWidth + x][0]}; };
  EXPECT_LT(at(99), at(50) - 10);
  EXPECT_GT(at(100), at(150) + 10);
  EXPECT_NEAR(at(20), at(70), 0);
}

// Hashes of every profile's output; engine_test.cpp checks that neither the number of threads nor
// the SIMD level changes it.
TEST_F(Finishing, MatchesGoldenHashes) {
  show(test::noise(kWidth, kHeight, 5));
  std::string hashes;
  for (const std::string& name : mosaic::profile_names()) {
    if (name == "plain") continue;
    const Rgb rgb = finished(mosaic::load_profile(name));
    char text[64];
    std::snprintf(text, sizeof text, "%s %016llx\n", name.c_str(),
                  static_cast<unsigned long long>(XXH3_64bits(rgb.data(), rgb.size() * 3)));
    hashes += text;
  }
  EXPECT_EQ(kGolden, hashes);
}

// With a weight of 0 for the newest picture statistics stay as they are, so parts must come out as
// in the whole picture, except near their edges: there, filters see what was around them before.
TEST_F(Finishing, PartsAreFinishedAsInTheWholePicture) {
  constexpr mt::CellRect kChanged[] = {{0, 0, 60, 50}, {90, 60, 113, 57}};
  constexpr int kReach = mt::kBlurReach + 2;  // of the mask of skin, and of sharpening
  const auto within = [&](int x, int y, int margin) {
    return std::any_of(std::begin(kChanged), std::end(kChanged), [&](const mt::CellRect& r) {
      return x >= r.x + margin && x < r.x + r.width - margin && y >= r.y + margin &&
             y < r.y + r.height - margin;
    });
  };
  test::RgbFrame first = test::noise(kWidth, kHeight, 6);
  test::RgbFrame second = test::noise(kWidth, kHeight, 7);
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x)
      if (!within(x, y, 0)) std::copy_n(first.at(x, y), 3, second.at(x, y));
  for (const char* name : {"vivid_b", "faithful", "fast", "tile"}) {
    SCOPED_TRACE(name);
    Look look = mosaic::load_profile(name);
    look.fidelity = 0.5;
    show(first);
    const Rgb before = pixels(finishing_.apply(picture_.planes(), look));
    show(second);
    const Rgb parts = pixels(finishing_.apply(picture_.planes(), look, 0, kChanged));
    const Rgb whole = pixels(finishing_.apply(picture_.planes(), look, 0));
    int different = 0;
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x) {
        const size_t i = static_cast<size_t>(y) * kWidth + x;
        if (within(x, y, kReach)) {
          ASSERT_EQ(whole[i], parts[i]) << x << ", " << y;
        } else if (!within(x, y, 0)) {
          ASSERT_EQ(before[i], parts[i]) << x << ", " << y;
        }
        different += before[i] != parts[i];
      }
    EXPECT_GT(different, 60 * 50);
    const Rgb nowhere = pixels(finishing_.apply(picture_.planes(), look, 0, {}));
    EXPECT_EQ(whole, nowhere);
  }
}

}  // namespace
