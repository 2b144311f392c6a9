// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mosaic/photo_uses/uses.h"

namespace mosaic {

/// How often the grid uses each tile or photo, and whether a cell may take a tile.
class Occupancy {
 public:
  struct Rules {
    int columns = 0, rows = 0;  ///< of the grid
    int photos = 0;             ///< tile t shows photo t % photos
    UseLimit uses;
    unsigned radius = 0;  ///< within so many cells no photo repeats, if uses.most > 1
    /// [units]: how often each has to be used; empty: it need not be
    std::span<const int32_t> least = {};
  };

  /// @param tile [cells], owned by the caller; from now on only replace() may change it
  void reset(const Rules& rules, std::vector<int32_t>& tile);

  /// Whether the cell may take a tile that it does not have.
  bool fits(int cell, int32_t tile) const {
    const int unit = rules_.uses.unit(tile);
    const int own = rules_.uses.unit((*tile_)[cell]);
    if (unit == own) return true;  // another variant of its photo
    return uses_[own] > least(own) && uses_[unit] < rules_.uses.most && !has_duplicate(cell, tile);
  }
  /// Whether the cell's own tile breaks a rule: it is used too often, or its photo also appears
  /// nearby.
  bool violates_rules(int cell) const {
    const int32_t tile = (*tile_)[cell];
    return uses_[rules_.uses.unit(tile)] > rules_.uses.most || has_duplicate(cell, tile);
  }
  /// Whether two cells that show the same may not both do so: it is used too often, or they are
  /// near each other.
  bool are_in_conflict(int a, int b) const;
  /// Whether a tile, or its photo, is used less often than it has to be.
  bool is_wanting(int32_t tile) const {
    const int unit = rules_.uses.unit(tile);
    return uses_[unit] < least(unit);
  }
  void replace(int cell, int32_t tile);

 private:
  int least(int unit) const { return rules_.least.empty() ? 0 : rules_.least[unit]; }
  bool has_duplicate(int cell, int32_t tile) const;

  Rules rules_;
  std::vector<int32_t>* tile_ = nullptr;
  std::vector<int32_t> uses_;   ///< [units]
  std::vector<int32_t> shown_;  ///< [cells]: UseLimit::shown(), for has_duplicate()
};

}  // namespace mosaic
