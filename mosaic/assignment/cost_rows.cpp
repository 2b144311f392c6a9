// SPDX-License-Identifier: LGPL-2.1-or-later
// Column duals are at most 0, so a reduced cost is at least the cost. It is also at least what cost
// and price came to when a priced list was made, less what prices have fallen by since. So scans of
// the ascending lists stop where the key alone is too high, and most lists are never read to their
// ends.
#include "mosaic/assignment/cost_rows.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace mosaic::solver {
namespace {

/// Columns whose costs a worker reads at a time.
constexpr int kReadTogether = 128;
/// Columns in the first priced list of a row.
constexpr int kFirstPriced = 64;
/// Bits of a key that sort_cheapest() sorts by at a time, at most.
constexpr int kMostDigitBits = 10;

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
  fallen_ = 0;
  for (int row = 0; row < problem.rows; ++row)
    if (!keeps || !problem.unchanged[row] || !extended(row) || lists_[row].priced()) {
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
                .key = problem_->cost + at,
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

void CostRows::extend(std::span<const int32_t> rows, const std::vector<int64_t>& column_dual) {
  deadline_.expect_delay();
  by_cost_.clear();
  by_price_.clear();
  for (const int32_t row : rows) (prices_help(row) ? by_price_ : by_cost_).push_back(row);
  if (!by_cost_.empty()) extend_by_cost(by_cost_);
  if (!by_price_.empty()) extend_by_price(by_price_, column_dual);
}

/// Lists by cost stay valid while a row is unchanged, so in a still scene they are made only once.
bool CostRows::prices_help(int row) const {
  return problem_->by_price && !(problem_->unchanged && problem_->unchanged[row]);
}

void CostRows::extend_by_cost(std::span<const int32_t> rows) {
  few_.clear();
  whole_.clear();
  for (const int32_t row : rows) {
    const int64_t times = listed_[row] <= problem_->listed ? 4 : 2;
    listed_[row] = static_cast<int32_t>(std::min<int64_t>(columns(), times * listed_[row]));
    // What is read whole need not be read again. (But central duals depend on where lists end.)
    if (!few_suffice(listed_[row]) && !problem_->central_duals) listed_[row] = columns();
    (problem_->read_cheapest && few_suffice(listed_[row]) ? few_ : whole_).push_back(row);
  }
  for (const int32_t row : few_) note_asked(row);
  share(static_cast<int>(few_.size()), 1, [&](int worker, int begin, int end) {
    for (int i = begin; i < end; ++i) list_few(few_[i], scratch_[worker]);
  });
  if (whole_.empty()) return;
  read_all(whole_);
  share(static_cast<int>(whole_.size()), 1, [&](int worker, int begin, int end) {
    for (size_t i = begin; i < static_cast<size_t>(end); ++i)
      list_cheapest(whole_[i], {nullptr, std::span(read_).subspan(i * columns(), columns())},
                    scratch_[worker]);
  });
}

bool CostRows::few_suffice(int64_t wanted) const {
  return wanted < columns() / 2;
}

void CostRows::list_few(int row, Scratch& scratch) {
  scratch.column.resize(columns() + kReadMargin);
  scratch.cost.resize(columns() + kReadMargin);
  const int read = problem_->read_cheapest(row, listed_[row] + 1, {nullptr, columns()},
                                           scratch.column.data(), scratch.cost.data());
  list_cheapest(row, {scratch.column.data(), std::span(scratch.cost).first(read)}, scratch);
}

void CostRows::list_cheapest(int row, const Read& read, Scratch& scratch) {
  const bool all = listed_[row] == columns();
  sort_cheapest(read.cost, all ? columns() : listed_[row] + 1, scratch);
  const std::vector<int32_t>& order = scratch.order;
  // Where costs are equal, columns of the bound's cost are left out: read_cheapest may not have
  // written all of them, and the list must not depend on that.
  const int64_t bound = all ? kInfinity : read.cost[order[listed_[row]]];
  int size = listed_[row];
  while (size > 0 && read.cost[order[size - 1]] >= bound) --size;
  std::vector<int32_t>& list = extension_[row];
  list.resize(2 * static_cast<size_t>(size));
  for (int k = 0; k < size; ++k) {
    list[k] = read.column(order[k]);
    list[size + k] = read.cost[order[k]];
  }
  const int32_t* cost = list.data() + size;
  lists_[row] = {.column = list.data(), .cost = cost, .key = cost, .size = size, .bound = bound};
}

void CostRows::extend_by_price(std::span<const int32_t> rows,
                               const std::vector<int64_t>& column_dual) {
  price_.resize(columns());
  for (int j = 0; j < columns(); ++j)
    price_[j] = static_cast<int32_t>(std::min<int64_t>(-column_dual[j], kMaxPriceRead));
  const bool whole = !problem_->read_cheapest;
  if (whole) read_all(rows);
  for (const int32_t row : rows) note_asked(row);
  share(static_cast<int>(rows.size()), 1, [&](int worker, int begin, int end) {
    for (size_t i = begin; i < static_cast<size_t>(end); ++i)
      list_by_price(rows[i], whole ? read_.data() + i * columns() : nullptr, column_dual,
                    scratch_[worker]);
  });
}

/// Lists the columns whose sums of cost and price are lowest: 64, then twice as many each time, so
/// that a price war, which makes lists useless soon, ends with all columns listed. But at least
/// four times as many as the old list has below its bound, because the new list has to certify more
/// than the old one, at the same prices: a search would otherwise ask for it again and again.
/// @param all  the costs of all columns; null: they are read
void CostRows::list_by_price(int row, const int32_t* all, const std::vector<int64_t>& column_dual,
                             Scratch& scratch) {
  const CostList& old = lists_[row];
  const int64_t beyond = bound(old);
  listed_[row] = old.priced() ? std::min(columns(), 2 * listed_[row]) : kFirstPriced;
  int64_t below = 0;
  for (int k = 0; k < old.size; ++k) below += old.cost[k] - column_dual[old.column[k]] < beyond;
  for (int64_t wanted = std::max<int64_t>(listed_[row], 4 * below);; wanted *= 4) {
    const Read read = all ? Read{nullptr, {all, static_cast<size_t>(columns())}}
                          : read_at_prices(row, wanted, scratch);
    if (list_lowest_sums(row, read, wanted, beyond, scratch)) return;
  }
}

CostRows::Read CostRows::read_at_prices(int row, int64_t wanted, Scratch& scratch) const {
  scratch.column.resize(columns() + kReadMargin);
  scratch.cost.resize(columns() + kReadMargin);
  const std::span<const int32_t> costs = scratch.cost;
  if (!few_suffice(wanted)) {
    problem_->read_costs(whole_row(row, columns(), scratch.cost.data()));
    return {nullptr, costs.first(columns())};
  }
  const int read =
      problem_->read_cheapest(row, static_cast<int>(wanted) + 1, {price_.data(), columns()},
                              scratch.column.data(), scratch.cost.data());
  return {scratch.column.data(), costs.first(read)};
}

/// @param wanted  columns to list, if there are so many
/// @return false if the list would not certify more than `beyond`; it is as it was then
bool CostRows::list_lowest_sums(int row, const Read& read, int64_t wanted, int64_t beyond,
                                Scratch& scratch) {
  std::vector<int32_t>& sum = scratch.sum;
  const int count = static_cast<int>(read.cost.size());
  sum.resize(count);
  for (int k = 0; k < count; ++k) sum[k] = read.cost[k] + price_[read.column(k)];
  const int32_t least = *std::min_element(sum.begin(), sum.end());
  for (int32_t& s : sum) s -= least;
  const bool all = wanted >= columns();
  int size = all ? columns() : static_cast<int>(wanted);
  sort_cheapest(sum, all ? size : size + 1, scratch);
  const std::vector<int32_t>& order = scratch.order;
  const int64_t bound = all ? kInfinity : int64_t{sum[order[size]]} + least;
  while (size > 0 && int64_t{sum[order[size - 1]]} + least >= bound) --size;
  if (size == 0 || bound <= beyond) return false;
  std::vector<int32_t>& list = extension_[row];
  list.resize(3 * static_cast<size_t>(size));
  int32_t *const column = list.data(), *const cost = column + size, *const key = cost + size;
  for (int k = 0; k < size; ++k) {
    column[k] = read.column(order[k]);
    cost[k] = read.cost[order[k]];
    key[k] = sum[order[k]] + least;
  }
  lists_[row] = {
      .column = column, .cost = cost, .key = key, .size = size, .bound = bound, .fallen = fallen_};
  return true;
}

void CostRows::forget_prices() {
  for (int row = 0; row < rows(); ++row)
    if (lists_[row].priced()) lists_[row] = listed(row);
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
    const int64_t shift = this->shift(list), bound = this->bound(list);
    int k = 0;
    for (; k < list.size && list.key[k] + shift < found.second; ++k) {
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
    if (k < list.size || bound >= found.second) return found;
    if (bound >= found.first || !certain) {
      found.second = bound;
      found.second_column = kNone;
      return found;
    }
    extend(row, column_dual);
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
  // Counts are summed up for each digit, so few columns are sorted by smaller ones.
  const int digit_bits = columns < 2048 ? 8 : kMostDigitBits;
  using Counts = std::array<int32_t, 1 << kMostDigitBits>;
  const auto highest = static_cast<uint32_t>(*std::max_element(costs.begin(), costs.end()));
  const int bits = static_cast<int>(std::bit_width(highest));
  const int shift = std::max(0, bits - digit_bits);
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
  for (int low = 0; low < bits; low += digit_bits) {
    const auto digit = [&](int j) { return costs[j] >> low & ((1 << digit_bits) - 1); };
    Counts position{};
    for (int k = 0; k < chosen; ++k) ++position[digit(order[k])];
    std::exclusive_scan(position.begin(), position.begin() + (1 << digit_bits), position.begin(),
                        0);
    for (int k = 0; k < chosen; ++k) spare[position[digit(order[k])]++] = order[k];
    order.swap(spare);
  }
}

}  // namespace mosaic::solver
