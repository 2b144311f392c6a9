// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/assignment/central_duals.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/mosaic/assignment/assignment_checks.h"

namespace {

using mosaic::Assignment;
using mosaic::AssignmentProblem;
using mosaic::AssignmentSolver;

/// The cost of a pair, less the switching price if the row holds the column.
int64_t lowered_cost(const DenseProblem& d, int row, int column) {
  const bool held = !d.held.empty() && d.held[row] == column;
  return int64_t{d.cost(row, column)} - (held ? d.switching_price[row] : 0);
}

/// By how much more a row could pay for its own column than for another that costs `price`.
int64_t margin(const DenseProblem& d, const Assignment& a, int row, int column, int64_t price) {
  return lowered_cost(d, row, column) + price - lowered_cost(d, row, a.column[row]);
}

/// The lowest optimal prices: from 0, each rises until no row with another column prefers its.
std::vector<int64_t> lowest_prices(const DenseProblem& d, const Assignment& a) {
  std::vector<int64_t> price(d.columns, 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < d.rows; ++i)
      for (int j = 0; j < d.columns; ++j) {
        if (j == a.column[i]) continue;
        const int64_t least = price[a.column[i]] - margin(d, a, i, j, 0);
        if (least > price[j]) price[j] = least, changed = true;
      }
  }
  return price;
}

/// The highest optimal prices, where a column has room: from far above, each falls until the rows
/// that have the column prefer no other.
std::vector<int64_t> highest_prices(const DenseProblem& d, const Assignment& a) {
  std::vector<int64_t> price(d.columns, int64_t{1} << 40);
  std::vector<int> used(d.columns, 0);
  for (const int32_t column : a.column) ++used[column];
  for (int j = 0; j < d.columns; ++j)
    if (used[j] < d.capacity) price[j] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < d.rows; ++i)
      for (int j = 0; j < d.columns; ++j) {
        if (j == a.column[i]) continue;
        const int64_t most = margin(d, a, i, j, price[j]);
        if (most < price[a.column[i]]) price[a.column[i]] = most, changed = true;
      }
  }
  return price;
}

/// @param listed of the columns; all of them if 0
DenseProblem some_problem(std::mt19937& random, int n, bool with_room, int listed) {
  const int capacity = 1 + random() % 3, columns = 2 + random() % 12;
  const int most = columns * capacity - (with_room ? 1 : 0);
  DenseProblem d(1 + random() % most, columns, capacity,
                 listed ? std::min(listed, columns) : columns);
  fill(d, static_cast<Shape>(random() % kShapes), random);
  if (n % 2) hold_some(d, random, n % 3 ? 1 << 18 : 4);
  return d;
}

TEST(CentralDuals, AreInTheMiddleOfTheOptimalOnes) {
  std::mt19937 random(1);
  AssignmentSolver solver;
  int with_a_range = 0;
  for (int n = 0; n < 3000; ++n) {
    DenseProblem d = some_problem(random, n, true, 0);
    AssignmentProblem p = d.problem();
    p.central_duals = true;
    const Assignment& a = solver.solve(p);
    ASSERT_NO_FATAL_FAILURE(check_certificate(d, a));
    ASSERT_EQ(a.cost, a.lower_bound) << describe(d);
    const std::vector<int64_t> low = lowest_prices(d, a), high = highest_prices(d, a);
    for (int j = 0; j < d.columns; ++j)
      ASSERT_EQ(-a.column_dual[j], (low[j] + high[j]) / 2)
          << describe(d) << ", problem " << n << ", column " << j;
    with_a_range += low != high;
  }
  EXPECT_GT(with_a_range, 1000);
}

/// Prices may then rise no further than the bound on unlisted columns, or together without end.
TEST(CentralDuals, AreOptimalWithShortListsAndWithoutRoom) {
  std::mt19937 random(2);
  AssignmentSolver solver;
  for (int n = 0; n < 3000; ++n) {
    DenseProblem d = some_problem(random, n, n % 4 > 1, 1 + random() % 6);
    AssignmentProblem p = d.problem(n % 5);
    p.central_duals = true;
    const Assignment& a = solver.solve(p);
    ASSERT_NO_FATAL_FAILURE(check_certificate(d, a));
    ASSERT_EQ(a.cost, a.lower_bound) << describe(d) << ", problem " << n;
  }
}

TEST(CentralDuals, ChangeNothingElse) {
  std::mt19937 random(3);
  AssignmentSolver solver;
  DenseProblem d(300, 500, 1, 40);
  fill(d, Shape::kClusters, random);
  hold_some(d, random, 1 << 9);
  AssignmentProblem p = d.problem();
  const Assignment as_found = solver.solve(p);
  p.central_duals = true;
  const Assignment& central = solver.solve(p);
  EXPECT_EQ(central.column, as_found.column);
  EXPECT_EQ(central.cost, as_found.cost);
  EXPECT_EQ(central.lower_bound, as_found.lower_bound);
  EXPECT_NE(central.column_dual, as_found.column_dual);
  check_certificate(d, central);
}

}  // namespace
