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

/// Columns of a row, ascending by key, equal ones by column, and a lower bound on the keys of all
/// others. A key is the cost or, in a priced list, what cost and price came to when the list was
/// made. See CostRows::shift() for what keys say about reduced costs.
struct CostList {
  const int32_t* column;
  const int32_t* cost;
  const int32_t* key;  ///< the same array as `cost`, or that of a priced list
  int size;
  int64_t bound;       ///< kInfinity: every column is listed
  int64_t fallen = 0;  ///< by how much prices had fallen when a priced list was made

  bool priced() const { return key != cost; }
};

/// A row's two lowest reduced costs: a reduced cost is the cost less the column's dual.
struct TwoLowest {
  int64_t first = kInfinity, second = kInfinity;
  int first_column = kNone;
  int second_column = kNone;  ///< kNone: `second` is only a lower bound
  /// Whether no unlisted column can have a lower reduced cost than `first`.
  bool certain() const { return first <= second; }
};

/// The costs of a problem, row by row: lists of the columns that cost least, by themselves or with
/// their prices, extended where a search needs more. The column that a row holds costs less by the
/// switching price, and need not be listed.
class CostRows {
 public:
  /// @param deadline is told before costs are read, which takes long
  explicit CostRows(Deadline& deadline) : deadline_(deadline) {}

  /// Keeps the lists extended in the last solve for rows that are unchanged, see AssignmentProblem,
  /// unless they are priced: what prices were then says nothing.
  /// @param problem is referred to until the next reset()
  void reset(const AssignmentProblem& problem);

  const AssignmentProblem& problem() const { return *problem_; }
  int rows() const { return problem_->rows; }
  int columns() const { return problem_->columns; }
  /// The number of rows whose lists were extended, or read as a whole, since the last reset().
  int rows_asked() const { return rows_asked_; }

  const CostList& list(int row) const { return lists_[row]; }
  /// Added to keys, and to a bound that is not kInfinity, gives lower bounds of reduced costs: 0,
  /// or less by what prices have fallen since the list was made.
  int64_t shift(const CostList& list) const { return list.priced() ? list.fallen - fallen_ : 0; }
  /// No unlisted column of the row has a lower reduced cost.
  int64_t bound(const CostList& list) const {
    return list.bound == kInfinity ? kInfinity : list.bound + shift(list);
  }
  /// To be called when prices, which are column duals with the sign changed, have fallen, each by
  /// at most `by`. Prices that rise need no call.
  void prices_fell(int64_t by) { fallen_ += by; }
  /// Makes lists that certify more: by price, see AssignmentProblem::by_price, unless the row is
  /// unchanged; else four times as long, later twice, or of all columns. Columns whose key is that
  /// of the first one left out are left out, too. The problem's workers share the work.
  /// @param rows few, as the costs of all their columns may be in memory at once
  void extend(std::span<const int32_t> rows, const std::vector<int64_t>& column_dual);
  void extend(int32_t row, const std::vector<int64_t>& column_dual) {
    extend({&row, 1}, column_dual);
  }
  /// Replaces priced lists by the problem's, so that prices may be any.
  void forget_prices();
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
  /// Some or all columns of a row, ascending, and their costs.
  struct Read {
    const int32_t* columns;  ///< null: cost[j] is that of column j
    std::span<const int32_t> cost;
    int32_t column(int k) const { return columns ? columns[k] : k; }
  };
  /// Memory of one worker, for all columns.
  struct Scratch {
    std::vector<int32_t> column, cost;  ///< of AssignmentProblem::read_cheapest
    std::vector<int32_t> sum;           ///< of cost and price
    std::vector<int32_t> order, spare;  ///< of sort_cheapest()
  };
  void read_all(std::span<const int32_t> rows);
  /// Whether reading so many columns is faster than reading all.
  bool few_suffice(int64_t wanted) const;
  void list_few(int row, Scratch& scratch);
  void list_cheapest(int row, const Read& read, Scratch& scratch);
  bool prices_help(int row) const;
  void extend_by_cost(std::span<const int32_t> rows);
  void extend_by_price(std::span<const int32_t> rows, const std::vector<int64_t>& column_dual);
  void list_by_price(int row, const int32_t* all, const std::vector<int64_t>& column_dual,
                     Scratch& scratch);
  Read read_at_prices(int row, int64_t wanted, Scratch& scratch) const;
  bool list_lowest_sums(int row, const Read& read, int64_t wanted, int64_t beyond,
                        Scratch& scratch);
  void note_asked(int row);
  template <class Job>
  void share(int count, int grain, const Job& job);
  static void sort_cheapest(std::span<const int32_t> costs, int wanted, Scratch& scratch);

  Deadline& deadline_;
  const AssignmentProblem* problem_ = nullptr;
  int known_columns_ = 0;        ///< of the last problem
  std::vector<CostList> lists_;  ///< [rows]
  int64_t fallen_ = 0;           ///< the sum of what prices_fell() got
  std::vector<int32_t> price_;   ///< [columns]: of the lists that are being made
  int rows_asked_ = 0;
  std::vector<uint8_t> asked_;                   ///< [rows]: whether it counts in rows_asked_
  std::vector<std::vector<int32_t>> extension_;  ///< [rows]: columns, then costs, then keys of
                                                 ///< priced lists; of extended lists
  std::vector<int32_t> listed_;  ///< [rows]: columns asked for when the list was made, at least
  std::vector<int32_t> by_cost_, by_price_;  ///< scratch of extend()
  std::vector<int32_t> few_, whole_;         ///< scratch of extend_by_cost()
  std::vector<int32_t> read_;                ///< [rows read at once][columns]: costs
  std::vector<Scratch> scratch_;             ///< [workers]
};

}  // namespace mosaic::solver
