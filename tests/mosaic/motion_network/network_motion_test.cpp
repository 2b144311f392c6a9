// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/motion_network/network_motion.h"
#include "cpu/cpu_executor.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "mosaic/base/picture.h"
#include "tests/mosaic/motion_network/random_weights.h"

namespace {

using mosaic::Continuation;
using mosaic::NetworkMotion;

constexpr int kWidth = 128, kHeight = 64, kSide = 16, kIterations = 2;

/// Weights with which every update adds the same to the flow, in pixels.
std::shared_ptr<const mosaic::RaftWeights> weights_with_flow(float x, float y) {
  test::RandomWeights weights(1);
  weights.clear("update_block.flow_head.conv2");
  weights.values("update_block.flow_head.conv2.bias") = {x / 8, y / 8};
  return std::make_shared<const mosaic::RaftWeights>(weights.bytes());
}

mosaic::Grid grid() {
  return mosaic::choose_grid(kWidth, kHeight, kWidth, kHeight, kSide, "700");
}

/// The motion in the last of some grey frames.
mosaic::FrameMotion motion_with(std::shared_ptr<const mosaic::RaftWeights> weights, int frames,
                                Continuation continuation = Continuation::kContinues) {
  const auto executor = mt::make_cpu_executor(2);
  NetworkMotion motion(grid(), executor, {std::move(weights), {64, 32}, {}});
  mosaic::Picture picture(kWidth, kHeight, executor);
  for (int i = 0; i < frames; ++i) {
    motion.enqueue(picture.planes(), kIterations);
    executor->wait();
    motion.read_back(continuation);
  }
  return motion.found();
}

TEST(NetworkMotion, IsTheFlowBackwardsInPartsOfACell) {
  // 0.16 and 0.08 pixels of a picture of half the size, in which cells have 8 pixels.
  const mosaic::FrameMotion found = motion_with(weights_with_flow(0.08f, -0.04f), 2);
  for (const mt::CellMotion& cell : found.motion) {
    EXPECT_NEAR(cell.x, -0.16 / 8 * mt::kMotionUnit, 0.51);
    EXPECT_NEAR(cell.y, 0.08 / 8 * mt::kMotionUnit, 0.51);
    EXPECT_EQ(cell.confidence, 255);
  }
}

TEST(NetworkMotion, IsUnknownWhereTheFlowDoesNotLeadBack) {
  // Both flows lead to the right.
  for (const mt::CellMotion& cell : motion_with(weights_with_flow(2, 0), 2).motion) {
    EXPECT_EQ(cell.x, 0);
    EXPECT_EQ(cell.y, 0);
    EXPECT_EQ(cell.confidence, 0);
  }
}

TEST(NetworkMotion, IsNoneInTheFirstFrameAndAfterACut) {
  const auto weights = weights_with_flow(0.08f, 0);
  for (const auto& found : {motion_with(weights, 1), motion_with(weights, 3, Continuation::kCut)})
    for (const mt::CellMotion& cell : found.motion) {
      EXPECT_EQ(cell.x, 0);
      EXPECT_EQ(cell.confidence, 0);
    }
}

}  // namespace
