// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// More of assignment_test.cpp: the solver with too little time.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "mosaic/assignment/assignment.h"
#include "tests/mosaic/assignment/assignment_checks.h"
#include "tests/mosaic/assignment/assignment_clock.h"

namespace {

using mosaic::Assignment;
using mosaic::AssignmentProblem;
using mosaic::AssignmentSolver;
using mosaic::Effort;

int64_t standing_cost(const DenseProblem& d) {
  return std::accumulate(d.held_cost.begin(), d.held_cost.end(), int64_t{0});
}

DenseProblem problem_of(Shape shape, int capacity, std::mt19937& random) {
  DenseProblem d(120, 150 / capacity, capacity, 6);
  fill(d, shape, random);
  return d;
}

TEST(AssignmentLimits, CertifiesTheAnswerAtAnyLimit) {
  std::mt19937 random(1);
  for (int shape = 0; shape < kShapes; ++shape)
    for (const int capacity : {1, 3})
      for (const int held : {0, 1, 2}) {
        DenseProblem d = problem_of(static_cast<Shape>(shape), capacity, random);
        if (held == 1) hold_some(d, random, 1 << 12);
        if (held == 2) hold_all(d, random, 1 << 12);
        Limited limited(d);
        const int64_t least = AssignmentSolver().solve(d.problem()).cost;
        for (const int64_t limit : kLimits) {
          SCOPED_TRACE("shape " + std::to_string(shape) + ", limit " + std::to_string(limit));
          AssignmentProblem p = limited.problem(limit % 2 == 0);
          p.by_price = limit % 4 < 2;
          const Assignment& a = limited.solve(p, limit);
          ASSERT_NO_FATAL_FAILURE(check_certificate(d, a));
          EXPECT_GE(a.cost, least);
          EXPECT_LE(a.lower_bound, least);
          if (held == 2) {
            EXPECT_LE(a.cost, standing_cost(d)) << "never worse than to stand still";
          }
        }
      }
}

TEST(AssignmentLimits, LongLimitsGiveTheUnlimitedResult) {
  std::mt19937 random(2);
  for (int shape = 0; shape < kShapes; ++shape) {
    DenseProblem d = problem_of(static_cast<Shape>(shape), 1, random);
    hold_all(d, random, 1 << 12);
    Limited limited(d);
    AssignmentProblem p = limited.problem(true), all = d.problem();
    p.by_price = all.by_price = shape % 2;
    const Assignment unlimited = AssignmentSolver().solve(all);
    const Assignment& a = limited.solve(p, int64_t{1} << 40);
    EXPECT_EQ(a.column, unlimited.column);
    EXPECT_EQ(a.row_dual, unlimited.row_dual);
    EXPECT_EQ(a.column_dual, unlimited.column_dual);
    EXPECT_EQ(a.gap(), 0);
  }
}

TEST(AssignmentLimits, KeepsTheTimeLimit) {
  std::mt19937 random(3);
  for (const Shape shape : {Shape::kClusters, Shape::kAlike, Shape::kOneFavourite})
    for (const bool held : {false, true}) {
      DenseProblem d = problem_of(shape, 1, random);
      if (held) hold_all(d, random, 1 << 10);
      Limited limited(d);
      AssignmentProblem p = limited.problem(true);
      p.by_price = held;
      for (const int64_t limit : kLimits) {
        SCOPED_TRACE("limit " + std::to_string(limit));
        const int64_t end = ticks + std::max<int64_t>(0, limit);
        limited.solve(p, limit);
        // It may be late by the row that was being computed, and by two clock readings a row after.
        EXPECT_LE(ticks, end + kRowTicks + 2 * d.rows);
        if (limit <= 0) {
          EXPECT_EQ(limited.rows, 0) << "no time for a whole row";
        }
      }
    }
}

TEST(AssignmentLimits, RequestsWholeRowsWithoutSingleCosts) {
  std::mt19937 random(4);
  const DenseProblem d = problem_of(Shape::kAlike, 1, random);
  Limited limited(d);
  const AssignmentProblem p = limited.problem(false);
  ASSERT_NO_FATAL_FAILURE(check_certificate(d, limited.solve(p, 0)));
  EXPECT_GT(limited.rows, 0);
}

/// In a still scene, each frame starts from the assignment of the one before.
TEST(AssignmentLimits, ImprovesTheAssignmentFromFrameToFrame) {
  std::mt19937 random(5);
  DenseProblem d = problem_of(Shape::kClusters, 1, random);
  const int64_t least = AssignmentSolver().solve(d.problem()).cost;
  Limited limited(d);
  const std::vector<uint8_t> unchanged(d.rows, 1);
  AssignmentProblem p = limited.problem(true);
  p.by_price = true;
  const Assignment& a = limited.solve(p, 300);
  const int64_t first = a.cost;
  int64_t last = first;
  EXPECT_GT(first, least);
  for (int frame = 0; frame < 60; ++frame) {
    limited.dense.hold(a.column, std::vector<int32_t>(d.rows, 0));
    p = limited.problem(true);
    p.by_price = true;
    p.unchanged = unchanged.data();
    limited.solve(p, 300);
    ASSERT_NO_FATAL_FAILURE(check_certificate(limited.dense, a));
    EXPECT_LE(a.cost, last);
    last = a.cost;
  }
  EXPECT_LT(last, first);
  EXPECT_GE(last, least);
}

TEST(AssignmentLimits, CertifiesAuctionAndGreedyAtAnyLimit) {
  std::mt19937 random(6);
  for (const int capacity : {1, 3}) {
    DenseProblem d = problem_of(Shape::kClusters, capacity, random);
    hold_all(d, random, 1 << 10);
    Limited limited(d);
    const AssignmentProblem p = limited.problem(true);
    for (const Effort effort : {Effort::kAuction, Effort::kGreedy})
      for (const int64_t limit : kLimits) {
        const Assignment& a = limited.solve(p, limit, effort);
        ASSERT_NO_FATAL_FAILURE(check_certificate(d, a));
        EXPECT_LE(a.cost, standing_cost(d));
      }
  }
}

}  // namespace
