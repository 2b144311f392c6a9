// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The solver rests on linear programming duality. With u_i + v_j <= c_ij for every pair and v_j <=
// 0, sum(u) + capacity * sum(v) is a lower bound on every assignment, and an assignment reaches it
// when each of its pairs is tight (u_i + v_j = c_ij) and v_j = 0 for each column with room. The
// duals are feasible at any moment; what takes time is to meet these conditions. The exact steps:
//
// 1. An auction with an increment of 0 (auction.h), after which ordinary frames are nearly done.
// 2. Where hundreds of rows want the same columns, they outbid each other for long. Then increments
//    are added to the bids, in rounds from coarse to fine (epsilon scaling), each of which starts
//    from prices a little below those of the last, assigns every row and comes within
//    rows * increment of the optimum.
// 3. Pairs that are not tight are released, and shortest augmenting paths (augmenting_paths.h)
//    assign what is left. As the duals are nearly right, these paths are short.
//
// anytime.h makes an answer from a search that stopped before that.
#include "mosaic/assignment/assignment.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "mosaic/assignment/anytime.h"
#include "mosaic/assignment/auction.h"
#include "mosaic/assignment/augmenting_paths.h"
#include "mosaic/assignment/central_duals.h"
#include "mosaic/assignment/cost_rows.h"
#include "mosaic/assignment/deadline.h"
#include "mosaic/assignment/duals.h"
#include "mosaic/assignment/matching.h"

namespace mosaic {
namespace {

// Measured on frames of 1296 and 2304 cells, still and panning, and on cells that are all alike.

// Bids per row before increments are added: with so many, ordinary frames are done but for a few
// rows. At a cut, more of them only make lists longer that would suffice later.
constexpr int64_t kPlainBids = 3;
// If at most one row in so many is unassigned, augmenting paths are faster than rounds of bids.
// (One in 16 does as well up to 2304 cells, but not at 8160: see docs/experiments.md, "Many
// cells".)
constexpr size_t kFewRows = 32;
// Bids per row after the last round, for the rows that were released.
constexpr int64_t kRepairBids = 2;
// The increments are fractions 1 / n of the mean row dual, with n = kFirstFraction growing by the
// factor kFractionStep to kLastFraction.
constexpr int64_t kFirstFraction = 10, kLastFraction = 40960, kFractionStep = 4;
// By so many increments prices are lowered before the next round. Prices that are too high must be
// brought down row by row, those that are too low rise by themselves.
constexpr int64_t kFallBack = 3;

void check(const AssignmentProblem& problem) {
  if (problem.rows < 1 || problem.columns < 1 || problem.capacity < 1 ||
      problem.rows > int64_t{problem.columns} * problem.capacity)
    throw std::invalid_argument(
        "assignment: rows, columns and capacity must be positive, and the columns must have room "
        "for all rows");
  if (problem.listed < 1 || problem.listed > problem.columns)
    throw std::invalid_argument("assignment: a row lists between one and all of the columns");
  if (problem.by_price && problem.central_duals)
    throw std::invalid_argument("assignment: central duals need lists by cost");
  if (problem.by_price && problem.read_cheapest && !problem.reads_prices)
    throw std::invalid_argument("assignment: lists by price need reads_prices");
}

}  // namespace

double Assignment::gap(int64_t other_cost) const {
  return static_cast<double>(other_cost - lower_bound) /
         static_cast<double>(std::max<int64_t>(lower_bound, 1));
}

struct AssignmentSolver::Impl {
  explicit Impl(Now now) : deadline(now) {}

  solver::Deadline deadline;
  solver::CostRows costs{deadline};
  solver::Matching matching;
  solver::Duals duals;
  solver::Auction auction{costs, matching, duals, deadline};
  solver::AugmentingPaths paths{costs, matching, duals, deadline};
  solver::CentralDuals central_duals{costs, matching, duals};
  solver::Anytime anytime{costs, matching, duals, deadline};
  Assignment answer;

  /// @return whether the matching is optimal
  bool search(Effort effort) {
    if (effort == Effort::kGreedy) return false;
    bid(effort == Effort::kExact);
    if (effort == Effort::kAuction || deadline.passed()) return false;
    paths.run(auction.unassigned());
    return !deadline.passed();
  }

  /// @param paths_follow if not, the rounds go on until every row has a column
  void bid(bool paths_follow) {
    const size_t few = paths_follow ? costs.rows() / kFewRows : 0;
    auction.start();
    auction.run(0, kPlainBids * costs.rows());
    if (deadline.passed() || auction.unassigned().size() <= few) return;
    const int64_t mean = mean_row_dual();
    for (int64_t fraction = kFirstFraction; fraction <= kLastFraction; fraction *= kFractionStep) {
      const int64_t increment = std::max<int64_t>(1, mean / fraction);
      auction.run(increment, INT64_MAX);
      if (deadline.passed()) return;
      anytime.keep_round(auction.unassigned().empty());
      if (fraction * kFractionStep <= kLastFraction) auction.restart(kFallBack * increment);
    }
    if (!paths_follow) return;
    auction.release_loose();
    auction.run(0, kRepairBids * costs.rows());
  }

  int64_t mean_row_dual() const {
    int64_t sum = 0;
    for (const int64_t u : duals.row) sum += u > -solver::kInfinity ? std::abs(u) : 0;
    return sum / costs.rows();
  }
};

AssignmentSolver::AssignmentSolver(Now now) : impl_(std::make_unique<Impl>(now)) {}
AssignmentSolver::~AssignmentSolver() = default;

const Assignment& AssignmentSolver::solve(const AssignmentProblem& problem,
                                          std::optional<Clock::time_point> deadline,
                                          Effort effort) {
  check(problem);
  Impl& s = *impl_;
  s.deadline.set(deadline);
  s.deadline.set_cancellation(problem.cancellation);
  s.costs.reset(problem);
  s.matching.reset(problem.rows, problem.columns, problem.capacity);
  s.duals.reset(problem.rows, problem.columns);
  s.anytime.begin();
  const bool optimal = s.search(effort);
  if (optimal) {
    if (problem.central_duals) s.central_duals.take_middle();
    s.anytime.incumbent().set_optimal(s.costs, s.matching, s.duals);
  } else {
    s.anytime.finish(s.answer.column_dual);
  }
  s.anytime.incumbent().swap(s.answer);
  s.answer.full_rows = s.costs.rows_asked();
  return s.answer;
}

}  // namespace mosaic
