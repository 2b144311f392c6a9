// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/drawing/drawing.h"

#include <algorithm>

#include "kernels/drawing/transfer.h"
#include "kernels/frame/resample.h"
#include "kernels/views.h"

namespace mosaic {
namespace {

// Share of the histogram matching by kind of colour transfer, as in mosaicraft.
constexpr float kHistogramAlone = 0.55f, kAfterReinhard = 0.35f, kAfterMkl = 0.30f;

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

Drawing::Drawing(const Grid& grid, const std::shared_ptr<mt::Executor>& executor)
    : grid_(grid),
      executor_(executor),
      canvas_(grid.out_width, grid.out_height, executor),
      scaled_(grid.scaled() ? Picture(grid.out_width, grid.out_height, executor) : Picture()),
      paint_(executor, grid.cells()),
      changed_(executor, grid.cells()),
      source_means_(executor, grid.cells()) {}

mt::Planes Drawing::canvas() {
  return fades_show_ ? fading_->shown.planes() : canvas_.planes();
}

/// Lists the cells to draw on each canvas, and those whose crossfade is to be computed again.
Drawing::Count Drawing::list_cells(const CellChanges& changes, const TilesToDraw& tiles) {
  Count count;
  std::copy(changes.changed.begin(), changes.changed.end(), changed_.data());
  for (const int32_t cell : changes.drawn) {
    const Fades::Cell& fade = changes.shown[cell];
    mt::CellPaint paint{.at = grid_.out_rect(cell),
                        .cell = cell,
                        .tile = tiles.number_of(fade.tile),
                        .blend = changes.source_share[cell]};
    paint_[count.drawn++] = paint;
    if (fade.old_tile < 0) continue;
    paint.tile = tiles.number_of(fade.old_tile);
    fading_->paint[count.drawn_old++] = paint;
  }
  if (!changes.may_fade) return count;
  const auto mix = [&](int cell) {
    fading_->cells[count.faded++] = {grid_.out_rect(cell), changes.shown[cell].share};
  };
  if (fades_show_)
    for (const int32_t cell : changes.changed) mix(cell);
  else
    for (int cell = 0; cell < grid_.cells(); ++cell) mix(cell);
  return count;
}

/// Launches the drawing of the listed cells.
void Drawing::draw(const Source& source, const TilesToDraw& tiles, const Look& look,
                   const Count& count) {
  mt::Planes target = source.picture;
  if (source.pictures) {
    executor_->launch(mt::EnlargeCells{paint_.data(), source.pictures, target}, count.drawn);
  } else if (grid_.scaled()) {
    target = scaled_.planes();
    executor_->launch(mt::Resample{source.picture, target}, target.height);
  }
  mt::Draw draw{};
  draw.tables = executor_->tables();
  draw.paint = paint_.data();
  draw.cells = source.stats;
  draw.tiles = tiles.stats;
  draw.cell_pixels = grid_.side * grid_.side;
  draw.photos = tiles.pixels;
  draw.photo_count = tiles.photos;
  draw.photo_size = tiles.photo_size;
  draw.source = target;
  draw.canvas = canvas_.planes();
  draw.look = draw_look(look);
  draw.variants = tiles.variants;
  executor_->launch(draw, count.drawn);
  if (look.fidelity > 0 && !source.means)
    executor_->launch(mt::SourceMeans{paint_.data(), target, source_means_.data()}, count.drawn);
  if (count.drawn_old == 0) return;
  draw.paint = fading_->paint.data();
  draw.canvas = fading_->old_canvas.planes();
  executor_->launch(draw, count.drawn_old);
}

void Drawing::update(const Source& source, const TilesToDraw& tiles, const CellChanges& changes,
                     const Look& look) {
  if (changes.may_fade && !fading_) fading_.emplace(grid_, executor_);
  means_ = source.means ? source.means : source_means_.data();
  const Count count = list_cells(changes, tiles);
  fades_show_ = changes.may_fade;
  if (count.drawn > 0) draw(source, tiles, look, count);
  if (count.faded > 0)
    executor_->launch(mt::Crossfade{.cells = fading_->cells.data(),
                                    .old_picture = fading_->old_canvas.planes(),
                                    .new_picture = canvas_.planes(),
                                    .shown = fading_->shown.planes()},
                      count.faded);
}

}  // namespace mosaic
