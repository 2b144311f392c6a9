// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/analysis/block_motion.h"

#include <algorithm>

#include "kernels/motion/block_search.h"

namespace mosaic {
namespace {

/// Spreads the samples of a row of cells over a row of pixels. Samples beyond the picture get the
/// pixel at its edge.
/// @param first, step begin of the first sample and length of each, in units
/// @param whole       length of the row of pixels, in the same units
void spread_samples(int pixels, int64_t first, int64_t step, int64_t whole,
                    std::vector<mt::SampleSpan>& at) {
  const int64_t end = int64_t{mt::kSpanUnit} * pixels;
  const auto edge = [&](int64_t i) {
    return std::clamp<int64_t>(first + i * step, 0, whole) * end / whole;
  };
  for (size_t i = 0; i < at.size(); ++i) {
    const int64_t begin = std::min(edge(static_cast<int64_t>(i)), end - 1);
    at[i] = {static_cast<int32_t>(begin),
             static_cast<int32_t>(std::max(begin + 1, edge(static_cast<int64_t>(i) + 1)))};
  }
}

}  // namespace

BlockMotion::BlockMotion(const Grid& grid, const std::shared_ptr<mt::Executor>& executor)
    : Motion(grid, executor),
      x_at_(static_cast<size_t>(grid.columns) * mt::kCellSamples),
      y_at_(static_cast<size_t>(grid.rows) * mt::kCellSamples),
      x_on_device_(executor, x_at_.size()),
      y_on_device_(executor, y_at_.size()),
      now_(executor, x_at_.size() * y_at_.size()),
      last_(executor, x_at_.size() * y_at_.size()) {}

void BlockMotion::place_samples(int width, int height) {
  width_ = width;
  height_ = height;
  constexpr int64_t kParts = mt::kCellSamples;  // units per pixel of the analysed picture
  spread_samples(width, kParts * grid_.left(), grid_.side, kParts * grid_.analysed.width, x_at_);
  spread_samples(height, kParts * grid_.top(), grid_.side, kParts * grid_.analysed.height, y_at_);
  const size_t each = sizeof(mt::SampleSpan);
  executor_->to_device(x_on_device_.data(), x_at_.data(), x_at_.size() * each);
  executor_->to_device(y_on_device_.data(), y_at_.data(), y_at_.size() * each);
}

void BlockMotion::enqueue(const uint8_t* small, int width, int height) {
  if (width != width_ || height != height_) place_samples(width, height);
  now_.swap(last_);
  const int columns = static_cast<int>(x_at_.size()), rows = static_cast<int>(y_at_.size());
  executor_->launch(mt::CellSamples{.small = small,
                                    .width = width,
                                    .x_at = x_on_device_.data(),
                                    .y_at = y_on_device_.data(),
                                    .samples = now_.data(),
                                    .columns = columns},
                    rows);
  frames_ = std::min(frames_ + 1, 2);
  if (frames_ < 2) return;
  executor_->launch(mt::BlockSearch{.now = now_.data(),
                                    .last = last_.data(),
                                    .columns = grid_.columns,
                                    .rows = grid_.rows,
                                    .motion = found_.device()},
                    grid_.cells());
  found_.fetch(*executor_);
}

}  // namespace mosaic
