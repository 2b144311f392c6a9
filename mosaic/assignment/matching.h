// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Which row has which column. Private to the assignment solver.
#pragma once

#include <cstdint>
#include <vector>

namespace mosaic::solver {

/// No row, or no column.
inline constexpr int kNone = -1;

/// A partial assignment: each row has one column or none, each column at most `capacity` rows.
class Matching {
 public:
  /// No row has a column.
  void reset(int rows, int columns, int capacity);

  /// @param row one without a column
  /// @param column one with room
  /// @param cost of the pair, see CostRows::held_cost() for a column that the row holds
  void assign(int row, int column, int64_t cost) {
    column_[row] = column;
    cost_[row] = cost;
    next_row_[row] = first_row_[column];
    previous_row_[row] = kNone;
    if (first_row_[column] != kNone) previous_row_[first_row_[column]] = row;
    first_row_[column] = row;
    ++used_[column];
  }

  /// @param row one with a column
  void release(int row) {
    const int column = column_[row], next = next_row_[row], previous = previous_row_[row];
    (previous == kNone ? first_row_[column] : next_row_[previous]) = next;
    if (next != kNone) previous_row_[next] = previous;
    --used_[column];
    column_[row] = kNone;
  }

  int rows() const { return static_cast<int>(column_.size()); }
  int column(int row) const { return column_[row]; }  ///< or kNone
  int64_t cost(int row) const { return cost_[row]; }  ///< of a row with a column
  int used(int column) const { return used_[column]; }
  int room(int column) const { return capacity_ - used_[column]; }
  bool has_room(int column) const { return used_[column] < capacity_; }

  /// The rows of a column, the last assigned first; kNone ends them.
  int first_row(int column) const { return first_row_[column]; }
  int next_row(int row) const { return next_row_[row]; }

  const std::vector<int32_t>& columns() const { return column_; }  ///< [rows]

 private:
  int capacity_ = 1;
  std::vector<int32_t> column_;                   ///< [rows]
  std::vector<int64_t> cost_;                     ///< [rows]
  std::vector<int32_t> used_;                     ///< [columns]: number of its rows
  std::vector<int32_t> first_row_;                ///< [columns]: head of the list of its rows
  std::vector<int32_t> next_row_, previous_row_;  ///< [rows]: that list
};

}  // namespace mosaic::solver
