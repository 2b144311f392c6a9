// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photo_uses/photo_counts.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace mosaic {

PhotoCounts PhotoCounter::count(std::span<const int32_t> tiles, int photos, int columns,
                                unsigned radius) {
  PhotoCounts counts;
  last_.assign(photos, -1);
  uses_.assign(photos, 0);
  previous_.resize(tiles.size());
  is_nearby_.assign(tiles.size(), 0);
  for (int cell = 0; cell < static_cast<int>(tiles.size()); ++cell) {
    const int photo = tiles[cell] % photos;
    previous_[cell] = std::exchange(last_[photo], cell);
    counts.shown += uses_[photo] == 0;
    counts.most = std::max(counts.most, static_cast<unsigned>(++uses_[photo]));
    for (int other = previous_[cell]; other >= 0; other = previous_[other]) {
      const auto down = static_cast<unsigned>(cell / columns - other / columns);
      // Those before are in this row or in rows above.
      if (down > radius && counts.nearest != 0 && down >= counts.nearest) break;
      const auto across = static_cast<unsigned>(std::abs(cell % columns - other % columns));
      const unsigned distance = std::max(across, down);
      if (counts.nearest == 0 || distance < counts.nearest) counts.nearest = distance;
      if (distance <= radius) is_nearby_[cell] = is_nearby_[other] = 1;
    }
  }
  was_shown_.resize(photos, 0);
  for (int photo = 0; photo < photos; ++photo) was_shown_[photo] |= uses_[photo] > 0;
  counts.never = static_cast<unsigned>(std::count(was_shown_.begin(), was_shown_.end(), 0));
  counts.least = static_cast<unsigned>(*std::min_element(uses_.begin(), uses_.end()));
  counts.nearby = static_cast<unsigned>(std::count(is_nearby_.begin(), is_nearby_.end(), 1));
  return counts;
}

}  // namespace mosaic
