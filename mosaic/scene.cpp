// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/scene.h"

#include <algorithm>
#include <cmath>

#include "cuda/kernels.h"

namespace mosaic {

SceneDetector::SceneDetector(int width, int height, const std::shared_ptr<mt::Executor>& executor)
    : width_(width),
      height_(height),
      columns_(std::min(width, 480)),
      rows_(std::min(height, 272)),
      small_(executor, static_cast<size_t>(columns_) * rows_),
      difference_(executor, rows_),
      state_(executor, 1) {}

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
