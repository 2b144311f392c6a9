// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/overlay.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cuda/kernels.h"

namespace mosaic {
namespace {

constexpr unsigned kTints = kOverlaySaliency | kOverlayCost | kOverlayAge;
constexpr int kTintShare = 144;  // of 256: tints can be compared, and photos be made out
constexpr int kNewest = 63;      // frames, after which a tile is no longer new

/// The part of a cell that lies in the frame.
mt::CellRect visible(const Grid& grid, int cell) {
  const int c = cell % grid.columns, r = cell / grid.columns;
  const int left = std::clamp(grid.out_x(c), 0, grid.out_width);
  const int top = std::clamp(grid.out_y(r), 0, grid.out_height);
  return {left, top, std::clamp(grid.out_x(c + 1), 0, grid.out_width) - left,
          std::clamp(grid.out_y(r + 1), 0, grid.out_height) - top};
}

/// Twice the mean, and what is above, is 255.
uint8_t level(double value, double mean) {
  return static_cast<uint8_t>(std::lround(std::clamp(value / (2 * mean), 0.0, 1.0) * 255));
}

}  // namespace

Overlay::Overlay(const Grid& grid, const std::shared_ptr<mt::Executor>& executor)
    : grid_(grid),
      picture_(grid.out_width, grid.out_height, executor),
      marks_(executor, grid.cells()) {}

mt::Planes Overlay::draw(mt::Executor& executor, const mt::Planes& picture, unsigned flags,
                         const Cells& cells) {
  const double sum = std::accumulate(cells.costs.begin(), cells.costs.end(), 0.0);
  const double mean_cost = std::max(sum / grid_.cells(), 1.0);
  for (int cell = 0; cell < grid_.cells(); ++cell) {
    mt::CellMark mark{visible(grid_, cell), {0, 0, 0}, 0};
    if (flags & kOverlayCost) mark.tint[0] = level(cells.costs[cell], mean_cost);
    if (flags & kOverlaySaliency) mark.tint[1] = level(cells.saliency.weight(cell), 1);
    if (flags & kOverlayAge)
      mark.tint[2] = static_cast<uint8_t>(255 - 4 * std::min(cells.ages[cell], kNewest));
    mark.is_marked = (flags & kOverlayChanged) && cells.ages[cell] == 0;
    marks_[cell] = mark;
  }
  mt::Overlay kernel{};
  kernel.marks = marks_.data();
  kernel.from = picture;
  kernel.to = picture_.planes();
  kernel.tint_share = flags & kTints ? kTintShare : 0;
  kernel.line = flags & kOverlayGrid ? 1 : 0;
  kernel.border = std::max(1, (grid_.out_x(1) - grid_.out_x(0)) / 12);
  kernel.border_colour[0] = 255;
  executor.launch(kernel, grid_.cells());
  return kernel.to;
}

}  // namespace mosaic
