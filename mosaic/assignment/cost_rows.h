// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The costs of each row that are known, and how to get more. Private to the assignment solver.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mosaic/assignment/assignment.h"
#include "mosaic/assignment/deadline.h"
#include "mosaic/assignment/matching.h"

namespace mosaic::solver {

/// Greater than any distance or cost; twice this does not overflow.
inline constexpr int64_t kInfinity = INT64_MAX / 4;

/// A row's cheapest columns, ascending by cost, equal ones by column, and a lower bound on the cost
/// of all others.
struct CostList {
  const int32_t* column;
  const int32_t* cost;
  int size;
  int64_t bound;  ///< kInfinity: every column is listed
};

/// A row's two lowest reduced costs: a reduced cost is the cost less the column's dual.
struct TwoLowest {
  int64_t first = kInfinity, second = kInfinity;
  int first_column = kNone;
  int second_column = kNone;  ///< kNone: `second` is only a lower bound
  /// Whether no unlisted column can have a lower reduced cost than `first`.
  bool certain() const { return first <= second; }
};

/// The costs of a problem, row by row: lists of the cheapest columns, extended where a search needs
/// more. The column that a row holds costs less by the switching price, and need not be listed.
class CostRows {
 public:
  /// @param deadline is told before costs are read, which takes long
  explicit CostRows(Deadline& deadline) : deadline_(deadline) {}

  /// Keeps the lists extended in the last solve for rows that are unchanged, see AssignmentProblem.
  /// @param problem is referred to until the next reset()
  void reset(const AssignmentProblem& problem);

  const AssignmentProblem& problem() const { return *problem_; }
  int rows() const { return problem_->rows; }
  int columns() const { return problem_->columns; }
  /// The number of rows whose lists were extended, or read as a whole, since the last reset().
  int rows_asked() const { return rows_asked_; }

  const CostList& list(int row) const { return lists_[row]; }
  /// Makes the lists of these rows four times as long, later twice, or lists all columns. Columns
  /// that cost as much as the first one left out are left out, too. The problem's workers share the
  /// work.
  /// @param rows few, as the costs of all their columns may be in memory at once
  void extend(std::span<const int32_t> rows);
  void extend(int32_t row) { extend({&row, 1}); }
  /// The costs of all columns, switching price not subtracted; valid until lists are extended or
  /// all() is called again.
  const int32_t* all(int row);

  /// The column that the row has from the last frame, or kNone.
  int held(int row) const { return problem_->held ? problem_->held[row] : kNone; }
  /// What that column costs, switching price subtracted. Only for rows that hold one.
  int64_t held_cost(int row) const {
    return int64_t{problem_->held_cost[row]} - problem_->switching_price[row];
  }
  /// What giving up the held column adds to the cost; 0 for rows that hold none.
  int64_t switching_price(int row) const {
    return held(row) != kNone ? problem_->switching_price[row] : 0;
  }
  bool every_row_holds() const;

  /// The two lowest of the row's reduced costs.
  /// @param certain extend the list until `first` is exact. Otherwise, and for `second` always, the
  ///                bound on unlisted columns may be given instead, as `second`; see
  ///                TwoLowest::certain().
  TwoLowest two_lowest(int row, const std::vector<int64_t>& column_dual, bool certain = true);
  /// A lower bound on the row's reduced costs without extending its list, which makes it a feasible
  /// row dual.
  int64_t lowest(int row, const std::vector<int64_t>& column_dual);

 private:
  CostList listed(int row) const;
  /// Columns that the problem lists for a row.
  int size_of(int row) const { return problem_->sizes ? problem_->sizes[row] : problem_->listed; }
  bool extended(int row) const;
  /// Memory of one worker, for all columns.
  struct Scratch {
    std::vector<int32_t> column, cost;  ///< of AssignmentProblem::read_cheapest
    std::vector<int32_t> order, spare;  ///< of sort_cheapest()
  };
  void read_all(std::span<const int32_t> rows);
  bool few_suffice(int row) const;
  void list_few(int row, Scratch& scratch);
  void list_cheapest(int row, const int32_t* columns_of, std::span<const int32_t> costs,
                     Scratch& scratch);
  void note_asked(int row);
  template <class Job>
  void share(int count, int grain, const Job& job);
  static void sort_cheapest(std::span<const int32_t> costs, int wanted, Scratch& scratch);

  Deadline& deadline_;
  const AssignmentProblem* problem_ = nullptr;
  int known_columns_ = 0;        ///< of the last problem
  std::vector<CostList> lists_;  ///< [rows]
  int rows_asked_ = 0;
  std::vector<uint8_t> asked_;                   ///< [rows]: whether it counts in rows_asked_
  std::vector<std::vector<int32_t>> extension_;  ///< [rows]: columns, then costs, of extended lists
  std::vector<int32_t> listed_;       ///< [rows]: columns asked for when the list was made
  std::vector<int32_t> few_, whole_;  ///< scratch of extend()
  std::vector<int32_t> read_;         ///< [rows read at once][columns]: costs
  std::vector<Scratch> scratch_;      ///< [workers]
};

}  // namespace mosaic::solver
