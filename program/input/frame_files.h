// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>

namespace mosaic_program {

/// Numbered pictures: folder/frame-00000.png and so on.
struct FrameFiles {
  std::string before, after;  ///< the number in the path: "folder/frame-", ".png"
  int digits = 0;             ///< the number is filled with zeros to so many; 0: it is not
  int first = 0, last = 0;

  std::string name(int number) const;
};

/// The pictures of a folder, or those that fit a pattern. Throws Failure if there are none, or if
/// numbers are missing between them.
FrameFiles find_frames(const std::string& folder_or_pattern);

/// Whether a file's name stands for many pictures: it has exactly one %d, or %05d and the like.
bool is_frame_pattern(const std::string& file);

/// Such a name as multifilesink takes it, which gives other percent signs a meaning, too.
std::string frame_location(const std::string& file);

}  // namespace mosaic_program
