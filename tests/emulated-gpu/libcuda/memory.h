// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <cstdint>

#include "tests/emulated-gpu/libcuda/driver.h"

namespace emulated_gpu {

struct Context;

enum class Memory { kDeviceMemory, kPinnedMemory };

inline constexpr std::size_t kDeviceBytes = std::size_t{8} << 30;  ///< size of device memory

/// Allocates `bytes` >= 1, aligned to 512 bytes, filled with 0xCD, a red zone on both sides.
/// Returns kOutOfMemory, also if kDeviceBytes would be exceeded.
Result allocate(Context* context, Memory memory, std::size_t bytes, DevicePointer* address);
/// Frees memory from allocate(). A mistake if that is not the address of an allocation of the same
/// kind, or if a red zone is damaged. The caller waits for work that uses it.
Result free_block(Memory memory, DevicePointer address);
/// Frees all memory of a context and returns how many allocations that were.
std::size_t free_blocks(Context* context);

enum class Found { kNowhere, kDeviceBlock, kPinnedBlock };
/// In which allocation an address lies.
Found find_block(DevicePointer address);
/// kSuccess if the range lies in one allocation; otherwise a mistake that names `what`.
Result check_range(const char* what, DevicePointer address, std::size_t bytes);

/// In deferred mode device memory can be accessed only while one of these exists. Running work
/// holds one.
class DeviceAccess {
 public:
  DeviceAccess();
  ~DeviceAccess();
  DeviceAccess(const DeviceAccess&) = delete;
  DeviceAccess& operator=(const DeviceAccess&) = delete;
};

/// Checks every red zone; a damaged one is a mistake that names `when`.
bool check_red_zones(const char* when);

struct MemoryCounts {
  std::size_t device_blocks, device_bytes, pinned_blocks;
};
MemoryCounts count_memory();

}  // namespace emulated_gpu
