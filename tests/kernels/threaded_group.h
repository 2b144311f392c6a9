// SPDX-License-Identifier: LGPL-2.1-or-later
// A group of host threads. Between two syncs its workers run in any order, as on a GPU, so that
// ThreadSanitizer reports a missing sync as a race.
#pragma once

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "cpu/group_memory.h"
#include "kernels/group.h"

namespace test {

/// What the workers of a group share.
struct Team {
  Team(int count, int bytes) : workers(count), may_share(bytes), barrier(count), slots(count) {
    shared.set_guard(bytes);
  }

  const int workers;
  const int may_share;  ///< bytes
  std::barrier<> barrier;
  std::vector<uint64_t> slots;  ///< [workers]: values of sum() and min()
  mt::GroupMemory shared;
};

/// One worker's view of its group (see kernels/group.h), for one index.
class ThreadedGroup {
 public:
  ThreadedGroup(Team& team, int rank) : team_(team), rank_(rank) {}

  template <class F>
  void for_each(int n, F f) {
    // Each call gives a thread other iterations than the call before, so that a kernel has a race
    // if its threads rely on getting the same ones again.
    const int first = (rank_ + 5 * calls_++) % team_.workers;
    for (int i = first; i < n; i += team_.workers) f(i);
  }
  template <class F>
  void for_each(int rows, int columns, F f) {
    for_each(rows * columns, [&](int i) { f(i / columns, i % columns); });
  }
  void sync() { team_.barrier.arrive_and_wait(); }
  int64_t sum(int64_t v) {
    return static_cast<int64_t>(combine(static_cast<uint64_t>(v), [this] {
      return std::accumulate(team_.slots.begin(), team_.slots.end(), uint64_t{0});
    }));
  }
  uint64_t min(uint64_t v) {
    return combine(v, [this] { return *std::min_element(team_.slots.begin(), team_.slots.end()); });
  }
  /// Relaxed: it orders nothing else, so no kernel can use it in place of a sync.
  template <class T>
  T add(T& where, T v) {
    return std::atomic_ref<T>(where).fetch_add(v, std::memory_order_relaxed);
  }
  void prefetch(const void*, int) {}
  /// Throws std::length_error, which ends the process, if the group takes more than kShared.
  template <class T>
  T* shared(int n) {
    unsigned char* block = team_.shared.data() + taken_;
    taken_ += mt::shared_block<T>(n);
    if (taken_ > team_.may_share) throw std::length_error("more than kShared shared");
    return reinterpret_cast<T*>(block);
  }

 private:
  template <class F>
  uint64_t combine(uint64_t v, F over_slots) {
    team_.slots[rank_] = v;
    sync();
    const uint64_t result = over_slots();
    sync();  // before another call writes the slots
    return result;
  }

  Team& team_;
  const int rank_;
  int taken_ = 0;
  int calls_ = 0;  ///< number of for_each() calls, the same for all workers
};

/// Runs groups 0..count-1 of a kernel one after another, each of `workers` threads. Throws
/// std::length_error if a group wrote past its kShared.
template <class Kernel>
void run_threaded(const Kernel& kernel, int count, int workers) {
  static_assert(mt::shared_bytes<Kernel>() <= mt::kSharedBytes);
  Team team(workers, mt::shared_bytes<Kernel>());
  {
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < workers; ++rank)
      threads.emplace_back([&team, &kernel, count, rank] {
        for (int index = 0; index < count; ++index) {
          // Shared memory is not initialised.
          if (rank == 0) std::memset(team.shared.data(), 0xa5, mt::shared_bytes<Kernel>());
          team.barrier.arrive_and_wait();
          ThreadedGroup group(team, rank);
          kernel(group, index);
          team.barrier.arrive_and_wait();
        }
      });
  }
  if (!team.shared.guard_is_intact()) throw std::length_error("more than kShared written");
}

}  // namespace test
