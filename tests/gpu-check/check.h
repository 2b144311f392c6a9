// SPDX-License-Identifier: LGPL-2.1-or-later
// The sections of the check. Each adds tables to the report; a difference is a failure.
#pragma once

#include <memory>
#include <string>

#include "cuda/gpu_executor.h"
#include "tests/gpu-check/report.h"

namespace gpu_check {

/// How much is checked.
enum class Extent {
  kFull,
  kQuick,     ///< small pictures, few frames: seconds on an emulated GPU
  kSanitizer  ///< the least that runs every kernel, for tools that are a hundred times slower
};

struct Gpu {
  std::shared_ptr<mt::GpuExecutor> executor;
  bool emulated = false;
  double bandwidth = 0;  ///< theoretical bandwidth of the memory, GB/s; 0: unknown
};

/// Opens a device and reports what it is. Throws mt::GpuError.
Gpu open_device(Report& report, int device);

/// Compares every kernel on the CPU and on the GPU, with the same memory.
void compare_kernels(Report& report, Gpu& gpu, Extent extent);

/// Compares whole clips drawn by an engine on the CPU and one on the GPU.
void compare_clips(Report& report, Gpu& gpu, Extent extent);

/// Measures milliseconds and bandwidth of every kernel.
void time_kernels(Report& report, Gpu& gpu, Extent extent);

/// Measures milliseconds of whole frames and of their stages.
void time_frames(Report& report, Gpu& gpu, Extent extent);

}  // namespace gpu_check
