// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "cuda/kernel_list.h"

namespace mt {

/// Runs groups [begin, end) of a kernel on this thread. `shared` is kSharedBytes of memory.
using CpuKernel = void (*)(const void* kernel, int begin, int end, unsigned char* shared);

/// The same kernels built for each instruction set, indexed by KernelId.
extern const CpuKernel kCpuKernels_v2[static_cast<int>(KernelId::kCount)];
extern const CpuKernel kCpuKernels_v3[static_cast<int>(KernelId::kCount)];
extern const CpuKernel kCpuKernels_v4[static_cast<int>(KernelId::kCount)];

}  // namespace mt
