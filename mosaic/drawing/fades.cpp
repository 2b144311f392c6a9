// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/drawing/fades.h"

#include <algorithm>
#include <utility>

namespace mosaic {

Fades::Step Fades::advance(int cell, int32_t wanted, int frames) {
  Cell& c = cells_[cell];
  if (c.old_tile < 0 && c.tile == wanted) return Step::kNone;
  if (frames == 0 || c.tile < 0) {
    const bool same = c.tile == wanted;
    c = {wanted, -1, mt::kWholeShare};
    return same ? Step::kShare : Step::kTiles;
  }
  // Rounded up: after `frames` frames that show both tiles, the next shows the new one alone.
  const int32_t pace = (mt::kWholeShare + frames) / (frames + 1);
  if (c.old_tile < 0) {
    c = {wanted, c.tile, pace};
    return Step::kTiles;
  }
  const bool back = c.tile != wanted && (c.old_tile == wanted || c.share < mt::kWholeShare / 2);
  if (back) {
    std::swap(c.tile, c.old_tile);
    c.share = mt::kWholeShare - c.share;
  }
  c.share = std::min(c.share + (c.tile == wanted ? pace : 2 * pace), mt::kWholeShare);
  if (c.share == mt::kWholeShare) c.old_tile = -1;
  return back ? Step::kTiles : Step::kShare;
}

}  // namespace mosaic
