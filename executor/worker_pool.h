// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <memory>

#include "executor/cancellation.h"

namespace mt {

/// Spreads independent jobs over threads. The calling thread works too, so a pool of one thread
/// starts none. Safe to use from one thread at a time.
class WorkerPool {
 public:
  /// @param threads workers, the caller included; 0: one for each core that this process may use.
  explicit WorkerPool(int threads);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// Workers, the caller included; at least 1.
  int threads() const;

  /// What makes later calls of run() end early; not to be called during one.
  void set_cancellation(const Cancellation& cancellation);
  const Cancellation& cancellation() const;

  /// Calls job(worker, begin, end) until [0, count) is covered by disjoint ranges of at most
  /// `grain` items, and returns when all are done. `worker` is below threads(), and no two calls
  /// with the same worker overlap; worker 0 is the calling thread. While the job runs, denormals
  /// are kept (FTZ and DAZ off) and rounding is to nearest, on every worker. If the job throws, or
  /// the cancellation is requested, ranges may be left out. Once no job runs, this then throws the
  /// first exception of the job, or Cancelled.
  template <class Job>
  void run(int count, int grain, const Job& job) {
    run(count, grain, &job, [](const void* erased, int worker, int begin, int end) {
      (*static_cast<const Job*>(erased))(worker, begin, end);
    });
  }

 private:
  struct Impl;
  using Call = void (*)(const void* job, int worker, int begin, int end);
  void run(int count, int grain, const void* job, Call call);
  std::unique_ptr<Impl> impl_;
};

}  // namespace mt
