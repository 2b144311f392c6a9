// SPDX-License-Identifier: LGPL-2.1-or-later
// The product's kernels, which every module contains, in their host build.
#include <cstdint>
#include <cstring>

#include "cpu/cpu_kernels.h"
#include "cpu/group_memory.h"
#include "cuda/gpu_kernels.h"
#include "executor/executor.h"
#include "kernels/all/kernels.h"
#include "tests/emulated-gpu/libcuda/control.h"
#include "tests/emulated-gpu/libcuda/faults.h"
#include "tests/emulated-gpu/libcuda/module.h"

namespace emulated_gpu {
namespace {

struct HostKernel {
  const char* name;  ///< in the image
  std::size_t parameter_bytes;
  unsigned shared_bytes;
};

#define HOST_KERNEL(name) {"mt_" #name, sizeof(mt::name), mt::shared_bytes<mt::name>()},
constexpr HostKernel kHostKernels[] = {MT_KERNELS(HOST_KERNEL)};
#undef HOST_KERNEL

const mt::CpuKernel& built_for_host(std::size_t id) {
  return mt::cpu_build(mt::best_simd_level()).kernels[id];
}

/// Whether a launch is as cuda/gpu_kernels.h requires; if not, reports a mistake.
bool check(const HostKernel& kernel, const EmulatedGpuLaunch& launch) {
  const unsigned threads = launch.block[0];
  if (launch.grid[1] * launch.grid[2] * launch.block[1] * launch.block[2] != 1) {
    mistake(kInvalidValue, "%s: a grid or block of more than one dimension", kernel.name);
  } else if (threads % 32 != 0 || threads > mt::kGpuThreads) {
    mistake(kInvalidValue, "%s: a block of %u threads", kernel.name, threads);
  } else if (launch.shared_bytes < kernel.shared_bytes) {
    mistake(kInvalidValue, "%s: %u of %u bytes to share", kernel.name, launch.shared_bytes,
            kernel.shared_bytes);
  } else {
    return true;
  }
  return false;
}

void run(const EmulatedGpuLaunch* launch) {
  const auto& kernel = *static_cast<const HostKernel*>(launch->user);
  if (!check(kernel, *launch)) return;
  const mt::CpuKernel& cpu_kernel = built_for_host(&kernel - kHostKernels);
  int32_t count;
  std::memcpy(&count, launch->params[1], sizeof count);
  mt::GroupMemory shared;
  shared.set_guard(cpu_kernel.shared_bytes);
  // In falling order, because on a GPU no group may depend on an earlier one, and the CPU executor
  // runs them in rising order. Shared memory is not initialised.
  for (int32_t i = count; i-- > 0;) {
    std::memset(shared.data(), 0xa5, kernel.shared_bytes);
    cpu_kernel.run(launch->params[0], i, i + 1, shared.data());
    if (shared.guard_is_intact()) continue;
    mistake(kInvalidValue, "%s: group %d wrote past the %u bytes that it shares", kernel.name, i,
            kernel.shared_bytes);
    return;
  }
}

[[gnu::constructor]] void at_load() {
  register_host_kernels();
}

}  // namespace

void register_host_kernels() {
  for (const HostKernel& kernel : kHostKernels) {
    const std::size_t sizes[] = {kernel.parameter_bytes, sizeof(int32_t)};
    emulated_gpu_register_kernel(kernel.name, sizes, 2, run, const_cast<HostKernel*>(&kernel));
  }
}

}  // namespace emulated_gpu
