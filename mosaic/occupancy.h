// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace mosaic {

/// How often each tile stands in the grid, and whether it may stand in a cell.
class Occupancy {
 public:
  struct Rules {
    int columns = 0, rows = 0;  ///< of the grid
    int tiles = 0;
    int photos = 0;       ///< tile t shows photo t % photos
    int capacity = 1;     ///< uses of a tile
    unsigned radius = 0;  ///< cells around one that do not repeat its photo, if capacity > 1
  };

  /// @param tile [cells], which stays the caller's and may change by replace() alone
  void reset(const Rules& rules, std::vector<int32_t>& tile);

  /// Whether the cell may take a tile that it does not have.
  bool fits(int cell, int32_t tile) const {
    return uses_[tile] < rules_.capacity && !has_twin(cell, tile);
  }
  /// Whether the cell's own tile stands in the grid too often, or its photo nearby.
  bool crowded(int cell) const {
    const int32_t tile = (*tile_)[cell];
    return uses_[tile] > rules_.capacity || has_twin(cell, tile);
  }
  void replace(int cell, int32_t tile);

 private:
  bool has_twin(int cell, int32_t tile) const;

  Rules rules_;
  std::vector<int32_t>* tile_ = nullptr;
  std::vector<int32_t> uses_;  ///< [tiles]
};

}  // namespace mosaic
