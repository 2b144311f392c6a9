// SPDX-License-Identifier: LGPL-2.1-or-later
// The driver's functions for memory, copies and fills.
#include "tests/emulated-gpu/libcuda/calls.h"
#include "tests/emulated-gpu/libcuda/copy.h"
#include "tests/emulated-gpu/libcuda/memory.h"

using namespace emulated_gpu;

namespace {

DevicePointer address(const void* host) {
  return reinterpret_cast<DevicePointer>(host);
}

Result allocate_pinned(Context& context, void** host, std::size_t bytes) {
  if (!host || bytes == 0) return kInvalidValue;
  DevicePointer pointer = 0;
  const Result result = allocate(&context, Memory::kPinnedMemory, bytes, &pointer);
  if (result == kSuccess) *host = reinterpret_cast<void*>(pointer);
  return result;
}

/// Copies on stream 0 and waits as the driver's synchronous functions do.
Result copy_now(const char* name, const Copy2D& rectangle) {
  return on_stream(name, nullptr,
                   [&](const auto& stream) { return copy(name, stream, rectangle, true); });
}

Result copy_later(const char* name, const Copy2D& rectangle, Stream* handle) {
  return on_stream(name, handle,
                   [&](const auto& stream) { return copy(name, stream, rectangle, false); });
}

Result fill_now(const char* name, DevicePointer to, std::size_t pitch, std::uint32_t value,
                std::size_t element, std::size_t width, std::size_t height) {
  return on_stream(name, nullptr, [&](const auto& stream) {
    return fill(name, stream, to, pitch, value, element, width, height, true);
  });
}

Result fill_later(const char* name, DevicePointer to, std::size_t pitch, std::uint32_t value,
                  std::size_t element, std::size_t width, std::size_t height, Stream* handle) {
  return on_stream(name, handle, [&](const auto& stream) {
    return fill(name, stream, to, pitch, value, element, width, height, false);
  });
}

}  // namespace

EMULATED_GPU_EXPORT Result cuMemAlloc(DevicePointer* pointer, std::size_t bytes) {
  return in_context("cuMemAlloc", [&](Context& context) {
    if (!pointer || bytes == 0) return kInvalidValue;
    return allocate(&context, Memory::kDeviceMemory, bytes, pointer);
  });
}
EMULATED_GPU_ALSO(cuMemAlloc_v2, cuMemAlloc);

/// The pitch is a multiple of 512 bytes, as on real devices.
EMULATED_GPU_EXPORT Result cuMemAllocPitch(DevicePointer* pointer, std::size_t* pitch,
                                           std::size_t width, std::size_t height,
                                           unsigned element) {
  return in_context("cuMemAllocPitch", [&](Context& context) {
    if (!pointer || !pitch || width == 0 || height == 0) return kInvalidValue;
    if (element != 4 && element != 8 && element != 16) return kInvalidValue;
    if (width > kDeviceBytes || height > kDeviceBytes / width) return kOutOfMemory;
    *pitch = (width + 511) / 512 * 512;
    return allocate(&context, Memory::kDeviceMemory, *pitch * height, pointer);
  });
}
EMULATED_GPU_ALSO(cuMemAllocPitch_v2, cuMemAllocPitch);

EMULATED_GPU_EXPORT Result cuMemFree(DevicePointer pointer) {
  return release("cuMemFree", [&](Context& context) {
    finish(context);
    return free_block(Memory::kDeviceMemory, pointer);
  });
}
EMULATED_GPU_ALSO(cuMemFree_v2, cuMemFree);

EMULATED_GPU_EXPORT Result cuMemAllocHost(void** host, std::size_t bytes) {
  return in_context("cuMemAllocHost",
                    [&](Context& context) { return allocate_pinned(context, host, bytes); });
}
EMULATED_GPU_ALSO(cuMemAllocHost_v2, cuMemAllocHost);

EMULATED_GPU_EXPORT Result cuMemHostAlloc(void** host, std::size_t bytes, unsigned) {
  return in_context("cuMemHostAlloc",
                    [&](Context& context) { return allocate_pinned(context, host, bytes); });
}

EMULATED_GPU_EXPORT Result cuMemFreeHost(void* host) {
  return release("cuMemFreeHost", [&](Context& context) {
    finish(context);
    return free_block(Memory::kPinnedMemory, address(host));
  });
}

EMULATED_GPU_EXPORT Result cuMemHostGetDevicePointer(DevicePointer* pointer, void* host, unsigned) {
  return in_context("cuMemHostGetDevicePointer", [&](Context&) {
    if (find_block(address(host)) != Found::kPinnedBlock) return kInvalidValue;
    *pointer = address(host);
    return kSuccess;
  });
}
EMULATED_GPU_ALSO(cuMemHostGetDevicePointer_v2, cuMemHostGetDevicePointer);

EMULATED_GPU_EXPORT Result cuMemGetInfo(std::size_t* free, std::size_t* total) {
  return in_context("cuMemGetInfo", [&](Context&) {
    *total = kDeviceBytes;
    *free = kDeviceBytes - count_memory().device_bytes;
    return kSuccess;
  });
}
EMULATED_GPU_ALSO(cuMemGetInfo_v2, cuMemGetInfo);

