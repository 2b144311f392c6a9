// SPDX-License-Identifier: LGPL-2.1-or-later
// Column duals are at most 0, so a reduced cost is at least the cost: scans of the ascending lists
// stop where the cost alone is too high, and most lists are never read to their ends.
#include "mosaic/assignment/cost_rows.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace mosaic::solver {
namespace {

/// Columns whose costs a worker reads at a time.
constexpr int kReadTogether = 128;

}  // namespace

void CostRows::reset(const AssignmentProblem& problem) {
  const bool same_shape =
      lists_.size() == static_cast<size_t>(problem.rows) && known_columns_ == problem.columns;
  const bool keeps = problem.unchanged && same_shape;
  problem_ = &problem;
  known_columns_ = problem.columns;
  lists_.resize(problem.rows);
  scratch_.resize(problem.workers ? problem.workers->threads() : 1);
  extension_.resize(std::max<size_t>(extension_.size(), problem.rows));
  listed_.resize(problem.rows);
  asked_.assign(problem.rows, 0);
  rows_asked_ = 0;
  for (int row = 0; row < problem.rows; ++row)
    if (!keeps || !problem.unchanged[row] || !extended(row)) {
      lists_[row] = listed(row);
      listed_[row] = size_of(row);
    }
}

/// A row's list as the problem has it. Columns that cost more than the bound on unlisted ones are
/// left out: only below the bound is the list complete.
CostList CostRows::listed(int row) const {
  const size_t at = static_cast<size_t>(row) * problem_->listed;
  CostList list{.column = problem_->column + at,
                .cost = problem_->cost + at,
                .size = size_of(row),
                .bound = kInfinity};
  if (list.size < problem_->columns) {
    list.bound = problem_->bound[row];
    while (list.size > 0 && list.cost[list.size - 1] > list.bound) --list.size;
  }
  return list;
}

bool CostRows::extended(int row) const {
  return !extension_[row].empty() && lists_[row].column == extension_[row].data();
}

void CostRows::extend(std::span<const int32_t> rows) {
  few_.clear();
  whole_.clear();
  for (const int32_t row : rows) {
    const int64_t times = listed_[row] <= problem_->listed ? 4 : 2;
    listed_[row] = static_cast<int32_t>(std::min<int64_t>(columns(), times * listed_[row]));
    (few_suffice(row) ? few_ : whole_).push_back(row);
  }
  deadline_.expect_delay();
  for (const int32_t row : few_) note_asked(row);
  share(static_cast<int>(few_.size()), 1, [&](int worker, int begin, int end) {
    for (int i = begin; i < end; ++i) list_few(few_[i], scratch_[worker]);
  });
  if (whole_.empty()) return;
  read_all(whole_);
  share(static_cast<int>(whole_.size()), 1, [&](int worker, int begin, int end) {
    for (size_t i = begin; i < static_cast<size_t>(end); ++i)
      list_cheapest(whole_[i], nullptr, std::span(read_).subspan(i * columns(), columns()),
                    scratch_[worker]);
  });
}

bool CostRows::few_suffice(int row) const {
  return problem_->read_cheapest && listed_[row] < columns() / 2;
}

void CostRows::list_few(int row, Scratch& scratch) {
  scratch.column.resize(columns() + kReadMargin);
  scratch.cost.resize(columns() + kReadMargin);
  const int read =
      problem_->read_cheapest(row, listed_[row] + 1, scratch.column.data(), scratch.cost.data());
  list_cheapest(row, scratch.column.data(), std::span(scratch.cost).first(read), scratch);
}

/// @param columns_of  null: costs[j] is that of column j
void CostRows::list_cheapest(int row, const int32_t* columns_of, std::span<const int32_t> costs,
                             Scratch& scratch) {
  const bool all = listed_[row] == columns();
  sort_cheapest(costs, all ? columns() : listed_[row] + 1, scratch);
  const std::vector<int32_t>& order = scratch.order;
  // Where costs are equal, columns of the bound's cost are left out: read_cheapest may not have
  // written all of them, and the list must not depend on that.
  const int64_t bound = all ? kInfinity : costs[order[listed_[row]]];
  int size = listed_[row];
  while (size > 0 && costs[order[size - 1]] >= bound) --size;
  std::vector<int32_t>& list = extension_[row];
  list.resize(2 * static_cast<size_t>(size));
  for (int k = 0; k < size; ++k) {
    list[k] = columns_of ? columns_of[order[k]] : order[k];
    list[size + k] = costs[order[k]];
  }
  lists_[row] = {.column = list.data(), .cost = list.data() + size, .size = size, .bound = bound};
}

const int32_t* CostRows::all(int row) {
  read_all({&row, 1});
  return read_.data();
}

void CostRows::note_asked(int row) {
  rows_asked_ += !asked_[row];
  asked_[row] = 1;
}

/// Writes the costs of all columns to the start of `read_`.
void CostRows::read_all(std::span<const int32_t> rows) {
  deadline_.expect_delay();
  for (const int32_t row : rows) note_asked(row);
  read_.resize(std::max(read_.size(), rows.size() * columns()));
  share(columns(), kReadTogether, [&](int, int begin, int end) {
    problem_->read_costs(
        {.rows = rows, .begin = begin, .end = end, .costs = read_.data(), .stride = columns()});
  });
}

/// Calls job(worker, begin, end) for ranges of [0, count), on the problem's workers if it has any.
template <class Job>
void CostRows::share(int count, int grain, const Job& job) {
  if (problem_->workers)
    problem_->workers->run(count, grain, job);
  else
    job(0, 0, count);
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

/// Writes the indices of at least `wanted` lowest costs to the start of `order`, ascending by cost,
/// ties by index. A histogram of the highest bits selects them, and a radix sort from the lowest
/// digit up sorts them, several times as fast as sorting by comparison.
void CostRows::sort_cheapest(std::span<const int32_t> costs, int wanted, Scratch& scratch) {
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
    Counts position{};
    for (int k = 0; k < chosen; ++k) ++position[digit(order[k])];
    std::exclusive_scan(position.begin(), position.end(), position.begin(), 0);
    for (int k = 0; k < chosen; ++k) spare[position[digit(order[k])]++] = order[k];
    order.swap(spare);
  }
}

}  // namespace mosaic::solver
