// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mosaic/base/grid.h"
#include "mosaic/placement/occupancy.h"

namespace mosaic {

/// Chooses what cells show, given the tiles that error diffusion has placed in this frame and in
/// the next ones, so that fewer change. A cell keeps its tile if diffusion places that again in one
/// of these frames. Otherwise it shows the tile that diffusion places there most often in the first
/// of them (kPatience). Where the rules forbid this, it shows diffusion's own. The diffusion itself
/// goes on as if nothing was changed. Used by one thread at a time.
class DiffusedAhead {
 public:
  /// [cells]: the tiles that error diffusion placed in a frame.
  using Tiles = std::span<const int32_t>;

  /// @param max_uses how often a frame may use a tile
  DiffusedAhead(const Grid& grid, int tiles, int max_uses);

  /// @param held   [cells] what they showed in the frame before, of the same scene; or empty
  /// @param frames this frame's and those of the frames to come in its scene, the next one first
  /// @param radius a tile is not repeated within so many cells, except where diffusion repeats it
  /// @return [cells] tiles of these frames or held ones; valid until the next call
  Tiles choose(Tiles held, std::span<const Tiles> frames, unsigned radius);

 private:
  int32_t wanted(int cell, int32_t held, std::span<const Tiles> frames) const;

  Occupancy::Rules rules_;
  Occupancy occupancy_;  ///< of shown_
  std::vector<int32_t> shown_;
};

}  // namespace mosaic
