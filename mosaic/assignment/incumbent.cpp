// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/assignment/incumbent.h"

namespace mosaic::solver {
namespace {

/// The sum of the costs and of the switching prices that rows pay.
int64_t total_cost(const CostRows& costs, const Matching& matching) {
  int64_t sum = 0;
  for (int row = 0; row < costs.rows(); ++row)
    sum += matching.cost(row) + costs.switching_price(row);
  return sum;
}

}  // namespace

void Incumbent::clear() {
  best_.column.clear();
  best_.row_dual.clear();
}

void Incumbent::offer(const CostRows& costs, const Matching& matching) {
  const int64_t cost = total_cost(costs, matching);
  if (best_.column.empty() || cost < best_.cost) set(costs, matching, cost);
}

void Incumbent::offer(const CostRows& costs, const Duals& duals) {
  const int64_t bound = lower_bound(costs, duals);
  if (!best_.row_dual.empty() && bound <= best_.lower_bound) return;
  best_.lower_bound = bound;
  best_.column_dual = duals.column;
  best_.row_dual = duals.row;
}

void Incumbent::set_optimal(const CostRows& costs, const Matching& matching, Duals& duals) {
  set(costs, matching, total_cost(costs, matching));
  best_.lower_bound = lower_bound(costs, duals);
  best_.row_dual.swap(duals.row);
  best_.column_dual.swap(duals.column);
}

void Incumbent::set(const CostRows& costs, const Matching& matching, int64_t cost) {
  best_.cost = cost;
  best_.column = matching.columns();
  best_.column_cost.resize(costs.rows());
  for (int row = 0; row < costs.rows(); ++row) {
    const int64_t taken_off = best_.column[row] == costs.held(row) ? costs.switching_price(row) : 0;
    best_.column_cost[row] = static_cast<int32_t>(matching.cost(row) + taken_off);
  }
}

}  // namespace mosaic::solver
