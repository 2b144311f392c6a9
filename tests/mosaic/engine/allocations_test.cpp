// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// More of engine_test.cpp, in a program with an operator new of its own: an engine that has seen
/// its scene allocates no memory for further frames of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "cpu/cpu_executor.h"
#include "mosaic/engine/engine.h"
#include "mosaic/settings/profile.h"
#include "tests/mosaic/frames.h"
#include "tests/mosaic/operator_new.h"

namespace {

/// Calls of operator new in this program, on all threads.
std::atomic<int> allocations;

}  // namespace

bool test::allocation_fails() {
  ++allocations;
  return false;
}

namespace {

constexpr int kWidth = 320, kHeight = 180, kSide = 20;
constexpr int kPeriod = 24, kPeriodsBefore = 4;

struct Look {
  const char* profile;
  mosaic::UseSettings uses{};
};

class Allocations : public testing::TestWithParam<Look> {};

TEST_P(Allocations, AreNoneInFurtherFramesOfAScene) {
  const auto executor = mt::make_cpu_executor(2);
  const mosaic::Grid grid = mosaic::choose_grid(kWidth, kHeight, kWidth, kHeight, kSide, "700");
  mosaic::Engine engine(grid, test::procedural_pool(*executor, kSide, kSide), GetParam().uses,
                        executor);
  mosaic::FrameSettings settings;
  settings.look = mosaic::load_profile(GetParam().profile);
  settings.look.fidelity = 0.5;
  std::vector<test::RgbFrame> frames;
  for (int i = 0; i < kPeriod; ++i)
    frames.push_back(test::moving_disc(kWidth, kHeight, std::min(i, kPeriod - i)));
  test::RgbFrame out(kWidth, kHeight);
  int before = 0;
  unsigned changed = 0;
  for (int i = 0; i < (kPeriodsBefore + 1) * kPeriod; ++i) {
    if (i == kPeriodsBefore * kPeriod) {
      before = allocations;
      changed = 0;
    }
    changed += engine.process(frames[i % kPeriod].view(), out.view(), settings).changed;
    executor->wait();
  }
  EXPECT_GT(before, 0);
  EXPECT_GT(changed, 0U);
  EXPECT_EQ(allocations - before, 0);
}

INSTANTIATE_TEST_SUITE_P(Profiles, Allocations,
                         testing::Values(Look{"vivid_b"}, Look{"ultra"}, Look{"film"},
                                         Look{"vivid_b", {mosaic::Unit::kPhoto, 2}},
                                         Look{"vivid_b", {mosaic::Unit::kPhoto, 0, 1}}));

}  // namespace
