// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The dual variables, and the bound that they certify. Private to the assignment solver.
#pragma once

#include <cstdint>
#include <vector>

#include "mosaic/assignment/cost_rows.h"

namespace mosaic::lap {

/// Feasible while row[i] + column[j] <= cost(i, j) for every pair and column[j] <= 0. In the terms
/// of the auction, -column[j] is the price of a column. The duals of rough rows may be
/// feasible for listed columns only.
struct Duals {
  std::vector<int64_t> row;     ///< [rows]
  std::vector<int64_t> column;  ///< [columns]

  /// Column duals of 0, row duals that are below every cost.
  void reset(int rows, int columns);
};

/// A row dual, lowered so that it is feasible for unlisted columns, too.
/// @param unlisted [rows]: no unlisted column of a rough row has a lower reduced cost
inline int64_t feasible_row_dual(const CostRows& costs, const Duals& duals, int row,
                                 const int32_t* unlisted) {
  const int64_t u = duals.row[row];
  return costs.rough(row) && unlisted[row] < u ? unlisted[row] : u;
}

/// The dual objective: by weak duality no assignment costs less, including the discounts that
/// rows lose.
/// @param unlisted see feasible_row_dual()
int64_t lower_bound(const CostRows& costs, const Duals& duals, const int32_t* unlisted);

}  // namespace mosaic::lap
