// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <string>

namespace mosaic {

/// How much memory photos and frames may take, in bytes: three quarters of the machine's. What is
/// left must suffice for the frames of the other elements, for the files that they read, and for
/// everything else that runs. Linux usually grants more memory than there is, and
/// kills processes when it is written, so more than this must not be requested. 100,000 photos of
/// 40 x 40 pixels take less than 1 GB, and so does a frame of 7680 x 4320 pixels with the default
/// look.
uint64_t memory_limit();

/// Throws Error (kSettings) if `bytes` are more than `limit`, naming both.
/// @param what the subject of the error message: "a mosaic of ..."
/// @param hint what to change
void check_memory(uint64_t bytes, const std::string& what, const std::string& hint,
                  uint64_t limit = memory_limit());

}  // namespace mosaic
