// SPDX-License-Identifier: LGPL-2.1-or-later
// The driver's functions for devices, contexts, streams, events and modules.
#include <atomic>
#include <cstdio>
#include <cstring>
#include <iterator>

#include "tests/emulated-gpu/libcuda/calls.h"
#include "tests/emulated-gpu/libcuda/memory.h"
#include "tests/emulated-gpu/libcuda/module.h"

using namespace emulated_gpu;

namespace {

std::atomic<bool> init_called{false};

struct ErrorText {
  Result code;
  const char *name, *text;
};
constexpr ErrorText kErrors[] = {
    {kSuccess, "CUDA_SUCCESS", "no error"},
    {kInvalidValue, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {kOutOfMemory, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {kNotInitialised, "CUDA_ERROR_NOT_INITIALIZED", "cuInit was not called"},
    {kInvalidDevice, "CUDA_ERROR_INVALID_DEVICE", "no such device"},
    {kInvalidImage, "CUDA_ERROR_INVALID_IMAGE", "the image is invalid"},
    {kInvalidContext, "CUDA_ERROR_INVALID_CONTEXT", "no such context, or none is current"},
    {kMapFailed, "CUDA_ERROR_MAP_FAILED", "mapping failed"},
    {kNoBinaryForGpu, "CUDA_ERROR_NO_BINARY_FOR_GPU", "the image has no code for the device"},
    {kPeerAccessUnsupported, "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED", "no peer access"},
    {kInvalidPtx, "CUDA_ERROR_INVALID_PTX", "the PTX is invalid"},
    {kJitCompilerNotFound, "CUDA_ERROR_JIT_COMPILER_NOT_FOUND", "there is no compiler for PTX"},
    {kUnsupportedPtxVersion, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "the PTX is too new"},
    {kInvalidHandle, "CUDA_ERROR_INVALID_HANDLE", "no such handle in this context"},
    {kNotFound, "CUDA_ERROR_NOT_FOUND", "no such name"},
    {kNotReady, "CUDA_ERROR_NOT_READY", "work is pending"},
    {kIllegalAddress, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal address was accessed"},
    {kContextIsDestroyed, "CUDA_ERROR_CONTEXT_IS_DESTROYED", "the context is destroyed"},
    {kLaunchFailed, "CUDA_ERROR_LAUNCH_FAILED", "a kernel failed"},
    {kNotSupported, "CUDA_ERROR_NOT_SUPPORTED", "not emulated"},
};

/// The text of an error; for an unknown error, that of the last entry.
const ErrorText& describe(int code) {
  for (const ErrorText& error : kErrors)
    if (error.code == code) return error;
  return kErrors[std::size(kErrors) - 1];
}

/// A device of compute capability 8.6; attributes that are not listed are 0.
int attribute(int which) {
  switch (which) {
    case kMaxThreadsPerBlock:
    case kMaxBlockX:
    case kMaxBlockY:
      return 1024;
    case kMaxBlockZ:
      return 64;
    case kMaxGridX:
      return 0x7fffffff;
    case kMaxGridY:
    case kMaxGridZ:
      return 65535;
    case kMaxSharedPerBlock:
      return static_cast<int>(kSharedPerBlock);
    case kMaxSharedPerBlockOptIn:
      return static_cast<int>(kSharedPerBlockOptIn);
    case kWarpSize:
      return 32;
    case kTextureAlignment:
      return 512;
    case kMultiprocessors:
      return 28;
    case kUnifiedAddressing:
      return 1;
    case kComputeMajor:
      return 8;
    case kComputeMinor:
      return 6;
    default:
      return 0;
  }
}

}  // namespace

bool emulated_gpu::initialised() {
  return init_called;
}

EMULATED_GPU_EXPORT Result cuInit(unsigned) {
  if (const Fault fault = book_call("cuInit"); fault.now != kSuccess) return fault.now;
  init_called = true;
  return kSuccess;
}

EMULATED_GPU_EXPORT Result cuDriverGetVersion(int* version) {
  *version = 12020;
  return kSuccess;
}

EMULATED_GPU_EXPORT Result cuGetErrorName(int code, const char** name) {
  *name = describe(code).name;
  return kSuccess;
}

EMULATED_GPU_EXPORT Result cuGetErrorString(int code, const char** text) {
  *text = describe(code).text;
  return kSuccess;
}

// --- the device ---

EMULATED_GPU_EXPORT Result cuDeviceGetCount(int* count) {
  return plain("cuDeviceGetCount", [&] {
    *count = 1;
    return kSuccess;
  });
}

EMULATED_GPU_EXPORT Result cuDeviceGet(int* device, int ordinal) {
  return plain("cuDeviceGet", [&] {
    if (ordinal != 0) return kInvalidDevice;
    *device = 0;
    return kSuccess;
  });
}

EMULATED_GPU_EXPORT Result cuDeviceGetName(char* name, int length, int device) {
  return plain("cuDeviceGetName", [&] {
    if (device != 0) return kInvalidDevice;
    std::snprintf(name, static_cast<std::size_t>(length), "Emulated GPU");
    return kSuccess;
  });
}

EMULATED_GPU_EXPORT Result cuDeviceGetAttribute(int* value, int which, int device) {
  return plain("cuDeviceGetAttribute", [&] {
    if (device != 0) return kInvalidDevice;
    *value = attribute(which);
    return kSuccess;
  });
}

EMULATED_GPU_EXPORT Result cuDeviceTotalMem(std::size_t* bytes, int device) {
  return plain("cuDeviceTotalMem", [&] {
    if (device != 0) return kInvalidDevice;
    *bytes = kDeviceBytes;
    return kSuccess;
  });
}
EMULATED_GPU_ALSO(cuDeviceTotalMem_v2, cuDeviceTotalMem);

EMULATED_GPU_EXPORT Result cuDeviceCanAccessPeer(int* can, int, int) {
  return plain("cuDeviceCanAccessPeer", [&] {
    *can = 0;
    return kSuccess;
  });
}

// --- contexts ---

EMULATED_GPU_EXPORT Result cuDevicePrimaryCtxRetain(Context** context, int device) {
  return plain("cuDevicePrimaryCtxRetain", [&] {
    if (!context) return kInvalidValue;
    if (device != 0) return kInvalidDevice;
    *context = retain_primary();
    return kSuccess;
  });
}

EMULATED_GPU_EXPORT Result cuDevicePrimaryCtxRelease(int device) {
  const Fault fault = book_call("cuDevicePrimaryCtxRelease");
  const Result result = device == 0 ? release_primary() : kInvalidDevice;
  return fault.now != kSuccess ? fault.now : result;
}
EMULATED_GPU_ALSO(cuDevicePrimaryCtxRelease_v2, cuDevicePrimaryCtxRelease);

EMULATED_GPU_EXPORT Result cuCtxCreate(Context** context, unsigned, int device) {
  return plain("cuCtxCreate", [&] {
    if (!context) return kInvalidValue;
    if (device != 0) return kInvalidDevice;
    *context = create_context();
    return kSuccess;
  });
}
EMULATED_GPU_ALSO(cuCtxCreate_v2, cuCtxCreate);

EMULATED_GPU_EXPORT Result cuCtxDestroy(Context* context) {
  const Fault fault = book_call("cuCtxDestroy");
  const Result result = destroy_context(context);
  return fault.now != kSuccess ? fault.now : result;
}
EMULATED_GPU_ALSO(cuCtxDestroy_v2, cuCtxDestroy);

EMULATED_GPU_EXPORT Result cuCtxPushCurrent(Context* context) {
  return plain("cuCtxPushCurrent", [&] { return push_context(context); });
}
EMULATED_GPU_ALSO(cuCtxPushCurrent_v2, cuCtxPushCurrent);

EMULATED_GPU_EXPORT Result cuCtxPopCurrent(Context** context) {
  const Fault fault = book_call("cuCtxPopCurrent");
  const Result result = pop_context(context);
  return fault.now != kSuccess ? fault.now : result;
}
EMULATED_GPU_ALSO(cuCtxPopCurrent_v2, cuCtxPopCurrent);

EMULATED_GPU_EXPORT Result cuCtxSetCurrent(Context* context) {
  return plain("cuCtxSetCurrent", [&] { return set_context(context); });
}

EMULATED_GPU_EXPORT Result cuCtxGetCurrent(Context** context) {
  return plain("cuCtxGetCurrent", [&] {
    *context = current().get();
    return kSuccess;
  });
}

EMULATED_GPU_EXPORT Result cuCtxGetDevice(int* device) {
  return in_context("cuCtxGetDevice", [&](Context&) {
    *device = 0;
    return kSuccess;
  });
}

EMULATED_GPU_EXPORT Result cuCtxSynchronize() {
  return in_context("cuCtxSynchronize", [](Context& context) {
    finish(context);
    return context.error.load();
  });
}

EMULATED_GPU_EXPORT Result cuCtxGetLimit(std::size_t* value, int) {
  return in_context("cuCtxGetLimit", [&](Context&) {
    *value = 0;
    return kSuccess;
  });
}

EMULATED_GPU_EXPORT Result cuCtxSetLimit(int, std::size_t) {
  return in_context("cuCtxSetLimit", [](Context&) { return kSuccess; });
}

EMULATED_GPU_EXPORT Result cuCtxEnablePeerAccess(Context*, unsigned) {
  return in_context("cuCtxEnablePeerAccess", [](Context&) { return kPeerAccessUnsupported; });
}

EMULATED_GPU_EXPORT Result cuCtxDisablePeerAccess(Context*) {
  return in_context("cuCtxDisablePeerAccess", [](Context&) { return kPeerAccessUnsupported; });
}

// --- streams ---

EMULATED_GPU_EXPORT Result cuStreamCreate(Stream** stream, unsigned flags) {
  return in_context("cuStreamCreate", [&](Context& context) {
    if (!stream || flags > kStreamNonBlocking) return kInvalidValue;
    *stream = publish_stream(open_stream(&context, flags != kStreamNonBlocking));
    return kSuccess;
  });
}

EMULATED_GPU_EXPORT Result cuStreamDestroy(Stream* stream) {
  return release("cuStreamDestroy", [&](Context&) {
    if (destroy_stream(stream)) return kSuccess;
    return mistake(kInvalidHandle, "cuStreamDestroy: no such stream exists");
  });
}
EMULATED_GPU_ALSO(cuStreamDestroy_v2, cuStreamDestroy);

EMULATED_GPU_EXPORT Result cuStreamSynchronize(Stream* stream) {
  return on_stream("cuStreamSynchronize", stream, [](const auto& stream) {
    finish(stream);
    return stream->context->error.load();
  });
}

EMULATED_GPU_EXPORT Result cuStreamQuery(Stream* stream) {
  return on_stream("cuStreamQuery", stream, [](const auto& stream) {
    if (!query(stream)) return kNotReady;
    return stream->context->error.load();
  });
}

EMULATED_GPU_EXPORT Result cuStreamWaitEvent(Stream* stream, Event* handle, unsigned) {
  return on_stream("cuStreamWaitEvent", stream, [&](const auto& stream) {
    const auto event = find_event(handle);
    if (!event) return mistake(kInvalidHandle, "cuStreamWaitEvent: no such event exists");
    wait_for(stream, *event);
    return kSuccess;
  });
}

EMULATED_GPU_EXPORT Result cuLaunchHostFunc(Stream* stream, void (*function)(void*), void* user) {
  return on_stream("cuLaunchHostFunc", stream, [&](const auto& stream) {
    if (!function) return kInvalidValue;
    submit(stream, "host function", [function, user] {
      function(user);
      return kSuccess;
    });
    return kSuccess;
  });
}

// --- events ---

EMULATED_GPU_EXPORT Result cuEventCreate(Event** event, unsigned flags) {
  return in_context("cuEventCreate", [&](Context& context) {
    if (!event) return kInvalidValue;
    *event = create_event(&context, !(flags & kEventDisableTiming));
    return kSuccess;
  });
}

EMULATED_GPU_EXPORT Result cuEventDestroy(Event* event) {
  return release("cuEventDestroy", [&](Context&) {
    if (destroy_event(event)) return kSuccess;
    return mistake(kInvalidHandle, "cuEventDestroy: no such event exists");
  });
}
EMULATED_GPU_ALSO(cuEventDestroy_v2, cuEventDestroy);

EMULATED_GPU_EXPORT Result cuEventRecord(Event* handle, Stream* stream) {
  return on_stream("cuEventRecord", stream, [&](const auto& stream) {
    const auto event = find_event(handle);
    if (!event) return mistake(kInvalidHandle, "cuEventRecord: no such event exists");
    if (event->context != stream->context) return kInvalidHandle;
    record(*event, stream);
    return kSuccess;
  });
}

EMULATED_GPU_EXPORT Result cuEventSynchronize(Event* handle) {
  return in_context("cuEventSynchronize", [&](Context& context) {
    const auto event = find_event(handle);
    if (!event) return mistake(kInvalidHandle, "cuEventSynchronize: no such event exists");
    finish(*event);
    return context.error.load();
  });
}

EMULATED_GPU_EXPORT Result cuEventQuery(Event* handle) {
  return in_context("cuEventQuery", [&](Context& context) {
    const auto event = find_event(handle);
    if (!event) return mistake(kInvalidHandle, "cuEventQuery: no such event exists");
    return query(*event) ? context.error.load() : kNotReady;
  });
}

EMULATED_GPU_EXPORT Result cuEventElapsedTime(float* milliseconds, Event* start, Event* end) {
  return in_context("cuEventElapsedTime", [&](Context&) {
    const auto first = find_event(start), second = find_event(end);
    if (!first || !second) return mistake(kInvalidHandle, "cuEventElapsedTime: no such event");
    return elapsed(*first, *second, milliseconds);
  });
}
EMULATED_GPU_ALSO(cuEventElapsedTime_v2, cuEventElapsedTime);
