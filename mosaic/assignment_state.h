// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// What the two halves of the assignment solver, bidding and augmenting, share. Private to it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "mosaic/assignment.h"

namespace mosaic::lap {

using Clock = AssignmentSolver::Clock;
using Now = AssignmentSolver::Now;

/// More than any distance, and twice that still fits.
inline constexpr int64_t kNever = INT64_MAX / 4;
inline constexpr int kNone = -1;

/// What is known of a row: its cheapest columns, ascending, and a bound of what is not listed.
struct Edges {
  const int32_t* column;
  const int32_t* cost;
  int size;
  int64_t bound;  ///< kNever: everything is listed
};

/// The two cheapest columns for a row, prices counted.
struct Choice {
  int64_t first = kNever, second = kNever;
  int first_column = kNone;
  int second_column = kNone;  ///< kNone: `second` is but a lower bound
};

/// The problem, who has what, the duals and the time. Memory is kept from one solve to the next.
struct State {
  const AssignmentProblem* p = nullptr;
  Assignment out;
  std::vector<Edges> edges;        ///< [rows]
  std::vector<int64_t> row_cost;   ///< [rows] of the column that the row has, discounts counted
  std::vector<int32_t> used;       ///< [columns] rows that have it
  std::vector<int32_t> first_row;  ///< [columns] head of the list of those rows
  std::vector<int32_t> next_row, prev_row;  ///< [rows] that list
  std::vector<int32_t> queue;               ///< rows without a column
  std::vector<int64_t> last_price;          ///< column duals of the last solve; or of none: empty
  std::optional<Clock::time_point> deadline;
  bool late = false;        ///< the deadline has passed
  bool any_rough = false;   ///< there are rough rows
  int64_t rough_limit = 0;  ///< more than this, price counted, no rough row bids
  Now now = &Clock::now;

  void reset(const AssignmentProblem& problem, std::optional<Clock::time_point> limit) {
    const bool again = remembers(problem);
    last_price.swap(out.column_dual);
    p = &problem;
    const size_t rows = problem.rows, columns = problem.columns;
    deadline = limit;
    ticks = 0;
    late = false;
    out.column.assign(rows, kNone);
    out.row_dual.assign(rows, -kNever);
    out.column_dual.assign(columns, 0);
    out.widened = 0;
    row_cost.assign(rows, 0);
    used.assign(columns, 0);
    first_row.assign(columns, kNone);
    next_row.resize(rows);
    prev_row.resize(rows);
    queue.clear();
    edges.resize(rows);
    wide.resize(std::max(wide.size(), rows));
    asked.assign(rows, 0);
    any_rough = false;
    rough_limit = 0;
    for (int i = 0; i < problem.rows; ++i) {
      const bool widened = !wide[i].empty() && edges[i].column == wide[i].data();
      if (!again || !problem.unchanged[i] || !widened || rough(i)) edges[i] = listed_edges(i);
      if (rough(i)) admit_rough(edges[i]);
    }
  }

  /// Whether the list of a row is to be taken for all there is.
  bool rough(int row) const { return p->priced_bound && p->priced_bound[row] >= 0; }

  /// Listed columns dearer than the bound are left out: below it the list is all there is.
  Edges listed_edges(int row) const {
    const size_t at = static_cast<size_t>(row) * p->listed;
    Edges e{p->column + at, p->cost + at, p->listed, kNever};
    if (rough(row)) {
      while (e.size > 0 && e.cost[e.size - 1] == INT32_MAX) --e.size;
    } else if (p->listed < p->columns) {
      e.bound = p->bound[row];
      while (e.size > 0 && e.cost[e.size - 1] > e.bound) --e.size;
    }
    return e;
  }

  /// Four times as many columns for a row, or all of them.
  void widen(int row) {
    const int32_t* costs = all_costs(row);
    const int columns = p->columns;
    const int size = static_cast<int>(
        std::min<int64_t>(columns, 4 * int64_t{std::max(edges[row].size, p->listed)}));
    sort_cheapest(costs, std::min(size + 1, columns));
    std::vector<int32_t>& list = wide[row];
    list.resize(2 * static_cast<size_t>(size));
    for (int k = 0; k < size; ++k) {
      list[k] = order[k];
      list[size + k] = costs[order[k]];
    }
    const int64_t bound = size < columns ? costs[order[size]] : kNever;
    edges[row] = {list.data(), list.data() + size, size, bound};
  }

  int held(int row) const { return p->held ? p->held[row] : kNone; }
  int64_t discounted(int row) const { return int64_t{p->held_cost[row]} - p->discount[row]; }
  bool has_room(int column) const { return used[column] < p->capacity; }

