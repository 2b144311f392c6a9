// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/scene.h"

#include <algorithm>
#include <cmath>

#include "cuda/kernels.h"

namespace mosaic {
namespace {

constexpr int kColumns = 480, kRows = 272;
constexpr int kLeast = 16;  // keeps the sum over a box of the largest frame below 2^31

}  // namespace

SceneDetector::SceneDetector(int width, int height, const std::shared_ptr<mt::Executor>& executor)
    : executor_(executor), width_(width), height_(height), state_(executor, 1) {
  set_size(kColumns, kRows);
}

void SceneDetector::set_size(int columns, int rows) {
  columns = std::min(width_, std::max(columns, kLeast));
  rows = std::min(height_, std::max(rows, kLeast));
  if (columns == columns_ && rows == rows_) return;
  columns_ = columns;
  rows_ = rows;
  small_ = {executor_, static_cast<size_t>(columns) * rows};
  difference_ = {executor_, static_cast<size_t>(rows)};
  first_ = true;
}

void SceneDetector::look(mt::Executor& executor, const uint8_t* gray, int stride, double threshold,
                         bool force) {
  mt::Thumbnail thumbnail{gray,          stride,   width_, height_,
                          small_.data(), columns_, rows_,  difference_.data()};
  executor.launch(thumbnail, rows_);
  const double full_scale = 256.0 * columns_ * rows_;
  const auto limit = static_cast<int64_t>(std::ceil(threshold / 100 * full_scale));
  executor.launch(mt::Scene{difference_.data(), rows_, first_, force, limit, state_.device()}, 1);
  state_.fetch(executor);
  first_ = false;
}

}  // namespace mosaic
