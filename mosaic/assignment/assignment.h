// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "executor/cancellation.h"
#include "executor/worker_pool.h"
#include "mosaic/assignment/cost_block.h"

namespace mosaic {

/// Elements after the last column that AssignmentProblem::read_cheapest may change.
inline constexpr int kReadMargin = 16;
/// The highest price that AssignmentProblem::read_cheapest gets. A sum of cost and price fits 31
/// bits.
inline constexpr int32_t kMaxPriceRead = 1 << 30;

/// The prices of columns. Columns may be alternatives to each other, a unit: they have the same
/// price, and the one with the lowest cost stands for all.
struct ColumnPrices {
  const int32_t* price;  ///< [units]: 0..kMaxPriceRead; null: all are 0
  int units;             ///< column j is of unit j % units; columns are a multiple of it

  int32_t of_unit(int unit) const { return price ? price[unit] : 0; }
};

/// A rectangular assignment problem: every row (cell) gets one column (tile), a column serves at
/// most `capacity` rows, and the sum of costs is to be minimal. If a row keeps the column that it
/// holds from the last frame, `held[row]`, its cost is lower by the row's switching price.
///
/// Only each row's cheapest columns are listed. `bound` is a lower bound on the cost of all others,
/// and read_costs is called for these only when one of them could matter, so the answer is optimal
/// over all columns.
struct AssignmentProblem {
  int rows = 0;     ///< 1..1e6
  int columns = 0;  ///< rows <= columns * capacity
  int capacity = 1;
  int listed = 0;                      ///< columns listed for each row, 1..columns
  const int32_t* sizes = nullptr;      ///< [rows]: in place of `listed`, 1..listed; may be null
  const int32_t* column = nullptr;     ///< [rows][listed], all different within a row
  const int32_t* cost = nullptr;       ///< [rows][listed], 0..2^28, ascending, ties by column
  const int32_t* bound = nullptr;      ///< [rows]: no unlisted column of the row costs less
  const int32_t* held = nullptr;       ///< [rows]: the column of the last frame, or -1; may be null
  const int32_t* held_cost = nullptr;  ///< [rows]: its cost, switching price not subtracted
  const int32_t* switching_price = nullptr;  ///< [rows]: >= 0
  /// [rows]: not 0 where list, bound and costs are those of the last solve, so that what was
  /// read by read_costs is still valid; may be null
  const uint8_t* unchanged = nullptr;
  /// Writes costs (switching price not subtracted), 0..2^28. The workers call it at the same time
  /// for different blocks.
  std::function<void(const CostBlock&)> read_costs;
  /// Whether lists of rows that are not `unchanged` are extended by the columns with the lowest
  /// sums of cost and price, in place of the lowest costs. Where many rows compete for the same
  /// columns, far fewer then suffice. Not with `central_duals`.
  bool by_price = false;
  /// Whether read_cheapest takes prices, and units of more than one column. Otherwise prices are
  /// null, and each column is a unit; then not with `by_price`.
  bool reads_prices = false;
  /// A faster way to read a row's cheapest columns; may be null. Writes columns in ascending order,
  /// and their costs: of at least `wanted` units the sum of cost and price that is no higher than
  /// the row's wanted-th lowest sum of a unit, and every one that is lower than that. There may be
  /// other columns. The workers call it at the same time for different rows.
  /// @param prices  see `reads_prices`
  /// @param to_columns, to_costs  room for all columns and kReadMargin elements, which may all be
  ///                              changed
  /// @return how many columns were written
  std::function<int(int row, int wanted, const ColumnPrices& prices, int32_t* to_columns,
                    int32_t* to_costs)>
      read_cheapest;
  /// As read_costs, of units: a unit costs what its cheapest column does. The block's columns are
  /// units; may be null. For PhotoAssignment; the solver does not call it.
  /// @param units  see ColumnPrices
  std::function<void(const CostBlock&, int units)> read_unit_costs;
  /// The cost of one column; may be null. Called instead of read_costs for rows that have no column
  /// when the time is up.
  std::function<int32_t(int row, int column)> single;
  /// Of an optimal answer's duals, take those in the middle of their range: they hardly depend on
  /// how the search went.
  bool central_duals = false;
  mt::WorkerPool* workers = nullptr;  ///< may be null
  mt::Cancellation cancellation;      ///< makes solve() throw mt::Cancelled
};

/// What the solver found.
struct Assignment {
  std::vector<int32_t> column;       ///< [rows]
  std::vector<int32_t> column_cost;  ///< [rows]: its cost, switching price not subtracted
  std::vector<int64_t> row_dual;     ///< [rows]
  std::vector<int64_t> column_dual;  ///< [columns], <= 0
  /// The sum of the rows' costs, plus the switching price of each row that holds a column and did
  /// not get it.
  int64_t cost = 0;
  /// A lower bound on that sum over all assignments, by weak duality: row_dual and column_dual are
  /// feasible for every column, listed or not. Equal to `cost` when the search was exact and was
  /// not ended by the deadline.
  int64_t lower_bound = 0;
  int full_rows = 0;  ///< rows whose lists did not suffice, so that more costs were read
  /// How far the cost is above the optimum at most: (cost - lower_bound) / max(lower_bound, 1).
  double gap() const { return gap(cost); }
  /// The same for another assignment of the same problem, which costs `other_cost`.
  double gap(int64_t other_cost) const;
};

/// How far the search goes. The answer is complete and its bound valid in any case.
enum class Effort {
  kExact,    ///< to the optimum
  kAuction,  ///< to the end of the auction's finest round: near the optimum
  kGreedy,   ///< row by row, each takes the cheapest column that is left
};

/// Solves assignment problems by an auction and shortest augmenting paths. Its memory is kept from
/// one solve to the next.
class AssignmentSolver {
 public:
  using Clock = std::chrono::steady_clock;
  using Now = Clock::time_point (*)();
  /// @param now the clock that deadlines refer to
  explicit AssignmentSolver(Now now = &Clock::now);
  ~AssignmentSolver();

  /// @param deadline when the answer is needed. If the time does not suffice, the answer need not
  ///                 be optimal, but it is complete and has a valid bound. It is the cheapest
  ///                 of the assignments that the search found, of the last one completed with
  ///                 columns that were left, and of the one in which every row keeps its held
  ///                 column, if that is possible. The work after the search is timed, and the
  ///                 search of the next solve ends that much earlier. Without
  ///                 AssignmentProblem::single the answer may be late by a call of read_costs for
  ///                 each row that has no column.
  /// The result stays valid until the next call. Throws std::invalid_argument if
  /// rows > columns * capacity, if `listed` or a size is out of range, or if the problem has
  /// `by_price` with `central_duals`, or without `reads_prices` though with `read_cheapest`;
  /// mt::Cancelled, within milliseconds, where the problem's cancellation is requested. The solver
  /// can be used again.
  const Assignment& solve(const AssignmentProblem& problem,
                          std::optional<Clock::time_point> deadline = std::nullopt,
                          Effort effort = Effort::kExact);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace mosaic
