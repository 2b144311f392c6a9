// SPDX-License-Identifier: LGPL-2.1-or-later
/// The emulation's functions, found by name as GStreamer finds a driver's, and the fixture of their
/// tests.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/emulated-gpu/libcuda/control.h"
#include "tests/emulated-gpu/libcuda/driver.h"

namespace emulated_gpu {

/// A function of a library on LD_LIBRARY_PATH; the process ends if there is none.
template <class Signature>
Signature* symbol(const char* name, const char* file = "libcuda.so.1") {
  void* const library = dlopen(file, RTLD_NOW);
  void* const found = library ? dlsym(library, name) : nullptr;
  if (!found) {
    std::fprintf(stderr, "no %s in %s (LD_LIBRARY_PATH?): %s\n", name, file, dlerror());
    std::exit(1);
  }
  return reinterpret_cast<Signature*>(found);
}

using Handle = void*;

inline auto init = symbol<Result(unsigned)>("cuInit");
inline auto ctx_create = symbol<Result(Handle*, unsigned, int)>("cuCtxCreate_v2");
inline auto ctx_destroy = symbol<Result(Handle)>("cuCtxDestroy_v2");
inline auto ctx_push = symbol<Result(Handle)>("cuCtxPushCurrent_v2");
inline auto ctx_pop = symbol<Result(Handle*)>("cuCtxPopCurrent_v2");
inline auto primary_retain = symbol<Result(Handle*, int)>("cuDevicePrimaryCtxRetain");
inline auto primary_release = symbol<Result(int)>("cuDevicePrimaryCtxRelease_v2");
inline auto ctx_synchronize = symbol<Result()>("cuCtxSynchronize");
inline auto mem_alloc = symbol<Result(DevicePointer*, std::size_t)>("cuMemAlloc_v2");
inline auto mem_alloc_pitch =
    symbol<Result(DevicePointer*, std::size_t*, std::size_t, std::size_t, unsigned)>(
        "cuMemAllocPitch_v2");
inline auto mem_free = symbol<Result(DevicePointer)>("cuMemFree_v2");
inline auto mem_alloc_host = symbol<Result(void**, std::size_t)>("cuMemAllocHost_v2");
inline auto mem_free_host = symbol<Result(void*)>("cuMemFreeHost");
inline auto mem_get_info = symbol<Result(std::size_t*, std::size_t*)>("cuMemGetInfo_v2");
inline auto to_device = symbol<Result(DevicePointer, const void*, std::size_t)>("cuMemcpyHtoD_v2");
inline auto to_host = symbol<Result(void*, DevicePointer, std::size_t)>("cuMemcpyDtoH_v2");
inline auto to_device_async =
    symbol<Result(DevicePointer, const void*, std::size_t, Handle)>("cuMemcpyHtoDAsync_v2");
inline auto to_host_async =
    symbol<Result(void*, DevicePointer, std::size_t, Handle)>("cuMemcpyDtoHAsync_v2");
inline auto copy_2d = symbol<Result(const Copy2D*)>("cuMemcpy2D_v2");
inline auto memset_d8 = symbol<Result(DevicePointer, std::uint8_t, std::size_t)>("cuMemsetD8_v2");
inline auto memset_d8_async =
    symbol<Result(DevicePointer, std::uint8_t, std::size_t, Handle)>("cuMemsetD8Async");
inline auto memset_2d32 =
    symbol<Result(DevicePointer, std::size_t, std::uint32_t, std::size_t, std::size_t)>(
        "cuMemsetD2D32_v2");
inline auto stream_create = symbol<Result(Handle*, unsigned)>("cuStreamCreate");
inline auto stream_destroy = symbol<Result(Handle)>("cuStreamDestroy_v2");
inline auto stream_synchronize = symbol<Result(Handle)>("cuStreamSynchronize");
inline auto stream_query = symbol<Result(Handle)>("cuStreamQuery");
inline auto stream_wait_event = symbol<Result(Handle, Handle, unsigned)>("cuStreamWaitEvent");
inline auto event_create = symbol<Result(Handle*, unsigned)>("cuEventCreate");
inline auto event_destroy = symbol<Result(Handle)>("cuEventDestroy_v2");
inline auto event_record = symbol<Result(Handle, Handle)>("cuEventRecord");
inline auto event_synchronize = symbol<Result(Handle)>("cuEventSynchronize");
inline auto event_query = symbol<Result(Handle)>("cuEventQuery");
inline auto event_elapsed = symbol<Result(float*, Handle, Handle)>("cuEventElapsedTime");
inline auto module_load = symbol<Result(Handle*, const void*)>("cuModuleLoadData");
inline auto module_unload = symbol<Result(Handle)>("cuModuleUnload");
inline auto module_function = symbol<Result(Handle*, Handle, const char*)>("cuModuleGetFunction");
inline auto function_set = symbol<Result(Handle, int, int)>("cuFuncSetAttribute");
inline auto launch_host = symbol<Result(Handle, void (*)(void*), void*)>("cuLaunchHostFunc");
inline auto launch_kernel =
    symbol<Result(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                  Handle, void**, void**)>("cuLaunchKernel");

#define EMULATED_GPU_CONTROL(name) \
  inline auto name = symbol<decltype(::emulated_gpu_##name)>("emulated_gpu_" #name)
EMULATED_GPU_CONTROL(stack_depth);
EMULATED_GPU_CONTROL(set_deferred);
EMULATED_GPU_CONTROL(check);
EMULATED_GPU_CONTROL(check_range);
EMULATED_GPU_CONTROL(peek);
EMULATED_GPU_CONTROL(abort_on_mistake);
EMULATED_GPU_CONTROL(last_mistake);
EMULATED_GPU_CONTROL(fault);
EMULATED_GPU_CONTROL(clear_faults);
EMULATED_GPU_CONTROL(struck);
EMULATED_GPU_CONTROL(calls);
EMULATED_GPU_CONTROL(reset_calls);
EMULATED_GPU_CONTROL(only_from);
EMULATED_GPU_CONTROL(register_kernel);
EMULATED_GPU_CONTROL(forget_kernels);

inline EmulatedGpuCounts counts() {
  static const auto ask = symbol<decltype(emulated_gpu_counts)>("emulated_gpu_counts");
  EmulatedGpuCounts now;
  ask(&now);
  return now;
}

/// A fixture with a current context, in which mistakes are counted. At the end, everything must be
/// released.
class Gpu : public testing::Test {
 protected:
  void SetUp() override { open(false); }

  void open(bool deferred) {
    abort_on_mistake(false);
    before_ = counts();
    ASSERT_TRUE(set_deferred(deferred));
    ASSERT_EQ(init(0), kSuccess);
    ASSERT_EQ(ctx_create(&context_, 0, 0), kSuccess);
  }

  void TearDown() override {
    clear_faults();
    forget_kernels();
    only_from(nullptr);
    if (context_) {
      EXPECT_EQ(ctx_destroy(context_), kSuccess);
    }
    const EmulatedGpuCounts now = counts();
    EXPECT_EQ(now.contexts + now.device_blocks + now.pinned_blocks + now.streams + now.events +
                  now.modules + now.pending,
              0u);
    EXPECT_EQ(now.device_bytes, 0u);
    EXPECT_EQ(stack_depth(), 0u);
    EXPECT_EQ(now.abandoned, before_.abandoned + abandoned_);
    EXPECT_EQ(now.mistakes, before_.mistakes + mistakes_) << last_mistake();
  }

  /// Expects one more mistake, whose line contains `text`.
  void expect_mistake(const std::string& text) {
    ++mistakes_;
    EXPECT_EQ(counts().mistakes, before_.mistakes + mistakes_);
    EXPECT_NE(std::string(last_mistake()).find(text), std::string::npos) << last_mistake();
  }

  DevicePointer allocate(std::size_t bytes) {
    DevicePointer pointer = 0;
    EXPECT_EQ(mem_alloc(&pointer, bytes), kSuccess);
    return pointer;
  }

  Handle stream(unsigned flags = 0) {
    Handle handle = nullptr;
    EXPECT_EQ(stream_create(&handle, flags), kSuccess);
    return handle;
  }

  /// Loads a module and finds a kernel in it.
  Handle function(Handle* module, const char* name) {
    Handle handle = nullptr;
    EXPECT_EQ(module_load(module, "image"), kSuccess);
    EXPECT_EQ(module_function(&handle, *module, name), kSuccess);
    return handle;
  }

  Handle context_ = nullptr;
  std::uint64_t mistakes_ = 0, abandoned_ = 0;  ///< numbers that the test expects

 private:
  EmulatedGpuCounts before_{};
};

}  // namespace emulated_gpu
