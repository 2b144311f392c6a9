// SPDX-License-Identifier: LGPL-2.1-or-later
// How close the quick grading comes to the exact one.
#include "mosaic/drawing/lut_grading.h"
#include "cpu/cpu_executor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "mosaic/drawing/exact_grading.h"
#include "mosaic/settings/profile.h"
#include "tests/mosaic/frames.h"

namespace {

using mosaic::Look;

constexpr int kWidth = 320, kHeight = 200;

/// All hues, dark and light, with texture; a quarter of it is the colour of skin.
int textured(int c, int x, int y) {
  constexpr int kSkin[] = {190, 140, 115};
  const double texture = 25 * std::sin(x * 0.9) * std::sin(y * 0.7) + 12 * std::sin(x * 0.21 + y);
  const double hue = x * 0.03, light = 60 + 130.0 * y / kHeight;
  const double colour = light + 45 * std::sin(hue + 2.1 * c);
  const bool skin = x > kWidth / 2 && y > kHeight / 2;
  return std::clamp(static_cast<int>((skin ? kSkin[c] : colour) + texture), 0, 255);
}

class LutGrading : public testing::Test {
 protected:
  LutGrading()
      : executor_(mt::make_cpu_executor(2)),
        from_(kWidth, kHeight, executor_),
        exact_(kWidth, kHeight, executor_),
        quick_(kWidth, kHeight, executor_),
        part_list_(executor_, 1) {
    part_list_[0] = {0, 0, kWidth, kHeight};
    whole_ = {{part_list_.data(), kHeight}, 1};
    test::fill(from_.planes(), textured);
  }
  test::RgbFrame exact(const Look& look) {
    const mt::Planes p = exact_.apply(from_.planes(), look, 1, nullptr, whole_);
    executor_->wait();
    return test::frame_of(p);
  }
  test::RgbFrame quick(const Look& look, double newest = 1) {
    const mt::Planes p = quick_.apply(from_.planes(), look, newest, nullptr, whole_);
    executor_->wait();
    return test::frame_of(p);
  }

  std::shared_ptr<mt::Executor> executor_;
  mosaic::Picture from_;
  mosaic::ExactGrading exact_;
  mosaic::LutGrading quick_;
  mt::Buffer<mt::CellRect> part_list_;
  mosaic::PartLaunch whole_;
};

struct Difference {
  double mean = 0, squared = 0;
};

Difference difference(const test::RgbFrame& a, const test::RgbFrame& b) {
  Difference d;
  for (size_t i = 0; i < a.pixels.size(); ++i) {
    const double off = int{a.pixels[i]} - int{b.pixels[i]};
    d.mean += off / static_cast<double>(a.pixels.size());
    d.squared += off * off / static_cast<double>(a.pixels.size());
  }
  return d;
}

TEST_F(LutGrading, IsCloseToTheExactGrading) {
  for (const std::string& name : mosaic::profile_names()) {
    SCOPED_TRACE(name);
    Look look = mosaic::load_profile(name);
    look.fidelity = 0.5;
    const Difference d = difference(quick(look), exact(look));
    EXPECT_LT(std::abs(d.mean), 1.5);
    EXPECT_LT(std::sqrt(d.squared), 4.0);
    const Difference nothing = difference(quick(look), test::frame_of(from_.planes()));
    if (name == "plain" || name == "photos") continue;
    EXPECT_GT(std::sqrt(nothing.squared), 4.0);
  }
}

// Protection of skin makes a visible difference here, and it is the same difference in both.
TEST_F(LutGrading, ProtectsSkin) {
  Look look = mosaic::load_profile("vivid_b");
  look.fidelity = 0.5;
  Look bare = look;
  bare.skin_protection = bare.skin_lum_protection = 0;
  const double effect = std::sqrt(difference(exact(bare), exact(look)).squared);
  EXPECT_GT(effect, 5);
  EXPECT_NEAR(std::sqrt(difference(quick(bare), quick(look)).squared), effect, 0.25 * effect);
}

TEST_F(LutGrading, KeepsItsTableWhileStatisticsHardlyMove) {
  Look look = mosaic::load_profile("vivid_b");
  look.fidelity = 0.5;
  const test::RgbFrame first = quick(look);
  const mt::Planes p = from_.planes();
  const auto patch = [&](int width, int red) {
    test::fill(p, [&](int c, int x, int y) {
      return x >= width ? textured(c, x, y) : c == 0 ? red : 100;
    });
  };
  const auto changed_outside = [&](const test::RgbFrame& now, int width) {
    int changed = 0;
    for (int y = 0; y < kHeight; ++y)
      for (int x = width + mt::kBlurReach + 2; x < kWidth; ++x)
        for (int c = 0; c < 3; ++c)
          changed += now.pixels[(y * kWidth + x) * 3 + c] != first.pixels[(y * kWidth + x) * 3 + c];
    return changed;
  };
  patch(8, 100);
  EXPECT_EQ(changed_outside(quick(look, 0.1), 8), 0);
  patch(160, 255);
  EXPECT_GT(changed_outside(quick(look), 160), 1000);
  // Another look takes effect at once.
  look.vibrance = 2;
  patch(8, 100);
  EXPECT_GT(changed_outside(quick(look, 0.1), 8), 1000);
}

}  // namespace
