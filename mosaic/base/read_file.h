// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mosaic {

/// All bytes of a regular file.
/// Throws Error, whose text is the reason without the path: kNotFound if there is no such file;
/// kRead if it is not a regular file (a folder, a FIFO), is larger than `max_bytes`, or cannot be
/// read.
std::vector<uint8_t> read_file(const std::string& path, int64_t max_bytes);

}  // namespace mosaic
