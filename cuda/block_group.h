// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The group that is a block of GPU threads (see kernels/group.h), and the loop over a grid's
/// groups.
///
/// Both use only the following operations of a GPU, which a type `Thread` provides. The tests
/// provide them for host threads, and so run the same code that nvcc compiles:
///
///     unsigned thread(), threads()   threadIdx.x, blockDim.x; threads() is a multiple of kWarp
///     unsigned block(), blocks()     blockIdx.x, gridDim.x
///     void barrier()                 __syncthreads(): all threads of the block
///     Word from_lane_xor(Word, int)  __shfl_xor_sync() over all lanes of the warp; 64 bits
///     Word fetch_add(Word*, Word)    atomicAdd(); 32 and 64 bits, unsigned; returns what was there
///     unsigned char* memory()        the block's dynamic shared memory: shared_bytes<Kernel>()
///                                    bytes at a multiple of kSharedAlignment
///     uint64_t* slots()              shared memory for kMaxWarps results, one for each warp
#pragma once

#include <cstdint>
#include <type_traits>

#include "cuda/gpu_kernels.h"
#include "kernels/group.h"

#ifdef __CUDACC__
#define MT_DEVICE __device__
#else
#define MT_DEVICE
#endif

namespace mt {

/// Threads of a warp: they run together and can exchange registers.
inline constexpr int kWarp = 32;
inline constexpr int kMaxWarps = kGpuThreads / kWarp;

/// A group as one of its threads sees it, for one index.
template <class Thread>
class BlockGroup {
 public:
  MT_DEVICE explicit BlockGroup(Thread thread) : thread_(thread) {}

  template <class F>
  MT_DEVICE void for_each(int n, F f) {
    for (int i = thread_.thread(); i < n; i += thread_.threads()) f(i);
  }
  template <class F>
  MT_DEVICE void for_each(int rows, int columns, F f) {
    const int n = rows * columns, first = thread_.thread(), step = thread_.threads();
    if (first >= n) return;
    // Divides once, not for every element.
    const int rows_on = step / columns, columns_on = step % columns;
    int y = first / columns, x = first % columns;
    for (int i = first; i < n; i += step) {
      f(y, x);
      y += rows_on;
      x += columns_on;
      if (x >= columns) {
        x -= columns;
        ++y;
      }
    }
  }
  MT_DEVICE void sync() { thread_.barrier(); }
  MT_DEVICE int64_t sum(int64_t v) {
    return static_cast<int64_t>(
        combine(static_cast<Word>(v), [](Word a, Word b) { return a + b; }));
  }
  MT_DEVICE uint64_t min(uint64_t v) {
    return combine(v, [](Word a, Word b) { return a < b ? a : b; });
  }
  template <class T>
  MT_DEVICE T add(T& where, T v) {
    static_assert(std::is_integral_v<T> && (sizeof(T) == 4 || sizeof(T) == 8));
    // Two's complement: an unsigned addition is a signed one.
    using Unsigned = std::conditional_t<sizeof(T) == 4, unsigned, Word>;
    return static_cast<T>(
        thread_.fetch_add(reinterpret_cast<Unsigned*>(&where), static_cast<Unsigned>(v)));
  }
  MT_DEVICE void prefetch(const void*, int) {}
  template <class T>
  MT_DEVICE T* shared(int n) {
    T* block = reinterpret_cast<T*>(thread_.memory() + taken_);
    taken_ += shared_block<T>(n);
    return block;
  }

 private:
  using Word = unsigned long long;  // the 64 bits for which CUDA has atomicAdd()

  /// Within each warp first, then over the warps' results.
  template <class F>
  MT_DEVICE Word combine(Word v, F f) {
    for (int lanes = kWarp / 2; lanes > 0; lanes /= 2) v = f(v, thread_.from_lane_xor(v, lanes));
    uint64_t* const slots = thread_.slots();
    const int warps = thread_.threads() / kWarp;
    if (thread_.thread() % kWarp == 0) slots[thread_.thread() / kWarp] = v;
    thread_.barrier();
    v = slots[0];
    for (int w = 1; w < warps; ++w) v = f(v, slots[w]);
    thread_.barrier();  // before any thread writes the slots again
    return v;
  }

  [[no_unique_address]] Thread thread_;
  int taken_ = 0;  ///< of memory(), bytes
};

/// Runs groups 0..count-1 of a kernel on the blocks of the grid: each block runs every blocks()-th
/// group. Called by all threads of a block.
template <class Kernel, class Thread>
MT_DEVICE void run_blocks(const Kernel& kernel, int count, Thread thread) {
  static_assert(shared_bytes<Kernel>() + kMaxWarps * sizeof(uint64_t) <= kSharedBytes);
  for (int index = thread.block(); index < count; index += thread.blocks()) {
    BlockGroup<Thread> group(thread);
    kernel(group, index);
    thread.barrier();  // the next index uses the same shared memory
  }
}

}  // namespace mt
