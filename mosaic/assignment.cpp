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
// Where time runs out on the way, rows without a column take what is left. Should every row keeping
// the column that it holds be cheaper, that is the answer. The bound is that of the duals found so
// far or of the prices of the last solve, whichever is higher. As a start those prices serve badly:
// they only rise, and a scene that has moved on needs lower ones.
//
// Rough rows are searched within their lists, so the duals that come of it may not hold for what is
// not listed. There a column costs at least `bound`, whatever its price, as v <= 0: row duals are
// cut to that. For the prices that came with the problem there is a better bound than that.
//
// Since v <= 0, a column never costs a row less than its plain cost: scans of the ascending lists
// stop where the plain cost alone is too much, and most rows are never read to the end.
#include "mosaic/assignment.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

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
// Shares of its time that a limited solve keeps for bounds, until it has seen what they take, and
// for rows that the search leaves.
constexpr int kClosing = 8, kCompleting = 5;
// Columns that a row looks at for which there is no time.
constexpr int kGlances = 24;

}  // namespace

double Assignment::gap(int64_t other_cost) const {
  return static_cast<double>(other_cost - lower_bound) /
         static_cast<double>(std::max<int64_t>(lower_bound, 1));
}

struct AssignmentSolver::Impl : lap::State {
  lap::AugmentingPaths paths{*this};
  lap::Auction auction{*this};
  Assignment spare;  ///< the best so far: complete columns, and duals; none: empty
  std::vector<int64_t> spare_row_cost;
  Clock::time_point enough;      ///< when a limited solve comes to its bounds
  Clock::duration closing{};     ///< what those took in the last solves that were cut short
  Clock::duration completing{};  ///< what giving columns to rough rows that were left took
  int next = 0;                  ///< the column that glance() looks at

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
      if (queue.empty()) keep_columns();
      keep_bound(p->bound);
      if (share * kShareStep <= kLastShare) auction.start_over(kStepBack * increment);
    }
    if (alone) return;
    auction.part_loose();
    auction.run(0, kRepairBids * p->rows);
  }

  /// Ends the search early enough for what comes after it, and keeps what is there at once.
  void limit() {
    const Clock::time_point begin = now();
    const Clock::duration time = std::max(Clock::duration::zero(), *deadline - begin);
    const Clock::duration kept = closing == Clock::duration::zero() ? time / kClosing : closing;
    enough = begin + time - std::min(kept, time / 2);
    const Clock::duration rest = enough - begin;
    deadline = enough - (any_rough ? std::min(completing, rest / 2) : rest / kCompleting);
    if (all_hold()) stand();
  }

  bool all_hold() const {
    for (int i = 0; i < p->rows; ++i)
      if (held(i) == kNone) return false;
    return true;
  }

  /// The assignment in which every row keeps what it holds, if there is one.
  void stand() {
    int row = 0;
    for (; row < p->rows && has_room(held(row)); ++row) attach(row, held(row), discounted(row));
    if (row == p->rows) keep_columns();
    while (row-- > 0) detach(row);
  }

  /// Keeps the assignment, which is complete, if it is the best so far.
  void keep_columns() {
    sum_costs();
    if (!spare.column.empty() && out.cost >= spare.cost) return;
    spare.column = out.column;
    spare.cost = out.cost;
    spare_row_cost = row_cost;
  }

  /// Keeps the duals if their bound is the best so far.
  /// @param unlisted [rows]: no unlisted column costs a rough row less, prices counted
  void keep_bound(const int32_t* unlisted) {
    sum_duals(unlisted);
    if (!spare.row_dual.empty() && out.lower_bound <= spare.lower_bound) return;
    spare.row_dual.resize(p->rows);
    for (int i = 0; i < p->rows; ++i) spare.row_dual[i] = certain_dual(i, unlisted);
    spare.column_dual = out.column_dual;
    spare.lower_bound = out.lower_bound;
  }

  /// Makes an answer of a search that was cut short: completes it, unless there is a complete one
  /// that is better, and sets row duals as high as they go.
  void make_do() {
    const Clock::time_point stopped = deadline ? now() : Clock::time_point();
    complete();
    const Clock::time_point begin = deadline ? now() : Clock::time_point();
    for (int i = 0; i < p->rows; ++i) out.row_dual[i] = lowest_price(i);
    keep_columns();
    keep_bound(p->bound);
    try_other_prices();
    out.column = spare.column;
    out.cost = spare.cost;
    row_cost = spare_row_cost;
    out.row_dual = spare.row_dual;
    out.column_dual = spare.column_dual;
    out.lower_bound = spare.lower_bound;
    if (deadline) closing = std::max(now() - begin, closing * 7 / 8);
    if (deadline && any_rough) completing = std::max(begin - stopped, completing * 7 / 8);
  }

  /// Whether other prices give a better bound: those that came with the problem, or else, where
  /// time ran out, those of the last solve, if it was of the same scene.
  void try_other_prices() {
    if (p->prices) {
      out.column_dual.assign(p->prices, p->prices + p->columns);
    } else if (any_rough) {
      out.column_dual.assign(p->columns, 0);
    } else {
      if (!late || last_price.size() != out.column_dual.size() || !all_hold()) return;
      out.column_dual = last_price;
    }
    for (int i = 0; i < p->rows; ++i) out.row_dual[i] = lowest_price(i);
    keep_bound(p->priced_bound);
  }

  /// Gives every row a column: the cheapest that is left; or, where time is out, what it holds, the
  /// cheapest listed that is left, or whatever there is time to find. Rough rows never look far.
  void complete() {
    for (int i = 0; i < p->rows && !out_of_time(); ++i)
      if (out.column[i] == kNone) rough(i) ? take_listed(i) : take_any(i);
    if (!late && !any_rough) return;
    for (int i = 0; i < p->rows; ++i)
      if (out.column[i] == kNone && held(i) != kNone && has_room(held(i)))
        attach(i, held(i), discounted(i));
    for (int i = 0; i < p->rows; ++i)
      if (out.column[i] == kNone) take_listed(i);
    for (int i = 0; i < p->rows; ++i) {
      if (out.column[i] != kNone) continue;
      const bool over = late && now() >= enough;
      if (p->single && (rough(i) || over))
        glance(i, over ? 1 : kGlances);
      else
        take_any(i);
    }
  }

  struct Found {
    int column = kNone;
    int64_t cost = kNever;
  };

  void consider(int column, int64_t cost, Found& found) const {
    if (cost < found.cost && has_room(column)) found = {column, cost};
  }

  /// The cheapest column that has room, of those that are known.
  Found cheapest_known(int row) const {
    Found found;
    if (held(row) != kNone) consider(held(row), discounted(row), found);
    const Edges e = edges[row];
    for (int k = 0; k < e.size && e.cost[k] < found.cost; ++k)
      consider(e.column[k], e.cost[k], found);
    return found;
  }

  void take_listed(int row) {
    const Found found = cheapest_known(row);
    if (found.column != kNone) attach(row, found.column, found.cost);
  }

  /// The cheapest of so many columns that have room, others for each row.
  void glance(int row, int most) {
    Found found;
    for (int looks = 0, steps = 0; looks < most && steps < p->columns; ++steps) {
      const int j = next;
      next = next + 1 < p->columns ? next + 1 : 0;
      if (!has_room(j)) continue;
      ++looks;
      consider(j, j == held(row) ? discounted(row) : p->single(row, j), found);
    }
    attach(row, found.column, found.cost);
  }

  /// No column costs the row less, prices counted.
  int64_t lowest_price(int row) {
    const Choice c = choose(row, false);
    return std::min(c.first, c.second);
  }

  /// The cheapest column that has room.
  void take_any(int row) {
    Found found = cheapest_known(row);
    if (found.column == kNone || edges[row].bound < found.cost) {
      const int32_t* costs = all_costs(row);
      for (int j = 0; j < p->columns; ++j) consider(j, costs[j], found);
    }
    attach(row, found.column, found.cost);
  }

  void tell_costs() {
    out.column_cost.resize(p->rows);
    for (int i = 0; i < p->rows; ++i) {
      const int64_t discount = out.column[i] == held(i) ? price(i) : 0;
      out.column_cost[i] = static_cast<int32_t>(row_cost[i] + discount);
    }
  }

  int64_t price(int row) const { return held(row) != kNone ? p->discount[row] : 0; }

  void sum_costs() {
    out.cost = 0;
    for (int i = 0; i < p->rows; ++i) out.cost += row_cost[i] + price(i);
  }

  /// The dual of a row that holds for every column, see keep_bound().
  int64_t certain_dual(int row, const int32_t* unlisted) const {
    const int64_t u = out.row_dual[row];
    return rough(row) ? std::min<int64_t>(u, unlisted[row]) : u;
  }

  void sum_duals(const int32_t* unlisted) {
    int64_t prices = 0;
    for (const int64_t v : out.column_dual) prices += v;
    out.lower_bound = prices * p->capacity;
    for (int i = 0; i < p->rows; ++i) out.lower_bound += certain_dual(i, unlisted) + price(i);
  }
};

AssignmentSolver::AssignmentSolver(Now now) : impl_(std::make_unique<Impl>()) {
  impl_->now = now;
}
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
  s.spare.row_dual.clear();
  s.next = 0;
  if (deadline) s.limit();
  if (effort != Effort::kGreedy) s.bid(effort == Effort::kAuction);
  if (effort == Effort::kExact && !s.late) s.paths.run();
  s.out.price = s.out.column_dual;
  if (effort == Effort::kExact && !s.late && !s.any_rough) {
    s.sum_costs();
    s.sum_duals(nullptr);
  } else {
    s.make_do();
  }
  s.tell_costs();
  return s.out;
}

}  // namespace mosaic
