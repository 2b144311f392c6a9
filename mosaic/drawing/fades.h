// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/drawing/crossfade.h"

namespace mosaic {

/// The crossfades of the cells: the share of the new tile rises frame by frame as that of the old
/// one falls. Over time a tile's share is a trapezoid, so no tile appears suddenly.
///
/// A cell never shows more than two tiles. If a third is wanted during a crossfade, the crossfade
/// first runs to its end or back to its start, whichever is nearer, at twice the pace. Then the
/// crossfade to the third tile begins.
class Fades {
 public:
  struct Cell {
    int32_t tile = -1;                ///< the cell's tile; in a crossfade, the new one
    int32_t old_tile = -1;            ///< -1: there is no crossfade
    int32_t share = mt::kWholeShare;  ///< of `tile`, 1..mt::kWholeShare
  };

  /// What a frame did to a cell.
  enum class Step {
    kNone,
    kShare,  ///< the same tiles with other shares; or the crossfade is over
    kTiles,  ///< at least one of the two tiles was replaced
  };

  explicit Fades(int cells) : cells_(cells) {}

  /// Advances a cell by one frame.
  /// @param wanted the tile that the cell is to show in the end
  /// @param frames that show both tiles when a cell changes its tile, 0..16; 0: the cell shows
  ///               `wanted` at once, and a running crossfade ends
  Step advance(int cell, int32_t wanted, int frames);

  void set(int cell, const Cell& state) { cells_[cell] = state; }

  const Cell& operator[](int cell) const { return cells_[cell]; }

 private:
  std::vector<Cell> cells_;
};

}  // namespace mosaic