// --- copies ---

EMULATED_GPU_EXPORT Result cuMemcpy2D(const Copy2D* rectangle) {
  return copy_now("cuMemcpy2D", *rectangle);
}
EMULATED_GPU_ALSO(cuMemcpy2D_v2, cuMemcpy2D);

EMULATED_GPU_EXPORT Result cuMemcpy2DAsync(const Copy2D* rectangle, Stream* stream) {
  return copy_later("cuMemcpy2DAsync", *rectangle, stream);
}
EMULATED_GPU_ALSO(cuMemcpy2DAsync_v2, cuMemcpy2DAsync);

EMULATED_GPU_EXPORT Result cuMemcpy(DevicePointer to, DevicePointer from, std::size_t bytes) {
  return copy_now("cuMemcpy", line(kEither, to, kEither, from, bytes));
}

EMULATED_GPU_EXPORT Result cuMemcpyAsync(DevicePointer to, DevicePointer from, std::size_t bytes,
                                         Stream* stream) {
  return copy_later("cuMemcpyAsync", line(kEither, to, kEither, from, bytes), stream);
}

EMULATED_GPU_EXPORT Result cuMemcpyHtoD(DevicePointer to, const void* from, std::size_t bytes) {
  return copy_now("cuMemcpyHtoD", line(kDevice, to, kHost, address(from), bytes));
}
EMULATED_GPU_ALSO(cuMemcpyHtoD_v2, cuMemcpyHtoD);

EMULATED_GPU_EXPORT Result cuMemcpyHtoDAsync(DevicePointer to, const void* from, std::size_t bytes,
                                             Stream* stream) {
  return copy_later("cuMemcpyHtoDAsync", line(kDevice, to, kHost, address(from), bytes), stream);
}
EMULATED_GPU_ALSO(cuMemcpyHtoDAsync_v2, cuMemcpyHtoDAsync);

EMULATED_GPU_EXPORT Result cuMemcpyDtoH(void* to, DevicePointer from, std::size_t bytes) {
  return copy_now("cuMemcpyDtoH", line(kHost, address(to), kDevice, from, bytes));
}
EMULATED_GPU_ALSO(cuMemcpyDtoH_v2, cuMemcpyDtoH);

EMULATED_GPU_EXPORT Result cuMemcpyDtoHAsync(void* to, DevicePointer from, std::size_t bytes,
                                             Stream* stream) {
  return copy_later("cuMemcpyDtoHAsync", line(kHost, address(to), kDevice, from, bytes), stream);
}
EMULATED_GPU_ALSO(cuMemcpyDtoHAsync_v2, cuMemcpyDtoHAsync);

EMULATED_GPU_EXPORT Result cuMemcpyDtoD(DevicePointer to, DevicePointer from, std::size_t bytes) {
  return copy_now("cuMemcpyDtoD", line(kDevice, to, kDevice, from, bytes));
}
EMULATED_GPU_ALSO(cuMemcpyDtoD_v2, cuMemcpyDtoD);

EMULATED_GPU_EXPORT Result cuMemcpyDtoDAsync(DevicePointer to, DevicePointer from,
                                             std::size_t bytes, Stream* stream) {
  return copy_later("cuMemcpyDtoDAsync", line(kDevice, to, kDevice, from, bytes), stream);
}
EMULATED_GPU_ALSO(cuMemcpyDtoDAsync_v2, cuMemcpyDtoDAsync);

// --- fills: eight, sixteen and thirty-two bits ---

#define FILLS(bits, type)                                                                         \
  EMULATED_GPU_EXPORT Result cuMemsetD##bits(DevicePointer to, type value, std::size_t count) {   \
    return fill_now("cuMemsetD" #bits, to, 0, value, sizeof(type), count, 1);                     \
  }                                                                                               \
  EMULATED_GPU_ALSO(cuMemsetD##bits##_v2, cuMemsetD##bits);                                       \
  EMULATED_GPU_EXPORT Result cuMemsetD##bits##Async(DevicePointer to, type value,                 \
                                                    std::size_t count, Stream* stream) {          \
    return fill_later("cuMemsetD" #bits "Async", to, 0, value, sizeof(type), count, 1, stream);   \
  }                                                                                               \
  EMULATED_GPU_EXPORT Result cuMemsetD2D##bits(DevicePointer to, std::size_t pitch, type value,   \
                                               std::size_t width, std::size_t height) {           \
    return fill_now("cuMemsetD2D" #bits, to, pitch, value, sizeof(type), width, height);          \
  }                                                                                               \
  EMULATED_GPU_ALSO(cuMemsetD2D##bits##_v2, cuMemsetD2D##bits);                                   \
  EMULATED_GPU_EXPORT Result cuMemsetD2D##bits##Async(DevicePointer to, std::size_t pitch,        \
                                                      type value, std::size_t width,              \
                                                      std::size_t height, Stream* stream) {       \
    return fill_later("cuMemsetD2D" #bits "Async", to, pitch, value, sizeof(type), width, height, \
                      stream);                                                                    \
  }

FILLS(8, std::uint8_t)
FILLS(16, std::uint16_t)
FILLS(32, std::uint32_t)
