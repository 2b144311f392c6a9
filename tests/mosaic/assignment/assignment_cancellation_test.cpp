// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// More of assignment_test.cpp: solves that are given up. solve() throws, and the solver can be
/// used again.
#include <gtest/gtest.h>

#include <atomic>
#include <random>

#include "tests/mosaic/assignment/assignment_clock.h"

namespace {

using mosaic::Assignment;
using mosaic::AssignmentProblem;
using mosaic::AssignmentSolver;
using mosaic::Effort;

/// Costs that are all alike, which no search finds easy; few are listed.
DenseProblem hard(unsigned seed) {
  DenseProblem dense(60, 60, 1, 4);
  std::mt19937 random(seed);
  for (int32_t& cost : dense.costs) cost = 1000 + static_cast<int32_t>(random() % 8);
  return dense;
}

std::atomic<bool> cancelled;
int64_t cancel_at;  ///< the reading of the clock at which it is cancelled

SolverTime cancelling_clock() {
  if (++ticks == cancel_at) cancelled = true;
  return at(ticks);
}

class CancelledSolve : public testing::TestWithParam<Effort> {
 protected:
  void SetUp() override { cancelled = false; }
  /// The answer of a solver that was not used before.
  static Assignment expected(const AssignmentProblem& problem) {
    AssignmentSolver fresh;
    return fresh.solve(problem, std::nullopt, GetParam());
  }
};

TEST_P(CancelledSolve, EndsWhereCostsAreReadAndLeavesTheSolverUsable) {
  DenseProblem first = hard(1), second = hard(2);
  const AssignmentProblem next = second.problem();
  const Assignment wanted = expected(next);
  AssignmentSolver solver;
  int given_up = 0;
  for (int at_read = 1;; ++at_read) {
    AssignmentProblem problem = first.problem();
    problem.cancellation = mt::Cancellation(cancelled);
    int reads = 0, late = 0;
    problem.read_costs = [&, read = problem.read_costs](const mosaic::CostBlock& block) {
      late += cancelled;
      if (++reads == at_read) cancelled = true;
      read(block);
    };
    try {
      solver.solve(problem, std::nullopt, GetParam());
    } catch (const mt::Cancelled&) {
      ++given_up;
    }
    EXPECT_EQ(late, 0) << "costs were read after it was cancelled";
    const bool finished = !cancelled;
    cancelled = false;
    const Assignment& answer = solver.solve(next, std::nullopt, GetParam());
    ASSERT_EQ(answer.column, wanted.column) << "after read " << at_read;
    EXPECT_EQ(answer.cost, wanted.cost);
    if (finished) break;
  }
  EXPECT_GT(given_up, 3);
}

TEST_P(CancelledSolve, EndsWhereTheClockIsRead) {
  DenseProblem first = hard(3), second = hard(4);
  const AssignmentProblem next = second.problem();
  const Assignment wanted = expected(next);
  AssignmentSolver solver(&cancelling_clock);
  int given_up = 0;
  for (int reading = 3;; ++reading) {
    AssignmentProblem problem = first.problem();
    problem.cancellation = mt::Cancellation(cancelled);
    cancel_at = ticks + reading;
    bool finished = true;
    try {
      solver.solve(problem, at(ticks + (int64_t{1} << 40)), GetParam());
    } catch (const mt::Cancelled&) {
      finished = false;
      ++given_up;
    }
    const bool requested = cancelled;
    cancel_at = 0;
    cancelled = false;
    ASSERT_EQ(solver.solve(next, std::nullopt, GetParam()).column, wanted.column) << reading;
    if (!requested) break;
    if (finished) break;  // requested in the last reading
  }
  EXPECT_GT(given_up, 3);
}

TEST_P(CancelledSolve, DoesNotBegin) {
  DenseProblem dense = hard(5);
  AssignmentProblem problem = dense.problem();
  problem.cancellation = mt::Cancellation(cancelled);
  cancelled = true;
  AssignmentSolver solver;
  EXPECT_THROW(solver.solve(problem, std::nullopt, GetParam()), mt::Cancelled);
}

INSTANTIATE_TEST_SUITE_P(Efforts, CancelledSolve,
                         testing::Values(Effort::kExact, Effort::kAuction, Effort::kGreedy));

}  // namespace
