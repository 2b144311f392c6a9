// SPDX-License-Identifier: LGPL-2.1-or-later
// libnvcuvid.so.1. Every function can fail on demand, as the driver's (see control.h there).
#include <memory>
#include <mutex>
#include <new>

#include "tests/emulated-gpu/libcuda/control.h"
#include "tests/emulated-gpu/libcuda/handles.h"
#include "tests/emulated-gpu/libnvcuvid/decoder.h"
#include "tests/emulated-gpu/libnvcuvid/driver_calls.h"
#include "tests/emulated-gpu/libnvcuvid/parser.h"

#define EMULATED_NVDEC_EXPORT extern "C" __attribute__((visibility("default")))

using namespace emulated_nvdec;
using emulated_gpu::Handles;
using emulated_gpu::immortal;
using emulated_gpu::kInvalidHandle;
using emulated_gpu::kInvalidValue;
using emulated_gpu::kNotSupported;
using emulated_gpu::kOutOfMemory;
using emulated_gpu::kSuccess;

namespace {

/// The lock of a context, for threads that share it.
struct ContextLock {
  void* context;
  std::recursive_mutex mutex;
};

template <class T>
Handles<T>& objects() {
  return immortal<Handles<T>>();
}

template <class Body>
Result call(const char* name, Body body) {
  if (const int fault = emulated_gpu_enter(name)) return static_cast<Result>(fault);
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return kOutOfMemory;
  }
}

/// A function of an object.
template <class T, class Body>
Result with(const char* name, const void* handle, Body body) {
  return call(name, [&] {
    const auto object = objects<T>().find(handle);
    return object ? body(*object) : kInvalidHandle;
  });
}

/// Destroys an object even if the call fails, as the driver's functions that release something do.
template <class T, class Body>
Result destroy(const char* name, const void* handle, Body release) {
  const auto fault = static_cast<Result>(emulated_gpu_enter(name));
  const auto object = objects<T>().remove(handle);
  const Result result = object ? release(*object) : kInvalidHandle;
  return fault != kSuccess ? fault : result;
}

}  // namespace

EMULATED_NVDEC_EXPORT Result cuvidGetDecoderCaps(CUVIDDECODECAPS* asked) {
  return call("cuvidGetDecoderCaps", [&] {
    if (!asked) return kInvalidValue;
    caps(asked);
    return kSuccess;
  });
}

// --- decoders ---

EMULATED_NVDEC_EXPORT Result cuvidCreateDecoder(CUvideodecoder* handle,
                                                CUVIDDECODECREATEINFO* info) {
  return call("cuvidCreateDecoder", [&] {
    if (!handle || !info) return kInvalidValue;
    std::shared_ptr<Decoder> decoder;
    const Result result = Decoder::create(*info, &decoder);
    if (result == kSuccess) *handle = objects<Decoder>().add(std::move(decoder));
    return result;
  });
}

EMULATED_NVDEC_EXPORT Result cuvidDestroyDecoder(CUvideodecoder handle) {
  return destroy<Decoder>("cuvidDestroyDecoder", handle,
                          [](Decoder& decoder) { return decoder.release(); });
}

EMULATED_NVDEC_EXPORT Result cuvidDecodePicture(CUvideodecoder handle, CUVIDPICPARAMS* picture) {
  return with<Decoder>("cuvidDecodePicture", handle, [&](Decoder& decoder) {
    return picture ? decoder.decode(*picture) : kInvalidValue;
  });
}

EMULATED_NVDEC_EXPORT Result cuvidGetDecodeStatus(CUvideodecoder handle, int index,
                                                  CUVIDGETDECODESTATUS* status) {
  return with<Decoder>("cuvidGetDecodeStatus", handle, [&](Decoder& decoder) {
    return status ? decoder.status(index, status) : kInvalidValue;
  });
}

EMULATED_NVDEC_EXPORT Result cuvidReconfigureDecoder(CUvideodecoder handle,
                                                     CUVIDRECONFIGUREDECODERINFO* info) {
  return with<Decoder>("cuvidReconfigureDecoder", handle, [&](Decoder& decoder) {
    return info ? decoder.reconfigure(*info) : kInvalidValue;
  });
}

