// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/drawing/drawing.h"

#include <algorithm>
#include <cmath>

#include "kernels/drawing/transfer.h"
#include "kernels/frame/resample.h"
#include "kernels/views.h"
#include "mosaic/placement/price.h"

namespace mosaic {
namespace {

// Share of the histogram matching by kind of colour transfer, as in mosaicraft.
constexpr float kHistogramAlone = 0.55f, kAfterReinhard = 0.35f, kAfterMkl = 0.30f;

/// The share of the source in a cell, by the weight that saliency gives the cell.
float blend_share(const Look& look, double weight) {
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

mt::DrawLook draw_look(const Look& look) {
  const TransferKind kind = look.color_transfer;
  const bool reinhard = kind == TransferKind::kReinhard || kind == TransferKind::kHybrid;
  const bool mkl = kind == TransferKind::kMkl || kind == TransferKind::kMklHybrid;
  mt::DrawLook draw{};
  draw.transfer = {reinhard ? mt::Transfer::kReinhard
                   : mkl    ? mt::Transfer::kMongeKantorovich
                            : mt::Transfer::kNone,
                   static_cast<float>(look.reinhard_l), static_cast<float>(look.reinhard_ab)};
  draw.histogram = kind == TransferKind::kHistogram   ? kHistogramAlone
                   : kind == TransferKind::kHybrid    ? kAfterReinhard
                   : kind == TransferKind::kMklHybrid ? kAfterMkl
                                                      : 0.0f;
  draw.feather = look.feather_width > 0 && !look.laplacian_blend;
  return draw;
}

Drawing::Fading::Fading(const Grid& grid, const std::shared_ptr<mt::Executor>& executor)
    : old_canvas(grid.out_width, grid.out_height, executor),
      shown(grid.out_width, grid.out_height, executor),
      paint(executor, grid.cells()),
      cells(executor, grid.cells()) {}

Drawing::Drawing(const Grid& grid, std::shared_ptr<const PoolOnDevice> pool,
                 const std::shared_ptr<mt::Executor>& executor)
    : grid_(grid),
      pool_(std::move(pool)),
      executor_(executor),
      canvas_(grid.out_width, grid.out_height, executor),
      scaled_(grid.scaled() ? Picture(grid.out_width, grid.out_height, executor) : Picture()),
      paint_(executor, grid.cells()),
      changed_(executor, grid.cells()),
      source_means_(executor, grid.cells()),
      fades_(grid.cells()),
      drawn_rgb_(static_cast<size_t>(grid.cells()) * 3) {}

mt::Planes Drawing::canvas() {
  return fades_show_ ? fading_->shown.planes() : canvas_.planes();
}

/// Lists the cells to draw on each canvas, and those whose crossfade is to be computed again.
/// @param redraw_all every cell is drawn
/// @param at_once cells change their tiles without a crossfade, and running ones end
Drawing::Count Drawing::list_changed_cells(const AnalysedCells& analysis,
                                           const std::vector<int32_t>& tiles,
                                           const Saliency& saliency, bool redraw_all, bool at_once,
                                           int blend, double redraw_factor) {
  Count count;
  // With fidelity every drawing of a cell also takes up what finishing made of the whole picture
  // since the cell was last drawn, so cells are drawn again less often.
  const double redraw_step = redraw_factor * kVisibleStep * (1 + 0.75 * look_.fidelity);
  const bool show_all = blend > 0 && !fades_show_;
  for (int cell = 0; cell < grid_.cells(); ++cell) {
    const bool masked = look_.fidelity > 0 && analysis.moved(cell) >= kVisibleStep;
    const Fades::Step step = fades_.advance(cell, tiles[cell], at_once || masked ? 0 : blend);
    const Fades::Cell& fade = fades_[cell];
    int32_t* drawn = &drawn_rgb_[static_cast<size_t>(cell) * 3];
    const bool redraw = redraw_all || step == Fades::Step::kTiles || saliency.replaced(cell) ||
                        analysis.drift(cell, drawn) > redraw_step;
    const bool change = redraw || step == Fades::Step::kShare;
    if (change) changed_[count.changed++] = cell;
    if (blend > 0 && (change || show_all))
      fading_->cells[count.faded++] = {grid_.out_rect(cell), fade.share};
    if (!redraw) continue;
    std::copy_n(analysis.stats()[cell].rgb, 3, drawn);
    mt::CellPaint paint{.at = grid_.out_rect(cell),
                        .cell = cell,
                        .tile = fade.tile,
                        .blend = blend_share(look_, saliency.weight(cell))};
    paint_[count.drawn++] = paint;
    if (fade.old_tile < 0) continue;
    paint.tile = fade.old_tile;
    fading_->paint[count.drawn_old++] = paint;
  }
  return count;
}

/// Launches the drawing of the listed cells.
void Drawing::draw(const mt::Planes& source, const AnalysedCells& analysis, const Count& count) {
  mt::Planes target = source;
  if (grid_.scaled()) {
    target = scaled_.planes();
    executor_->launch(mt::Resample{source, target}, target.height);
  }
  mt::Draw draw{};
  draw.tables = executor_->tables();
  draw.paint = paint_.data();
  draw.cells = analysis.stats_on_device();
  draw.tiles = pool_->stats();
  draw.cell_pixels = grid_.side * grid_.side;
  draw.photos = pool_->pixels();
  draw.photo_count = pool_->host().photos();
  draw.photo_size = pool_->host().draw_size();
  draw.source = target;
  draw.canvas = canvas_.planes();
  draw.look = draw_look(look_);
  draw.variants = pool_->host().tile_variants();
  executor_->launch(draw, count.drawn);
  if (look_.fidelity > 0)
    executor_->launch(mt::SourceMeans{paint_.data(), target, source_means_.data()}, count.drawn);
  if (count.drawn_old == 0) return;
  draw.paint = fading_->paint.data();
  draw.canvas = fading_->old_canvas.planes();
  executor_->launch(draw, count.drawn_old);
}

unsigned Drawing::update(const mt::Planes& source, const AnalysedCells& analysis,
                         const std::vector<int32_t>& tiles, const Saliency& saliency,
                         const Look& look, Continuation continuation, int blend, double redraw) {
  const bool at_once = continuation != Continuation::kContinues;
  const bool redraw_all = at_once || !draw_alike(look, look_);
  look_ = look;
  if (blend > 0 && !fading_) fading_.emplace(grid_, executor_);
  const Count count =
      list_changed_cells(analysis, tiles, saliency, redraw_all, at_once, blend, redraw);
  fades_show_ = blend > 0;
  if (count.drawn > 0) draw(source, analysis, count);
  if (count.faded > 0)
    executor_->launch(mt::Crossfade{.cells = fading_->cells.data(),
                                    .old_picture = fading_->old_canvas.planes(),
                                    .new_picture = canvas_.planes(),
                                    .shown = fading_->shown.planes()},
                      count.faded);
  return count.changed;
}

}  // namespace mosaic
