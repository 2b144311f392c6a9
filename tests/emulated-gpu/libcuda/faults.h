// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

#include "tests/emulated-gpu/libcuda/driver.h"

namespace emulated_gpu {

/// Reports a mistake (see control.h): ends the process, or counts it and returns `code`.
[[gnu::format(printf, 2, 3)]] Result mistake(Result code, const char* format, ...);
std::uint64_t mistakes();

/// Counts a call by its name, without _v2, and returns the fault planned for it, if any.
struct Fault {
  Result now = kSuccess;   ///< what the call returns
  Result late = kSuccess;  ///< the result of the work that it submits
};
Fault book_call(const char* name);

/// Whether the caller of the driver is an object whose file name begins with `object`.
bool called_from(const char* object);

}  // namespace emulated_gpu
