// SPDX-License-Identifier: LGPL-2.1-or-later
// The sections of the check. Each adds its tables to the report, and what differs as a failure.
#pragma once

#include <memory>
#include <string>

#include "cuda/gpu_executor.h"
#include "report.h"

namespace gpu_check {

/// How much is done.
enum class Extent {
  kFull,
  kQuick,     ///< seconds on an emulated GPU: small pictures, few frames
  kSanitizer  ///< as little as lets every kernel run: under a tool that slows it a hundredfold
};

struct Gpu {
  std::shared_ptr<mt::GpuExecutor> executor;
  bool emulated = false;
  double bandwidth = 0;  ///< GB/s in theory; 0: not known
};

/// Opens a device and reports what it is. Throws mt::GpuError.
Gpu open_device(Report& report, int device);

/// Every kernel on the CPU and on the GPU, from the same memory to the same memory.
void compare_kernels(Report& report, Gpu& gpu, Extent extent);

/// Whole clips through an engine on the CPU and one on the GPU.
void compare_clips(Report& report, Gpu& gpu, Extent extent);

/// Milliseconds and bandwidth of every kernel.
void time_kernels(Report& report, Gpu& gpu, Extent extent);

/// Milliseconds of whole frames, and where they go.
void time_frames(Report& report, Gpu& gpu, Extent extent);

}  // namespace gpu_check