  /// Looks at the clock now and then, and after whatever took long.
  bool out_of_time() {
    if (deadline && !late && ticks++ % 8 == 0) late = now() >= *deadline;
    return late;
  }

  void attach(int row, int column, int64_t cost) {
    out.column[row] = column;
    row_cost[row] = cost;
    next_row[row] = first_row[column];
    prev_row[row] = kNone;
    if (first_row[column] != kNone) prev_row[first_row[column]] = row;
    first_row[column] = row;
    ++used[column];
  }

  void detach(int row) {
    const int column = out.column[row], next = next_row[row], prev = prev_row[row];
    (prev == kNone ? first_row[column] : next_row[prev]) = next;
    if (next != kNone) prev_row[next] = prev;
    --used[column];
    out.column[row] = kNone;
  }

  /// @param exact widen the list until the first choice is certain; otherwise, or for the second
  ///              choice, the bound stands in for what is not listed
  Choice choose(int row, bool exact = true) {
    const int64_t* v = out.column_dual.data();
    for (;;) {
      Choice c;
      const int own = held(row);
      if (own != kNone) {
        c.first = discounted(row) - v[own];
        c.first_column = own;
      }
      const Edges e = edges[row];
      int k = 0;
      for (; k < e.size && e.cost[k] < c.second; ++k) {
        const int j = e.column[k];
        const int64_t price = e.cost[k] - v[j];
        if (price >= c.second || j == own) continue;
        if (price < c.first) {
          c.second = c.first;
          c.second_column = c.first_column;
          c.first = price;
          c.first_column = j;
        } else {
          c.second = price;
          c.second_column = j;
        }
      }
      if (k < e.size || e.bound >= c.second) return c;
      if (e.bound >= c.first || !exact) {
        c.second = e.bound;
        c.second_column = kNone;
        return c;
      }
      widen(row);
    }
  }

  /// Costs of all columns for a row, as the caller has them.
  const int32_t* all_costs(int row) {
    ticks = 0;
    full_costs.resize(p->columns);
    p->full_row(row, full_costs.data());
    out.widened += !asked[row];
    asked[row] = 1;
    return full_costs.data();
  }

 private:
  /// Where rough rows list too few columns between them, prices would rise for ever. Twice the
  /// dearest that is listed leaves room for all prices but odd ones, and those that stop there too
  /// early still find their paths.
  void admit_rough(const Edges& e) {
    any_rough = true;
    if (e.size > 0) rough_limit = std::max<int64_t>(rough_limit, 2 * int64_t{e.cost[e.size - 1]});
  }

  /// `order` begins with so many cheapest columns, ascending by cost, ties by column: what a
  /// histogram of the highest bits leaves, by a radix sort from the lowest digit up, several times
  /// as fast as sorting by comparison.
  void sort_cheapest(const int32_t* costs, int wanted) {
    constexpr int kDigitBits = 10;
    using Counts = std::array<int32_t, 1 << kDigitBits>;
    const auto most = static_cast<uint32_t>(*std::max_element(costs, costs + p->columns));
    const int bits = static_cast<int>(std::bit_width(most)), shift = std::max(0, bits - kDigitBits);
    Counts count{};
    for (int j = 0; j < p->columns; ++j) ++count[costs[j] >> shift];
    int limit = 0, chosen = count[0];
    while (chosen < wanted) chosen += count[++limit];
    order.resize(p->columns);
    other.resize(p->columns);
    for (int j = 0, n = 0; n < chosen; ++j) {
      order[n] = j;
      n += costs[j] >> shift <= limit;
    }
    for (int low = 0; low < bits; low += kDigitBits) {
      const auto key = [&](int j) { return costs[j] >> low & ((1 << kDigitBits) - 1); };
      Counts place{};
      for (int k = 0; k < chosen; ++k) ++place[key(order[k])];
      std::exclusive_scan(place.begin(), place.end(), place.begin(), 0);
      for (int k = 0; k < chosen; ++k) other[place[key(order[k])]++] = order[k];
      order.swap(other);
    }
  }

  /// Whether the lists that the last solve widened may be used again.
  bool remembers(const AssignmentProblem& problem) const {
    return problem.unchanged && edges.size() == static_cast<size_t>(problem.rows) &&
           out.column_dual.size() == static_cast<size_t>(problem.columns);
  }

  std::vector<std::vector<int32_t>> wide;  ///< [rows] lists that were widened
  std::vector<uint8_t> asked;              ///< [rows] full_row was asked
  std::vector<int32_t> full_costs;         ///< [columns]
  std::vector<int32_t> order, other;       ///< [columns]
  unsigned ticks = 0;
};

}  // namespace mosaic::lap
