// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/motion_steps.h"

#include <algorithm>
#include <cstdlib>

namespace mosaic {
namespace {

constexpr int kUnit = mt::kMotionUnit;
constexpr int kAlike = 4;  // the most by which motions differ that are one, and a quarter of them

/// Whole cells in what is more than half of one.
int32_t whole(int32_t off) {
  return off < 0 ? -whole(-off) : (off + kUnit / 2 - 1) / kUnit;
}

bool alike(const mt::CellMotion& a, const mt::CellMotion& b) {
  const int most =
      kAlike + std::max({std::abs(a.x), std::abs(a.y), std::abs(b.x), std::abs(b.y)}) / 4;
  return a.confidence > 0 && b.confidence > 0 && std::abs(a.x - b.x) <= most &&
         std::abs(a.y - b.y) <= most;
}

}  // namespace

MotionSteps::MotionSteps(int columns, int rows)
    : columns_(columns),
      rows_(rows),
      off_(static_cast<size_t>(columns) * rows),
      step_(off_.size()),
      comes_(off_.size()),
      next_(off_.size()),
      field_(off_.size()) {
  going_.reserve(off_.size());
}

void MotionSteps::clear() {
  off_.assign(off_.size(), {});
  field_.assign(field_.size(), {});
}

/// -1: beyond the grid.
int MotionSteps::neighbour(int cell, const Way& step) const {
  const int x = cell % columns_ + step.x, y = cell / columns_ + step.y;
  return x >= 0 && x < columns_ && y >= 0 && y < rows_ ? y * columns_ + x : -1;
}

/// Whose content is more than half a cell away.
void MotionSteps::begin(std::span<const mt::CellMotion> motion) {
  going_.clear();
  for (size_t cell = 0; cell < off_.size(); ++cell) {
    off_[cell].x += motion[cell].x;
    off_[cell].y += motion[cell].y;
    step_[cell] = {};
    if (motion[cell].confidence == 0) continue;
    step_[cell] = {whole(off_[cell].x), whole(off_[cell].y)};
    if (step_[cell].any()) going_.push_back(static_cast<int32_t>(cell));
  }
}

/// A tile that goes would drive out the next one: that goes on too, and is as far from then on, so
/// that both go together the next time. Unless it lags behind by so much that it had to go back.
void MotionSteps::take_along(std::span<const mt::CellMotion> motion) {
  for (size_t i = 0; i < going_.size(); ++i) {
    const int cell = going_[i], next = neighbour(cell, step_[cell]);
    if (next < 0 || step_[next].any() || !alike(motion[cell], motion[next])) continue;
    const Way &step = step_[cell], &off = off_[next];
    if (off.x * step.x + off.y * step.y < 0) continue;
    step_[next] = step;
    off_[next] = off_[cell];
    going_.push_back(next);
  }
}

/// Where two would go to one cell, the surer one does.
void MotionSteps::settle(std::span<const mt::CellMotion> motion) {
  comes_.assign(comes_.size(), -1);
  for (size_t cell = 0; cell < off_.size(); ++cell) {
    const Way step = step_[cell];
    off_[cell].x -= step.x * kUnit;
    off_[cell].y -= step.y * kUnit;
    const int to = step.any() ? neighbour(static_cast<int>(cell), step) : -1;
    if (to < 0 || !alike(motion[cell], motion[to])) continue;
    int32_t& first = comes_[to];
    if (first < 0 || motion[cell].confidence > motion[first].confidence)
      first = static_cast<int32_t>(cell);
  }
  for (size_t cell = 0; cell < off_.size(); ++cell) {
    const int32_t from = comes_[cell];
    next_[cell] = off_[from < 0 ? cell : from];
    field_[cell] = {};
    if (from < 0) continue;
    const Way step = step_[from];
    field_[cell] = {static_cast<int16_t>(-step.x), static_cast<int16_t>(-step.y),
                    static_cast<uint8_t>(motion[from].confidence)};
  }
  off_.swap(next_);
}

void MotionSteps::advance(std::span<const mt::CellMotion> motion) {
  begin(motion);
  take_along(motion);
  settle(motion);
}

}  // namespace mosaic
