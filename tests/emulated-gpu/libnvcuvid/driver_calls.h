// SPDX-License-Identifier: LGPL-2.1-or-later
/// The functions of the emulated driver that the emulated decoder calls, as a decoder library calls
/// those of its driver. The handles are opaque.
#pragma once

#include <cstddef>

#include "tests/emulated-gpu/libcuda/driver.h"

extern "C" {
emulated_gpu::Result cuCtxGetCurrent(void** context);
emulated_gpu::Result cuCtxPushCurrent_v2(void* context);
emulated_gpu::Result cuCtxPopCurrent_v2(void** context);
emulated_gpu::Result cuMemAllocPitch_v2(emulated_gpu::DevicePointer* pointer, std::size_t* pitch,
                                        std::size_t width, std::size_t height, unsigned element);
emulated_gpu::Result cuMemFree_v2(emulated_gpu::DevicePointer pointer);
emulated_gpu::Result cuStreamCreate(void** stream, unsigned flags);
emulated_gpu::Result cuStreamDestroy_v2(void* stream);
emulated_gpu::Result cuStreamWaitEvent(void* stream, void* event, unsigned flags);
emulated_gpu::Result cuEventCreate(void** event, unsigned flags);
emulated_gpu::Result cuEventDestroy_v2(void* event);
emulated_gpu::Result cuEventRecord(void* event, void* stream);
emulated_gpu::Result cuEventQuery(void* event);
emulated_gpu::Result cuEventSynchronize(void* event);
emulated_gpu::Result cuLaunchHostFunc(void* stream, void (*function)(void*), void* user);
}
