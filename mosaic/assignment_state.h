// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// What the two halves of the assignment solver, bidding and augmenting, share. Private to it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "mosaic/assignment.h"

namespace mosaic::lap {

using Clock = AssignmentSolver::Clock;

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
  bool late = false;                        ///< the deadline has passed

  void reset(const AssignmentProblem& problem, std::optional<Clock::time_point> limit) {
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
    for (int i = 0; i < problem.rows; ++i) edges[i] = listed_edges(i);
  }

  /// Listed columns dearer than the bound are left out: below it the list is all there is.
  Edges listed_edges(int row) const {
    const size_t at = static_cast<size_t>(row) * p->listed;
    Edges e{p->column + at, p->cost + at, p->listed, kNever};
    if (p->listed < p->columns) {
      e.bound = p->bound[row];
      while (e.size > 0 && e.cost[e.size - 1] > e.bound) --e.size;
    }
    return e;
  }

  /// Four times as many columns for a row, or all of them.
  void widen(int row) {
    const int columns = p->columns;
    const int32_t* costs = all_costs(row);
    keys.resize(columns);
    for (int j = 0; j < columns; ++j)
      keys[j] = static_cast<uint64_t>(costs[j]) << 32 | static_cast<uint32_t>(j);
    const int size = static_cast<int>(
        std::min<int64_t>(columns, 4 * int64_t{std::max(edges[row].size, p->listed)}));
    if (size < columns) std::nth_element(keys.begin(), keys.begin() + size, keys.end());
    std::sort(keys.begin(), keys.begin() + size);
    if (wide.size() < edges.size()) wide.resize(edges.size());
    std::vector<int32_t>& list = wide[row];
    list.resize(2 * static_cast<size_t>(size));
    for (int k = 0; k < size; ++k) {
      list[k] = static_cast<int32_t>(keys[k] & UINT32_MAX);
      list[size + k] = static_cast<int32_t>(keys[k] >> 32);
    }
    const int64_t bound = size < columns ? static_cast<int64_t>(keys[size] >> 32) : kNever;
    edges[row] = {list.data(), list.data() + size, size, bound};
  }

  int held(int row) const { return p->held ? p->held[row] : kNone; }
  int64_t discounted(int row) const { return int64_t{p->held_cost[row]} - p->discount[row]; }
  bool has_room(int column) const { return used[column] < p->capacity; }

  bool out_of_time() {
    if (deadline && !late && ticks++ % 8 == 0) late = Clock::now() >= *deadline;
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
    full_costs.resize(p->columns);
    p->full_row(row, full_costs.data());
    if (edges[row].column == p->column + static_cast<size_t>(row) * p->listed) ++out.widened;
    return full_costs.data();
  }

 private:
  std::vector<std::vector<int32_t>> wide;  ///< [rows] lists that were widened
  std::vector<int32_t> full_costs;         ///< [columns]
  std::vector<uint64_t> keys;              ///< [columns]
  std::optional<Clock::time_point> deadline;
  unsigned ticks = 0;
};

}  // namespace mosaic::lap
