// SPDX-License-Identifier: LGPL-2.1-or-later
// An engine that has seen its scene allocates no memory for further frames of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>
#include <vector>

#include "mosaic/engine/engine.h"
#include "mosaic/settings/profile.h"
#include "tests/core/frames.h"

namespace {

/// Calls of operator new in this program, on all threads.
std::atomic<int> allocations;

void* counted(void* memory) {
  ++allocations;
  if (!memory) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(size_t bytes) {
  return counted(std::malloc(bytes));
}
// The C++ library sorts in memory that it asks for with std::nothrow and returns to operator
// delete.
void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(bytes);
}
void* operator new(size_t bytes, std::align_val_t alignment) {
  const auto to = static_cast<size_t>(alignment);
  return counted(std::aligned_alloc(to, (bytes + to - 1) / to * to));
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace {

constexpr int kWidth = 320, kHeight = 180, kSide = 20;
constexpr int kPeriod = 24, kPeriodsBefore = 4;

class Allocations : public testing::TestWithParam<const char*> {};

TEST_P(Allocations, AreNoneInFurtherFramesOfAScene) {
  const auto executor = mt::make_cpu_executor(2);
  const mosaic::Grid grid = mosaic::choose_grid(kWidth, kHeight, kWidth, kHeight, kSide, "700");
  mosaic::Engine engine(grid, test::procedural_pool(*executor, kSide, kSide), 0, executor);
  mosaic::FrameSettings settings;
  settings.look = mosaic::load_profile(GetParam());
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

INSTANTIATE_TEST_SUITE_P(Profiles, Allocations, testing::Values("vivid_b", "ultra", "film"));

}  // namespace
