// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/motion_network/window_groups.h"

#include <algorithm>
#include <cstddef>

namespace mosaic {

std::vector<WindowGroup> group_windows(const WindowAxis& columns, const WindowAxis& rows,
                                       int batch) {
  std::vector<WindowGroup> groups;
  std::vector<std::vector<WindowGroup>::size_type> open;  // the last group of each size
  for (int row = 0; row < static_cast<int>(rows.windows().size()); ++row)
    for (int column = 0; column < static_cast<int>(columns.windows().size()); ++column) {
      const int width = columns.windows()[column].size, height = rows.windows()[row].size;
      auto last = std::find_if(open.begin(), open.end(), [&](std::size_t group) {
        return groups[group].width == width && groups[group].height == height;
      });
      if (last == open.end())
        last = open.insert(open.end(), groups.size());
      else if (static_cast<int>(groups[*last].windows.size()) == batch)
        *last = groups.size();
      if (*last == groups.size()) groups.push_back({width, height, {}});
      groups[*last].windows.push_back({column, row});
    }
  return groups;
}

}  // namespace mosaic
