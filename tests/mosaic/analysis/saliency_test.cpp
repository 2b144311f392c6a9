// SPDX-License-Identifier: LGPL-2.1-or-later
// Weights of cells, compared with mosaicraft's formula, and how they change from frame to frame.
#include "mosaic/analysis/saliency.h"
#include "cpu/cpu_executor.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kernels/all/kernels.h"
#include "mosaic/analysis/analysis.h"
#include "tests/mosaic/frames.h"

namespace {

constexpr int kWidth = 100, kHeight = 60, kSide = 20, kCells = 15;

class Weights : public testing::Test {
 protected:
  Weights()
      : executor_(mt::make_cpu_executor(1)),
        grid_(mosaic::choose_grid(kWidth, kHeight, kWidth, kHeight, kSide, "1")),
        picture_(kWidth, kHeight, executor_),
        gray_(size_t(picture_.planes().stride) * kHeight),
        analysis_(grid_, executor_),
        detail_(grid_, executor_),
        saliency_(grid_) {}

  void enqueue(test::RgbFrame frame, bool keyframe, double newest,
               const std::vector<mosaic::Region>& regions = {}) {
    const mt::Planes p = picture_.planes();
    executor_->launch(mt::Unpack{frame.view(), p, gray_.data()}, kHeight);
    analysis_.enqueue(p, keyframe);
    detail_.enqueue(p, gray_.data(), analysis_.on_device().changed);
    executor_->wait();
    using mosaic::Continuation;
    const Continuation continuation = keyframe ? Continuation::kCut : Continuation::kContinues;
    saliency_.update(analysis_.stats(), detail_, {continuation}, newest, regions);
  }

  /// The weights of the last frame by mosaicraft's formula.
  std::vector<double> formula() const {
    double most = 0, mean = 0;
    for (const mt::CellDetail& cell : detail_.cells())
      most = std::max<double>(most, cell.max_laplacian);
    std::vector<double> weights;
    for (int i = 0; i < kCells; ++i) {
      const double area = kSide * kSide, dx = i % 5 - 2.5, dy = i / 5 - 1.5;
      const double centre =
          1 - 0.3 * std::sqrt(dx * dx + dy * dy) / std::sqrt(2.5 * 2.5 + 1.5 * 1.5);
      const mt::CellDetail& d = detail_.cells()[i];
      weights.push_back(centre * (0.2 + 1.5 * d.edges / area + d.laplacian / (most + 1e-6) / area +
                                  0.5 * analysis_.stats()[i].saturation / 255 / area));
      mean += weights.back() / kCells;
    }
    for (double& w : weights) w /= mean + 1e-6;
    return weights;
  }

  std::vector<double> used() const {
    std::vector<double> weights;
    for (int i = 0; i < kCells; ++i) weights.push_back(saliency_.weight(i));
    return weights;
  }
  static void expect_near(const std::vector<double>& a, const std::vector<double>& b) {
    for (int i = 0; i < kCells; ++i) EXPECT_NEAR(a[i], b[i], 1e-12) << i;
  }

