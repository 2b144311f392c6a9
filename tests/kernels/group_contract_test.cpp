// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The operations that kernels/group.h describes, with the tests' own group and with the group of a
/// GPU, both run by host threads.
#include <gtest/gtest.h>

#include <set>

#include "tests/kernels/threaded_group.h"
#include "tests/kernels/threaded_workers.h"

namespace {

using test::Way;
using test::Workers;

// 96 threads: not a multiple of the numbers of rows and columns.
constexpr Workers kWorkers[] = {{"Group32", Way::kGroup, 32},
                                {"Block32", Way::kBlock, 32},
                                {"Block96", Way::kBlock, 96},
                                {"Block256", Way::kBlock, 256}};

class GroupContract : public testing::TestWithParam<Workers> {};

/// Uses all operations of a group. All groups add to `grid` and `count`, so the result is wrong
/// unless every group runs exactly once.
struct Everything {
  static constexpr int kShared = mt::shared_block<int32_t>(256) + mt::shared_block<int64_t>(100);
  int64_t* sums;    ///< [groups][workers]
  uint64_t* least;  ///< [groups][workers]
  int32_t* order;   ///< [groups][100]: what add() returned
  int32_t* grid;    ///< [7][9]
  int32_t* count;
  int workers;

  template <class Group>
  void operator()(Group& g, int index) const {
    int32_t* a = g.template shared<int32_t>(workers);
    int64_t* b = g.template shared<int64_t>(100);
    g.for_each(100, [=](int i) { b[i] = i * index; });
    g.sync();
    g.for_each(workers, [=](int i) { a[i] = i; });  // read after sum(), which is also a sync
    int64_t mine = 0;
    uint64_t low = UINT64_MAX;
    g.for_each(100, [&](int i) {
      mine += b[99 - i] - 200;  // the sum of signed values
      low = std::min(low, static_cast<uint64_t>(300 - i));
    });
    const int64_t sum = g.sum(mine);
    const uint64_t minimum = g.min(low);
    g.for_each(workers, [=, this](int i) {
      sums[index * workers + i] = sum + a[workers - 1 - i];
      least[index * workers + i] = minimum;
    });
    g.for_each(100, [=, this, &g](int i) { order[index * 100 + i] = g.add(*count, 1); });
    g.for_each(7, 9, [=, this](int y, int x) { grid[y * 9 + x] += 10 * y + x; });
  }
};

TEST_P(GroupContract, EveryOperationMeetsItsContract) {
  const int n = GetParam().count;
  constexpr int kGroups = 3;
  std::vector<int64_t> sums(kGroups * n);
  std::vector<uint64_t> least(kGroups * n);
  std::vector<int32_t> order(kGroups * 100), grid(63);
  int32_t count = 0;
  GetParam().run(Everything{sums.data(), least.data(), order.data(), grid.data(), &count, n},
                 kGroups);
  for (int i = 0; i < kGroups * n; ++i) {
    ASSERT_EQ(i / n * 4950 - 100 * 200 + n - 1 - i % n, sums[i]);
    ASSERT_EQ(201u, least[i]);
  }
  // add() returned each number once, no matter to which thread.
  const std::set<int32_t> seen(order.begin(), order.end());
  EXPECT_EQ(300u, seen.size());
  EXPECT_EQ(0, *seen.begin());
  EXPECT_EQ(299, *seen.rbegin());
  EXPECT_EQ(300, count);
  for (int i = 0; i < 63; ++i) ASSERT_EQ(kGroups * (i / 9 * 10 + i % 9), grid[i]);
}

/// Counts how often for_each() comes to each element.
struct Visits {
  int rows, columns;
  int32_t* visits;  ///< [rows][columns]

