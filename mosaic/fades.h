// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "cuda/crossfade.h"

namespace mosaic {

/// Which tiles the cells show while they change: the share of a new one rises frame by frame as
/// that of the old one falls, so that over its time a tile's share is a trapezoid and nothing pops.
///
/// A cell never shows more than two tiles. One that is to change again while it changes first
/// finishes, or goes back, whichever is nearer, at twice the pace; and then begins.
class Fades {
 public:
  struct Cell {
    int32_t tile = -1;                ///< what the cell shows, or what it is changing to
    int32_t below = -1;               ///< what gives way; -1: nothing does
    int32_t share = mt::kWholeShare;  ///< of `tile`, 1..mt::kWholeShare
  };

  /// What a frame did to a cell.
  enum class Step {
    kNone,
    kShare,  ///< the same tiles by other shares; or `below` is gone
    kTiles,  ///< at least one of the two tiles is another
  };

  explicit Fades(int cells) : cells_(cells) {}

  /// Goes on by a frame.
  /// @param wanted the tile that the cell is to show in the end
  /// @param frames that show two tiles when a cell changes its tile, 0..16; 0: it does so at once,
  ///               and whatever it is changing ends
  Step advance(int cell, int32_t wanted, int frames);

  const Cell& operator[](int cell) const { return cells_[cell]; }

 private:
  std::vector<Cell> cells_;
};

}  // namespace mosaic
