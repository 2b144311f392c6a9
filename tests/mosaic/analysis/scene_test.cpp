// SPDX-License-Identifier: LGPL-2.1-or-later
// Scene cuts, compared with their definition computed in double precision.
#include "mosaic/analysis/scene.h"
#include "cpu/cpu_executor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace {

using mosaic::Continuation;

constexpr int kWidth = 64, kHeight = 48;  // smaller than a thumbnail, so the picture itself is used

using Grey = std::vector<uint8_t>;

double mean_difference(const Grey& a, const Grey& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return 100 * sum / (256.0 * static_cast<double>(a.size()));
}

/// Frame i of a clip: a moving gradient, a flash at 3, a cut to another picture at 6.
Grey frame(int i) {
  Grey f(kWidth * kHeight);
  for (int k = 0; k < kWidth * kHeight; ++k)
    f[k] = static_cast<uint8_t>(i < 6 ? (k % kWidth + i) * 2 : 250 - k / kWidth * 3);
  if (i == 3)
    for (uint8_t& v : f) v = static_cast<uint8_t>(std::min(v + 60, 255));
  return f;
}

TEST(SceneDetector, MatchesTheDefinitionOfACut) {
  const auto executor = mt::make_cpu_executor(2);
  for (const double threshold : {0.5, 3.0, 10.0, 20.0, 60.0}) {
    mosaic::SceneDetector scene(kWidth, kHeight, executor);
    double last = 0;
    for (int i = 0; i < 9; ++i) {
      const double mean = i ? mean_difference(frame(i), frame(i - 1)) : 0;
      scene.enqueue(frame(i).data(), kWidth, threshold);
      EXPECT_EQ(std::min(mean, std::abs(mean - last)) >= threshold, scene.found().keyframe())
          << "frame " << i << ", threshold " << threshold;
      last = mean;
    }
  }
}

TEST(SceneDetector, HandlesForgetAndForcedCuts) {
  const auto executor = mt::make_cpu_executor(1);
  mosaic::SceneDetector scene(kWidth, kHeight, executor);
  const auto cut = [&](int i, bool force) {
    scene.enqueue(frame(i).data(), kWidth, 10,
                  force ? Continuation::kCut : Continuation::kContinues);
    return scene.found().keyframe();
  };
  EXPECT_FALSE(cut(0, false));
  EXPECT_TRUE(cut(1, true));
  EXPECT_TRUE(cut(7, false));
  EXPECT_FALSE(cut(8, false));
  scene.forget();
  EXPECT_FALSE(cut(0, false));
  EXPECT_TRUE(cut(7, false));
}

/// Shows the detector frames of one grey level each, plus a faint ramp.
class Greys {
 public:
  explicit Greys(double threshold = 10) : threshold_(threshold) {}

  const mt::SceneState& show(int level, bool force = false) {
    Grey grey(kWidth * kHeight);
    for (int k = 0; k < kWidth * kHeight; ++k)
      grey[k] = static_cast<uint8_t>(level + k % kWidth / 8);
    scene.enqueue(grey.data(), kWidth, threshold_,
                  force ? Continuation::kCut : Continuation::kContinues);
    return scene.state();
  }

 private:
  std::shared_ptr<mt::Executor> executor_ = mt::make_cpu_executor(1);
  double threshold_;

 public:
  mosaic::SceneDetector scene{kWidth, kHeight, executor_};
};

TEST(SceneDetector, RecognisesAReturningScene) {
  Greys greys;
  greys.show(50);
  greys.show(52);
  for (int flash = 0; flash < 3; ++flash) {  // each of one frame, one frame apart
    EXPECT_TRUE(greys.show(200).cut);
    EXPECT_EQ(1, greys.scene.state().kept);
    const mt::SceneState& back = greys.show(55);
    EXPECT_EQ(Continuation::kReturned, greys.scene.found().continuation);
    EXPECT_FALSE(back.cut);
    EXPECT_EQ(1, back.returned);
    EXPECT_EQ(int64_t{flash ? 0 : 3} * kWidth * kHeight, back.difference)
        << "from before the flash";
  }
  EXPECT_EQ(0, greys.show(56).returned);
}

TEST(SceneDetector, KeepsTwoScenesAndNoThird) {
  Greys greys;
  greys.show(20);
  EXPECT_EQ(1, greys.show(80).kept);
  EXPECT_EQ(2, greys.show(220).kept);
  EXPECT_TRUE(greys.show(150).cut);
  EXPECT_EQ(0, greys.scene.state().kept);
  EXPECT_EQ(2, greys.show(81).returned);
  EXPECT_EQ(1, greys.show(21).returned);
  EXPECT_EQ(1, greys.show(120).kept) << "in a place that is free again";
}

TEST(SceneDetector, DoesNotReturnToASceneFartherThanTheLastFrame) {
  Greys greys;
  greys.show(50);
  EXPECT_TRUE(greys.show(80).cut);
  for (const int level : {74, 68, 65, 62, 59})  // near the kept scene, nearer to the last
    EXPECT_EQ(0, greys.show(level).returned) << level;
}

TEST(SceneDetector, KeepsNoSceneAtAForcedCutOrForget) {
  Greys greys;
  greys.show(50);
  EXPECT_EQ(0, greys.show(200, true).kept);
  EXPECT_EQ(0, greys.show(50).returned);
  greys.show(50);
  EXPECT_EQ(1, greys.show(200).kept);
  EXPECT_EQ(0, greys.show(50, true).returned);
  greys.show(200);
  greys.scene.forget();
  EXPECT_EQ(0, greys.show(50).returned);
}

/// Lines one pixel high that move are a cut at full height, but not where they are averaged away.
TEST(SceneDetector, ComparesAtTheConfiguredSize) {
  constexpr int kLines = 64;
  const auto executor = mt::make_cpu_executor(1);
  const auto cut_at = [&](int columns, int rows) {
    mosaic::SceneDetector scene(kWidth, kLines, executor);
    scene.set_size(columns, rows);
    bool cut = false;
    for (int i = 0; i < 2; ++i) {
      Grey lines(kWidth * kLines);
      for (int k = 0; k < kWidth * kLines; ++k) lines[k] = (k / kWidth + i) % 2 ? 200 : 0;
      scene.enqueue(lines.data(), kWidth, 10);
      cut = scene.found().keyframe();
    }
    return cut;
  };
  EXPECT_TRUE(cut_at(kWidth, kLines));
  EXPECT_TRUE(cut_at(5000, 5000)) << "no more than the frame has";
  EXPECT_TRUE(cut_at(1, kLines));
  EXPECT_FALSE(cut_at(kWidth, kLines / 2));
  EXPECT_FALSE(cut_at(1, 1));
}

TEST(SceneDetector, FindsNoCutAcrossAChangeOfSize) {
  const auto executor = mt::make_cpu_executor(1);
  mosaic::SceneDetector scene(kWidth, kHeight, executor);
  scene.enqueue(frame(0).data(), kWidth, 10);
  scene.set_size(32, 24);
  scene.enqueue(frame(7).data(), kWidth, 10);
  EXPECT_FALSE(scene.found().keyframe());
  scene.set_size(32, 24);
  scene.enqueue(frame(0).data(), kWidth, 10);
  EXPECT_TRUE(scene.found().keyframe());
}

}  // namespace
