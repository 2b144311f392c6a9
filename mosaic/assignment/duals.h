// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The dual variables, and the bound that they certify. Private to the assignment solver.
#pragma once

#include <cstdint>
#include <vector>

#include "mosaic/assignment/cost_rows.h"

namespace mosaic::solver {

/// Feasible while row[i] + column[j] <= cost(i, j) for every pair and column[j] <= 0. In the terms
/// of the auction, -column[j] is the price of a column.
struct Duals {
  std::vector<int64_t> row;     ///< [rows]
  std::vector<int64_t> column;  ///< [columns]

  /// Column duals of 0, row duals that are below every cost.
  void reset(int rows, int columns);
};

/// The dual objective: by weak duality no assignment costs less, including the switching
/// prices that rows pay.
int64_t lower_bound(const CostRows& costs, const Duals& duals);

}  // namespace mosaic::solver
