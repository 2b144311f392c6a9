// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/drawing/cell_correction.h"

#include <algorithm>
#include <cmath>

namespace mosaic {
namespace {

/// The error, in levels, of which half is corrected with a fidelity of one half.
constexpr double kTolerance = 12;

/// CorrectCells::tolerance: it falls as fidelity rises, and is 0 at a fidelity of 1, where every
/// error is corrected completely.
int32_t tolerance(double fidelity) {
  const double levels = kTolerance * (1 - fidelity) / fidelity;
  return static_cast<int32_t>(std::lround(std::min(levels * (1 << mt::kLevelBits), 1e9)));
}

}  // namespace

CellCorrection::CellCorrection(const Grid& grid, const std::shared_ptr<mt::Executor>& executor)
    : cells_(executor, grid.cells()), corrected_(grid.out_width, grid.out_height, executor) {
  for (int cell = 0; cell < grid.cells(); ++cell) cells_[cell] = grid.out_rect(cell);
}

mt::Planes CellCorrection::apply(mt::Executor& executor, const mt::Planes& from,
                                 const mt::CellMeans* wanted, double fidelity) {
  const auto quadrants = static_cast<int32_t>(std::lround(fidelity * mt::kWholeMap));
  executor.launch(mt::CorrectCells{cells_.data(), wanted, tolerance(fidelity), quadrants, from,
                                   corrected_.planes()},
                  static_cast<int>(cells_.size()));
  return corrected_.planes();
}

}  // namespace mosaic
