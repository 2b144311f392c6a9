// SPDX-License-Identifier: LGPL-2.1-or-later
// Rows with rough lists: columns that a row is likely to get, not exactly its cheapest ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "mosaic/assignment/assignment.h"
#include "tests/core/assignment/assignment_checks.h"
#include "tests/core/assignment/assignment_clock.h"

namespace {

using mosaic::Assignment;
using mosaic::AssignmentProblem;
using mosaic::AssignmentSolver;
using mosaic::Effort;

/// Replaces lists of a problem with rough ones, in place: they are stored in the DenseProblem.
struct Rough {
  DenseProblem& dense;
  AssignmentProblem& problem;
  std::vector<int64_t> prices;
  std::vector<int32_t> priced_bound;

  /// @param prices as in AssignmentProblem; empty: all are 0, and the problem is given none
  Rough(DenseProblem& dense, AssignmentProblem& problem, std::vector<int64_t> prices = {})
      : dense(dense), problem(problem), prices(prices), priced_bound(dense.rows, -1) {
    this->prices.resize(dense.columns, 0);
    if (!prices.empty()) problem.prices = this->prices.data();
    problem.priced_bound = priced_bound.data();
  }
  Rough(const Rough&) = delete;

  /// Makes the row list these columns. Its bounds are computed from `estimate`, which is at most
  /// the cost of each other column.
  void list(int row, std::vector<int32_t> columns, const std::vector<int32_t>& estimate) {
    std::sort(columns.begin(), columns.end(), [&](int a, int b) {
      return std::pair(dense.cost(row, a), a) < std::pair(dense.cost(row, b), b);
    });
    std::vector<char> listed(dense.columns, 0);
    for (int k = 0; k < dense.listed; ++k) {
      const bool is = k < static_cast<int>(columns.size());
      const size_t at = static_cast<size_t>(row) * dense.listed + k;
      dense.list_column[at] = is ? columns[k] : -1;
      dense.list_cost[at] = is ? dense.cost(row, columns[k]) : INT32_MAX;
      if (is) listed[columns[k]] = 1;
    }
    int64_t bound = INT32_MAX, priced = INT32_MAX;
    for (int j = 0; j < dense.columns; ++j) {
      if (listed[j]) continue;
      bound = std::min<int64_t>(bound, estimate[j]);
      priced = std::min<int64_t>(priced, estimate[j] - prices[j]);
    }
    dense.bound[row] = static_cast<int32_t>(bound);
    priced_bound[row] = static_cast<int32_t>(priced);
  }

  /// Makes the row list the `count` cheapest columns by an estimate less their prices. Estimates
  /// are up to 1/slack of the cost too low (0: exact).
  void list_cheapest(int row, int count, int slack, std::mt19937& random) {
    std::vector<int32_t> estimate(dense.columns), order(dense.columns);
    for (int j = 0; j < dense.columns; ++j) {
      estimate[j] = dense.cost(row, j);
      if (slack > 0) estimate[j] -= static_cast<int32_t>(random() % (estimate[j] / slack + 1));
    }
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int a, int b) {
      return std::pair(estimate[a] - prices[a], a) < std::pair(estimate[b] - prices[b], b);
    });
    order.resize(count);
    list(row, order, estimate);
  }

  /// Makes the row list the first `count` columns.
  void list_first(int row, int count) {
    std::vector<int32_t> columns(count);
    std::iota(columns.begin(), columns.end(), 0);
    list(row, columns, std::vector<int32_t>(dense.columns, 0));
  }
};

struct Size {
  int rows, columns, capacity, listed;
};

constexpr Size kSizes[] = {{1, 1, 1, 1},     {90, 90, 1, 7},   {90, 360, 1, 5}, {120, 130, 1, 16},
                           {120, 40, 3, 40}, {100, 60, 3, 8},  {60, 1, 60, 1},  {80, 30, 3, 6},
                           {150, 4, 50, 2},  {200, 300, 1, 24}};

