// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "cuda/kernel_list.h"
#include "cuda/tables.h"
#include "cuda/worker_pool.h"

namespace mt {

/// Instruction sets that the CPU build of the kernels exists for, in rising order.
enum class SimdLevel { kV2, kV3, kV4 };

/// The highest level that this processor runs. The environment variable MOSAICTEMPORAL_SIMD
/// (`v2`, `v3`, `v4`) lowers it; it cannot raise it.
SimdLevel best_simd_level();

/// Who reaches memory: kernels alone, or kernels and the host.
enum class Memory { kDevice, kShared };

/// Runs kernels. All calls from one thread at a time. Where kernels run on a GPU every function but
/// release() may throw GpuError (see cuda/gpu_executor.h).
class Executor {
 public:
  virtual ~Executor() = default;

  /// Zeroed, aligned to 64 bytes. Throws std::bad_alloc.
  virtual void* allocate(size_t bytes, Memory where) = 0;
  virtual void release(void* memory, Memory where) = 0;

  /// Whether the host reaches all memory, and kernels all of the host's.
  virtual bool unified() const = 0;

  /// Copies in the order of launches. `host` stays as it is until wait() has returned; then it has
  /// arrived.
  virtual void to_device(void* device, const void* host, size_t bytes) = 0;
  virtual void to_host(void* host, const void* device, size_t bytes) = 0;

  /// tables(), where kernels reach them.
  virtual const Tables* tables() = 0;

  /// Host threads for work that is no kernel (decoding photos, say).
  virtual WorkerPool& workers() = 0;
  /// Another number of host threads, as for WorkerPool.
  virtual void set_threads(int threads) = 0;

  /// Runs groups 0..count-1 of a kernel. Kernels of one executor run in the order launched.
  template <class Kernel>
  void launch(const Kernel& kernel, int count) {
    if (count > 0) run(Kernel::kId, &kernel, count);
  }

  /// Returns when everything that was launched or copied has finished.
  virtual void wait() = 0;

  /// Writes how many milliseconds what was launched since the last lap took, at the latest in
  /// wait(); until then *ms must live. Null: nothing is told, the next lap begins here.
  virtual void lap(double* ms) = 0;

 protected:
  virtual void run(KernelId id, const void* kernel, int count) = 0;
};

/// An executor on CPU threads.
/// @param threads as for WorkerPool
/// @param level   clamped to best_simd_level()
std::shared_ptr<Executor> make_cpu_executor(int threads, SimdLevel level = best_simd_level());

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

/// Memory for kernels alone.
template <class T>
using DeviceBuffer = ExecutorMemory<T, Memory::kDevice>;

/// Memory that the host reads and writes as well; far from a GPU, so for what a kernel touches
/// once. The host looks at what kernels wrote after wait().
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

/// Memory for kernels, and what the host knows of it.
template <class T>
class Mirror {
 public:
  Mirror() = default;
  Mirror(const std::shared_ptr<Executor>& executor, size_t count)
      : device_(executor, count), host_(executor, executor->unified() ? 0 : count) {}

  T* device() { return device_.data(); }
  const T* device() const { return device_.data(); }
  /// As of the last fetch(), once waited for.
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
