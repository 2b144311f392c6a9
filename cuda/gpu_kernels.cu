// SPDX-License-Identifier: LGPL-2.1-or-later
// Every kernel, run by blocks of GPU threads. Compiled without contraction to fused multiply-add
// and without fast-math, so that results are identical to the CPU's; tests/cuda/ptx_test.py
// checks the compiler's output.
#include "cuda/gpu_kernels.h"

#include "cuda/block_group.h"
#include "kernels/all/kernels.h"

namespace mt {
namespace {

extern __shared__ __align__(kSharedAlignment) unsigned char block_memory[];

/// The operations of a GPU that block_group.h uses.
class GpuThread {
 public:
  __device__ explicit GpuThread(uint64_t* slots) : slots_(slots) {}

  __device__ unsigned thread() const { return threadIdx.x; }
  __device__ unsigned threads() const { return blockDim.x; }
  __device__ unsigned block() const { return blockIdx.x; }
  __device__ unsigned blocks() const { return gridDim.x; }
  __device__ void barrier() const { __syncthreads(); }
  __device__ unsigned long long from_lane_xor(unsigned long long v, int lanes) const {
    return __shfl_xor_sync(0xffffffff, v, lanes);
  }
  template <class Word>
  __device__ Word fetch_add(Word* where, Word v) const {
    return atomicAdd(where, v);
  }
  __device__ unsigned char* memory() const { return block_memory; }
  __device__ uint64_t* slots() const { return slots_; }

 private:
  uint64_t* slots_;
};

template <class Kernel>
__device__ void run_on_gpu(const Kernel& kernel, int count) {
  __shared__ uint64_t slots[kMaxWarps];
  run_blocks(kernel, count, GpuThread(slots));
}

}  // namespace
}  // namespace mt

#define MT_GPU_ENTRY(name)                                                      \
  extern "C" __global__ void __launch_bounds__(mt::kGpuThreads)                 \
      mt_##name(const __grid_constant__ mt::name kernel, const int32_t count) { \
    mt::run_on_gpu(kernel, count);                                              \
  }
MT_KERNELS(MT_GPU_ENTRY)
