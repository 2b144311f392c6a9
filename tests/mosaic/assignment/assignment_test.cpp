// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/assignment/assignment.h"

#include <gmock/gmock.h>

#include <stdexcept>

#include "tests/mosaic/assignment/assignment_checks.h"

namespace {

using mosaic::Assignment;
using mosaic::AssignmentProblem;
using mosaic::AssignmentSolver;
using mosaic::Effort;

/// The least cost, by trying every assignment.
int64_t brute_force(const DenseProblem& d, std::vector<int>& used, int row = 0) {
  if (row == d.rows) return 0;
  int64_t least = INT64_MAX / 2;
  for (int j = 0; j < d.columns; ++j) {
    if (used[j] == d.capacity) continue;
    ++used[j];
    least = std::min(least, d.priced(row, j) + brute_force(d, used, row + 1));
    --used[j];
  }
  return least;
}

/// The least cost, by the Hungarian method over a full matrix with every column `capacity` times:
/// a shortest augmenting path for each row in turn, by linear search (Kuhn 1955, Munkres 1957).
int64_t hungarian(const DenseProblem& d) {
  const int n = d.rows, m = d.columns * d.capacity;
  std::vector<int64_t> u(n + 1), v(m + 1);
  std::vector<int> owner(m + 1, 0), way(m + 1);  // row 0 and column 0 mean: none
  for (int i = 1; i <= n; ++i) {
    std::vector<int64_t> slack(m + 1, INT64_MAX);
    std::vector<char> seen(m + 1, 0);
    int at = 0;
    owner[0] = i;
    while (owner[at] != 0) {
      seen[at] = 1;
      int next = 0;
      int64_t step = INT64_MAX;
      for (int j = 1; j <= m; ++j) {
        if (seen[j]) continue;
        const int row = owner[at];
        const int64_t s = d.priced(row - 1, (j - 1) / d.capacity) - u[row] - v[j];
        if (s < slack[j]) {
          slack[j] = s;
          way[j] = at;
        }
        if (slack[j] < step) {
          step = slack[j];
          next = j;
        }
      }
      for (int j = 0; j <= m; ++j) {
        if (seen[j]) {
          u[owner[j]] += step;
          v[j] -= step;
        } else if (slack[j] != INT64_MAX) {
          slack[j] -= step;
        }
      }
      at = next;
    }
    for (; at != 0; at = way[at]) owner[at] = owner[way[at]];
  }
  int64_t total = 0;
  for (int j = 1; j <= m; ++j)
    if (owner[j] != 0) total += d.priced(owner[j] - 1, (j - 1) / d.capacity);
  return total;
}

TEST(Assignment, MatchesBruteForceOnSmallProblems) {
  std::mt19937 random(1);
  AssignmentSolver solver;
  for (int n = 0; n < 6000; ++n) {
    const int columns = 1 + random() % 6, capacity = 1 + random() % 3;
    const int rows = 1 + random() % std::min(5, columns * capacity);
    DenseProblem d(rows, columns, capacity, 1 + random() % columns);
    fill(d, static_cast<Shape>(random() % kShapes), random);
    if (n % 2) hold_some(d, random, n % 3 ? 1 << 18 : 4);
    AssignmentProblem p = d.problem(n % 5);
    p.by_price = n % 7 < 3;
    const Assignment& a = solver.solve(p);
    ASSERT_NO_FATAL_FAILURE(check_optimal(d, a));
    std::vector<int> used(columns, 0);
    ASSERT_EQ(a.cost, brute_force(d, used)) << describe(d) << ", problem " << n;
  }
}

struct Size {
  int rows, columns, capacity, listed;
};

class LargeAssignment : public testing::TestWithParam<Size> {};

TEST_P(LargeAssignment, MatchesTheHungarianMethod) {
  const Size size = GetParam();
  std::mt19937 random(2);
  AssignmentSolver solver;
  for (int shape = 0; shape < kShapes; ++shape)
    for (const bool held : {false, true}) {
      SCOPED_TRACE("shape " + std::to_string(shape));
      DenseProblem d(size.rows, size.columns, size.capacity, size.listed);
      fill(d, static_cast<Shape>(shape), random);
      if (held) hold_some(d, random, 1 << 12);
      AssignmentProblem p = d.problem(held ? 7 : 0);
      p.by_price = random() % 2;
      const Assignment& a = solver.solve(p);
      ASSERT_NO_FATAL_FAILURE(check_optimal(d, a));
      EXPECT_EQ(a.cost, hungarian(d));
    }
}

INSTANTIATE_TEST_SUITE_P(Sizes, LargeAssignment,
                         testing::Values(Size{1, 1, 1, 1}, Size{1, 200, 1, 3}, Size{90, 90, 1, 90},
                                         Size{90, 90, 1, 5}, Size{120, 300, 1, 16},
                                         Size{250, 300, 1, 32}, Size{120, 40, 3, 4},
                                         Size{100, 40, 3, 40}, Size{60, 1, 60, 1},
                                         Size{64, 200, 2, 8}, Size{300, 40, 8, 6},
                                         Size{200, 4, 50, 4}, Size{240, 4, 100, 2},
                                         Size{160, 40, 4, 8}, Size{250, 100, 3, 10}));

TEST(Assignment, WidensListsOnlyIfAnUnlistedColumnCouldWin) {
  DenseProblem apart(8, 64, 1, 4), together(8, 64, 1, 4);
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 64; ++j) {
      apart.costs[i * 64 + j] = 100 * std::abs(j - 8 * i);
      together.costs[i * 64 + j] = 100 * j;
    }
  AssignmentSolver solver;
  EXPECT_EQ(solver.solve(apart.problem()).full_rows, 0);
  const Assignment& a = solver.solve(together.problem());
  EXPECT_GT(a.full_rows, 0);
  EXPECT_EQ(a.cost, 100 * 28);
}

