// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>
#include <string_view>

#include "cuda/cpu_kernels.h"
#include "cuda/executor.h"
#include "cuda/group.h"

namespace mt {
namespace {

constexpr std::align_val_t kAlignment{64};

SimdLevel processor_level() {
  if (__builtin_cpu_supports("x86-64-v4")) return SimdLevel::kV4;
  if (__builtin_cpu_supports("x86-64-v3")) return SimdLevel::kV3;
  return SimdLevel::kV2;
}

const CpuKernel* kernels_for(SimdLevel level) {
  switch (level) {
    case SimdLevel::kV4:
      return kCpuKernels_v4;
    case SimdLevel::kV3:
      return kCpuKernels_v3;
    default:
      return kCpuKernels_v2;
  }
}

class CpuExecutor final : public Executor {
 public:
  CpuExecutor(int threads, SimdLevel level)
      : kernels_(kernels_for(std::min(level, best_simd_level()))) {
    set_threads(threads);
  }
  ~CpuExecutor() override { ::operator delete(shared_, kAlignment); }

  void* allocate(size_t bytes, Memory) override {
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
    ::operator delete(shared_, kAlignment);
    shared_ = nullptr;
    const size_t bytes = static_cast<size_t>(workers_->threads()) * kSharedBytes;
    shared_ = static_cast<unsigned char*>(::operator new(bytes, kAlignment));
  }
  void wait() override {}
  void lap(double* ms) override {
    const auto now = std::chrono::steady_clock::now();
    if (ms) *ms = std::chrono::duration<double, std::milli>(now - last_lap_).count();
    last_lap_ = now;
  }

 protected:
  void run(KernelId id, const void* kernel, int count) override {
    const CpuKernel run_range = kernels_[static_cast<int>(id)];
    // Ranges small enough that the workers finish together, large enough to be worth claiming.
    const int grain = std::max(1, count / (workers_->threads() * 8));
    workers_->run(count, grain, [&](int worker, int begin, int end) {
      run_range(kernel, begin, end, shared_ + static_cast<size_t>(worker) * kSharedBytes);
    });
  }

 private:
  const CpuKernel* kernels_;
  std::optional<WorkerPool> workers_;
  unsigned char* shared_ = nullptr;
  std::chrono::steady_clock::time_point last_lap_;
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
