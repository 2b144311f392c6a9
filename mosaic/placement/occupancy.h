// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace mosaic {

/// How often the grid uses each tile, and whether a cell may take a tile.
class Occupancy {
 public:
  struct Rules {
    int columns = 0, rows = 0;  ///< of the grid
    int tiles = 0;
    int photos = 0;       ///< tile t shows photo t % photos
    int capacity = 1;     ///< how often a tile may be used
    unsigned radius = 0;  ///< within so many cells no photo repeats, if capacity > 1
  };

  /// @param tile [cells], owned by the caller; from now on only replace() may change it
  void reset(const Rules& rules, std::vector<int32_t>& tile);

  /// Whether the cell may take a tile that it does not have.
  bool fits(int cell, int32_t tile) const {
    return uses_[tile] < rules_.capacity && !has_duplicate(cell, tile);
  }
  /// Whether the cell's own tile breaks a rule: it is used too often, or its photo also appears
  /// nearby.
  bool violates_rules(int cell) const {
    const int32_t tile = (*tile_)[cell];
    return uses_[tile] > rules_.capacity || has_duplicate(cell, tile);
  }
  void replace(int cell, int32_t tile);

 private:
  bool has_duplicate(int cell, int32_t tile) const;

  Rules rules_;
  std::vector<int32_t>* tile_ = nullptr;
  std::vector<int32_t> uses_;  ///< [tiles]
};

}  // namespace mosaic
