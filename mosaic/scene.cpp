// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/scene.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cuda/kernels.h"

namespace mosaic {

SceneDetector::SceneDetector(int width, int height, std::shared_ptr<mt::Executor> executor)
    : width_(width),
      height_(height),
      columns_(std::min(width, 480)),
      rows_(std::min(height, 272)),
      small_(executor, static_cast<size_t>(columns_) * rows_),
      difference_(executor, rows_) {}

double SceneDetector::score(mt::Executor& executor, const uint8_t* gray, int stride) {
  mt::Thumbnail thumbnail{gray,          stride,   width_, height_,
                          small_.data(), columns_, rows_,  difference_.data()};
  executor.launch(thumbnail, rows_);
  executor.wait();
  // With no frame before, or none before that, there is no change to speak of.
  if (frames_++ == 0) return 0;
  const int64_t sum = std::accumulate(difference_.begin(), difference_.end(), int64_t{0});
  const double mean = 100.0 * static_cast<double>(sum) / (256.0 * columns_ * rows_);
  const double change = std::abs(mean - last_);
  last_ = mean;
  return std::min(mean, change);
}

void SceneDetector::forget() {
  frames_ = 0;
  last_ = 0;
}

}  // namespace mosaic
