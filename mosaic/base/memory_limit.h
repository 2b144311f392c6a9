// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <string>

namespace mosaic {

/// How much memory photos and frames may take, in bytes: three quarters of the machine's. What is
/// left has to do for the frames of the other elements, for the files that they read, and for
/// everything else that runs. Beyond that, Linux does not refuse memory but kills processes when it
/// is written, so it must not be asked for. 100,000 photos of 40 x 40 pixels take less than 1 GB,
/// and so does a frame of 7680 x 4320 pixels with the default look.
uint64_t memory_limit();

/// Throws Error (kSettings) if `bytes` are more than `limit`, naming both.
/// @param what would take them, the subject of a sentence
/// @param hint what to change
void check_memory(uint64_t bytes, const std::string& what, const std::string& hint,
                  uint64_t limit = memory_limit());

}  // namespace mosaic
