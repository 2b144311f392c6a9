// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "cuda/executor.h"
#include "cuda/kernel_list.h"

namespace mt {

/// A kernel as the CPU runs it.
struct CpuKernel {
  /// Runs groups [begin, end) on this thread. `shared` is memory of shared_bytes bytes at a
  /// multiple of kSharedAlignment (see cuda/group.h).
  void (*run)(const void* kernel, int begin, int end, unsigned char* shared);
  const char* name;
  int shared_bytes;
};

/// The same kernels built for each instruction set up to MT_HIGHEST_SIMD_LEVEL, indexed by
/// KernelId.
extern const CpuKernel kCpuKernels_v2[static_cast<int>(KernelId::kCount)];
extern const CpuKernel kCpuKernels_v3[static_cast<int>(KernelId::kCount)];
extern const CpuKernel kCpuKernels_v4[static_cast<int>(KernelId::kCount)];

#ifdef MT_HIGHEST_SIMD_LEVEL
/// @param level   at most best_simd_level()
inline const CpuKernel* cpu_kernels([[maybe_unused]] SimdLevel level) {
#if MT_HIGHEST_SIMD_LEVEL >= 4
  if (level == SimdLevel::kV4) return kCpuKernels_v4;
#endif
#if MT_HIGHEST_SIMD_LEVEL >= 3
  if (level == SimdLevel::kV3) return kCpuKernels_v3;
#endif
  return kCpuKernels_v2;
}
#endif

}  // namespace mt
