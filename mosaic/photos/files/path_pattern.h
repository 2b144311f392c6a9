// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <atomic>
#include <string>
#include <vector>

namespace mosaic {

/// The paths that match a pattern, sorted by their bytes; none: an empty list.
struct MatchingPaths {
  std::vector<std::string> paths;
  int links = 0;  ///< symbolic links to folders that matched and were not followed
};

/// Whether a path is to be read as a pattern: it contains `*`, `?` or `[`.
bool is_path_pattern(const std::string& path);

/// Finds the files and folders that match a pattern of the shell: `*` stands for any characters of
/// a name, `?` for one, `[a-z]` for one of several; `\` before one of these takes it literally. As
/// in the shell, none of them matches a dot at the beginning of a name. A part of the pattern (what
/// is between two slashes) that exists under exactly this name stands for itself alone.
///
/// From the first part with `*`, `?` or `[` on, symbolic links to folders are not followed, as
/// within a folder of photos.
/// @param cancelled if it becomes true, the search gives up
/// Throws Error: kSettings when the pattern is longer than a path may be, kCancelled.
MatchingPaths match_paths(const std::string& pattern, const std::atomic<bool>& cancelled);

}  // namespace mosaic
