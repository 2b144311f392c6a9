// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

#include "tests/emulated-gpu/driver.h"

namespace emulated_gpu {

/// Reports what a driver may not notice: ends the process, or counts it and returns `code`.
[[gnu::format(printf, 2, 3)]] Result mistake(Result code, const char* format, ...);
std::uint64_t mistakes();

/// Books a call by its name without _v2 and returns the fault that strikes it.
struct Fault {
  Result now = kSuccess;   ///< the call's own answer
  Result late = kSuccess;  ///< what the work that it submits ends with
};
Fault book_call(const char* name);

/// Whether the caller of the driver is an object whose file name begins with `object`.
bool called_from(const char* object);

}  // namespace emulated_gpu
