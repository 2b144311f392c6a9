// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/engine/cell_planning.h"

#include <algorithm>

#include "mosaic/drawing/drawing.h"
#include "mosaic/placement/price.h"

namespace mosaic {
namespace {

/// The share of the source in a cell, by the weight that saliency gives the cell.
float source_share(const Look& look, double weight) {
  const double clamped = std::clamp(weight, 0.5, 2.0);
  return static_cast<float>(look.base_blend_min +
                            (look.base_blend_max - look.base_blend_min) * (clamped - 0.5) / 1.5);
}

/// Whether cells are drawn the same with both looks, and both or neither need the means of their
/// source.
bool draw_alike(const Look& a, const Look& b) {
  return draw_look(a) == draw_look(b) && a.base_blend_min == b.base_blend_min &&
         a.base_blend_max == b.base_blend_max && (a.fidelity > 0) == (b.fidelity > 0);
}

}  // namespace

CellPlanning::CellPlanning(int cells)
    : updates_(cells), drawn_rgb_(static_cast<size_t>(cells) * 3) {}

const CellUpdates& CellPlanning::update(const AnalysedCells& analysis,
                                        const std::vector<int32_t>& tiles, const Saliency& saliency,
                                        const Look& look, Continuation continuation, int blend,
                                        double redraw) {
  const bool at_once = continuation != Continuation::kContinues;
  const bool redraw_all = at_once || !draw_alike(look, look_);
  look_ = look;
  // With fidelity every drawing of a cell also takes up what finishing made of the whole picture
  // since the cell was last drawn, so cells are drawn again less often.
  const double redraw_step = redraw * kVisibleStep * (1 + 0.75 * look.fidelity);
  updates_.begin(blend > 0);
  for (int cell = 0; cell < updates_.cells(); ++cell) {
    const bool masked = look.fidelity > 0 && analysis.moved(cell) >= kVisibleStep;
    int32_t* drawn = &drawn_rgb_[static_cast<size_t>(cell) * 3];
    if (updates_.add(cell, {.tile = tiles[cell],
                            .fade_frames = at_once || masked ? 0 : blend,
                            .redraw = redraw_all || saliency.replaced(cell) ||
                                      analysis.drift(cell, drawn) > redraw_step,
                            .source_share = source_share(look, saliency.weight(cell))}))
      std::copy_n(analysis.stats()[cell].rgb, 3, drawn);
  }
  return updates_;
}

}  // namespace mosaic
