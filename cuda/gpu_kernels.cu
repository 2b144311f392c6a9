// SPDX-License-Identifier: LGPL-2.1-or-later
// Every kernel over blocks of GPU threads. Compiled without contraction and without fast-math, so
// that the bytes are those of the CPU; tests/core/ptx_test.py looks at what the compiler made of
// it.
#include "cuda/gpu_kernels.h"

#include <type_traits>

#include "cuda/kernels.h"

namespace mt {
namespace {

constexpr int kWarp = 32;
constexpr unsigned kAllLanes = 0xffffffff;

extern __shared__ __align__(kSharedAlignment) unsigned char block_memory[];

/// A group that is a thread block.
class BlockGroup {
 public:
  __device__ explicit BlockGroup(uint64_t* slots) : slots_(slots) {}

  template <class F>
  __device__ void for_each(int n, F f) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) f(i);
  }
  template <class F>
  __device__ void for_each(int rows, int columns, F f) {
    const int n = rows * columns, first = threadIdx.x, step = blockDim.x;
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
  __device__ void sync() { __syncthreads(); }
  __device__ int64_t sum(int64_t v) {
    return static_cast<int64_t>(
        combine(static_cast<unsigned long long>(v), [](auto a, auto b) { return a + b; }));
  }
  __device__ uint64_t min(uint64_t v) {
    return combine(v, [](auto a, auto b) { return a < b ? a : b; });
  }
  template <class T>
  __device__ T add(T& where, T v) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);
    // Two's complement: an unsigned addition is a signed one.
    using Word = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;
    return static_cast<T>(atomicAdd(reinterpret_cast<Word*>(&where), static_cast<Word>(v)));
  }
  template <class T>
  __device__ T* shared(int n) {
    T* block = reinterpret_cast<T*>(block_memory + taken_);
    taken_ += shared_block<T>(n);
    return block;
  }

 private:
  /// Within each warp first, then over the warps' results.
  template <class F>
  __device__ unsigned long long combine(unsigned long long v, F f) {
    for (int lanes = kWarp / 2; lanes > 0; lanes /= 2)
      v = f(v, __shfl_xor_sync(kAllLanes, v, lanes));
    const int warps = blockDim.x / kWarp;
    if (threadIdx.x % kWarp == 0) slots_[threadIdx.x / kWarp] = v;
    __syncthreads();
    v = slots_[0];
    for (int w = 1; w < warps; ++w) v = f(v, static_cast<unsigned long long>(slots_[w]));
    __syncthreads();  // before anyone writes the slots again
    return v;
  }

  uint64_t* slots_;
  int taken_ = 0;
};

template <class Kernel>
__device__ void run_blocks(const Kernel& kernel, int count) {
  __shared__ uint64_t slots[kGpuThreads / kWarp];
  static_assert(shared_bytes<Kernel>() + sizeof(slots) <= kSharedBytes);
  for (int index = blockIdx.x; index < count; index += gridDim.x) {
    BlockGroup group(slots);
    kernel(group, index);
    __syncthreads();  // the next index takes the same shared memory
  }
}

}  // namespace
}  // namespace mt

#define MT_GPU_ENTRY(name)                                                      \
  extern "C" __global__ void __launch_bounds__(mt::kGpuThreads)                 \
      mt_##name(const __grid_constant__ mt::name kernel, const int32_t count) { \
    mt::run_blocks(kernel, count);                                              \
  }
MT_KERNELS(MT_GPU_ENTRY)
