// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/drawing.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "cuda/kernels.h"

namespace mosaic {
namespace {

// mosaicraft's `natural`.
constexpr mt::DrawLook kLook{0.65f, 0.48f, 1};
constexpr double kBlendMin = 0.07;
constexpr double kBlendMax = 0.18;

// A cell is drawn anew when the mean of its source has moved by more, averaged over R, G, B.
constexpr int64_t kMovedLevels = 2;

/// How much of the source shows through, times 2^16.
int32_t blend_share(double weight) {
  const double clamped = std::clamp(weight, 0.5, 2.0);
  const double share = kBlendMin + (kBlendMax - kBlendMin) * (clamped - 0.5) / 1.5;
  return static_cast<int32_t>(std::lround(share * 65536));
}

bool scaled(const Grid& grid) {
  return grid.in_width != grid.out_width || grid.in_height != grid.out_height;
}

}  // namespace

Drawing::Drawing(const Grid& grid, std::shared_ptr<const PoolOnDevice> pool,
                 const std::shared_ptr<mt::Executor>& executor)
    : grid_(grid),
      pool_(std::move(pool)),
      canvas_(grid.out_width, grid.out_height, executor),
      scaled_(scaled(grid) ? Picture(grid.out_width, grid.out_height, executor) : Picture()),
      paint_(executor, grid.cells()),
      drawn_rgb_(static_cast<size_t>(grid.cells()) * 3) {}

unsigned Drawing::update(mt::Executor& executor, const mt::Planes& source,
                         const FrameAnalysis& analysis, const std::vector<int32_t>& tiles,
                         const std::vector<int32_t>& last_tiles, const Saliency& saliency,
                         bool all) {
  const int64_t limit = kMovedLevels * 3 * grid_.side * grid_.side;
  int count = 0;
  for (int cell = 0; cell < grid_.cells(); ++cell) {
    const mt::CellStats& stats = analysis.stats()[cell];
    int32_t* drawn = &drawn_rgb_[static_cast<size_t>(cell) * 3];
    int64_t moved = 0;
    for (int i = 0; i < 3; ++i) moved += std::abs(stats.rgb[i] - drawn[i]);
    if (!all && tiles[cell] == last_tiles[cell] && !saliency.replaced(cell) && moved <= limit)
      continue;
    std::copy_n(stats.rgb, 3, drawn);
    const int c = cell % grid_.columns, r = cell / grid_.columns;
    const int x = grid_.out_x(c), y = grid_.out_y(r);
    paint_[count++] = {{x, y, grid_.out_x(c + 1) - x, grid_.out_y(r + 1) - y},
                       cell,
                       tiles[cell],
                       blend_share(saliency.weight(cell))};
  }
  if (count == 0) return 0;

  mt::Planes target = source;
  if (scaled(grid_)) {
    target = scaled_.planes();
    executor.launch(mt::Resample{source, target}, target.height);
  }
  mt::Draw draw{};
  draw.tables = executor.tables();
  draw.paint = paint_.data();
  draw.cells = analysis.on_device().stats;
  draw.tiles = pool_->stats();
  draw.cell_pixels = grid_.side * grid_.side;
  draw.photos = pool_->pixels();
  draw.photo_count = pool_->host().photos();
  draw.photo_side = pool_->host().draw_side();
  draw.source = target;
  draw.canvas = canvas_.planes();
  draw.look = kLook;
  executor.launch(draw, count);
  return count;
}

}  // namespace mosaic
