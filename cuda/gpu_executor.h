// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Kernels on an NVIDIA GPU, through the driver alone. The driver is opened when it is first asked
/// for: what links this runs on machines that have none.
#pragma once

#include <memory>
#include <stdexcept>

#include "cuda/executor.h"

namespace mt {

/// What the driver refused, or a kernel did wrong: the function and the driver's own words.
class GpuError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The GPU is of a kind that the build has no kernels for.
class NoGpuKernels : public GpuError {
  using GpuError::GpuError;
};

/// Where to work.
struct GpuContext {
  void* context = nullptr;      ///< a CUcontext
  std::shared_ptr<void> owner;  ///< keeps it alive
};

/// Whether this build carries kernels for GPUs.
bool has_gpu_kernels();

/// Whether there is a driver (libcuda.so.1). Initialises nothing.
bool has_gpu_driver();

/// The context that a device shares among all who ask so (its primary context).
/// @param device 0, 1, ...
/// Throws GpuError where there is no driver or no such device.
GpuContext primary_gpu_context(int device);

/// An executor on a GPU. Its context is current within calls only, whichever thread they come from.
class GpuExecutor : public Executor {
 public:
  /// From now on works on this CUstream, after all that was launched before; null: on a stream of
  /// the executor's own, as at the start. The stream must live until another is in use.
  virtual void use_stream(void* stream) = 0;
  /// The CUstream in use.
  virtual void* stream() const = 0;
};

/// @param threads host threads, as for WorkerPool
/// Throws NoGpuKernels, and GpuError where there is no driver or no memory.
std::shared_ptr<GpuExecutor> make_gpu_executor(const GpuContext& context, int threads);

}  // namespace mt
