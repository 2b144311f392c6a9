// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/saliency.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mosaic {
namespace {

// The step that shows: a quarter of the mean weight moves the blend by 2 %.
constexpr double kStep = 0.25;

}  // namespace

Saliency::Saliency(int columns, int rows, int side)
    : pixels_(side * side),
      centre_(static_cast<size_t>(columns) * rows),
      now_(centre_.size()),
      average_(centre_.size()),
      used_(centre_.size(), 1.0),
      replaced_(centre_.size()) {
  const double cx = columns / 2.0, cy = rows / 2.0;
  for (int i = 0; i < columns * rows; ++i)
    centre_[i] = 1.0 - 0.3 * std::hypot(i / columns - cy, i % columns - cx) / std::hypot(cy, cx);
}

void Saliency::update(std::span<const mt::CellStats> stats, bool keyframe, double newest) {
  // mosaicraft's terms but for the Laplacian; an edge here is as wide as its gradient, about three
  // times Canny's, so it counts a third.
  for (size_t i = 0; i < now_.size(); ++i)
    now_[i] =
        (0.2 + 0.5 * stats[i].edges / pixels_ + 0.5 * stats[i].saturation / (255.0 * pixels_)) *
        centre_[i];
  const double mean = std::accumulate(now_.begin(), now_.end(), 0.0) / now_.size();
  for (size_t i = 0; i < now_.size(); ++i) {
    const double weight = now_[i] / mean;
    average_[i] = keyframe ? weight : average_[i] + newest * (weight - average_[i]);
    replaced_[i] = keyframe || std::abs(average_[i] - used_[i]) > kStep;
    if (replaced_[i]) used_[i] = average_[i];
  }
}

}  // namespace mosaic