  template <class Group>
  void operator()(Group& g, int) const {
    g.for_each(rows, columns, [=, this](int y, int x) { ++visits[y * columns + x]; });
    g.sync();
    g.for_each(rows * columns, [=, this](int i) { visits[i] += 10; });
  }
};

TEST_P(GroupContract, LoopsVisitEveryElementOnce) {
  constexpr int kSizes[][2] = {{0, 5}, {1, 1}, {1, 700}, {700, 1}, {37, 11}, {3, 256}, {2, 97}};
  for (const auto& [rows, columns] : kSizes) {
    std::vector<int32_t> visits(rows * columns);
    GetParam().run(Visits{rows, columns, visits.data()}, 1);
    EXPECT_EQ(std::vector<int32_t>(rows * columns, 11), visits) << rows << " x " << columns;
  }
}

/// Sums and minima in which only one thread has a value.
struct OneContributes {
  static constexpr int kRounds = 7;
  int at[kRounds];
  int64_t* sums;     ///< [kRounds]
  uint64_t* minima;  ///< [kRounds]

  template <class Group>
  void operator()(Group& g, int) const {
    for (int round = 0; round < kRounds; ++round) {
      int64_t value = 0;
      uint64_t low = UINT64_MAX;
      g.for_each(256, [&, this](int i) {
        if (i != at[round]) return;
        value = -1 - (int64_t{1} << 40);
        low = (uint64_t{1} << 63) + i;
      });
      const int64_t sum = g.sum(value);
      const uint64_t minimum = g.min(low);
      g.for_each(1, [=, this](int) {
        sums[round] = sum;
        minima[round] = minimum;
      });
    }
  }
};

TEST_P(GroupContract, SumsAndMinimaIncludeEveryThread) {
  int64_t sums[OneContributes::kRounds];
  uint64_t minima[OneContributes::kRounds];
  const OneContributes kernel{{0, 1, 31, 32, 63, 200, 255}, sums, minima};
  GetParam().run(kernel, 1);
  for (int round = 0; round < OneContributes::kRounds; ++round) {
    EXPECT_EQ(-1 - (int64_t{1} << 40), sums[round]) << kernel.at[round];
    EXPECT_EQ((uint64_t{1} << 63) + kernel.at[round], minima[round]);
  }
}

/// Writes `bytes` bytes of shared memory, of which it may use kShared.
struct WritesTooMuch {
  static constexpr int kShared = mt::kSharedAlignment;
  int bytes;

  template <class Group>
  void operator()(Group& g, int) const {
    uint8_t* block = g.template shared<uint8_t>(kShared);
    g.for_each(bytes, [=](int i) { block[i] = 0; });
  }
};

TEST_P(GroupContract, DetectsWritesPastTheSharedMemory) {
  EXPECT_NO_THROW(GetParam().run(WritesTooMuch{WritesTooMuch::kShared}, 1));
  EXPECT_THROW(GetParam().run(WritesTooMuch{WritesTooMuch::kShared + 1}, 1), std::length_error);
}

INSTANTIATE_TEST_SUITE_P(Workers, GroupContract, testing::ValuesIn(kWorkers),
                         [](const auto& info) { return info.param.name; });

/// Lacks a sync between writing and reading a number. The writer waits until the number was read,
/// which the contract allows. Accesses are atomic, so the result is wrong without a data race.
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

TEST(ThreadedGroup, ExposesAMissingSync) {
  int32_t out = -1;
  test::run_threaded(LacksASync{&out}, 1, 32);
  EXPECT_EQ(0, out);
}

/// Takes all of its kShared bytes of shared memory and, with `one_more`, a block more.
struct TakesTooMuch {
  static constexpr int kShared = mt::kSharedBytes;
  bool one_more;

  template <class Group>
  void operator()(Group& g, int) const {
    g.template shared<uint8_t>(kShared - mt::kSharedAlignment);
    g.template shared<uint8_t>(mt::kSharedAlignment);
    if (one_more) g.template shared<uint8_t>(1);
  }
};

TEST(ThreadedGroupDeathTest, AbortsIfAKernelSharesMoreThanItDeclares) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  test::run_threaded(TakesTooMuch{false}, 1, 1);
  EXPECT_DEATH(test::run_threaded(TakesTooMuch{true}, 1, 1), "kShared");
}

}  // namespace
