// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace mosaic {

/// A rectangular assignment problem: every row (cell) gets one column (tile), a column serves at
/// most `capacity` rows, and the sum of costs is least. A row's cost for a column is that of the
/// list, or of full_row for what is not listed, less `discount[row]` on the column `held[row]`.
///
/// Only each row's cheapest columns are listed. The rest is known by `bound`, and full_row is asked
/// for it only when an unlisted column could matter, so the answer is exact over all columns.
///
/// Where there is no time for that, rows may be rough: a rough row lists any columns, those that it
/// may well get, and is searched as if these were all there are. If none of them is left for it, it
/// gets another. The answer is complete and its bound holds over all columns; it is not exact.
struct AssignmentProblem {
  int rows = 0;     ///< 1..1e6
  int columns = 0;  ///< rows <= columns * capacity
  int capacity = 1;
  int listed = 0;                   ///< columns listed for each row, 1..columns
  const int32_t* column = nullptr;  ///< [rows][listed], all different within a row
  /// [rows][listed], 0..2^28, ascending, ties by column. A rough row may list less: what costs
  /// INT32_MAX, at the end of its list, is none.
  const int32_t* cost = nullptr;
  const int32_t* bound = nullptr;      ///< [rows]: no unlisted column of the row costs less
  const int32_t* held = nullptr;       ///< [rows]: the column of the last frame, or -1; may be null
  const int32_t* held_cost = nullptr;  ///< [rows]: its cost, discount not yet taken off
  const int32_t* discount = nullptr;   ///< [rows]: >= 0
  /// [rows]: not 0 where list, bound and full_row are those of the last solve, so that what it
  /// learnt from full_row still holds; may be null
  const uint8_t* unchanged = nullptr;
  /// [rows]: not negative where the row is rough. No unlisted column of it costs less than this,
  /// prices[column] taken off its cost, nor less than `bound`. May be null: no row is rough.
  const int32_t* priced_bound = nullptr;
  /// [columns], <= 0: column duals that may give a good bound, those of the last frame say, also
  /// as they stand in this solver's last answer. May be null: with rough rows, all 0.
  const int64_t* prices = nullptr;
  /// Writes the costs of all columns for one row (discount not taken off), 0..2^28.
  std::function<void(int row, int32_t* costs)> full_row;
  /// One of them; may be null. Rows that are without a column when time is out, and rough rows,
  /// need no more.
  std::function<int32_t(int row, int column)> single;
};

/// What the solver found.
struct Assignment {
  std::vector<int32_t> column;       ///< [rows]
  std::vector<int32_t> column_cost;  ///< [rows]: what it costs, discount not taken off
  std::vector<int64_t> row_dual;     ///< [rows]
  std::vector<int64_t> column_dual;  ///< [columns], <= 0
  /// [columns], <= 0: where the search ended, which may be newer than what the bound rests on:
  /// prices for the next problem's rough rows.
  std::vector<int64_t> price;
  /// Sum over the rows of the cost, plus the discount of each row that holds a column and did not
  /// get it: the cost with switching prices.
  int64_t cost = 0;
  /// A lower bound of that sum over all assignments, by weak duality: row_dual and column_dual
  /// are feasible for every column, listed or not. Equal to `cost` when the solve was completed
  /// and no row is rough.
  int64_t lower_bound = 0;
  int widened = 0;  ///< rows for which full_row was asked
  /// Relative: (cost - lower_bound) / max(lower_bound, 1).
  double gap() const { return gap(cost); }
  /// Of an assignment that costs so much.
  double gap(int64_t other_cost) const;
};

/// How far a solve goes.
enum class Effort {
  kExact,    ///< to the optimum, with rough rows that of what is listed
  kAuction,  ///< until the finest round of bids has given every row a column: near the optimum
  kGreedy,   ///< once through the rows, each takes the cheapest column that is left
};

/// Solves assignment problems by bids and shortest augmenting paths; keeps its memory between
/// solves.
class AssignmentSolver {
 public:
  using Clock = std::chrono::steady_clock;
  using Now = Clock::time_point (*)();
  /// @param now tells the time that deadlines are kept by
  explicit AssignmentSolver(Now now = &Clock::now);
  ~AssignmentSolver();

  /// @param deadline when the answer is to be there: it is feasible and its bound holds, but where
  ///                 time ran out it is not exact: the best of what was found, completed with what
  ///                 was left over, and, where all rows hold a column, of keeping those. What is
  ///                 done after the search is timed, and the search of the next solve ends that
  ///                 much earlier. Without AssignmentProblem::single it may end late by a full_row
  ///                 for each row that is left.
  /// Short of Effort::kExact, too, the answer is complete and its bound holds.
  /// The result stays valid until the next call. Throws std::invalid_argument if
  /// rows > columns * capacity, or if `listed` or a size is out of range.
  const Assignment& solve(const AssignmentProblem& problem,
                          std::optional<Clock::time_point> deadline = std::nullopt,
                          Effort effort = Effort::kExact);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace mosaic
