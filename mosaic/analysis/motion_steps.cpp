// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/analysis/motion_steps.h"

#include <algorithm>
#include <cstdlib>

namespace mosaic {
namespace {

constexpr int kUnit = mt::kMotionUnit;
constexpr int kAlike = 4;  // alike: differ by at most this plus a quarter of the largest component

/// An offset in whole cells, rounded to the nearest, halves towards 0.
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
      offset_(static_cast<size_t>(columns) * rows),
      step_(offset_.size()),
      from_(offset_.size()),
      next_(offset_.size()),
      field_(offset_.size()) {
  stepping_.reserve(offset_.size());
}

void MotionSteps::clear() {
  offset_.assign(offset_.size(), {});
  field_.assign(field_.size(), {});
}

/// The cell one step away; -1: it is beyond the grid.
int MotionSteps::neighbour(int cell, const Vector& step) const {
  const int x = cell % columns_ + step.x, y = cell / columns_ + step.y;
  return x >= 0 && x < columns_ && y >= 0 && y < rows_ ? y * columns_ + x : -1;
}

/// Sets the steps of the tiles whose content is more than half a cell away.
void MotionSteps::find_steps(std::span<const mt::CellMotion> motion) {
  stepping_.clear();
  for (size_t cell = 0; cell < offset_.size(); ++cell) {
    offset_[cell].x += motion[cell].x;
    offset_[cell].y += motion[cell].y;
    step_[cell] = {};
    if (motion[cell].confidence == 0) continue;
    step_[cell] = {whole(offset_[cell].x), whole(offset_[cell].y)};
    if (step_[cell].any()) stepping_.push_back(static_cast<int32_t>(cell));
  }
}

/// A tile that steps takes the cell of the next tile. That one steps, too, if its content moves
/// alike and its own offset does not point the other way. It gets the same offset, so that both
/// step together the next time.
void MotionSteps::join_neighbours(std::span<const mt::CellMotion> motion) {
  for (size_t i = 0; i < stepping_.size(); ++i) {
    const int cell = stepping_[i], next = neighbour(cell, step_[cell]);
    if (next < 0 || step_[next].any() || !alike(motion[cell], motion[next])) continue;
    const Vector &step = step_[cell], &off = offset_[next];
    if (off.x * step.x + off.y * step.y < 0) continue;
    step_[next] = step;
    offset_[next] = offset_[cell];
    stepping_.push_back(next);
  }
}

/// Moves the tiles. Of two that would step to the same cell, the one of higher confidence does.
void MotionSteps::move(std::span<const mt::CellMotion> motion) {
  from_.assign(from_.size(), -1);
  for (size_t cell = 0; cell < offset_.size(); ++cell) {
    const Vector step = step_[cell];
    offset_[cell].x -= step.x * kUnit;
    offset_[cell].y -= step.y * kUnit;
    const int to = step.any() ? neighbour(static_cast<int>(cell), step) : -1;
    if (to < 0 || !alike(motion[cell], motion[to])) continue;
    int32_t& first = from_[to];
    if (first < 0 || motion[cell].confidence > motion[first].confidence)
      first = static_cast<int32_t>(cell);
  }
  for (size_t cell = 0; cell < offset_.size(); ++cell) {
    const int32_t from = from_[cell];
    next_[cell] = offset_[from < 0 ? cell : from];
    field_[cell] = {};
    if (from < 0) continue;
    const Vector step = step_[from];
    field_[cell] = {static_cast<int16_t>(-step.x), static_cast<int16_t>(-step.y),
                    static_cast<uint8_t>(motion[from].confidence)};
  }
  offset_.swap(next_);
}

void MotionSteps::advance(std::span<const mt::CellMotion> motion) {
  find_steps(motion);
  join_neighbours(motion);
  move(motion);
}

}  // namespace mosaic
