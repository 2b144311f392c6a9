// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace mt {

/// The functions of the CUDA driver that are used, X(name, symbol, parameters): libgstcuda's own
/// loader lacks half of them in GStreamer 1.22. A result of 0 is success, handles are pointers, and
/// device addresses 64-bit numbers.
#define MT_DRIVER_FUNCTIONS(X)                                                                     \
  X(cuInit, "cuInit", (unsigned flags))                                                            \
  X(cuDriverGetVersion, "cuDriverGetVersion", (int* version))                                      \
  X(cuGetErrorName, "cuGetErrorName", (int error, const char** name))                              \
  X(cuGetErrorString, "cuGetErrorString", (int error, const char** text))                          \
  X(cuDeviceGet, "cuDeviceGet", (int* device, int ordinal))                                        \
  X(cuDeviceGetName, "cuDeviceGetName", (char* name, int size, int device))                        \
  X(cuDeviceGetAttribute, "cuDeviceGetAttribute", (int* value, int attribute, int device))         \
  X(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", (void** context, int device))            \
  X(cuDevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2", (int device))                       \
  X(cuCtxPushCurrent, "cuCtxPushCurrent_v2", (void* context))                                      \
  X(cuCtxPopCurrent, "cuCtxPopCurrent_v2", (void** context))                                       \
  X(cuMemAlloc, "cuMemAlloc_v2", (uint64_t * address, size_t bytes))                               \
  X(cuMemFree, "cuMemFree_v2", (uint64_t address))                                                 \
  X(cuMemAllocHost, "cuMemAllocHost_v2", (void** memory, size_t bytes))                            \
  X(cuMemFreeHost, "cuMemFreeHost", (void* memory))                                                \
  X(cuMemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2",                                                     \
    (uint64_t to, const void* from, size_t bytes, void* stream))                                   \
  X(cuMemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2",                                                     \
    (void* to, uint64_t from, size_t bytes, void* stream))                                         \
  X(cuMemsetD8Async, "cuMemsetD8Async", (uint64_t to, uint8_t value, size_t bytes, void* stream))  \
  X(cuStreamCreate, "cuStreamCreate", (void** stream, unsigned flags))                             \
  X(cuStreamDestroy, "cuStreamDestroy_v2", (void* stream))                                         \
  X(cuStreamSynchronize, "cuStreamSynchronize", (void* stream))                                    \
  X(cuStreamWaitEvent, "cuStreamWaitEvent", (void* stream, void* event, unsigned flags))           \
  X(cuEventCreate, "cuEventCreate", (void** event, unsigned flags))                                \
  X(cuEventDestroy, "cuEventDestroy_v2", (void* event))                                            \
  X(cuEventRecord, "cuEventRecord", (void* event, void* stream))                                   \
  X(cuEventElapsedTime, "cuEventElapsedTime", (float* ms, void* start, void* end))                 \
  X(cuModuleLoadData, "cuModuleLoadData", (void** module, const void* image))                      \
  X(cuModuleUnload, "cuModuleUnload", (void* module))                                              \
  X(cuModuleGetFunction, "cuModuleGetFunction", (void** function, void* module, const char* name)) \
  X(cuLaunchKernel, "cuLaunchKernel",                                                              \
    (void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,          \
     unsigned block_y, unsigned block_z, unsigned shared_bytes, void* stream, void** parameters,   \
     void** extra))

struct Driver {
#define MT_DRIVER_MEMBER(name, symbol, parameters) int(*name) parameters = nullptr;
  MT_DRIVER_FUNCTIONS(MT_DRIVER_MEMBER)
#undef MT_DRIVER_MEMBER
};

/// libcuda.so.1, opened at the first call and never closed. Null if there is none, or if it is too
/// old. Thread safe.
const Driver* driver();

/// The driver's message for an error and the error's name: "out of memory
/// (CUDA_ERROR_OUT_OF_MEMORY)".
std::string error_text(const Driver& driver, int result);

/// The latest CUDA that the driver supports: "CUDA 12.4".
std::string driver_version(const Driver& driver);

/// Throws GpuError with the driver's message if `result` is not 0.
/// @param function name of the function that returned `result`
void check_gpu(const Driver& driver, int result, const char* function);

/// A call of a driver function by name, checked.
#define MT_GPU_CALL(driver, function, ...) \
  ::mt::check_gpu((driver), (driver).function(__VA_ARGS__), #function)

/// Makes a context current while it lives. Throws GpuError.
class CurrentContext {
 public:
  CurrentContext(const Driver& driver, void* context) : driver_(driver) {
    MT_GPU_CALL(driver_, cuCtxPushCurrent, context);
  }
  ~CurrentContext() {
    void* popped;
    driver_.cuCtxPopCurrent(&popped);
  }
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;

 private:
  const Driver& driver_;
};

}  // namespace mt
