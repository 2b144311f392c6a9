// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photo_uses/photo_counts.h"

#include <algorithm>
#include <cstdlib>

namespace mosaic {

PhotoCounts PhotoCounter::count(std::span<const int32_t> tiles, int photos, int columns,
                                unsigned radius) {
  PhotoCounts counts;
  last_.assign(photos, -1);
  uses_.assign(photos, 0);
  previous_.resize(tiles.size());
  for (int cell = 0; cell < static_cast<int>(tiles.size()); ++cell) {
    const int photo = tiles[cell] % photos;
    previous_[cell] = last_[photo];
    last_[photo] = cell;
    counts.shown += uses_[photo] == 0;
    counts.most = std::max(counts.most, static_cast<unsigned>(++uses_[photo]));
  }
  const auto is_near = [&](int a, int b) {
    const int across = std::abs(a % columns - b % columns);
    const int down = std::abs(a / columns - b / columns);
    return static_cast<unsigned>(std::max(across, down)) <= radius;
  };
  for (int cell = 0; cell < static_cast<int>(tiles.size()); ++cell)
    for (int other = last_[tiles[cell] % photos]; other >= 0; other = previous_[other])
      if (other != cell && is_near(cell, other)) {
        ++counts.nearby;
        break;
      }
  return counts;
}

}  // namespace mosaic
