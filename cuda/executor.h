// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "cuda/kernel_list.h"
#include "cuda/worker_pool.h"

namespace mt {

/// Instruction sets that the CPU build of the kernels exists for, in rising order.
enum class SimdLevel { kV2, kV3, kV4 };

/// The highest level that this processor runs. The environment variable MOSAICTEMPORAL_SIMD
/// (`v2`, `v3`, `v4`) lowers it; it cannot raise it.
SimdLevel best_simd_level();

/// Runs kernels. All calls from one thread at a time.
class Executor {
 public:
  virtual ~Executor() = default;

  /// Memory that the kernels reach, zeroed, aligned to 64 bytes. Throws std::bad_alloc.
  virtual void* allocate(size_t bytes) = 0;
  virtual void release(void* memory) = 0;

  /// Host threads for work that is no kernel (decoding photos, say).
  virtual WorkerPool& workers() = 0;

  /// Runs groups 0..count-1 of a kernel. Kernels of one executor run in the order launched.
  template <class Kernel>
  void launch(const Kernel& kernel, int count) {
    if (count > 0) run(Kernel::kId, &kernel, count);
  }

  /// Returns when everything that was launched has finished.
  virtual void wait() = 0;

 protected:
  virtual void run(KernelId id, const void* kernel, int count) = 0;
};

/// An executor on CPU threads.
/// @param threads as for WorkerPool
/// @param level   clamped to best_simd_level()
std::shared_ptr<Executor> make_cpu_executor(int threads, SimdLevel level = best_simd_level());

/// Executor memory for a fixed number of elements, freed with its owner.
template <class T>
class Buffer {
 public:
  Buffer() = default;
  Buffer(std::shared_ptr<Executor> executor, size_t count)
      : executor_(std::move(executor)),
        data_(count ? static_cast<T*>(executor_->allocate(count * sizeof(T))) : nullptr),
        count_(count) {}
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Buffer() {
    if (data_) executor_->release(data_);
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  size_t size() const { return count_; }
  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + count_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + count_; }
  void swap(Buffer& other) noexcept {
    std::swap(executor_, other.executor_);
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
  }

 private:
  std::shared_ptr<Executor> executor_;
  T* data_ = nullptr;
  size_t count_ = 0;
};

}  // namespace mt
