// SPDX-License-Identifier: LGPL-2.1-or-later
// A group of real threads: between two syncs its workers run in any order, as those of a GPU do, so
// that ThreadSanitizer sees a sync that a kernel lacks.
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

#include "cuda/group.h"

namespace test {

/// What the workers of a group share.
struct Team {
  Team(int count, int bytes) : workers(count), may_share(bytes), barrier(count), slots(count) {}

  const int workers;
  const int may_share;  ///< bytes
  std::barrier<> barrier;
  std::vector<uint64_t> slots;  ///< one a worker, for sum and min
  alignas(mt::kSharedAlignment) unsigned char shared[mt::kSharedBytes];
};

/// One worker's view of its group (see cuda/group.h), for one index.
class ThreadedGroup {
 public:
  ThreadedGroup(Team& team, int rank) : team_(team), rank_(rank) {}

  template <class F>
  void for_each(int n, F f) {
    // Another share each time: what leans on getting the same iterations again shows as a race.
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
  /// Relaxed: it orders nothing else, so no kernel can lean on it in place of a sync.
  template <class T>
  T add(T& where, T v) {
    return std::atomic_ref<T>(where).fetch_add(v, std::memory_order_relaxed);
  }
  /// Throws std::length_error, which ends the process, if the group takes more than it says.
  template <class T>
  T* shared(int n) {
    unsigned char* block = team_.shared + taken_;
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
    sync();  // before anyone writes the slots again
    return result;
  }

  Team& team_;
  const int rank_;
  int taken_ = 0;
  int calls_ = 0;  ///< of for_each, alike for all workers
};

/// Runs groups 0..count-1 of a kernel one after another, each of `workers` threads.
template <class Kernel>
void run_threaded(const Kernel& kernel, int count, int workers) {
  static_assert(mt::shared_bytes<Kernel>() <= mt::kSharedBytes);
  Team team(workers, mt::shared_bytes<Kernel>());
  std::vector<std::jthread> threads;
  for (int rank = 0; rank < workers; ++rank)
    threads.emplace_back([&team, &kernel, count, rank] {
      for (int index = 0; index < count; ++index) {
        // What is shared is not initialised, and holds what the last index left on a GPU.
        if (rank == 0) std::memset(team.shared, 0xa5, sizeof(team.shared));
        team.barrier.arrive_and_wait();
        ThreadedGroup group(team, rank);
        kernel(group, index);
        team.barrier.arrive_and_wait();
      }
    });
}

}  // namespace test
