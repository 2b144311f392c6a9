// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/placement/occupancy.h"

#include <algorithm>
#include <cstdlib>

namespace mosaic {

void Occupancy::reset(const Rules& rules, std::vector<int32_t>& tile) {
  rules_ = rules;
  tile_ = &tile;
  uses_.assign(rules.uses.units, 0);
  for (const int32_t t : tile) ++uses_[rules.uses.unit(t)];
  shown_.resize(tile.size());
  for (size_t cell = 0; cell < tile.size(); ++cell)
    shown_[cell] = rules.uses.shown(tile[cell], rules.photos);
}

void Occupancy::replace(int cell, int32_t tile) {
  int32_t& own = (*tile_)[cell];
  --uses_[rules_.uses.unit(own)];
  ++uses_[rules_.uses.unit(tile)];
  own = tile;
  shown_[cell] = rules_.uses.shown(tile, rules_.photos);
}

bool Occupancy::are_in_conflict(int a, int b) const {
  const int across = std::abs(a % rules_.columns - b % rules_.columns);
  const int down = std::abs(a / rules_.columns - b / rules_.columns);
  return uses_[rules_.uses.unit((*tile_)[a])] > rules_.uses.most ||
         static_cast<unsigned>(std::max(across, down)) <= rules_.radius;
}

bool Occupancy::has_duplicate(int cell, int32_t tile) const {
  if (rules_.uses.most == 1) return false;
  const int columns = rules_.columns, rows = rules_.rows;
  const int radius =
      static_cast<int>(std::min(rules_.radius, static_cast<unsigned>(std::max(columns, rows))));
  const int x = cell % columns, y = cell / columns;
  const int photo = rules_.uses.shown(tile, rules_.photos);
  for (int v = std::max(0, y - radius); v <= std::min(rows - 1, y + radius); ++v)
    for (int u = std::max(0, x - radius); u <= std::min(columns - 1, x + radius); ++u) {
      const int other = v * columns + u;
      if (other != cell && shown_[other] == photo) return true;
    }
  return false;
}

}  // namespace mosaic
