// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "executor/executor.h"

namespace gpu_check {

/// Forwards to another executor and counts the calls.
class CountingExecutor final : public mt::Executor {
 public:
  explicit CountingExecutor(std::shared_ptr<mt::Executor> executor)
      : executor_(std::move(executor)) {}

  int64_t waits = 0, launches = 0, allocations = 0;
  int64_t allocated = 0;  ///< bytes, those that were released included
  int64_t copied = 0;     ///< bytes, in both directions
  std::array<int64_t, static_cast<size_t>(mt::KernelId::kCount)> launches_of{};  ///< each kernel

  void* allocate(size_t bytes, mt::Memory where) override {
    ++allocations;
    allocated += static_cast<int64_t>(bytes);
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
  mt::Lap lap() override { return executor_->lap(); }
  std::optional<double> ms(mt::Lap lap) const override { return executor_->ms(lap); }

 protected:
  void run(mt::KernelId id, const void* kernel, int count) override {
    ++launches;
    ++launches_of[static_cast<size_t>(id)];
    ((*executor_).*Hidden::kRun)(id, kernel, count);
  }

 private:
  /// A pointer to the protected function run() of any executor. Only derived classes may form it.
  struct Hidden : mt::Executor {
    static constexpr void (mt::Executor::*kRun)(mt::KernelId, const void*, int) = &Hidden::run;
  };

  std::shared_ptr<mt::Executor> executor_;
};

}  // namespace gpu_check
