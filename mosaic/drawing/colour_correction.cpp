// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/drawing/colour_correction.h"

#include <algorithm>
#include <cmath>

namespace mosaic {
namespace {

/// The error, in levels, of which half is corrected with a fidelity of one half.
constexpr double kTolerance = 12;

/// The share of a quadrant's error that is corrected, as a multiple of fidelity, at most all of it.
constexpr double kQuadrants = 2;

int32_t share(double of_one) {
  return static_cast<int32_t>(std::lround(std::min(of_one, 1.0) * mt::kWholeMap));
}

/// CorrectCells::tolerance: it falls as fidelity rises, and is 0 at a fidelity of 1, where every
/// error is corrected completely.
int32_t tolerance(double fidelity) {
  const double levels = kTolerance * (1 - fidelity) / fidelity;
  return static_cast<int32_t>(std::lround(std::min(levels * (1 << mt::kLevelBits), 1e9)));
}

mt::Correction correction(double fidelity) {
  return {tolerance(fidelity), share(kQuadrants * fidelity), share(0.25 + 0.75 * fidelity)};
}

}  // namespace

ColourCorrection::ColourCorrection(const Grid& grid, const std::shared_ptr<mt::Executor>& executor)
    : executor_(executor),
      cells_(executor, grid.cells()),
      in_region_(executor, grid.cells()),
      corrected_(grid.out_width, grid.out_height, executor) {
  for (int cell = 0; cell < grid.cells(); ++cell) cells_[cell] = grid.out_rect(cell);
}

mt::Planes ColourCorrection::apply(const mt::Planes& from, const mt::CellMeans* wanted,
                                   double fidelity, std::span<const uint8_t> in_region,
                                   const int32_t* changed, int count) {
  std::copy(in_region.begin(), in_region.end(), in_region_.data());
  executor_->launch(
      mt::CorrectCells{.cells = cells_.data(),
                       .list = changed,
                       .wanted = wanted,
                       .kind = in_region_.data(),
                       .corrections = {correction(fidelity), correction((1 + fidelity) / 2)},
                       .from = from,
                       .to = corrected_.planes()},
      count);
  return corrected_.planes();
}

}  // namespace mosaic
