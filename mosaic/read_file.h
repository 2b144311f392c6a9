// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mosaic {

/// All bytes of a regular file.
/// Throws Error, whose text is the reason alone: kNotFound where there is none; kRead where it is
/// something else (a folder, a FIFO, which nobody may ever write to), has more than `most` bytes,
/// or cannot be read.
std::vector<uint8_t> read_file(const std::string& path, int64_t most);

}  // namespace mosaic
