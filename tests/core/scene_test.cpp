// SPDX-License-Identifier: LGPL-2.1-or-later
// Cuts against the definition, in double precision on whole numbers.
#include "mosaic/scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace {

constexpr int kWidth = 64, kHeight = 48;  // smaller than the thumbnail, which is then the picture

using Grey = std::vector<uint8_t>;

double mean_difference(const Grey& a, const Grey& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return 100 * sum / (256.0 * static_cast<double>(a.size()));
}

/// A gradient that moves, flashes once, and is cut.
Grey frame(int i) {
  Grey f(kWidth * kHeight);
  for (int k = 0; k < kWidth * kHeight; ++k)
    f[k] = static_cast<uint8_t>(i < 6 ? (k % kWidth + i) * 2 : 250 - k / kWidth * 3);
  if (i == 3)
    for (uint8_t& v : f) v = static_cast<uint8_t>(std::min(v + 60, 255));
  return f;
}

TEST(SceneDetector, FindsTheCutsOfTheDefinition) {
  const auto executor = mt::make_cpu_executor(2);
  for (const double threshold : {0.5, 3.0, 10.0, 20.0, 60.0}) {
    mosaic::SceneDetector scene(kWidth, kHeight, executor);
    double last = 0;
    for (int i = 0; i < 9; ++i) {
      const double mean = i ? mean_difference(frame(i), frame(i - 1)) : 0;
      scene.look(*executor, frame(i).data(), kWidth, threshold, false);
      EXPECT_EQ(std::min(mean, std::abs(mean - last)) >= threshold, scene.cut())
          << "frame " << i << ", threshold " << threshold;
      last = mean;
    }
  }
}

TEST(SceneDetector, ForgetsAndIsForced) {
  const auto executor = mt::make_cpu_executor(1);
  mosaic::SceneDetector scene(kWidth, kHeight, executor);
  const auto cut = [&](int i, bool force) {
    scene.look(*executor, frame(i).data(), kWidth, 10, force);
    return scene.cut();
  };
  EXPECT_FALSE(cut(0, false));
  EXPECT_TRUE(cut(1, true));
  EXPECT_TRUE(cut(7, false));
  EXPECT_FALSE(cut(8, false));
  scene.forget();
  EXPECT_FALSE(cut(0, false));
  EXPECT_TRUE(cut(7, false));
}

/// A line one pixel high that moves is a cut at full height, and none where it is averaged away.
TEST(SceneDetector, ComparesAtTheSizeThatIsSet) {
  constexpr int kLines = 64;
  const auto executor = mt::make_cpu_executor(1);
  const auto cut_at = [&](int columns, int rows) {
    mosaic::SceneDetector scene(kWidth, kLines, executor);
    scene.set_size(columns, rows);
    bool cut = false;
    for (int i = 0; i < 2; ++i) {
      Grey lines(kWidth * kLines);
      for (int k = 0; k < kWidth * kLines; ++k) lines[k] = (k / kWidth + i) % 2 ? 200 : 0;
      scene.look(*executor, lines.data(), kWidth, 10, false);
      cut = scene.cut();
    }
    return cut;
  };
  EXPECT_TRUE(cut_at(kWidth, kLines));
  EXPECT_TRUE(cut_at(5000, 5000)) << "no more than the frame has";
  EXPECT_TRUE(cut_at(1, kLines));
  EXPECT_FALSE(cut_at(kWidth, kLines / 2));
  EXPECT_FALSE(cut_at(1, 1));
}

TEST(SceneDetector, ComparesNothingAcrossSizes) {
  const auto executor = mt::make_cpu_executor(1);
  mosaic::SceneDetector scene(kWidth, kHeight, executor);
  scene.look(*executor, frame(0).data(), kWidth, 10, false);
  scene.set_size(32, 24);
  scene.look(*executor, frame(7).data(), kWidth, 10, false);
  EXPECT_FALSE(scene.cut());
  scene.set_size(32, 24);
  scene.look(*executor, frame(0).data(), kWidth, 10, false);
  EXPECT_TRUE(scene.cut());
}

}  // namespace
