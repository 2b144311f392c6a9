// SPDX-License-Identifier: LGPL-2.1-or-later
/// The binary interface of the CUDA driver, as far as the emulation offers it: numbers and layouts
/// as the driver API documents them, but our own names. abi_test.cpp compares them with the
/// toolkit's header where that is installed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace emulated_gpu {

/// What every call returns.
enum Result : int {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kNotInitialised = 3,
  kInvalidDevice = 101,
  kInvalidImage = 200,
  kInvalidContext = 201,
  kMapFailed = 205,
  kNoBinaryForGpu = 209,
  kPeerAccessUnsupported = 217,
  kInvalidPtx = 218,
  kJitCompilerNotFound = 221,
  kUnsupportedPtxVersion = 222,
  kInvalidHandle = 400,
  kNotFound = 500,
  kNotReady = 600,
  kIllegalAddress = 700,
  kContextIsDestroyed = 709,
  kLaunchFailed = 719,
  kNotSupported = 801,
};

using DevicePointer = std::uint64_t;

/// Where the bytes of a two-dimensional copy lie; `kEither`: the address decides.
enum MemoryType : unsigned { kHost = 1, kDevice = 2, kArray = 3, kEither = 4 };

/// One rectangle of bytes, from one place to another. Pitches, x and width in bytes, y and height
/// in rows.
struct Copy2D {
  std::size_t src_x, src_y;
  MemoryType src_type;
  const void* src_host;
  DevicePointer src_device;
  void* src_array;
  std::size_t src_pitch;
  std::size_t dst_x, dst_y;
  MemoryType dst_type;
  void* dst_host;
  DevicePointer dst_device;
  void* dst_array;
  std::size_t dst_pitch;
  std::size_t width, height;
};

/// Flags and attributes that the emulation uses.
inline constexpr unsigned kStreamNonBlocking = 1;
inline constexpr unsigned kEventDisableTiming = 2;
enum DeviceAttribute : int {
  kMaxThreadsPerBlock = 1,
  kMaxBlockX = 2,
  kMaxBlockY = 3,
  kMaxBlockZ = 4,
  kMaxGridX = 5,
  kMaxGridY = 6,
  kMaxGridZ = 7,
  kMaxSharedPerBlock = 8,
  kWarpSize = 10,
  kTextureAlignment = 14,
  kMultiprocessors = 16,
  kUnifiedAddressing = 41,
  kComputeMajor = 75,
  kComputeMinor = 76,
  kMaxSharedPerBlockOptIn = 97,
};
enum FunctionAttribute : int { kFunctionMaxThreads = 0, kFunctionMaxDynamicShared = 8 };

}  // namespace emulated_gpu