/// Calls body(dense, optimum, random) with problems of all sizes and shapes. With `with_held`, also
/// with problems of which some or all rows hold a column.
template <typename Body>
void for_all_problems(int seed, bool with_held, Body body) {
  std::mt19937 random(seed);
  for (const Size size : kSizes)
    for (int shape = 0; shape < kShapes; ++shape)
      for (int held = 0; held <= (with_held ? 2 : 0); ++held) {
        DenseProblem d(size.rows, size.columns, size.capacity, size.listed);
        fill(d, static_cast<Shape>(shape), random);
        if (held == 1) hold_some(d, random, 1 << 12);
        if (held == 2) hold_all(d, random, 1 << 12);
        SCOPED_TRACE("shape " + std::to_string(shape) + ", held " + std::to_string(held));
        const Assignment best = AssignmentSolver().solve(d.problem());
        body(d, best, random);
        if (testing::Test::HasFatalFailure()) return;
      }
}

void check_brackets(const DenseProblem& d, const Assignment& a, int64_t least) {
  ASSERT_NO_FATAL_FAILURE(check_certificate(d, a));
  EXPECT_GE(a.cost, least);
  EXPECT_LE(a.lower_bound, least);
}

/// Prices near the optimal ones, like those of the frame before.
std::vector<int64_t> near_prices(const Assignment& best, std::mt19937& random) {
  std::vector<int64_t> prices = best.column_dual;
  for (int64_t& v : prices) v = v * static_cast<int64_t>(random() % 128) / 100;
  return prices;
}

TEST(AssignmentRough, CertifiesEveryAnswer) {
  AssignmentSolver solver;
  int n = 0;
  for_all_problems(1, true, [&](DenseProblem& d, const Assignment& best, std::mt19937& random) {
    for (const bool priced : {false, true})
      for (const int every : {1, 2}) {  // every row is rough, or every second
        SCOPED_TRACE("every " + std::to_string(every) + (priced ? ", priced" : ""));
        AssignmentProblem p = d.problem(n % 3);
        Rough rough(d, p, priced ? near_prices(best, random) : std::vector<int64_t>());
        for (int i = 0; i < d.rows; i += every)
          rough.list_cheapest(i, random() % (d.listed + 1), n % 2 ? 8 : 0, random);
        if (n++ % 4 > 0) p.single = [&](int row, int column) { return d.cost(row, column); };
        for (const Effort effort : {Effort::kExact, Effort::kAuction, Effort::kGreedy})
          ASSERT_NO_FATAL_FAILURE(
              check_brackets(d, solver.solve(p, std::nullopt, effort), best.cost));
      }
  });
}

TEST(AssignmentRough, CompleteListsGiveTheOptimum) {
  AssignmentSolver solver;
  for_all_problems(2, true, [&](DenseProblem& some, const Assignment& best, std::mt19937& random) {
    DenseProblem d = some;
    d.listed = d.columns;
    for (const int every : {1, 2}) {
      AssignmentProblem p = d.problem();
      Rough rough(d, p);
      for (int i = 0; i < d.rows; i += every) rough.list_cheapest(i, d.columns, 0, random);
      p.full_row = nullptr;
      const Assignment& a = solver.solve(p);
      ASSERT_NO_FATAL_FAILURE(check_certificate(d, a));
      EXPECT_EQ(a.cost, best.cost);
      EXPECT_EQ(a.lower_bound, best.cost);
    }
  });
}

/// With the exact column duals as prices and no slack in the estimates, the lower bound is the
/// optimum, whatever is listed.
TEST(AssignmentRough, ExactPricesGiveTheExactBound) {
  AssignmentSolver solver;
  for_all_problems(3, true, [&](DenseProblem& d, const Assignment& best, std::mt19937& random) {
    for (const int every : {1, 2}) {
      AssignmentProblem p = d.problem();
      Rough rough(d, p, best.column_dual);
      for (int i = 0; i < d.rows; i += every)
        rough.list_cheapest(i, random() % (d.listed + 1), 0, random);
      p.single = [&](int row, int column) { return d.cost(row, column); };
      const Assignment& a = solver.solve(p);
      ASSERT_NO_FATAL_FAILURE(check_certificate(d, a));
      EXPECT_EQ(a.lower_bound, every == 1 ? best.cost : a.lower_bound);
      EXPECT_LE(a.lower_bound, best.cost);
    }
  });
}