EMULATED_NVDEC_EXPORT Result cuvidMapVideoFrame64(CUvideodecoder handle, int index,
                                                  unsigned long long* address, unsigned* pitch,
                                                  CUVIDPROCPARAMS* params) {
  return with<Decoder>("cuvidMapVideoFrame", handle, [&](Decoder& decoder) {
    if (!address || !pitch || !params) return kInvalidValue;
    emulated_gpu::DevicePointer mapped = 0;
    const Result result = decoder.map(index, *params, &mapped, pitch);
    if (result == kSuccess) *address = mapped;
    return result;
  });
}

EMULATED_NVDEC_EXPORT Result cuvidUnmapVideoFrame64(CUvideodecoder handle,
                                                    unsigned long long address) {
  return with<Decoder>("cuvidUnmapVideoFrame", handle,
                       [&](Decoder& decoder) { return decoder.unmap(address); });
}

/// The functions of programs with addresses of 32 bits.
EMULATED_NVDEC_EXPORT Result cuvidMapVideoFrame() {
  return call("cuvidMapVideoFrame", [] { return kNotSupported; });
}
EMULATED_NVDEC_EXPORT Result cuvidUnmapVideoFrame() {
  return call("cuvidUnmapVideoFrame", [] { return kNotSupported; });
}

// --- parsers ---

EMULATED_NVDEC_EXPORT Result cuvidCreateVideoParser(CUvideoparser* handle,
                                                    CUVIDPARSERPARAMS* params) {
  return call("cuvidCreateVideoParser", [&] {
    if (!handle || !params || !params->pfnSequenceCallback || !params->pfnDecodePicture)
      return kInvalidValue;
    if (params->CodecType != cudaVideoCodec_H264 && params->CodecType != cudaVideoCodec_HEVC)
      return kNotSupported;
    *handle = objects<Parser>().add(std::make_shared<Parser>(*params));
    return kSuccess;
  });
}

EMULATED_NVDEC_EXPORT Result cuvidParseVideoData(CUvideoparser handle,
                                                 CUVIDSOURCEDATAPACKET* packet) {
  return with<Parser>("cuvidParseVideoData", handle, [&](Parser& parser) {
    return packet ? parser.parse(*packet) : kInvalidValue;
  });
}

EMULATED_NVDEC_EXPORT Result cuvidDestroyVideoParser(CUvideoparser handle) {
  return destroy<Parser>("cuvidDestroyVideoParser", handle, [](Parser&) { return kSuccess; });
}

// --- locks ---

EMULATED_NVDEC_EXPORT Result cuvidCtxLockCreate(void** handle, void* context) {
  return call("cuvidCtxLockCreate", [&] {
    if (!handle || !context) return kInvalidValue;
    auto lock = std::make_shared<ContextLock>();
    lock->context = context;
    *handle = objects<ContextLock>().add(std::move(lock));
    return kSuccess;
  });
}

EMULATED_NVDEC_EXPORT Result cuvidCtxLockDestroy(void* handle) {
  return destroy<ContextLock>("cuvidCtxLockDestroy", handle, [](ContextLock&) { return kSuccess; });
}

EMULATED_NVDEC_EXPORT Result cuvidCtxLock(void* handle, unsigned) {
  return with<ContextLock>("cuvidCtxLock", handle, [](ContextLock& lock) {
    lock.mutex.lock();
    const Result result = cuCtxPushCurrent_v2(lock.context);
    if (result != kSuccess) lock.mutex.unlock();
    return result;
  });
}

EMULATED_NVDEC_EXPORT Result cuvidCtxUnlock(void* handle, unsigned) {
  return with<ContextLock>("cuvidCtxUnlock", handle, [](ContextLock& lock) {
    const Result result = cuCtxPopCurrent_v2(nullptr);
    lock.mutex.unlock();
    return result;
  });
}
