// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The group: the workers that share one cell, row or block.
///
/// `mt`, the namespace of kernels/, executor/, cpu/ and cuda/, is short for mosaictemporal.
///
/// A kernel is a plain struct of parameters with
///
///     template <class Group> MT_HD void operator()(Group& g, int index) const;
///
/// where `index` is the number of the group, 0..count-1 of a launch; each kernel's comment says
/// what it counts ("Index: row" is one group for each row). A group offers these operations:
///
///     g.for_each(n, f)            f(i) for 0 <= i < n, divided among the workers
///     g.for_each(rows, cols, f)   f(y, x) for 0 <= y < rows, 0 <= x < cols; x changes fastest
///     g.sync()                    a barrier: after it all workers see what each of them wrote
///     g.sum(int64_t)              the sum of the workers' values, returned to all; also a sync
///     g.min(uint64_t)             the minimum of the workers' values, returned to all; also a sync
///     g.add(T& where, T value)    where += value, atomic among the workers; integers only; returns
///                                 the value before
///     g.prefetch(row, n)          a hint that n bytes will soon be read or written. Kernels that
///                                 process rows call it one or more rows ahead, because a CPU's own
///                                 prefetchers do not keep up when a row lies in several planes.
///                                 Does nothing on a GPU
///     g.shared<T>(n)              n elements that the workers share, not initialised
///
/// Everything else is a function whose first parameter is the group, such as those in
/// kernels/math/histogram.h, and like a kernel it is written with these operations. Some of these
/// functions have two forms: a plain one for every PlainGroup, and one that overloads it for the
/// group of a CPU, in cpu/vectors/. All workers call such a function, with the same arguments.
///
/// Memory that g.shared returns stays valid until the kernel returns from this index. A kernel that
/// calls g.shared states the total, in bytes, as `static constexpr int kShared`, at most
/// kSharedBytes. All workers of a group make the same calls in the same order. Which worker gets an
/// iteration may differ from loop to loop, so between a loop that writes a value and another that
/// reads or writes it there must be a sync.
///
/// On a CPU a group is one thread, on a GPU a thread block. To have the compiler vectorise a loop,
/// copy the members that it uses into locals and capture those by value: members that are reached
/// through `this` may alias what the loop writes.
///
/// Kernels describe arrays as `[rows][columns]`, the last dimension contiguous. Pointers are to
/// memory that the kernel's executor can reach; what a pointer to const points to is only read, the
/// rest is written.
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define MT_HD __host__ __device__
#define MT_UNROLL _Pragma("unroll")
#else
#define MT_HD
#define MT_UNROLL _Pragma("GCC unroll 16")  // a short inner loop, so that the outer one vectorises
#endif

namespace mt {

/// A group that runs the plain form of every function. Any other group says so by a member
/// kHasOwnForms, and must have an overload of each function that requires a PlainGroup: without it,
/// kernels that call the function do not compile.
template <class Group>
concept PlainGroup = !requires {
  Group::kHasOwnForms;
};

/// The most that a group may share. Every CUDA device gives a block 48 KiB without an opt-in.
inline constexpr int kSharedBytes = 48 * 1024;

/// Alignment of the memory that g.shared returns, bytes.
inline constexpr int kSharedAlignment = 64;

/// Shared memory that g.shared<T>(n) uses, bytes.
template <class T>
static MT_HD constexpr int shared_block(int n) {
  return (n * static_cast<int>(sizeof(T)) + kSharedAlignment - 1) / kSharedAlignment *
         kSharedAlignment;
}

/// Shared memory that a group of a kernel uses, bytes.
template <class Kernel>
static MT_HD constexpr int shared_bytes() {
  if constexpr (requires { Kernel::kShared; })
    return Kernel::kShared;
  else
    return 0;
}

}  // namespace mt
