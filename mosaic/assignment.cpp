// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Linear programming duality carries everything here: with u_i + v_j <= c_ij for every pair and
// v_j <= 0, sum(u) + capacity * sum(v) bounds every assignment from below, and it is reached when
// every assigned pair is tight (u_i + v_j = c_ij) and v_j = 0 for each column with room. The duals
// are feasible at any moment; the work is to get there.
//
// 1. Rows bid for columns (Bertsekas, "The auction algorithm", 1988). With an increment of zero
//    this is the augmenting row reduction of Jonker and Volgenant (1987): assigned pairs stay
//    tight. A column that serves several rows is as dear as the lowest of their bids.
// 2. Where hundreds of rows want the same columns that war lasts, so after a while bids are raised
//    by an increment, coarse at first, then finer from prices a little below those found. Each
//    outcome is complete and within rows * increment of the optimum, no more.
// 3. Pairs that are not tight are parted again, and shortest augmenting paths repair the rest. As
//    the prices are nearly right, these paths are short.
//
// Since v <= 0, a column never costs a row less than its plain cost: scans of the ascending lists
// stop where the plain cost alone is too much, and most rows are never read to the end.
#include "mosaic/assignment.h"

#include <algorithm>
#include <stdexcept>

#include "mosaic/assignment_auction.h"
#include "mosaic/assignment_paths.h"
#include "mosaic/assignment_state.h"

namespace mosaic {

using lap::Choice;
using lap::Edges;
using lap::kNever;
using lap::kNone;

namespace {

// Measured on frames of 1296 and 2304 cells, still and panning, and on cells that are all alike.
// Ordinary frames are done, but for a few rows, after kFreeBids a row.
constexpr int64_t kFreeBids = 16;
constexpr size_t kFewLeft = 16;  // of the rows: those few are cheaper to search from
constexpr int64_t kRepairBids = 2;
// Increments, as fractions of the mean dual.
constexpr int64_t kFirstShare = 10, kLastShare = 40960, kShareStep = 4;
// Increments that prices step back by before the next, finer round. Prices that are too high must
// be brought down row by row, those that are too low rise by themselves.
constexpr int64_t kStepBack = 3;

}  // namespace

double Assignment::gap(int64_t other_cost) const {
  return static_cast<double>(other_cost - lower_bound) /
         static_cast<double>(std::max<int64_t>(lower_bound, 1));
}

struct AssignmentSolver::Impl : lap::State {
  lap::AugmentingPaths paths{*this};
  lap::Auction auction{*this};
  Assignment spare;  ///< the best so far that is complete; no columns: there is none
  std::vector<int64_t> spare_row_cost;

  int64_t mean_dual() const {
    int64_t sum = 0;
    for (const int64_t u : out.row_dual) sum += u > -kNever ? std::abs(u) : 0;
    return sum / p->rows;
  }

  /// @param alone nothing comes after: every row is to have a column, unless time runs out
  void bid(bool alone) {
    auction.reset();
    auction.everyone_bids();
    auction.run(0, kFreeBids * p->rows);
    if (late || queue.size() <= (alone ? 0 : p->rows / kFewLeft)) return;
    const int64_t mean = mean_dual();
    for (int64_t share = kFirstShare; share <= kLastShare; share *= kShareStep) {
      const int64_t increment = std::max<int64_t>(1, mean / share);
      auction.run(increment, INT64_MAX);
      if (late) return;
      save();
      if (share * kShareStep <= kLastShare) auction.start_over(kStepBack * increment);
    }
    if (alone) return;
    auction.part_loose();
    auction.run(0, kRepairBids * p->rows);
  }

  /// Keeps the assignment, which is complete, and the bound, each if it is the best so far.
  void save() {
    sum_up();
    const bool first = spare.column.empty();
    if (first || out.cost < spare.cost) {
      spare.column = out.column;
      spare.cost = out.cost;
      spare_row_cost = row_cost;
    }
    if (first || out.lower_bound > spare.lower_bound) {
      spare.row_dual = out.row_dual;
      spare.column_dual = out.column_dual;
      spare.lower_bound = out.lower_bound;
    }
  }

  /// Completes what ran out of time: the cheapest that is left for who has none, or what was
  /// complete before; and row duals as high as they go, unless an earlier bound was better.
  void make_do() {
    for (int i = 0; i < p->rows; ++i) {
      if (spare.column.empty() && out.column[i] == kNone) take_any(i);
      out.row_dual[i] = std::max(out.row_dual[i], lowest_price(i));
    }
    if (spare.column.empty()) return sum_up();
    out.column = spare.column;
    row_cost = spare_row_cost;
    sum_up();
    if (out.lower_bound >= spare.lower_bound) return;
    out.row_dual = spare.row_dual;
    out.column_dual = spare.column_dual;
    out.lower_bound = spare.lower_bound;
  }

  /// No column costs the row less, prices counted.
  int64_t lowest_price(int row) {
    const Choice c = choose(row, false);
    return std::min(c.first, c.second);
  }

  /// The cheapest column that has room.
  void take_any(int row) {
    int column = kNone;
    int64_t cost = kNever;
    const auto consider = [&](int j, int64_t c) {
      if (c >= cost || !has_room(j)) return;
      cost = c;
      column = j;
    };
    if (held(row) != kNone) consider(held(row), discounted(row));
    const Edges e = edges[row];
    for (int k = 0; k < e.size && e.cost[k] < cost; ++k) consider(e.column[k], e.cost[k]);
    if (e.bound < cost) {
      const int32_t* costs = all_costs(row);
      for (int j = 0; j < p->columns; ++j) consider(j, costs[j]);
    }
    attach(row, column, cost);
  }

  void sum_up() {
    out.cost = out.lower_bound = 0;
    for (int i = 0; i < p->rows; ++i) {
      const int64_t price = held(i) != kNone ? p->discount[i] : 0;
      out.cost += row_cost[i] + price;
      out.lower_bound += out.row_dual[i] + price;
    }
    int64_t prices = 0;
    for (const int64_t v : out.column_dual) prices += v;
    out.lower_bound += prices * p->capacity;
  }
};

AssignmentSolver::AssignmentSolver() : impl_(std::make_unique<Impl>()) {}
AssignmentSolver::~AssignmentSolver() = default;

const Assignment& AssignmentSolver::solve(const AssignmentProblem& problem,
                                          std::optional<Clock::time_point> deadline,
                                          Effort effort) {
  if (problem.rows < 1 || problem.columns < 1 || problem.capacity < 1 ||
      problem.rows > int64_t{problem.columns} * problem.capacity)
    throw std::invalid_argument("assignment: more rows than the columns can serve");
  if (problem.listed < 1 || problem.listed > problem.columns)
    throw std::invalid_argument("assignment: a row lists between one and all of the columns");
  Impl& s = *impl_;
  s.reset(problem, deadline);
  s.spare.column.clear();
  if (effort != Effort::kGreedy) s.bid(effort == Effort::kAuction);
  if (effort == Effort::kExact && !s.late) s.paths.run();
  effort == Effort::kExact && !s.late ? s.sum_up() : s.make_do();
  return s.out;
}

}  // namespace mosaic
