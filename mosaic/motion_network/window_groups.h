// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <vector>

#include "mosaic/windows/window_axis.h"

namespace mosaic {

/// Windows of one size, which are worked on at once. Each is the indices of its column and its row
/// among WindowAxis::windows().
struct WindowGroup {
  struct Window {
    int column, row;
    bool operator==(const Window&) const = default;
  };

  int width, height;
  std::vector<Window> windows;
};

/// The windows of a frame in groups of at most `batch`, in the order in which their sizes occur,
/// row by row.
/// @param batch at least 1
std::vector<WindowGroup> group_windows(const WindowAxis& columns, const WindowAxis& rows,
                                       int batch);

}  // namespace mosaic
