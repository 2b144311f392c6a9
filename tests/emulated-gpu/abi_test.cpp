// SPDX-License-Identifier: LGPL-2.1-or-later
// The emulation's numbers and layouts equal those of the CUDA toolkit's header. Built only where
// that is installed.
#include <cuda.h>
#include <gtest/gtest.h>

#include "tests/emulated-gpu/libcuda/driver.h"

namespace {

#define SAME_PLACE(ours, theirs) \
  EXPECT_EQ(offsetof(emulated_gpu::Copy2D, ours), offsetof(CUDA_MEMCPY2D, theirs))
#define SAME_VALUE(ours, theirs) EXPECT_EQ(int(emulated_gpu::ours), int(theirs))

TEST(Abi, CopyParametersMatchCuda) {
  EXPECT_EQ(sizeof(emulated_gpu::Copy2D), sizeof(CUDA_MEMCPY2D));
  EXPECT_EQ(sizeof(emulated_gpu::DevicePointer), sizeof(CUdeviceptr));
  SAME_PLACE(src_x, srcXInBytes);
  SAME_PLACE(src_y, srcY);
  SAME_PLACE(src_type, srcMemoryType);
  SAME_PLACE(src_host, srcHost);
  SAME_PLACE(src_device, srcDevice);
  SAME_PLACE(src_array, srcArray);
  SAME_PLACE(src_pitch, srcPitch);
  SAME_PLACE(dst_x, dstXInBytes);
  SAME_PLACE(dst_y, dstY);
  SAME_PLACE(dst_type, dstMemoryType);
  SAME_PLACE(dst_host, dstHost);
  SAME_PLACE(dst_device, dstDevice);
  SAME_PLACE(dst_array, dstArray);
  SAME_PLACE(dst_pitch, dstPitch);
  SAME_PLACE(width, WidthInBytes);
  SAME_PLACE(height, Height);
  SAME_VALUE(kHost, CU_MEMORYTYPE_HOST);
  SAME_VALUE(kDevice, CU_MEMORYTYPE_DEVICE);
  SAME_VALUE(kArray, CU_MEMORYTYPE_ARRAY);
  SAME_VALUE(kEither, CU_MEMORYTYPE_UNIFIED);
}

TEST(Abi, ErrorCodesMatchCuda) {
  SAME_VALUE(kSuccess, CUDA_SUCCESS);
  SAME_VALUE(kInvalidValue, CUDA_ERROR_INVALID_VALUE);
  SAME_VALUE(kOutOfMemory, CUDA_ERROR_OUT_OF_MEMORY);
  SAME_VALUE(kNotInitialised, CUDA_ERROR_NOT_INITIALIZED);
  SAME_VALUE(kInvalidDevice, CUDA_ERROR_INVALID_DEVICE);
  SAME_VALUE(kInvalidImage, CUDA_ERROR_INVALID_IMAGE);
  SAME_VALUE(kInvalidContext, CUDA_ERROR_INVALID_CONTEXT);
  SAME_VALUE(kMapFailed, CUDA_ERROR_MAP_FAILED);
  SAME_VALUE(kNoBinaryForGpu, CUDA_ERROR_NO_BINARY_FOR_GPU);
  SAME_VALUE(kPeerAccessUnsupported, CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
  SAME_VALUE(kInvalidPtx, CUDA_ERROR_INVALID_PTX);
  SAME_VALUE(kJitCompilerNotFound, CUDA_ERROR_JIT_COMPILER_NOT_FOUND);
  SAME_VALUE(kUnsupportedPtxVersion, CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
  SAME_VALUE(kInvalidHandle, CUDA_ERROR_INVALID_HANDLE);
  SAME_VALUE(kNotFound, CUDA_ERROR_NOT_FOUND);
  SAME_VALUE(kNotReady, CUDA_ERROR_NOT_READY);
  SAME_VALUE(kIllegalAddress, CUDA_ERROR_ILLEGAL_ADDRESS);
  SAME_VALUE(kContextIsDestroyed, CUDA_ERROR_CONTEXT_IS_DESTROYED);
  SAME_VALUE(kLaunchFailed, CUDA_ERROR_LAUNCH_FAILED);
  SAME_VALUE(kNotSupported, CUDA_ERROR_NOT_SUPPORTED);
}

TEST(Abi, AttributesMatchCuda) {
  SAME_VALUE(kMaxThreadsPerBlock, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  SAME_VALUE(kMaxBlockX, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X);
  SAME_VALUE(kMaxBlockY, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y);
  SAME_VALUE(kMaxBlockZ, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z);
  SAME_VALUE(kMaxGridX, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X);
  SAME_VALUE(kMaxGridY, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y);
  SAME_VALUE(kMaxGridZ, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z);
  SAME_VALUE(kMaxSharedPerBlock, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
  SAME_VALUE(kWarpSize, CU_DEVICE_ATTRIBUTE_WARP_SIZE);
  SAME_VALUE(kTextureAlignment, CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT);
  SAME_VALUE(kMultiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  SAME_VALUE(kUnifiedAddressing, CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING);
  SAME_VALUE(kComputeMajor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  SAME_VALUE(kComputeMinor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  SAME_VALUE(kMaxSharedPerBlockOptIn, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  SAME_VALUE(kFunctionMaxThreads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  SAME_VALUE(kFunctionMaxDynamicShared, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
  SAME_VALUE(kStreamNonBlocking, CU_STREAM_NON_BLOCKING);
  SAME_VALUE(kEventDisableTiming, CU_EVENT_DISABLE_TIMING);
}

}  // namespace
