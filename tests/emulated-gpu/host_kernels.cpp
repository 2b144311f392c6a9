// SPDX-License-Identifier: LGPL-2.1-or-later
// The product's kernels, as every module holds them.
#include <cstdint>
#include <cstring>

#include "cuda/cpu_kernels.h"
#include "cuda/executor.h"
#include "cuda/gpu_kernels.h"
#include "cuda/kernels.h"
#include "tests/emulated-gpu/control.h"
#include "tests/emulated-gpu/faults.h"
#include "tests/emulated-gpu/module.h"

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

mt::CpuKernel built_for_host(std::size_t id) {
  switch (mt::best_simd_level()) {
    case mt::SimdLevel::kV4:
      return mt::kCpuKernels_v4[id];
    case mt::SimdLevel::kV3:
      return mt::kCpuKernels_v3[id];
    default:
      return mt::kCpuKernels_v2[id];
  }
}

/// What cuda/gpu_kernels.h asks of a launch.
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
  const mt::CpuKernel run_groups = built_for_host(&kernel - kHostKernels);
  int32_t count;
  std::memcpy(&count, launch->params[1], sizeof count);
  alignas(mt::kSharedAlignment) unsigned char shared[mt::kSharedBytes];
  // On a GPU no group may lean on an earlier one; the CPU runs them in rising order.
  for (int32_t i = count; i-- > 0;) {
    std::memset(shared, 0xa5, kernel.shared_bytes);
    run_groups(launch->params[0], i, i + 1, shared);
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
