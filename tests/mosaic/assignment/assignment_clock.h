// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// A clock for the assignment solver that counts its work: each reading of the clock takes a tick,
/// each row computed in full takes kRowTicks.
#pragma once

#include <cstdint>

#include "mosaic/assignment/assignment.h"
#include "tests/mosaic/assignment/assignment_problems.h"

inline constexpr int64_t kRowTicks = 20;
inline int64_t ticks = 0;

using SolverTime = mosaic::AssignmentSolver::Clock::time_point;

inline SolverTime at(int64_t tick) {
  return SolverTime(mosaic::AssignmentSolver::Clock::duration(tick));
}

inline SolverTime tick() {
  return at(++ticks);
}

/// A solver that uses this clock, and a problem that counts the rows computed in full.
struct Limited {
  explicit Limited(const DenseProblem& d) : dense(d) {}

  mosaic::AssignmentProblem problem(bool single) {
    mosaic::AssignmentProblem p = dense.problem();
    p.read_costs = [this, read = p.read_costs](const mosaic::CostBlock& block) {
      ticks += kRowTicks * static_cast<int64_t>(block.rows.size());
      rows += static_cast<int>(block.rows.size());
      read(block);
    };
    if (single) p.single = [this](int row, int column) { return dense.cost(row, column); };
    return p;
  }
  const mosaic::Assignment& solve(const mosaic::AssignmentProblem& p, int64_t limit,
                                  mosaic::Effort effort = mosaic::Effort::kExact) {
    rows = 0;
    return solver.solve(p, at(ticks + limit), effort);
  }

  DenseProblem dense;
  mosaic::AssignmentSolver solver{&tick};
  int rows = 0;  ///< computed in full in the last solve
};

inline constexpr int64_t kLimits[] = {-100, 0, 1, 2, 5, 10, 25, 60, 150, 400, 1000, 2500, 6000};
