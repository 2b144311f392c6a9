// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <functional>
#include <string>

#include "program/web/web_files.h"

namespace mosaic_program {

/// Writes all files of a page into a new folder. It has its name when it is complete.
/// @param progress is told how many files of how many there are
/// @param cancelled if it becomes true, the folder is removed again
/// Throws Failure: the folder exists, or cannot be written; Error (kCancelled).
void write_folder(const WebFiles& files, const std::string& folder,
                  const std::function<void(int, int)>& progress,
                  const std::atomic<bool>& cancelled);

}  // namespace mosaic_program