TEST(Assignment, IsTheSameForAnyNumberOfWorkers) {
  std::mt19937 random(7);
  for (const int capacity : {1, 3}) {
    DenseProblem d(400, 480 / capacity, capacity, 8);
    fill(d, Shape::kClusters, random);
    AssignmentSolver alone;
    const Assignment& expected = alone.solve(d.problem());
    EXPECT_GT(expected.full_rows, 16);
    for (int threads : {1, 2, 5}) {
      mt::WorkerPool workers(threads);
      AssignmentProblem p = d.problem();
      p.workers = &workers;
      AssignmentSolver solver;
      expect_same(solver.solve(p), expected);
    }
  }
}

TEST(Assignment, SolvesManyRowsForFewColumnsQuickly) {
  std::mt19937 random(7);
  AssignmentSolver solver;
  for (const Shape shape : {Shape::kRandom, Shape::kFewValues, Shape::kAlike, Shape::kClusters}) {
    DenseProblem d(4000, 4, 1000, 4);
    fill(d, shape, random);
    const AssignmentProblem p = d.problem();
    const auto limit = AssignmentSolver::Clock::now() + std::chrono::seconds(20);
    ASSERT_NO_FATAL_FAILURE(check_optimal(d, solver.solve(p, limit)));
  }
}

TEST(Assignment, SwitchingPriceKeepsTheHeldColumn) {
  DenseProblem d(1, 3, 1, 1);
  d.costs = {10, 50, 90};
  d.hold({2}, {79});
  AssignmentSolver solver;
  EXPECT_EQ(solver.solve(d.problem()).column[0], 0);
  EXPECT_EQ(solver.solve(d.problem()).cost, 10 + 79);
  d.hold({2}, {81});
  EXPECT_EQ(solver.solve(d.problem()).column[0], 2);
  EXPECT_EQ(solver.solve(d.problem()).cost, 90);
}

/// A problem that takes long: many rows for which nearly the same columns are cheapest.
DenseProblem hard_problem(int capacity) {
  std::mt19937 random(3);
  DenseProblem d(270, 360 / capacity, capacity, 32);
  fill(d, Shape::kClusters, random);
  return d;
}

