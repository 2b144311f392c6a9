// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/drawing/cell_updates.h"

namespace mosaic {

CellUpdates::CellUpdates(int cells) : fades_(cells), source_share_(cells), at_once_(cells) {
  changed_.reserve(cells);
  drawn_.reserve(cells);
}

void CellUpdates::begin(bool fades) {
  may_fade_ = fades;
  changed_.clear();
  drawn_.clear();
}

bool CellUpdates::add(int cell, const Wish& wish) {
  const Fades::Step step = fades_.advance(cell, wish.tile, wish.fade_frames);
  at_once_[cell] = may_fade_ && wish.fade_frames == 0 && step != Fades::Step::kNone;
  const bool drawn = wish.redraw || step == Fades::Step::kTiles;
  if (drawn || step == Fades::Step::kShare) changed_.push_back(cell);
  if (!drawn) return false;
  drawn_.push_back(cell);
  source_share_[cell] = wish.source_share;
  return true;
}

}  // namespace mosaic
