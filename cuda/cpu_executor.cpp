// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>
#include <vector>

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
      : workers_(threads),
        kernels_(kernels_for(std::min(level, best_simd_level()))),
        shared_(static_cast<unsigned char*>(
            ::operator new(static_cast<size_t>(workers_.threads()) * kSharedBytes, kAlignment))) {}
  ~CpuExecutor() override { ::operator delete(shared_, kAlignment); }

  void* allocate(size_t bytes) override {
    void* memory = ::operator new(bytes, kAlignment);
    std::memset(memory, 0, bytes);
    return memory;
  }
  void release(void* memory) override { ::operator delete(memory, kAlignment); }
  WorkerPool& workers() override { return workers_; }
  void wait() override {}

 protected:
  void run(KernelId id, const void* kernel, int count) override {
    const CpuKernel run_range = kernels_[static_cast<int>(id)];
    // Ranges small enough that the workers finish together, large enough to be worth claiming.
    const int grain = std::max(1, count / (workers_.threads() * 8));
    workers_.run(count, grain, [&](int worker, int begin, int end) {
      run_range(kernel, begin, end, shared_ + static_cast<size_t>(worker) * kSharedBytes);
    });
  }

 private:
  WorkerPool workers_;
  const CpuKernel* kernels_;
  unsigned char* shared_;
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
