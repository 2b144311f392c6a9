// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/motion_network/frame_flow.h"
#include "cpu/cpu_executor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "mosaic/base/picture.h"
#include "tests/mosaic/motion_network/random_weights.h"

namespace {

using mosaic::FrameFlow;
using mosaic::WindowOptions;

constexpr int kIterations = 2;

std::shared_ptr<const mosaic::RaftWeights> random_weights() {
  return std::make_shared<const mosaic::RaftWeights>(test::RandomWeights(3).bytes());
}

/// A smooth scene that moves to the right and down.
void draw_scene(const mt::Planes& to, int shift) {
  for (int y = 0; y < to.height; ++y)
    for (int x = 0; x < to.width; ++x)
      for (int c = 0; c < 3; ++c) {
        const double u = x - 3 * shift, v = y - 2 * shift;
        to.plane[c][int64_t{y} * to.stride + x] = static_cast<uint8_t>(
            127.5 + 60 * std::sin(u / (7 + c)) + 60 * std::sin(v / (9 + c) + u / 31));
      }
}

/// The motion from the first of two frames to the second, and the other way.
std::vector<int32_t> flow_of(int width, int height, const WindowOptions& windows,
                             unsigned threads = 0) {
  const auto executor = mt::make_cpu_executor(threads);
  FrameFlow flow(random_weights(), executor, {width, height}, windows);
  mosaic::Picture picture(width, height, executor);
  for (int i = 0; i < 2; ++i) {
    draw_scene(picture.planes(), i);
    flow.add_frame(picture.planes());
    executor->wait();
  }
  std::vector<int32_t> found;
  for (const auto direction : {FrameFlow::Direction::kForward, FrameFlow::Direction::kBackward}) {
    flow.estimate(direction, kIterations);
    executor->wait();
    const int32_t* pixels = flow.flow(direction);
    found.insert(found.end(), pixels, pixels + size_t{2} * flow.size().width * flow.size().height);
  }
  return found;
}

TEST(FrameFlow, LaunchesBatchesOfWindowsOfOneSize) {
  struct Case {
    int width, height, batches;
  };
  const auto weights = random_weights();
  const auto executor = mt::make_cpu_executor(0);
  // 512/128 cut by a fourth: memory for the whole sizes would be allocated.
  for (const Case& c : {Case{224, 224, 1}, Case{320, 192, 2}, Case{480, 288, 4}}) {
    const FrameFlow flow(weights, executor, {c.width, c.height}, {128, 32, 0, 0, 100});
    EXPECT_EQ(c.batches, flow.batches()) << c.width;
    EXPECT_EQ(mt::PixelSize(c.width, c.height), flow.size());
  }
  EXPECT_EQ(mt::PixelSize(224, 192),
            FrameFlow(weights, executor, {250, 200}, {128, 32, 0, 0, 8}).size());
  EXPECT_EQ(mt::PixelSize(250, 200),
            FrameFlow(weights, executor, {250, 200}, {256, 32, 0, 0, 8}).size());
}

TEST(FrameFlow, DoesNotDependOnTheSizeOfABatchOrOnThreads) {
  const std::vector<int32_t> expected = flow_of(250, 200, {128, 32, 0, 0, 1}, 1);
  bool moves = false;
  for (const int32_t value : expected) moves |= std::abs(value) > mt::kFlowUnit;
  EXPECT_TRUE(moves);
  for (const int batch : {2, 3, 8})
    EXPECT_EQ(expected, flow_of(250, 200, {128, 32, 0, 0, batch}, 2));
  EXPECT_EQ(expected, flow_of(250, 200, {128, 32, 0, 0, 8}, 7));
}

TEST(FrameFlow, OneWindowIsTheNetworksFlow) {
  const auto executor = mt::make_cpu_executor(0);
  const mt::PixelSize size{96, 64};
  mosaic::Raft raft(random_weights(), executor, size, 1);
  mosaic::RaftFeatures first(executor, size, 1), second(executor, size, 1);
  mosaic::FlowField flow(executor, size, 1);
  mosaic::Picture picture(size.width, size.height, executor);
  for (int i = 0; i < 2; ++i) {
    draw_scene(picture.planes(), i);
    const mt::Planes planes = picture.planes();
    raft.encode({&planes, 1}, i ? second : first);
    executor->wait();
  }
  raft.estimate(first, second, nullptr, kIterations, flow);
  executor->wait();
  const std::vector<int32_t> joined = flow_of(size.width, size.height, {});
  ASSERT_EQ(2 * flow.size(), joined.size());
  for (size_t i = 0; i < flow.size(); ++i)
    ASSERT_EQ(std::lround(flow.pixels()[i] * mt::kFlowUnit), joined[i]) << i;
}

TEST(FrameFlow, HasNoSeams) {
  constexpr int kWidth = 448, kHeight = 128;
  const std::vector<int32_t> found = flow_of(kWidth, kHeight, {256, 64, 0, 0, 8});
  // Around the overlap, from 192 to 256, no column differs more from the next one than others do.
  for (int seam = 188; seam < 260; ++seam)
    for (int y = 8; y < kHeight - 8; ++y)
      for (int c = 0; c < 2; ++c) {
        const auto at = [&](int x) { return found[size_t{2} * (y * kWidth + x) + c]; };
        const int step = std::abs(at(seam) - at(seam - 1));
        const int around =
            std::max(std::abs(at(seam + 1) - at(seam)), std::abs(at(seam - 1) - at(seam - 2)));
        ASSERT_LE(step, around + 0.1 * mt::kFlowUnit) << seam << "," << y;
      }
}

}  // namespace
