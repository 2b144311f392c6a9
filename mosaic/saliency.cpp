// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/saliency.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mosaic {
namespace {

// The step that shows: a quarter of the mean weight moves the blend by 2 %.
constexpr double kStep = 0.25;

// Keeps what is divided by above 0, as in the reference.
constexpr double kLeast = 1e-6;

}  // namespace

Saliency::Saliency(const Grid& grid)
    : pixels_(grid.side * grid.side),
      centre_(static_cast<size_t>(grid.cells())),
      now_(centre_.size()),
      average_(centre_.size()),
      used_(centre_.size(), 1.0),
      replaced_(centre_.size()) {
  kept_.fill({average_, used_});
  const double cx = grid.columns / 2.0, cy = grid.rows / 2.0;
  for (int i = 0; i < grid.cells(); ++i)
    centre_[i] =
        1.0 - 0.3 * std::hypot(i / grid.columns - cy, i % grid.columns - cx) / std::hypot(cy, cx);
}

/// The weights of this frame alone.
void Saliency::weigh(std::span<const mt::CellStats> stats, const Detail& detail) {
  const std::span<const mt::CellDetail> cells = detail.cells();
  int32_t most = 0;
  for (const mt::CellDetail& cell : cells) most = std::max(most, cell.most);
  for (size_t i = 0; i < now_.size(); ++i) {
    const double inside = detail.pixels(static_cast<int>(i));
    const double edges = cells[i].edges / inside;
    const double laplacian = cells[i].laplacian / (most + kLeast) / inside;
    const double saturation = stats[i].saturation / (255.0 * pixels_);
    now_[i] = (0.2 + 1.5 * edges + laplacian + 0.5 * saturation) * centre_[i];
  }
  const double mean = std::accumulate(now_.begin(), now_.end(), 0.0) / now_.size();
  for (double& weight : now_) weight /= mean + kLeast;
}

void Saliency::update(std::span<const mt::CellStats> stats, const Detail& detail, bool keyframe,
                      double newest) {
  weigh(stats, detail);
  for (size_t i = 0; i < now_.size(); ++i) {
    average_[i] = keyframe ? now_[i] : average_[i] + newest * (now_[i] - average_[i]);
    const bool replaced = keyframe || std::abs(average_[i] - used_[i]) > kStep;
    if (replaced) used_[i] = average_[i];
    replaced_[i] = replaced || recalled_;
  }
  recalled_ = false;
}

void Saliency::keep(int scene) {
  kept_[scene - 1].average = average_;
  kept_[scene - 1].used = used_;
}

void Saliency::recall(int scene) {
  average_ = kept_[scene - 1].average;
  used_ = kept_[scene - 1].used;
  recalled_ = true;
}

}  // namespace mosaic
