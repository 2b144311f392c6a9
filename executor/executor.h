// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "executor/cancellation.h"
#include "executor/worker_pool.h"
#include "kernels/kernel_list.h"

namespace mt {

struct Tables;  // kernels/math/tables.h

/// Who can access memory: kernels only, or kernels and the host.
enum class Memory { kDevice, kShared };

/// A part of an executor's work whose duration it measures; see Executor::lap().
struct Lap {
  uint64_t number = 0;  ///< 0: none
};

/// Runs kernels. Only one thread at a time may call an executor. Every function except release()
/// may throw an exception derived from std::runtime_error if the device fails. Executors whose
/// device can fail have an exception class of their own.
class Executor {
 public:
  virtual ~Executor() = default;

  /// Memory, zeroed and aligned to 64 bytes. Throws std::bad_alloc, and may throw Cancelled.
  virtual void* allocate(size_t bytes, Memory where) = 0;
  virtual void release(void* memory, Memory where) = 0;

  /// Whether the host can access all memory of kernels, and kernels all memory of the host. A
  /// launch has then finished when it returns.
  virtual bool unified() const = 0;

  /// Copies, in order with the launches. The caller neither changes nor frees `host` before wait()
  /// has returned; only then is the copy known to be complete.
  virtual void to_device(void* device, const void* host, size_t bytes) = 0;
  virtual void to_host(void* host, const void* device, size_t bytes) = 0;

  /// A copy of mt::tables(), the constant tables, that kernels can read.
  virtual const Tables* tables() = 0;

  /// Host threads for work that is not a kernel, such as decoding photos.
  virtual WorkerPool& workers() = 0;
  /// Changes the number of host threads; see WorkerPool for its meaning.
  virtual void set_threads(int threads) = 0;

  /// Sets what makes later launches, runs of the workers and allocations end early, with Cancelled.
  /// A GPU finishes what was launched before.
  void set_cancellation(const Cancellation& cancellation) {
    cancellation_ = cancellation;
    workers().set_cancellation(cancellation);
  }
  const Cancellation& cancellation() const { return cancellation_; }

  /// Runs groups 0..count-1 of a kernel. Kernels of one executor run in the order of the launches.
  /// Throws Cancelled if the cancellation is requested; then not all groups have run.
  template <class Kernel>
  void launch(const Kernel& kernel, int count) {
    cancellation_.check();
    if (count > 0) run(Kernel::kId, &kernel, count);
  }

  /// Returns when everything that was launched or copied has finished.
  virtual void wait() = 0;

  /// Ends a lap and begins the next one. A lap is what was launched and copied since the end of
  /// the one before. On a GPU, the first lap after wait() is not timed, because nothing marks its
  /// beginning, nor are laps beyond the number that it can time between two waits.
  virtual Lap lap() = 0;
  /// How long a lap took, in milliseconds. Known after the next wait(), for the latest laps;
  /// nullopt: not known.
  virtual std::optional<double> ms(Lap lap) const = 0;

 protected:
  virtual void run(KernelId id, const void* kernel, int count) = 0;

 private:
  Cancellation cancellation_;
};

/// Executor memory for a fixed number of elements, freed with its owner.
template <class T, Memory kWhere>
class ExecutorMemory {
 public:
  ExecutorMemory() = default;
  ExecutorMemory(std::shared_ptr<Executor> executor, size_t count)
      : executor_(std::move(executor)),
        data_(count ? static_cast<T*>(executor_->allocate(count * sizeof(T), kWhere)) : nullptr),
        count_(count) {}
  ExecutorMemory(ExecutorMemory&& other) noexcept { swap(other); }
  ExecutorMemory& operator=(ExecutorMemory&& other) noexcept {
    swap(other);
    return *this;
  }
  ~ExecutorMemory() {
    if (data_) executor_->release(data_, kWhere);
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  size_t size() const { return count_; }
  void swap(ExecutorMemory& other) noexcept {
    std::swap(executor_, other.executor_);
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
  }

 private:
  std::shared_ptr<Executor> executor_;
  T* data_ = nullptr;
  size_t count_ = 0;
};

/// Memory for kernels only.
template <class T>
using DeviceBuffer = ExecutorMemory<T, Memory::kDevice>;

/// Memory that the host reads and writes as well. Slow for a GPU, so meant for data that a kernel
/// reads or writes once. The host reads what kernels wrote only after wait().
template <class T>
class Buffer : public ExecutorMemory<T, Memory::kShared> {
 public:
  using Base = ExecutorMemory<T, Memory::kShared>;
  using Base::Base, Base::data, Base::size;
  T& operator[](size_t i) { return data()[i]; }
  const T& operator[](size_t i) const { return data()[i]; }
  T* begin() { return data(); }
  T* end() { return data() + size(); }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size(); }
};

/// Memory for kernels, with a copy for the host.
template <class T>
class Mirror {
 public:
  Mirror() = default;
  Mirror(const std::shared_ptr<Executor>& executor, size_t count)
      : device_(executor, count), host_(executor, executor->unified() ? 0 : count) {}

  T* device() { return device_.data(); }
  const T* device() const { return device_.data(); }
  /// The content at the last fetch(), valid after the executor's wait().
  const T* host() const { return host_.size() ? host_.data() : device_.data(); }
  const T& operator[](size_t i) const { return host()[i]; }
  size_t size() const { return device_.size(); }

  void fetch(Executor& executor) {
    if (host_.size()) executor.to_host(host_.data(), device_.data(), size() * sizeof(T));
  }

 private:
  DeviceBuffer<T> device_;
  Buffer<T> host_;
};

}  // namespace mt
