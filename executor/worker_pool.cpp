// SPDX-License-Identifier: LGPL-2.1-or-later
#include "executor/worker_pool.h"

#include <hwy/cache_control.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <chrono>
#include <cstdint>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace mt {
namespace {

/// Rounding to nearest, denormals kept (FTZ and DAZ off), while in scope: what a kernel computes
/// must not depend on what an application has set for the thread that it runs on.
class DefaultFloatEnvironment {
 public:
  DefaultFloatEnvironment() {
    std::fegetenv(&saved_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultFloatEnvironment() { std::fesetenv(&saved_); }
  DefaultFloatEnvironment(const DefaultFloatEnvironment&) = delete;
  DefaultFloatEnvironment& operator=(const DefaultFloatEnvironment&) = delete;

 private:
  std::fenv_t saved_;
};

/// Waits without sleeping, as threads take longer to wake up than the gaps between most runs last.
/// Where other threads want the core, it is left to them.
/// @return once done() holds, or after a while in any case
template <class Done>
void spin_until(Done done) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::microseconds kLongest{50};
  constexpr int kPauses = 32;  // between looks at the clock, about a microsecond
  for (const Clock::time_point end = Clock::now() + kLongest; Clock::now() < end;) {
    for (int i = 0; i < kPauses; ++i) {
      if (done()) return;
      hwy::Pause();
    }
    std::this_thread::yield();
  }
}

/// Not hardware_concurrency(), which may count cores that taskset or a container denies.
int cores_of_this_process() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return std::max(CPU_COUNT(&allowed), 1);
  return std::max(static_cast<int>(std::thread::hardware_concurrency()), 1);
}

}  // namespace

// Not a GThreadPool, because that keeps the threads of a freed pool for seconds, and because
// ThreadSanitizer does not see GLib's synchronisation.
struct WorkerPool::Impl {
  // The current run. Written before `round` is incremented with release, read after the increment
  // was seen with acquire; what the job wrote becomes visible to the caller through `helping`
  // likewise.
  const void* job = nullptr;
  Call call = nullptr;  // null: the pool ends
  int64_t count = 0;
  int64_t grain = 1;
  std::atomic<int64_t> next{0};      // first item that no worker has claimed
  std::atomic<uint32_t> round{0};    // incremented by every run
  std::atomic<int> helping{0};       // threads that have not finished this round
  std::atomic<bool> gave_up{false};  // a thread did not claim what was left in this round
  std::mutex error_mutex;
  std::exception_ptr error;  // the first that a job threw in this round
  Cancellation cancellation;
  std::vector<std::jthread> helpers;

  void work(int worker) noexcept {
    const DefaultFloatEnvironment environment;
    for (;;) {
      const int64_t begin = next.fetch_add(grain, std::memory_order_relaxed);
      if (begin >= count) return;
      if (cancellation.requested()) return gave_up.store(true, std::memory_order_relaxed);
      const int64_t end = std::min(begin + grain, count);
      try {
        call(job, worker, static_cast<int>(begin), static_cast<int>(end));
      } catch (...) {
        return give_up(std::current_exception());
      }
    }
  }

  void give_up(const std::exception_ptr& thrown) {
    const std::lock_guard lock(error_mutex);
    if (!error) error = thrown;
    next.store(count, std::memory_order_relaxed);
    gave_up.store(true, std::memory_order_relaxed);
  }

  void help(int worker) {
    for (uint32_t seen = 0;; ++seen) {
      spin_until([&] { return round.load(std::memory_order_acquire) != seen; });
      round.wait(seen, std::memory_order_acquire);
      if (!call) return;
      work(worker);
      if (helping.fetch_sub(1, std::memory_order_acq_rel) == 1) helping.notify_one();
    }
  }

  void start_round() {
    next.store(0, std::memory_order_relaxed);
    helping.store(static_cast<int>(helpers.size()), std::memory_order_relaxed);
    round.fetch_add(1, std::memory_order_release);
    round.notify_all();
  }

  void wait_for_helpers() {
    spin_until([&] { return helping.load(std::memory_order_acquire) == 0; });
    for (int left; (left = helping.load(std::memory_order_acquire)) != 0;)
      helping.wait(left, std::memory_order_acquire);
  }
};

WorkerPool::WorkerPool(int threads) : impl_(std::make_unique<Impl>()) {
  if (threads <= 0) threads = cores_of_this_process();
  try {
    for (int worker = 1; worker < threads; ++worker)
      impl_->helpers.emplace_back([impl = impl_.get(), worker] { impl->help(worker); });
  } catch (const std::system_error&) {
    // The system refuses more threads: continue with those that were started.
  }
}

WorkerPool::~WorkerPool() {
  impl_->call = nullptr;
  impl_->start_round();
  impl_->helpers.clear();
}

int WorkerPool::threads() const {
  return 1 + static_cast<int>(impl_->helpers.size());
}

void WorkerPool::set_cancellation(const Cancellation& cancellation) {
  impl_->cancellation = cancellation;
}

const Cancellation& WorkerPool::cancellation() const {
  return impl_->cancellation;
}

void WorkerPool::run(int count, int grain, const void* job, Call call) {
  if (count <= 0) return;
  impl_->job = job;
  impl_->call = call;
  impl_->count = count;
  impl_->grain = std::max(grain, 1);
  impl_->gave_up.store(false, std::memory_order_relaxed);
  if (count <= impl_->grain || impl_->helpers.empty()) {
    impl_->next.store(0, std::memory_order_relaxed);
    impl_->work(0);
  } else {
    impl_->start_round();
    impl_->work(0);
    impl_->wait_for_helpers();
  }
  // Not whether it is requested now: that may have ended since.
  if (!impl_->gave_up.load(std::memory_order_relaxed)) return;
  if (impl_->error) std::rethrow_exception(std::exchange(impl_->error, nullptr));
  throw Cancelled();
}

}  // namespace mt
