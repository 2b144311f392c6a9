// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/placement/diffused_ahead.h"

#include <algorithm>

namespace mosaic {
namespace {

// Frames in which a tile must come to be shown at once, with the present one. With more, tiles
// would be shown that do not suit the picture yet.
constexpr size_t kSoon = 8;

}  // namespace

DiffusedAhead::DiffusedAhead(const Grid& grid, int tiles, int max_uses)
    // Not photos but tiles must not repeat, as in mt::Diffuse.
    : rules_{.columns = grid.columns,
             .rows = grid.rows,
             .photos = tiles,
             .uses = {.units = tiles, .most = max_uses}} {
  shown_.reserve(grid.cells());
}

/// What a cell should show, if the other cells allow it.
int32_t DiffusedAhead::wanted(int cell, int32_t held, std::span<const Tiles> frames) const {
  for (const Tiles& frame : frames)
    if (frame[cell] == held) return held;
  const auto soon = frames.first(std::min(frames.size(), kSoon));
  int32_t best = soon[0][cell];
  int most = 0;
  for (const Tiles& frame : soon) {
    int count = 0;
    for (const Tiles& other : soon) count += other[cell] == frame[cell];
    if (count <= most) continue;
    most = count;
    best = frame[cell];
  }
  return best;
}

DiffusedAhead::Tiles DiffusedAhead::choose(Tiles held, std::span<const Tiles> frames,
                                           unsigned radius) {
  shown_.assign(frames[0].begin(), frames[0].end());
  if (held.empty()) return shown_;
  rules_.radius = radius;
  occupancy_.reset(rules_, shown_);
  for (int cell = 0; cell < static_cast<int>(shown_.size()); ++cell) {
    if (shown_[cell] == held[cell]) continue;
    const int32_t tile = wanted(cell, held[cell], frames);
    if (tile != shown_[cell] && occupancy_.fits(cell, tile)) occupancy_.replace(cell, tile);
  }
  return shown_;
}

}  // namespace mosaic
