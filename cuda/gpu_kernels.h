// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The kernels as a GPU runs them.
#pragma once

#include <cstddef>

namespace mt {

/// A fat image for cuModuleLoadData. It has an entry for each kernel of MT_KERNELS,
///
///     mt_<name>(<name> kernel, int32_t count)
///
/// which runs groups 0..count-1, a block each; a grid of fewer blocks takes turns. A block has at
/// most kGpuThreads threads, a multiple of 32, and as much dynamic shared memory as the kernel's
/// shared_bytes().
extern const unsigned char kGpuKernels[];
/// Bytes; 0 in a build without CUDA.
extern const size_t kGpuKernelsSize;

/// Threads of a block.
inline constexpr int kGpuThreads = 256;

}  // namespace mt
