// SPDX-License-Identifier: LGPL-2.1-or-later
/// Functions for tests of the emulated encoder, in addition to NVIDIA's own.
///
/// The emulation is a shared library named libnvidia-encode.so.1. It encodes H.264 with libx264, in
/// the calling thread, with settings that give the same bytes each time. It works on the emulated
/// GPU (libcuda/control.h): pictures are read from its memory.
///
/// **Pictures.** nvEncEncodePicture() waits for the input stream of nvEncSetIOCudaStreams(), or for
/// stream 0 if there is none, and reads the picture as it then is. Work in other streams is not
/// waited for, so in deferred mode a missing wait gives wrong pixels.
///
/// **Lossless** are a constant QP of 0, a lossless preset and the lossless tuning. On real devices
/// a constant QP of 0 alone is only nearly so.
///
/// **Outputs** are filled in the order in which they were submitted, with pictures in coding order.
/// With B-frames or look-ahead nvEncEncodePicture() returns NV_ENC_ERR_NEED_MORE_INPUT until an
/// output may be locked; locking one before that is refused with NV_ENC_ERR_INVALID_PARAM. With
/// B-frames an output that may be locked can still depend on further pictures: locking it waits for
/// these, or for the end of the stream.
///
/// **Faults** are planned with emulated_gpu_fault(), whose error is then an NVENCSTATUS. The names
/// are those of the interface (NvEncEncodePicture). A call that fails does nothing, except that a
/// call which releases something (destroy, unlock, unmap, unregister) still does so.
///
/// Not emulated: other codecs than H.264, more than 8 bits, interlaced video, motion estimation
/// alone, output in video memory, reference frame invalidation, events (which exist on Windows
/// only).
#pragma once

#include <cstdint>

#pragma GCC visibility push(default)
extern "C" {

/// Numbers of objects that exist, and totals since the start.
struct EmulatedNvencCounts {
  std::uint64_t sessions;
  std::uint64_t resources;  ///< registered, not unregistered
  std::uint64_t inputs;     ///< mapped resources and input buffers
  std::uint64_t outputs;    ///< bitstream buffers
  std::uint64_t abandoned;  ///< objects not released when their session ended
  std::uint64_t pictures;   ///< encoded since the start
};
void emulated_nvenc_counts(EmulatedNvencCounts* counts);

}  // extern "C"
#pragma GCC visibility pop
