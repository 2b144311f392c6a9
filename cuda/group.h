// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The group: the workers that share one cell, strip or row.
///
/// A kernel is a plain struct of parameters with
///
///     template <class Group> MT_HD void operator()(Group& g, int index) const;
///
/// and may use of a group nothing but
///
///     g.for_each(n, f)            f(i) for 0 <= i < n, shared out among the workers
///     g.for_each(rows, cols, f)   f(y, x), x running fastest
///     g.sync()                    what every worker wrote is seen by all
///     g.sum(int64_t)              the sum over the workers, known to all; a sync, too
///     g.min(uint64_t)             the minimum over the workers, known to all; a sync, too
///     g.add(T& where, T value)    where += value, atomic among the workers; integers only; returns
///                                 what was there
///     g.shared<T>(n)              n elements that the group shares, not initialised
///
/// What one call of g.shared takes stays taken until the index is done. A kernel that shares says
/// how much in all, in bytes, as `static constexpr int kShared`, at most kSharedBytes. All workers
/// of a group make the same calls in the same order. Which worker gets an iteration may differ from
/// loop to loop: without a sync between, no loop reads or writes what another writes.
///
/// On a CPU a group is one thread, on a GPU a thread block. To have the compiler vectorise a loop,
/// copy the members it uses into locals and capture those by value: through `this` they might alias
/// what the loop writes.
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define MT_HD __host__ __device__
#define MT_UNROLL _Pragma("unroll")
#else
#define MT_HD
#define MT_UNROLL _Pragma("GCC unroll 16")  // a short loop within one that is to be vectorised
#endif

namespace mt {

/// What a group may share. 48 KiB is what every CUDA device gives a block without asking.
inline constexpr int kSharedBytes = 48 * 1024;

/// Every shared block starts at a multiple of this.
inline constexpr int kSharedAlignment = 64;

/// What g.shared<T>(n) takes, bytes.
template <class T>
static MT_HD constexpr int shared_block(int n) {
  return (n * static_cast<int>(sizeof(T)) + kSharedAlignment - 1) / kSharedAlignment *
         kSharedAlignment;
}

/// What a group of a kernel shares, bytes.
template <class Kernel>
static MT_HD constexpr int shared_bytes() {
  if constexpr (requires { Kernel::kShared; })
    return Kernel::kShared;
  else
    return 0;
}

}  // namespace mt
