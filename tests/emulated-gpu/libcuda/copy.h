// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "tests/emulated-gpu/libcuda/driver.h"

namespace emulated_gpu {

struct Context;
struct Stream;

/// Queues a copy. Waits for it if `wait` is set and the host is on either side: copies within the
/// device are asynchronous even in the driver's synchronous functions.
Result copy(const char* call, const std::shared_ptr<Stream>& stream, const Copy2D& rectangle,
            bool wait);
/// A linear copy as a rectangle of one row.
Copy2D line(MemoryType to, DevicePointer dst, MemoryType from, DevicePointer src,
            std::size_t bytes);

/// Queues the filling of `height` rows of `width` elements of 1, 2 or 4 bytes. In the driver's
/// synchronous functions this is asynchronous, too, except for pinned memory.
Result fill(const char* call, const std::shared_ptr<Stream>& stream, DevicePointer dst,
            std::size_t pitch, std::uint32_t value, std::size_t element, std::size_t width,
            std::size_t height, bool wait);

struct Copied {
  std::size_t uploads, downloads;  ///< bytes
};
Copied copied();

}  // namespace emulated_gpu