TEST(Assignment, ReturnsAValidBoundAtTheDeadline) {
  using std::chrono::microseconds;
  AssignmentSolver solver;
  for (const int capacity : {1, 3}) {
    DenseProblem d = hard_problem(capacity);
    std::mt19937 random(4);
    for (const bool held : {false, true}) {
      if (held) hold_some(d, random, 1 << 12);
      const AssignmentProblem p = d.problem();
      const int64_t least = solver.solve(p).cost;
      check_optimal(d, solver.solve(p));
      for (const int limit : {-1000000, 0, 100, 300, 1000, 3000, 10000, 30000}) {
        const Assignment& a = solver.solve(p, AssignmentSolver::Clock::now() + microseconds(limit));
        ASSERT_NO_FATAL_FAILURE(check_certificate(d, a));
        EXPECT_GE(a.cost, least);
        EXPECT_LE(a.lower_bound, least);
        if (limit <= 0) {
          EXPECT_GT(a.gap(), 0);
        }
      }
    }
  }
}

TEST(Assignment, StopsAfterTheRequestedEffort) {
  std::mt19937 random(8);
  AssignmentSolver solver;
  for (int shape = 0; shape < kShapes; ++shape)
    for (const int capacity : {1, 3})
      for (const bool held : {false, true}) {
        SCOPED_TRACE("shape " + std::to_string(shape));
        DenseProblem d(240, 300 / capacity, capacity, 8);
        fill(d, static_cast<Shape>(shape), random);
        if (held) hold_some(d, random, 1 << 12);
        const AssignmentProblem p = d.problem();
        const int64_t least = solver.solve(p).cost;
        for (const Effort effort : {Effort::kAuction, Effort::kGreedy}) {
          const Assignment& a = solver.solve(p, std::nullopt, effort);
          ASSERT_NO_FATAL_FAILURE(check_certificate(d, a));
          EXPECT_GE(a.cost, least);
          EXPECT_LE(a.lower_bound, least);
          if (effort == Effort::kAuction) {
            EXPECT_LE(a.cost, least + least / 50) << "bids come near the optimum";
          }
        }
      }
}

TEST(Assignment, GreedyTakesTheCheapestFreeColumn) {
  DenseProblem d(3, 3, 1, 1);
  d.costs = {10, 20, 90,  //
             10, 30, 50,  //
             10, 15, 95};
  AssignmentSolver solver;
  EXPECT_THAT(solver.solve(d.problem(), std::nullopt, Effort::kGreedy).column,
              testing::ElementsAre(0, 1, 2));
  EXPECT_THAT(solver.solve(d.problem()).column, testing::ElementsAre(0, 2, 1));
}

TEST(Assignment, IsDeterministic) {
  DenseProblem hard = hard_problem(1);
  std::mt19937 random(5);
  DenseProblem tied(100, 120, 1, 10);
  fill(tied, Shape::kFewValues, random);
  AssignmentSolver used;
  for (DenseProblem* d : {&hard, &tied}) {
    const AssignmentProblem p = d->problem();
    const Assignment first = used.solve(p);
    AssignmentSolver fresh;
    for (const Assignment* again : {&used.solve(p), &fresh.solve(p)}) {
      EXPECT_EQ(first.column, again->column);
      EXPECT_EQ(first.row_dual, again->row_dual);
      EXPECT_EQ(first.column_dual, again->column_dual);
    }
  }
}

TEST(Assignment, RejectsMoreRowsThanCapacity) {
  AssignmentSolver solver;
  DenseProblem d(5, 2, 2, 2);
  EXPECT_THROW(solver.solve(d.problem()), std::invalid_argument);
  DenseProblem fits(4, 2, 2, 2);
  EXPECT_NO_THROW(solver.solve(fits.problem()));
  AssignmentProblem none = fits.problem();
  none.listed = 0;
  EXPECT_THROW(solver.solve(none), std::invalid_argument);
  none.listed = 3;
  EXPECT_THROW(solver.solve(none), std::invalid_argument);
}

}  // namespace