  std::shared_ptr<mt::Executor> executor_;
  mosaic::Grid grid_;
  mosaic::Picture picture_;
  std::vector<uint8_t> gray_;
  mosaic::FrameAnalysis analysis_;
  mosaic::Detail detail_;
  mosaic::Saliency saliency_;
};

/// Noise in one column of cells, grey elsewhere.
test::RgbFrame noisy_column(int column) {
  test::RgbFrame frame = test::noise(kWidth, kHeight, 3);
  for (int i = 0; i < kWidth * kHeight; ++i)
    if (i % kWidth / kSide != column)
      for (int c = 0; c < 3; ++c) frame.pixels[size_t{3} * i + c] = 90;
  return frame;
}

TEST_F(Weights, MatchTheFormulaAtAKeyframe) {
  for (const test::RgbFrame& frame :
       {test::noise(kWidth, kHeight, 1), noisy_column(4), test::moving_disc(kWidth, kHeight, 2),
        test::RgbFrame(kWidth, kHeight)}) {
    enqueue(frame, true, 0.15);
    expect_near(formula(), used());
    for (int i = 0; i < kCells; ++i) EXPECT_TRUE(saliency_.replaced(i));
  }
}

TEST_F(Weights, StayConstantWithEmaAlphaZero) {
  enqueue(noisy_column(0), true, 0.0);
  const std::vector<double> first = used();
  enqueue(noisy_column(4), false, 0.0);
  EXPECT_EQ(first, used());
  for (int i = 0; i < kCells; ++i) EXPECT_FALSE(saliency_.replaced(i));
}

TEST_F(Weights, FollowAtOnceWithEmaAlphaOne) {
  enqueue(noisy_column(0), true, 1.0);
  const std::vector<double> first = used();
  enqueue(noisy_column(4), false, 1.0);
  const std::vector<double> wanted = formula();
  for (int i = 0; i < kCells; ++i) {
    const bool visible = std::abs(wanted[i] - first[i]) > 0.25;
    EXPECT_EQ(visible, saliency_.replaced(i));
    EXPECT_NEAR(visible ? wanted[i] : first[i], saliency_.weight(i), 1e-12);
  }
  EXPECT_TRUE(saliency_.replaced(0));
  EXPECT_TRUE(saliency_.replaced(4));
}

TEST_F(Weights, FollowTheMovingAverageInSteps) {
  enqueue(noisy_column(0), true, 0.15);
  const double before = saliency_.weight(4);
  enqueue(noisy_column(4), false, 0.15);
  const double wanted = formula()[4];
  ASSERT_GT(wanted - before, 0.5);
  double average = before;
  int steps = 0;
  for (int i = 0; i < 40; ++i) {
    average += 0.15 * (wanted - average);
    steps += saliency_.replaced(4);
    EXPECT_NEAR(average, saliency_.weight(4), saliency_.replaced(4) ? 1e-12 : 0.25);
    enqueue(noisy_column(4), false, 0.15);
  }
  EXPECT_GT(steps, 1);
  EXPECT_LT(steps, 10);
}

const std::vector<mosaic::Region> kSecondCell = {{20, 0, 20, 20}};

TEST_F(Weights, AreThreeTimesAsHighInRegions) {
  const test::RgbFrame frame = test::noise(kWidth, kHeight, 1);
  enqueue(frame, true, 0.15, kSecondCell);
  std::vector<double> wanted = formula();
  wanted[1] *= 3;
  expect_near(wanted, used());
  for (int i = 0; i < kCells; ++i) EXPECT_EQ(saliency_.in_region()[i], i == 1);
}

TEST_F(Weights, CellsEnterAndLeaveRegionsAfterSeveralFrames) {
  const test::RgbFrame frame = test::noise(kWidth, kHeight, 1);
  enqueue(frame, true, 0.15);
  const auto frames_until = [&](bool inside) {
    for (int frames = 1; frames < 100; ++frames) {
      enqueue(frame, false, 0.15, inside ? kSecondCell : std::vector<mosaic::Region>{});
      for (int i = 0; i < kCells; ++i)
        EXPECT_FALSE(i != 1 && saliency_.replaced(i)) << "only the second cell changes";
      EXPECT_EQ(saliency_.replaced(1), saliency_.in_region()[1] == inside);
      if (saliency_.in_region()[1] == inside) return frames;
    }
    return 100;
  };
  EXPECT_EQ(frames_until(true), 5);  // 1 - 0.85^5 > 0.5
  for (int i = 0; i < 100; ++i) enqueue(frame, false, 0.15, kSecondCell);
  EXPECT_EQ(frames_until(false), 10);  // 0.85^10 < 0.2
}

TEST_F(Weights, ADetectorThatMissesFramesChangesNothing) {
  const test::RgbFrame frame = test::noise(kWidth, kHeight, 1);
  enqueue(frame, true, 0.15, kSecondCell);
  const std::vector<double> first = used();
  for (int i = 0; i < 60; ++i) {
    const bool missed = i % 3 != 0;
    enqueue(frame, false, 0.15, missed ? std::vector<mosaic::Region>{} : kSecondCell);
    EXPECT_EQ(first, used()) << i;
  }
}

}  // namespace
