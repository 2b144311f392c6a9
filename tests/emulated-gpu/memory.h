// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <cstdint>

#include "tests/emulated-gpu/driver.h"

namespace emulated_gpu {

struct Context;

enum class Memory { kDeviceMemory, kPinnedMemory };

inline constexpr std::size_t kDeviceBytes = std::size_t{8} << 30;  ///< of device memory in all

/// Allocates `bytes` >= 1, aligned to 512 bytes, filled with 0xCD, a red zone on both sides.
/// kOutOfMemory, also where the device would have no room left.
Result allocate(Context* context, Memory memory, std::size_t bytes, DevicePointer* address);
/// Frees what allocate() gave. A mistake if it is not the address of a living allocation of that
/// memory, or if a red zone is damaged. Waiting for work that uses it is the caller's business.
Result free_block(Memory memory, DevicePointer address);
/// Frees all that lives in a context, and returns how much that was.
std::size_t free_blocks(Context* context);

enum class Found { kNowhere, kDeviceBlock, kPinnedBlock };
/// Where an address lies, whether or not a whole range of it does.
Found find_block(DevicePointer address);
/// kSuccess if the range lies in one living allocation; otherwise a mistake that names `what`.
Result check_range(const char* what, DevicePointer address, std::size_t bytes);

/// In deferred mode the host reaches device memory only while one of these lives: work that runs
/// needs it.
class DeviceAccess {
 public:
  DeviceAccess();
  ~DeviceAccess();
  DeviceAccess(const DeviceAccess&) = delete;
  DeviceAccess& operator=(const DeviceAccess&) = delete;
};

/// Looks at every red zone; a damaged one is a mistake that names `when`.
bool check_red_zones(const char* when);

struct MemoryCounts {
  std::size_t device_blocks, device_bytes, pinned_blocks;
};
MemoryCounts count_memory();

}  // namespace emulated_gpu
