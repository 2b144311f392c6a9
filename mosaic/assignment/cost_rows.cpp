// SPDX-License-Identifier: LGPL-2.1-or-later
// Column duals are at most 0, so a reduced cost is at least the cost: scans of the ascending lists
// stop where the cost alone is too high, and most lists are never read to their ends.
#include "mosaic/assignment/cost_rows.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace mosaic::lap {

void CostRows::reset(const AssignmentProblem& problem) {
  const bool same_shape =
      lists_.size() == static_cast<size_t>(problem.rows) && known_columns_ == problem.columns;
  const bool keeps = problem.unchanged && same_shape;
  problem_ = &problem;
  known_columns_ = problem.columns;
  lists_.resize(problem.rows);
  scratch_.resize(problem.workers ? problem.workers->threads() : 1);
  extension_.resize(std::max<size_t>(extension_.size(), problem.rows));
  asked_.assign(problem.rows, 0);
  rows_asked_ = 0;
  for (int row = 0; row < problem.rows; ++row)
    if (!keeps || !problem.unchanged[row] || !extended(row)) lists_[row] = listed(row);
}

/// A row's list as the problem has it. Columns that cost more than the bound on unlisted ones are
/// left out: only below the bound is the list complete.
CostList CostRows::listed(int row) const {
  const size_t at = static_cast<size_t>(row) * problem_->listed;
  CostList list{problem_->column + at, problem_->cost + at, problem_->listed, kInfinity};
  if (problem_->listed < problem_->columns) {
    list.bound = problem_->bound[row];
    while (list.size > 0 && list.cost[list.size - 1] > list.bound) --list.size;
  }
  return list;
}

bool CostRows::extended(int row) const {
  return !extension_[row].empty() && lists_[row].column == extension_[row].data();
}

void CostRows::extend(std::span<const int32_t> rows) {
  deadline_.read_clock_next();
  for (const int32_t row : rows) note_asked(row);
  if (!problem_->workers || rows.size() == 1) {
    for (const int32_t row : rows) extend(row, scratch_[0]);
    return;
  }
  problem_->workers->run(static_cast<int>(rows.size()), 1, [&](int worker, int begin, int end) {
    for (int i = begin; i < end; ++i) extend(rows[i], scratch_[worker]);
  });
}

void CostRows::extend(int row, Scratch& scratch) {
  read_all(row, scratch);
  const std::vector<int32_t>&costs = scratch.costs, &order = scratch.order;
  const int size = static_cast<int>(
      std::min<int64_t>(columns(), 4 * int64_t{std::max(lists_[row].size, problem_->listed)}));
  sort_cheapest(scratch, std::min(size + 1, columns()));
  std::vector<int32_t>& list = extension_[row];
  list.resize(2 * static_cast<size_t>(size));
  for (int k = 0; k < size; ++k) {
    list[k] = order[k];
    list[size + k] = costs[order[k]];
  }
  const int64_t bound = size < columns() ? costs[order[size]] : kInfinity;
  lists_[row] = {list.data(), list.data() + size, size, bound};
}

const int32_t* CostRows::all(int row) {
  deadline_.read_clock_next();
  note_asked(row);
  read_all(row, scratch_[0]);
  return scratch_[0].costs.data();
}

void CostRows::note_asked(int row) {
  rows_asked_ += !asked_[row];
  asked_[row] = 1;
}

void CostRows::read_all(int row, Scratch& scratch) const {
  scratch.costs.resize(columns());
  problem_->full_row(row, scratch.costs.data());
}

bool CostRows::every_row_holds() const {
  for (int row = 0; row < rows(); ++row)
    if (held(row) == kNone) return false;
  return true;
}

TwoLowest CostRows::two_lowest(int row, const std::vector<int64_t>& column_dual, bool certain) {
  const int64_t* v = column_dual.data();
  const int own = held(row);
  for (;;) {
    TwoLowest found;
    if (own != kNone) {
      found.first = held_cost(row) - v[own];
      found.first_column = own;
    }
    const CostList list = lists_[row];
    int k = 0;
    for (; k < list.size && list.cost[k] < found.second; ++k) {
      const int column = list.column[k];
      const int64_t reduced = list.cost[k] - v[column];
      if (reduced >= found.second || column == own) continue;
      if (reduced < found.first) {
        found.second = found.first;
        found.second_column = found.first_column;
        found.first = reduced;
        found.first_column = column;
      } else {
        found.second = reduced;
        found.second_column = column;
      }
    }
    if (k < list.size || list.bound >= found.second) return found;
    if (list.bound >= found.first || !certain) {
      found.second = list.bound;
      found.second_column = kNone;
      return found;
    }
    extend(row);
  }
}

int64_t CostRows::lowest(int row, const std::vector<int64_t>& column_dual) {
  const TwoLowest found = two_lowest(row, column_dual, false);
  return std::min(found.first, found.second);
}

/// Writes at least `wanted` cheapest columns to the start of `order`, ascending by cost, ties by
/// column. A histogram of the highest bits selects them, and a radix sort from the lowest digit up
/// sorts them, several times as fast as sorting by comparison.
void CostRows::sort_cheapest(Scratch& scratch, int wanted) {
  const std::vector<int32_t>& costs = scratch.costs;
  std::vector<int32_t>&order = scratch.order, &spare = scratch.spare;
  const int columns = static_cast<int>(costs.size());
  constexpr int kDigitBits = 10;
  using Counts = std::array<int32_t, 1 << kDigitBits>;
  const auto highest = static_cast<uint32_t>(*std::max_element(costs.begin(), costs.end()));
  const int bits = static_cast<int>(std::bit_width(highest));
  const int shift = std::max(0, bits - kDigitBits);
  Counts count{};
  for (int j = 0; j < columns; ++j) ++count[costs[j] >> shift];
  int limit = 0, chosen = count[0];
  while (chosen < wanted) chosen += count[++limit];
  order.resize(columns);
  spare.resize(columns);
  for (int j = 0, n = 0; n < chosen; ++j) {
    order[n] = j;
    n += costs[j] >> shift <= limit;
  }
  for (int low = 0; low < bits; low += kDigitBits) {
    const auto digit = [&](int j) { return costs[j] >> low & ((1 << kDigitBits) - 1); };
    Counts place{};
    for (int k = 0; k < chosen; ++k) ++place[digit(order[k])];
    std::exclusive_scan(place.begin(), place.end(), place.begin(), 0);
    for (int k = 0; k < chosen; ++k) spare[place[digit(order[k])]++] = order[k];
    order.swap(spare);
  }
}

}  // namespace mosaic::lap
