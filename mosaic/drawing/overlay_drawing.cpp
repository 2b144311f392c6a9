// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/drawing/overlay_drawing.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/views.h"

namespace mosaic {
namespace {

constexpr unsigned kTints = kOverlaySaliency | kOverlayCost | kOverlayAge;
constexpr int kTintShare = 144;   // of 256: tints can be compared, photos stay recognisable
constexpr int kOldestShown = 63;  // age in frames from which there is no difference

/// Sets the motion line of a cell: from its centre towards where its content was, twice as long as
/// the motion. It is yellow, redder with less confidence, and cyan where the tile moved along.
void mark_motion(const Grid& grid, int cell, const mt::CellMotion& motion, const CellOrigin& origin,
                 mt::CellMark& mark) {
  const mt::CellRect at = grid.out_rect(cell);
  mark.motion_x = static_cast<int32_t>(int64_t{-2} * motion.x * at.width / mt::kMotionUnit);
  mark.motion_y = static_cast<int32_t>(int64_t{-2} * motion.y * at.height / mt::kMotionUnit);
  const auto sure = static_cast<uint8_t>(motion.confidence);
  const uint8_t colours[2][3] = {{255, sure, 0}, {0, 255, 255}};
  std::copy_n(colours[origin.moved()], 3, mark.motion_colour);
}

/// 0 for 0, 255 for twice the mean or more.
uint8_t level(double value, double mean) {
  return static_cast<uint8_t>(std::lround(std::clamp(value / (2 * mean), 0.0, 1.0) * 255));
}

}  // namespace

OverlayDrawing::OverlayDrawing(const Grid& grid, const std::shared_ptr<mt::Executor>& executor)
    : grid_(grid),
      executor_(executor),
      picture_(grid.out_width, grid.out_height, executor),
      marks_(executor, grid.cells()) {}

mt::Planes OverlayDrawing::draw(const mt::Planes& picture, unsigned flags, const Cells& cells) {
  const double sum = std::accumulate(cells.costs.begin(), cells.costs.end(), 0.0);
  const double mean_cost = std::max(sum / grid_.cells(), 1.0);
  for (int cell = 0; cell < grid_.cells(); ++cell) {
    mt::CellMark mark{};
    mark.at = mt::clipped(grid_.out_rect(cell), picture);
    if (flags & kOverlayCost) mark.tint[0] = level(cells.costs[cell], mean_cost);
    if (flags & kOverlaySaliency) mark.tint[1] = level(cells.saliency.weight(cell), 1);
    if (flags & kOverlayAge)
      mark.tint[2] = static_cast<uint8_t>(255 - 4 * std::min(cells.ages[cell], kOldestShown));
    mark.has_border = (flags & kOverlayChanged) && cells.ages[cell] == 0;
    if ((flags & kOverlayMotion) && !cells.motion.empty())
      mark_motion(grid_, cell, cells.motion[cell], cells.field[cell], mark);
    marks_[cell] = mark;
  }
  mt::Overlay& kernel = last_;
  kernel.marks = marks_.data();
  kernel.to = picture_.planes();
  kernel.tint_share = flags & kTints ? kTintShare : 0;
  kernel.line = flags & kOverlayGrid ? 1 : 0;
  kernel.border = std::max(1, (grid_.out_x(1) - grid_.out_x(0)) / 12);
  kernel.border_colour[0] = 255;
  kernel.motion_half_width = kernel.border / 4;
  return draw_again(picture);
}

mt::Planes OverlayDrawing::draw_again(const mt::Planes& picture) {
  last_.from = picture;
  executor_->launch(last_, grid_.cells());
  return last_.to;
}

}  // namespace mosaic
