// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/analysis/saliency.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mosaic {
namespace {

// By how much the average must differ from the weight in use to replace it. A quarter of the mean
// weight changes the share of the source that shows through by 2 %.
constexpr double kStep = 0.25;

// The average of being in a region, 0..1, above which a cell enters it, and below which it leaves.
constexpr double kEnter = 0.5, kLeave = 0.2;

// Keeps divisors above 0, as in mosaicraft.
constexpr double kEpsilon = 1e-6;

}  // namespace

Saliency::Saliency(const Grid& grid)
    : grid_(grid),
      inside_(static_cast<size_t>(grid.cells())),
      centre_(static_cast<size_t>(grid.cells())),
      now_(centre_.size()),
      state_{.average = std::vector<double>(centre_.size()),
             .used = std::vector<double>(centre_.size(), 1.0),
             .region_average = std::vector<double>(centre_.size()),
             .in_region = std::vector<uint8_t>(centre_.size())},
      kept_(state_),
      replaced_(centre_.size()) {
  const double cx = grid.columns / 2.0, cy = grid.rows / 2.0;
  for (int i = 0; i < grid.cells(); ++i)
    centre_[i] =
        1.0 - 0.3 * std::hypot(i / grid.columns - cy, i % grid.columns - cx) / std::hypot(cy, cx);
}

/// Computes the weights of this frame alone.
void Saliency::weigh(std::span<const mt::CellStats> stats, const Detail& detail) {
  const std::span<const mt::CellDetail> cells = detail.cells();
  const double pixels = 255.0 * grid_.side * grid_.side;
  int32_t most = 0;
  for (const mt::CellDetail& cell : cells) most = std::max(most, cell.max_laplacian);
  for (size_t i = 0; i < now_.size(); ++i) {
    const double inside = detail.pixels(static_cast<int>(i));
    const double edges = cells[i].edges / inside;
    const double laplacian = cells[i].laplacian / (most + kEpsilon) / inside;
    const double saturation = stats[i].saturation / pixels;
    now_[i] = (0.2 + 1.5 * edges + laplacian + 0.5 * saturation) * centre_[i];
  }
  const double mean = std::accumulate(now_.begin(), now_.end(), 0.0) / now_.size();
  for (double& weight : now_) weight /= mean + kEpsilon;
}

void Saliency::update(std::span<const mt::CellStats> stats, const Detail& detail,
                      const SceneUpdate& scene, double newest, std::span<const Region> regions) {
  const bool returned = kept_.update(scene, state_), keyframe = scene.keyframe();
  weigh(stats, detail);
  find_cells_in_regions(grid_, regions, inside_);
  for (size_t i = 0; i < now_.size(); ++i) {
    double &average = state_.average[i], &used = state_.used[i];
    average = keyframe ? now_[i] : average + newest * (now_[i] - average);
    const bool replaced = keyframe || std::abs(average - used) > kStep;
    if (replaced) used = average;
    const bool crossed = update_region(static_cast<int>(i), inside_[i] != 0, keyframe, newest);
    replaced_[i] = replaced || crossed || returned;
  }
}

bool Saliency::update_region(int cell, bool inside, bool keyframe, double newest) {
  double& average = state_.region_average[cell];
  average = keyframe ? inside : average + newest * (inside - average);
  const bool was = state_.in_region[cell] != 0;
  const bool is = average > (was ? kLeave : kEnter);
  state_.in_region[cell] = is;
  return is != was;
}

}  // namespace mosaic
