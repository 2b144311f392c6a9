// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The kernels compiled for GPUs.
#pragma once

#include <cstddef>

namespace mt {

/// A fat binary for cuModuleLoadData. It has an entry point for each kernel of MT_KERNELS,
///
///     mt_<name>(<name> kernel, int32_t count)
///
/// which runs groups 0..count-1, one block for each; with fewer blocks in the grid than groups,
/// each block runs several, one after another. A block has at most kGpuThreads threads, a multiple
/// of 32, and shared_bytes<name>() bytes of dynamic shared memory.
extern const unsigned char kGpuKernels[];
/// Bytes; 0 in a build without CUDA.
extern const size_t kGpuKernelsSize;

/// The same as PTX, a text that cuModuleLoadData of older drivers can read too; "" in a build
/// without CUDA.
extern const char kGpuPtx[];

/// The most threads of a block.
inline constexpr int kGpuThreads = 256;

}  // namespace mt
