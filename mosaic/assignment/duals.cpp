// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/assignment/duals.h"

namespace mosaic::solver {

void Duals::reset(int rows, int columns) {
  row.assign(rows, -kInfinity);
  column.assign(columns, 0);
}

int64_t lower_bound(const CostRows& costs, const Duals& duals) {
  int64_t of_columns = 0, of_rows = 0;
  for (const int64_t v : duals.column) of_columns += v;
  for (int row = 0; row < costs.rows(); ++row)
    of_rows += duals.row[row] + costs.switching_price(row);
  return of_columns * costs.problem().capacity + of_rows;
}

}  // namespace mosaic::solver
