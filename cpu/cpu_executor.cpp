// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cpu/cpu_executor.h"

#include <glib.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <string_view>

#include "cpu/cpu_kernels.h"
#include "cpu/group_memory.h"
#include "executor/lap_times.h"
#include "kernels/group.h"
#include "kernels/math/tables.h"

namespace mt {
namespace {

constexpr std::align_val_t kAlignment{64};

/// The highest level that is compiled in and that this processor runs.
SimdLevel processor_level() {
#if MT_HIGHEST_SIMD_LEVEL >= 4
  if (__builtin_cpu_supports("x86-64-v4")) return SimdLevel::kV4;
#endif
#if MT_HIGHEST_SIMD_LEVEL >= 3
  if (__builtin_cpu_supports("x86-64-v3")) return SimdLevel::kV3;
#endif
  return SimdLevel::kV2;
}

class CpuExecutor final : public Executor {
 public:
  CpuExecutor(int threads, SimdLevel level)
      : kernels_(cpu_build(std::min(level, best_simd_level())).kernels) {
    set_threads(threads);
  }

  void* allocate(size_t bytes, Memory) override {
    cancellation().check();  // zeroing takes long where much is allocated at once
    void* memory = ::operator new(bytes, kAlignment);
    std::memset(memory, 0, bytes);
    return memory;
  }
  void release(void* memory, Memory) override { ::operator delete(memory, kAlignment); }
  bool unified() const override { return true; }
  void to_device(void* device, const void* host, size_t bytes) override {
    std::memcpy(device, host, bytes);
  }
  void to_host(void* host, const void* device, size_t bytes) override {
    std::memcpy(host, device, bytes);
  }
  const Tables* tables() override { return &mt::tables(); }
  WorkerPool& workers() override { return *workers_; }
  void set_threads(int threads) override {
    workers_.emplace(threads);
    workers_->set_cancellation(cancellation());
    shared_ = std::make_unique_for_overwrite<GroupMemory[]>(workers_->threads());
  }
  void wait() override {}
  Lap lap() override {
    const auto now = std::chrono::steady_clock::now();
    const Lap lap = times_.next();
    times_.store(lap, std::chrono::duration<double, std::milli>(now - last_lap_).count());
    last_lap_ = now;
    return lap;
  }
  std::optional<double> ms(Lap lap) const override { return times_.ms(lap); }

 protected:
  void run(KernelId id, const void* kernel, int count) override {
    const CpuKernel& cpu_kernel = kernels_[static_cast<int>(id)];
    // Ranges small enough that the workers finish together and notice a cancellation soon, large
    // enough that claiming them costs little.
    constexpr int kMaxGrain = 64;
    const int grain = std::clamp(count / (workers_->threads() * 32), 1, kMaxGrain);
    workers_->run(count, grain, [&](int worker, int begin, int end) {
      GroupMemory& shared = shared_[worker];
      shared.set_guard(cpu_kernel.shared_bytes);
      cpu_kernel.run(kernel, begin, end, shared.data());
      if (!shared.guard_is_intact())
        g_critical("kernel %s wrote past the %d bytes that its groups share", cpu_kernel.name,
                   cpu_kernel.shared_bytes);
    });
  }

 private:
  const CpuKernel* kernels_;
  std::optional<WorkerPool> workers_;
  std::unique_ptr<GroupMemory[]> shared_;  ///< one for each worker
  std::chrono::steady_clock::time_point last_lap_;
  LapTimes times_;
};

}  // namespace

SimdLevel best_simd_level() {
  SimdLevel level = processor_level();
  if (const char* wanted = std::getenv("MOSAICTEMPORAL_SIMD")) {
    if (std::string_view(wanted) == "v2") level = SimdLevel::kV2;
    if (std::string_view(wanted) == "v3") level = std::min(level, SimdLevel::kV3);
  }
  return level;
}

std::shared_ptr<Executor> make_cpu_executor(int threads, SimdLevel level) {
  return std::make_shared<CpuExecutor>(threads, level);
}

}  // namespace mt
