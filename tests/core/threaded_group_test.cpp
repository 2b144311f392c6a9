// SPDX-License-Identifier: LGPL-2.1-or-later
// Every kernel over groups of 32 and of 256 threads: the same bytes as one thread a group, and
// under ThreadSanitizer no race.
#include "threaded_group.h"

#include <gtest/gtest.h>

#include <set>

#include "cuda/executor.h"
#include "tests/core/kernel_cases.h"

namespace {

/// Threads by the hundred are slow: with few, every case once and the first two at all sizes; with
/// many, every case once, at a size that has work for all of them.
bool is_tried(int workers, const test::CaseSize& size, int which) {
  if (workers > 32) return &size == &test::kOddSizes[1];
  return which <= 1 || &size == &test::kOddSizes[0];
}

template <class Kernel>
void expect_same(int workers) {
  const auto executor = mt::make_cpu_executor(1);
  for (const test::CaseSize& size : test::kOddSizes)
    for (int which = 0; which < test::Cases<Kernel>::kCount; ++which) {
      if (!is_tried(workers, size, which)) continue;
      test::KernelMemory one(executor), many(executor);
      const auto serial = test::Cases<Kernel>::make(one, size, which);
      const auto threaded = test::Cases<Kernel>::make(many, size, which);
      executor->launch(serial.kernel, serial.count);
      test::run_threaded(threaded.kernel, threaded.count, workers);
      const auto expected = one.contents(), found = many.contents();
      ASSERT_EQ(expected.size(), found.size());
      for (size_t i = 0; i < expected.size(); ++i)
        EXPECT_TRUE(expected[i] == found[i]) << size.width << "x" << size.height << ", case "
                                             << which << ", block " << i << ", in order of making";
    }
}

class ThreadedGroup : public testing::TestWithParam<int> {};

#define MT_KERNEL_TEST(name)                       \
  TEST_P(ThreadedGroup, name##IsThatOfOneThread) { \
    expect_same<mt::name>(GetParam());             \
  }
MT_KERNELS(MT_KERNEL_TEST)
#undef MT_KERNEL_TEST

/// Uses everything that a group has.
struct Everything {
  static constexpr int kShared = mt::shared_block<int32_t>(256) + mt::shared_block<int64_t>(100);
  int64_t* sums;    ///< [workers]
  uint64_t* least;  ///< [workers]
  int32_t* order;   ///< [100]: what add() returned
  int32_t* grid;    ///< [7][9]
  int32_t* count;
  int workers;

  template <class Group>
  void operator()(Group& g, int index) const {
    int32_t* a = g.template shared<int32_t>(workers);
    int64_t* b = g.template shared<int64_t>(100);
    g.for_each(100, [=](int i) { b[i] = i * index; });
    g.sync();
    g.for_each(workers, [=](int i) { a[i] = i; });  // to be read after a sum, which is a sync
    int64_t mine = 0;
    uint64_t low = UINT64_MAX;
    g.for_each(100, [&](int i) {
      mine += b[99 - i] - 200;  // the sum of signed values
      low = std::min(low, static_cast<uint64_t>(300 - i));
    });
    const int64_t sum = g.sum(mine);
    const uint64_t least_ = g.min(low);
    g.for_each(workers, [=, this](int i) {
      sums[i] = sum + a[workers - 1 - i];
      least[i] = least_;
    });
    g.for_each(100, [=, this, &g](int i) { order[i] = g.add(*count, 1); });
    g.for_each(7, 9, [=, this](int y, int x) { grid[y * 9 + x] += 10 * y + x; });
  }
};

TEST_P(ThreadedGroup, KeepsTheContract) {
  const int n = GetParam();
  std::vector<int64_t> sums(n);
  std::vector<uint64_t> least(n);
  std::vector<int32_t> order(100), grid(63);
  int32_t count = 0;
  test::run_threaded(Everything{sums.data(), least.data(), order.data(), grid.data(), &count, n}, 3,
                     n);
  for (int i = 0; i < n; ++i) {
    ASSERT_EQ(2 * 4950 - 100 * 200 + n - 1 - i, sums[i]);
    ASSERT_EQ(201u, least[i]);
  }
  // The third index counted from 200 on, each number once.
  const std::set<int32_t> seen(order.begin(), order.end());
  EXPECT_EQ(100u, seen.size());
  EXPECT_EQ(200, *seen.begin());
  EXPECT_EQ(299, *seen.rbegin());
  for (int i = 0; i < 63; ++i) ASSERT_EQ(3 * (i / 9 * 10 + i % 9), grid[i]);
}

/// Lacks a sync between writing and reading. The writer holds its number back until it has been
/// read, which nothing forbids; atomic, so that it is a wrong result and not a race.
struct LacksASync {
  static constexpr int kShared = 2 * mt::kSharedAlignment;
  int32_t* out;

  template <class Group>
  void operator()(Group& g, int) const {
    int32_t* number = g.template shared<int32_t>(1);
    int32_t* read = g.template shared<int32_t>(1);
    g.for_each(1, [=](int) { *number = *read = 0; });
    g.sync();
    g.for_each(1, [=](int) {
      std::atomic_ref(*read).wait(0);
      std::atomic_ref(*number).store(1);
    });
    g.for_each(1, [=, this](int) {
      *out = std::atomic_ref(*number).load();
      std::atomic_ref(*read).store(1);
      std::atomic_ref(*read).notify_all();
    });
  }
};

TEST_P(ThreadedGroup, ShowsWhatAMissingSyncDoes) {
  int32_t out = -1;
  test::run_threaded(LacksASync{&out}, 1, GetParam());
  EXPECT_EQ(0, out);
}

/// May share one element more than it says.
struct TakesTooMuch {
  static constexpr int kShared = mt::kSharedBytes;
  bool last_straw;

  template <class Group>
  void operator()(Group& g, int) const {
    g.template shared<uint8_t>(kShared - mt::kSharedAlignment);
    g.template shared<uint8_t>(mt::kSharedAlignment);
    if (last_straw) g.template shared<uint8_t>(1);
  }
};

TEST(ThreadedGroupDeathTest, StopsAtWhatTheKernelSaysItShares) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  test::run_threaded(TakesTooMuch{false}, 1, 1);
  EXPECT_DEATH(test::run_threaded(TakesTooMuch{true}, 1, 1), "kShared");
}

INSTANTIATE_TEST_SUITE_P(Workers, ThreadedGroup, testing::Values(32, 256),
                         testing::PrintToStringParamName());

}  // namespace
