// SPDX-License-Identifier: LGPL-2.1-or-later
#include "executor/worker_pool.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <cfenv>
#include <filesystem>
#include <new>
#include <thread>
#include <vector>
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

namespace mt {
namespace {

// The register that says how to round and whether to flush denormals.
#ifdef __SSE2__
constexpr unsigned kFlush = 0x8040;  // FTZ and DAZ
unsigned float_mode() {
  return _mm_getcsr() & ~0x3fu;  // the low six bits are sticky exceptions
}
void set_float_mode(unsigned mode) {
  _mm_setcsr(mode);
}
#elif defined __aarch64__
constexpr unsigned kFlush = 1 << 24;  // FZ
unsigned float_mode() {
  return __builtin_aarch64_get_fpcr();
}
void set_float_mode(unsigned mode) {
  __builtin_aarch64_set_fpcr(mode);
}
#else
constexpr unsigned kFlush = 0;
unsigned float_mode() {
  return 0;
}
void set_float_mode(unsigned) {}
#endif

int running_threads() {
  int count = 0;
  for ([[maybe_unused]] const auto& task : std::filesystem::directory_iterator("/proc/self/task"))
    ++count;
  return count;
}

class Coverage : public testing::TestWithParam<int> {};

TEST_P(Coverage, RunsEveryItemOnceInRangesUpToTheGrain) {
  WorkerPool pool(GetParam());
  ASSERT_EQ(pool.threads(), GetParam());
  for (int grain : {1, 3, 7, 64, 1000, 5000})
    for (int count : {0, 1, 2, 63, 64, 65, 997, 4096}) {
      // Memory without atomics or locks: if a worker is not synchronised with the caller,
      // ThreadSanitizer reports a data race.
      std::vector<int> seen(count, 0);
      std::vector<int> inside(pool.threads(), 0);
      std::atomic<int> wrong{0};
      pool.run(count, grain, [&](int worker, int begin, int end) {
        if (worker < 0 || worker >= pool.threads() || begin >= end || end - begin > grain) ++wrong;
        if (++inside[worker] != 1) ++wrong;
        for (int i = begin; i < end; ++i) ++seen[i];
        --inside[worker];
      });
      EXPECT_EQ(wrong, 0) << "grain " << grain << ", count " << count;
      for (int i = 0; i < count; ++i) ASSERT_EQ(seen[i], 1) << "item " << i << ", grain " << grain;
    }
}

TEST_P(Coverage, EndsEarlyWhereItIsCancelled) {
  std::atomic<bool> cancelled{false};
  WorkerPool pool(GetParam());
  pool.set_cancellation(mt::Cancellation(cancelled));
  for (const int at : {0, 1, 100}) {
    std::atomic<int> done{0};
    EXPECT_THROW(pool.run(100000, 1,
                          [&](int, int begin, int) {
                            if (begin == at) cancelled = true;
                            while (begin >= at && !cancelled) std::this_thread::yield();
                            ++done;
                          }),
                 mt::Cancelled);
    // Each other thread may have claimed a range and found out before it ran it.
    EXPECT_GE(done, at + 2 - pool.threads());
    EXPECT_LE(done, at + pool.threads()) << "ranges were claimed after it was cancelled";
    EXPECT_THROW(pool.run(10, 1, [&](int, int, int) { ++done; }), mt::Cancelled);
    EXPECT_LE(done, at + pool.threads());
    cancelled = false;
    done = 0;
    pool.run(100, 1, [&](int, int, int) { ++done; });
    EXPECT_EQ(done, 100);
  }
}

TEST_P(Coverage, FinishesWhatWasClaimedBeforeItIsCancelled) {
  std::atomic<bool> cancelled{false};
  WorkerPool pool(GetParam());
  pool.set_cancellation(mt::Cancellation(cancelled));
  // The last range requests it, and nothing is left out.
  EXPECT_NO_THROW(pool.run(1, 1, [&](int, int, int) { cancelled = true; }));
}

TEST_P(Coverage, AllowsAThousandRunsInARow) {
  WorkerPool pool(GetParam());
  std::vector<uint64_t> values(257, 0);
  for (int round = 0; round < 1000; ++round)
    pool.run(257, 5, [&](int, int begin, int end) {
      // Each run reads what another thread may have written in the one before.
      for (int i = begin; i < end; ++i) values[i] = values[i] * 3 + i + round;
    });
  std::vector<uint64_t> expected(257, 0);
  for (int round = 0; round < 1000; ++round)
    for (int i = 0; i < 257; ++i) expected[i] = expected[i] * 3 + i + round;
  EXPECT_EQ(values, expected);
}

INSTANTIATE_TEST_SUITE_P(Threads, Coverage, testing::Values(1, 2, 7));

TEST(WorkerPool, CallerIsWorkerZero) {
  WorkerPool pool(3);
  const auto caller = std::this_thread::get_id();
  std::atomic<int> wrong{0};
  pool.run(500, 1, [&](int worker, int, int) {
    if ((worker == 0) != (std::this_thread::get_id() == caller)) ++wrong;
  });
  EXPECT_EQ(wrong, 0);
}

TEST(WorkerPool, MayBeNested) {
  WorkerPool outer(2);
  std::vector<int> sums(8, 0);
  outer.run(8, 1, [&](int, int begin, int end) {
    for (int i = begin; i < end; ++i) {
      WorkerPool inner(3);
      std::vector<int> partial(inner.threads(), 0);
      inner.run(100, 9, [&](int worker, int from, int to) {
        for (int k = from; k < to; ++k) partial[worker] += k;
      });
      for (int p : partial) sums[i] += p;
    }
  });
  for (int sum : sums) EXPECT_EQ(sum, 99 * 100 / 2);
}

TEST(WorkerPool, PassesOnWhatAJobThrows) {
  for (const int threads : {1, 3}) {
    WorkerPool pool(threads);
    for (int round = 0; round < 50; ++round) {
      EXPECT_THROW(pool.run(100, 1,
                            [](int, int item, int) {
                              if (item == 37) throw std::bad_alloc();
                            }),
                   std::bad_alloc);
      std::atomic<int> done{0};
      pool.run(100, 1, [&](int, int, int) { ++done; });
      ASSERT_EQ(done, 100);
    }
  }
}

TEST(WorkerPool, JoinsItsThreads) {
  const int before = running_threads();
  for (int round = 0; round < 20; ++round) {
    WorkerPool pool(7);
    EXPECT_EQ(running_threads(), before + 6);
    pool.run(7, 1, [](int, int, int) {});
  }
  EXPECT_EQ(running_threads(), before);
}

TEST(WorkerPool, ZeroThreadsMeansTheCoresOfThisProcess) {
  cpu_set_t all;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  EXPECT_EQ(WorkerPool(0).threads(), CPU_COUNT(&all));
  cpu_set_t one;
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &all)) {
      CPU_SET(cpu, &one);
      break;
    }
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(WorkerPool(0).threads(), 1);
  EXPECT_EQ(sched_setaffinity(0, sizeof all, &all), 0);
}

TEST(WorkerPool, KeepsDenormalsInAnyFloatingPointModeOfTheCaller) {
  const unsigned saved = float_mode();
  set_float_mode(saved | kFlush);
  std::fesetround(FE_UPWARD);
  const unsigned set = float_mode();
  std::atomic<int> wrong{0};
  {
    WorkerPool pool(4);  // its threads inherit what the caller has
    pool.run(400, 1, [&](int, int begin, int) {
      volatile float tiny = 1e-39f;
      volatile float half = tiny * 0.5f;
      if ((float_mode() & kFlush) || std::fegetround() != FE_TONEAREST) ++wrong;
      if (begin % 4 == 0) std::this_thread::yield();
      if (half == 0.0f) ++wrong;
    });
  }
  const unsigned after = float_mode();
  set_float_mode(saved);
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(after, set);
}

}  // namespace
}  // namespace mt