/// Without prices, the lower bound is at least the sum of the cheapest columns of all rows.
TEST(AssignmentRough, WithoutPricesTheBoundIsTheSumOfRowMinima) {
  std::mt19937 random(9);
  DenseProblem d(100, 300, 1, 5);
  fill(d, Shape::kRandom, random);
  AssignmentProblem p = d.problem();
  Rough rough(d, p);
  int64_t least = 0;
  for (int i = 0; i < d.rows; ++i) {
    const auto costs = d.costs.begin() + i * d.columns;
    rough.list(i, {0, 1, 2, 3, 4}, std::vector<int32_t>(costs, costs + d.columns));
    least += *std::min_element(costs, costs + d.columns);
  }
  AssignmentSolver solver;
  const Assignment& a = solver.solve(p);
  ASSERT_NO_FATAL_FAILURE(check_certificate(d, a));
  EXPECT_GE(a.lower_bound, least);
}

TEST(AssignmentRough, GoodListsGiveNearlyTheOptimum) {
  std::mt19937 random(4);
  DenseProblem d(300, 400, 1, 16);
  fill(d, Shape::kClusters, random);
  const Assignment best = AssignmentSolver().solve(d.problem());
  AssignmentProblem p = d.problem();
  Rough rough(d, p, near_prices(best, random));
  for (int i = 0; i < d.rows; ++i) rough.list_cheapest(i, 16, 0, random);
  p.full_row = nullptr;
  p.single = [&](int row, int column) { return d.cost(row, column); };
  AssignmentSolver solver;
  const Assignment& a = solver.solve(p);
  ASSERT_NO_FATAL_FAILURE(check_brackets(d, a, best.cost));
  EXPECT_LE(a.cost, best.cost + best.cost / 20);
  EXPECT_EQ(a.full_rows, 0);
}

/// Assignment::column_dual of the last answer may be passed in as prices; they improve the bound at
/// any effort, also for rows that are not rough.
TEST(AssignmentRough, PricesOfTheLastAnswerImproveTheBound) {
  std::mt19937 random(5);
  DenseProblem d(120, 150, 1, 150);
  fill(d, Shape::kClusters, random);
  AssignmentSolver solver;
  AssignmentProblem p = d.problem();
  const Assignment& a = solver.solve(p);
  const int64_t least = a.cost;
  p.prices = a.column_dual.data();
  solver.solve(p, std::nullopt, Effort::kGreedy);
  ASSERT_NO_FATAL_FAILURE(check_certificate(d, a));
  EXPECT_GT(a.cost, least);
  EXPECT_EQ(a.lower_bound, least);
}

/// Costs known from full_row are not used once a row is rough.
TEST(AssignmentRough, IgnoresKnownCostsOfRowsThatBecameRough) {
  std::mt19937 random(6);
  DenseProblem d(240, 300, 1, 4);
  fill(d, Shape::kClusters, random);
  AssignmentSolver used, fresh;
  const AssignmentProblem plain = d.problem();
  EXPECT_GT(used.solve(plain).full_rows, 0);
  AssignmentProblem p = d.problem();
  Rough rough(d, p);
  for (int i = 0; i < d.rows; ++i) rough.list_cheapest(i, 4, 0, random);
  p.single = [&](int row, int column) { return d.cost(row, column); };
  const std::vector<uint8_t> unchanged(d.rows, 1);
  p.unchanged = unchanged.data();
  EXPECT_EQ(used.solve(p).column, fresh.solve(p).column);
}

/// A row whose listed columns are all taken gets the column that it holds, or one of a few others.
TEST(AssignmentRough, AssignsRowsWhoseListedColumnsAreTaken) {
  DenseProblem d(4, 40, 1, 2);
  for (int i = 0; i < d.rows; ++i)
    for (int j = 0; j < d.columns; ++j) d.costs[i * d.columns + j] = 10 * (j < 2 ? j : 100 - j);
  d.hold({-1, 30, -1, -1}, {0, 0, 0, 0});
  AssignmentProblem p = d.problem();
  Rough rough(d, p);
  for (int i = 0; i < d.rows; ++i) rough.list_first(i, 2);
  AssignmentSolver solver;
  for (const bool single : {false, true})
    for (const Effort effort : {Effort::kExact, Effort::kAuction, Effort::kGreedy}) {
      int asked = 0;
      const auto one = [&](int row, int column) { return ++asked, d.cost(row, column); };
      p.single = single ? decltype(p.single)(one) : nullptr;
      const Assignment& a = solver.solve(p, std::nullopt, effort);
      ASSERT_NO_FATAL_FAILURE(check_certificate(d, a));
      std::vector<int32_t> got = a.column;
      std::sort(got.begin(), got.end());
      EXPECT_EQ(got[0], 0);
      EXPECT_EQ(got[1], 1);
      EXPECT_EQ(single, asked > 0);
      EXPECT_EQ(single, a.full_rows == 0);
      if (!single) {
        EXPECT_EQ(got[3], 39) << "the cheapest of all that is left";
      }
      if (effort == Effort::kExact) {
        EXPECT_EQ(a.column[1], 30);
      }
    }
}

