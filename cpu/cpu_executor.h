// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Runs kernels on threads of the CPU.
#pragma once

#include <memory>

#include "executor/executor.h"

namespace mt {

/// Instruction sets that the kernels are compiled for on CPUs (x86-64-v2 and so on), the lowest
/// first. Other architectures have only the lowest: what the compiler targets (NEON on AArch64).
enum class SimdLevel { kV2, kV3, kV4 };

/// The highest level that this processor runs. The environment variable MOSAICTEMPORAL_SIMD
/// (`v2`, `v3`, `v4`) lowers it; it cannot raise it.
SimdLevel best_simd_level();

/// An executor on CPU threads.
/// @param threads as for WorkerPool
/// @param level   clamped to best_simd_level()
std::shared_ptr<Executor> make_cpu_executor(int threads, SimdLevel level = best_simd_level());

}  // namespace mt
