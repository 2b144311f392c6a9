// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Runs kernels on an NVIDIA GPU through the CUDA driver alone, without the CUDA runtime. The
/// driver is opened at its first use, so that programs linked to this also run on machines without
/// one.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "executor/executor.h"

namespace mt {

/// An error of the driver or of a kernel, or no driver. If a function of the driver failed, the
/// message names it and has the driver's own message.
class GpuError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The driver accepts none of this build's kernels, because they are not compiled for this kind of
/// GPU or the driver is too old; or the build has none. If the driver was asked, the message has
/// its version and its own message.
class NoGpuKernels : public GpuError {
  using GpuError::GpuError;
};

/// The CUDA context to work in.
struct GpuContext {
  void* context = nullptr;      ///< a CUcontext
  std::shared_ptr<void> owner;  ///< keeps the context alive
};

/// Whether this build contains kernels for GPUs.
bool has_gpu_kernels();

/// Whether there is a driver (libcuda.so.1). Initialises nothing.
bool has_gpu_driver();

/// The primary context of a device, which all of its users in a process share.
/// @param device 0, 1, ...
/// Throws GpuError if there is no driver or no such device.
GpuContext primary_gpu_context(int device);

/// An executor on a GPU. Its context is current only during calls, on the thread that calls. Every
/// function except release() may throw GpuError.
class GpuExecutor : public Executor {
 public:
  /// From now on uses this CUstream, after all that was launched before; null: a stream of the
  /// executor's own, as at the start. The stream must live until another is in use.
  virtual void use_stream(void* stream) = 0;
  /// The CUstream in use.
  virtual void* stream() const = 0;

  /// What the user should know about the driver; empty if there is nothing.
  virtual const std::string& driver_warning() const = 0;
};

/// @param threads host threads, as for WorkerPool
/// Throws NoGpuKernels, and GpuError if there is no driver or not enough memory.
std::shared_ptr<GpuExecutor> make_gpu_executor(const GpuContext& context, int threads);

}  // namespace mt