/// A greedy row considers the column that it holds.
TEST(AssignmentRough, GreedyConsidersTheHeldColumn) {
  DenseProblem d(2, 6, 1, 2);
  d.costs = {10, 20, 90, 90, 90, 90,  //
             10, 50, 90, 30, 90, 90};
  d.hold({-1, 3}, {0, 15});
  AssignmentProblem p = d.problem();
  Rough rough(d, p);
  for (int i = 0; i < d.rows; ++i) rough.list_first(i, 2);
  p.full_row = nullptr;
  EXPECT_EQ(AssignmentSolver().solve(p, std::nullopt, Effort::kGreedy).column,
            (std::vector<int32_t>{0, 3}));
}

/// A solve ends soon even if all lists together have too few columns. Time is counted in readings
/// of the clock.
void check_quick(DenseProblem& d, int pool, std::mt19937& random) {
  constexpr int64_t kLooks = 10000;
  SCOPED_TRACE(describe(d) + " of " + std::to_string(pool));
  AssignmentProblem p = d.problem();
  Rough rough(d, p);
  std::vector<int32_t> columns(pool);
  const std::vector<int32_t> nothing(d.columns, 0);
  for (int i = 0; i < d.rows; ++i) {
    std::iota(columns.begin(), columns.end(), 0);
    std::shuffle(columns.begin(), columns.end(), random);
    rough.list(i, std::vector(columns.begin(), columns.begin() + d.listed), nothing);
  }
  p.full_row = nullptr;
  p.single = [&](int row, int column) { return d.cost(row, column); };
  for (const Effort effort : {Effort::kExact, Effort::kAuction}) {
    AssignmentSolver solver(&tick);
    const int64_t begin = ticks;
    const Assignment& a = solver.solve(p, at(begin + (int64_t{1} << 40)), effort);
    EXPECT_LE(ticks - begin, kLooks) << static_cast<int>(effort);
    std::vector<int> used(d.columns, 0);
    for (const int32_t j : a.column) ASSERT_LE(++used[j], d.capacity);
  }
}

TEST(AssignmentRough, GivesUpQuicklyOnTooFewListedColumns) {
  std::mt19937 random(7);
  for (int shape = 0; shape < kShapes; ++shape)
    for (const int capacity : {1, 3}) {
      SCOPED_TRACE("shape " + std::to_string(shape));
      DenseProblem d(600, 900, capacity, 5);
      fill(d, static_cast<Shape>(shape), random);
      for (const int pool : {5, 450 / capacity, 597 / capacity}) check_quick(d, pool, random);
    }
}

TEST(AssignmentRough, KeepsAnyTimeLimit) {
  std::mt19937 random(8);
  for (const Shape shape : {Shape::kClusters, Shape::kAlike, Shape::kOneFavourite, Shape::kRandom})
    for (const int capacity : {1, 3})
      for (const int every : {1, 2}) {
        DenseProblem d(120, 150 / capacity, capacity, 6);
        fill(d, shape, random);
        hold_all(d, random, 1 << 10);
        const Assignment best = AssignmentSolver().solve(d.problem());
        Limited limited(d);
        AssignmentProblem p = limited.problem(true);
        Rough rough(limited.dense, p, near_prices(best, random));
        for (int i = 0; i < d.rows; i += every) rough.list_cheapest(i, 6, 8, random);
        for (const int64_t limit : kLimits) {
          SCOPED_TRACE("limit " + std::to_string(limit) + ", every " + std::to_string(every));
          const int64_t end = ticks + std::max<int64_t>(0, limit);
          const Assignment& a = limited.solve(p, limit);
          EXPECT_LE(ticks, end + kRowTicks + 2 * d.rows);
          ASSERT_NO_FATAL_FAILURE(check_brackets(d, a, best.cost));
          EXPECT_TRUE(every > 1 || limited.rows == 0);
          EXPECT_LE(a.cost, std::accumulate(d.held_cost.begin(), d.held_cost.end(), int64_t{0}));
        }
      }
}

}  // namespace
