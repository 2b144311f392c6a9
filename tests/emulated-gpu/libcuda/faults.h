// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <string>

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

/// The file name of the nearest object up the stack that does not call the driver for others: it
/// is not the emulation, nor a library of GStreamer, GLib or the C and C++ runtime. "" if none is.
std::string caller();
/// Whether that file name begins with `object`.
bool called_from(const char* object);

}  // namespace emulated_gpu
