// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <memory>

#include "cuda/executor.h"

namespace gpu_check {

/// Another executor, with what is asked of it counted.
class CountingExecutor final : public mt::Executor {
 public:
  explicit CountingExecutor(std::shared_ptr<mt::Executor> executor)
      : executor_(std::move(executor)) {}

  int64_t waits = 0, launches = 0, copied = 0;  ///< the last in bytes, both ways

  void* allocate(size_t bytes, mt::Memory where) override {
    return executor_->allocate(bytes, where);
  }
  void release(void* memory, mt::Memory where) override { executor_->release(memory, where); }
  bool unified() const override { return executor_->unified(); }
  void to_device(void* device, const void* host, size_t bytes) override {
    copied += static_cast<int64_t>(bytes);
    executor_->to_device(device, host, bytes);
  }
  void to_host(void* host, const void* device, size_t bytes) override {
    copied += static_cast<int64_t>(bytes);
    executor_->to_host(host, device, bytes);
  }
  const mt::Tables* tables() override { return executor_->tables(); }
  mt::WorkerPool& workers() override { return executor_->workers(); }
  void set_threads(int threads) override { executor_->set_threads(threads); }
  void wait() override {
    ++waits;
    executor_->wait();
  }
  void lap(double* ms) override { executor_->lap(ms); }

 protected:
  void run(mt::KernelId id, const void* kernel, int count) override {
    ++launches;
    ((*executor_).*Hidden::kRun)(id, kernel, count);
  }

 private:
  /// A pointer to a protected function of any executor, which only a class derived from it names.
  struct Hidden : mt::Executor {
    static constexpr void (mt::Executor::*kRun)(mt::KernelId, const void*, int) = &Hidden::run;
  };

  std::shared_ptr<mt::Executor> executor_;
};

}  // namespace gpu_check
