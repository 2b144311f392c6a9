// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// More of assignment_test.cpp: how costs are read that are not listed.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "mosaic/assignment/assignment.h"
#include "tests/mosaic/assignment/assignment_checks.h"

namespace {

using mosaic::Assignment;
using mosaic::AssignmentProblem;
using mosaic::AssignmentSolver;
using mosaic::ColumnPrices;

/// AssignmentProblem::read_cheapest.
int read_lowest_sums(const DenseProblem& d, int row, int wanted, const ColumnPrices& prices,
                     int32_t* columns, int32_t* costs) {
  std::vector<int32_t> order(d.columns);
  std::iota(order.begin(), order.end(), 0);
  const auto sum = [&](int j) { return d.cost(row, j) + prices.of_unit(j); };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return sum(a) < sum(b); });
  order.resize(std::min(wanted, d.columns));
  std::sort(order.begin(), order.end());
  for (size_t k = 0; k < order.size(); ++k) {
    columns[k] = order[k];
    costs[k] = d.cost(row, order[k]);
  }
  return static_cast<int>(order.size());
}

// read_cheapest writes as few columns as it may, or more than it has to. Costs that are rounded
// make many equal.
TEST(AssignmentReading, IsTheSameWithAFasterWayToTheCheapestCosts) {
  std::mt19937 random(8);
  for (const int step : {1, 1 << 7})
    for (const int more : {0, 40})
      for (const bool by_price : {false, true}) {
        DenseProblem d(400, 480, 1, 8);
        fill(d, Shape::kClusters, random);
        for (int32_t& cost : d.costs) cost = cost / step * step;
        AssignmentProblem p = d.problem();
        p.by_price = by_price;
        p.reads_prices = true;
        AssignmentSolver plain;
        const Assignment expected = plain.solve(p);
        EXPECT_GT(expected.full_rows, 16);
        int calls = 0;
        p.read_cheapest = [&](int row, int wanted, const ColumnPrices& prices, int32_t* columns,
                              int32_t* costs) {
          ++calls;
          EXPECT_EQ(by_price, prices.price != nullptr);
          return read_lowest_sums(d, row, wanted + more, prices, columns, costs);
        };
        AssignmentSolver solver;
        expect_same(solver.solve(p), expected);
        EXPECT_GT(calls, 16);
      }
}

// The worst case of lists by price: all rows want the same columns, whose prices rise together.
// Still each row is read only some times.
TEST(AssignmentReading, ByPriceIsAsGoodAndReadsRowsSometimes) {
  std::mt19937 random(12);
  for (const int capacity : {1, 3})
    for (const bool holds : {false, true}) {
      DenseProblem d(600, 630 / capacity, capacity, 8);
      fill(d, Shape::kClusters, random);
      if (holds) hold_some(d, random, 1 << 12);
      const int64_t by_cost = AssignmentSolver().solve(d.problem()).cost;
      int reads = 0;
      AssignmentProblem p = d.problem();
      p.by_price = p.reads_prices = true;
      p.read_cheapest = [&](int row, int wanted, const ColumnPrices& prices, int32_t* columns,
                            int32_t* costs) {
        ++reads;
        return read_lowest_sums(d, row, wanted, prices, columns, costs);
      };
      p.read_costs = [&, plain = p.read_costs](const mosaic::CostBlock& block) {
        reads += static_cast<int>(block.rows.size());
        plain(block);
      };
      AssignmentSolver solver;
      const Assignment& solved = solver.solve(p);
      ASSERT_NO_FATAL_FAILURE(check_optimal(d, solved));
      EXPECT_EQ(by_cost, solved.cost);
      EXPECT_GT(reads, 600);
      EXPECT_LT(reads, 6 * 600) << capacity;
    }
}

TEST(AssignmentReading, DoesNotRequestUnchangedRowsAgain) {
  std::mt19937 random(6);
  for (const int capacity : {1, 3})
    for (const bool by_price : {false, true}) {
      DenseProblem d(240, 300 / capacity, capacity, 4);
      fill(d, Shape::kClusters, random);
      AssignmentSolver solver;
      std::vector<uint8_t> unchanged(d.rows, 1);
      AssignmentProblem p = d.problem();
      p.by_price = by_price;
      p.unchanged = unchanged.data();
      const int full_rows = solver.solve(p).full_rows;
      EXPECT_GT(full_rows, 0);
      // The first rows change all their costs, the others only the columns that they hold.
      constexpr int kChanged = 24;
      for (int i = 0; i < kChanged * d.columns; ++i) d.costs[i] = random() % (1 << 18);
      hold_some(d, random, 1 << 12);
      p = d.problem();
      p.by_price = by_price;
      std::fill_n(unchanged.begin(), kChanged, 0);
      p.unchanged = unchanged.data();
      const Assignment& again = solver.solve(p);
      check_optimal(d, again);
      EXPECT_EQ(again.cost, AssignmentSolver().solve(d.problem()).cost);
      EXPECT_LT(again.full_rows, full_rows / 2);
    }
}

}  // namespace
