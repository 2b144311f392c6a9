// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/placement/duplicates.h"

#include <algorithm>

namespace mosaic {
namespace {

/// How often each photo appears within `radius` cells of the current cell, which advances along the
/// rows of the grid.
class Neighbourhood {
 public:
  Neighbourhood(int columns, int rows, int photos, unsigned radius,
                const std::vector<int32_t>& column)
      : columns_(columns),
        rows_(rows),
        photos_(photos),
        radius_(static_cast<int>(std::min<unsigned>(radius, std::max(columns, rows)))),
        column_(column),
        count_(photos, 0) {}

  /// Goes to the first cell of row y.
  void start(int y) {
    std::fill(count_.begin(), count_.end(), 0);
    top_ = std::max(0, y - radius_);
    bottom_ = std::min(rows_ - 1, y + radius_);
    for (int x = 0; x <= std::min(radius_, columns_ - 1); ++x) add(x, 1);
  }

  /// Goes from cell x - 1 of the row to cell x.
  void step(int x) {
    if (x - radius_ - 1 >= 0) add(x - radius_ - 1, -1);
    if (x + radius_ < columns_) add(x + radius_, 1);
  }

  int photo(int column) const { return column % photos_; }
  /// Whether the photo of the current cell, which has column `own`, appears nearby again.
  bool duplicates(int own) const { return count_[photo(own)] > 1; }
  bool absent(int column) const { return count_[photo(column)] == 0; }
  void replace(int old, int column) {
    --count_[photo(old)];
    ++count_[photo(column)];
  }

 private:
  void add(int x, int times) {
    for (int y = top_; y <= bottom_; ++y) count_[photo(column_[y * columns_ + x])] += times;
  }

  const int columns_, rows_, photos_, radius_;
  const std::vector<int32_t>& column_;
  std::vector<int32_t> count_;  ///< [photos]
  int top_ = 0, bottom_ = 0;
};

class Separation {
 public:
  Separation(const AssignmentProblem& problem, std::vector<int32_t>& column)
      : p_(problem), column_(column), used_(problem.columns, 0) {
    for (const int32_t j : column) ++used_[j];
  }

  /// Gives another tile to every cell that has a duplicate nearby; with `keep_held`, not to cells
  /// that kept their held tile. @return the cost added
  int64_t pass(Neighbourhood& neighbourhood, int grid_columns, int grid_rows, bool keep_held) {
    int64_t added = 0;
    for (int y = 0; y < grid_rows; ++y) {
      neighbourhood.start(y);
      for (int x = 0; x < grid_columns; ++x) {
        p_.cancellation.check();
        if (x > 0) neighbourhood.step(x);
        const int cell = y * grid_columns + x;
        if (!neighbourhood.duplicates(column_[cell])) continue;
        if (keep_held && held(cell) == column_[cell]) continue;
        added += move(cell, neighbourhood);
      }
    }
    return added;
  }

 private:
  int held(int cell) const { return p_.held ? p_.held[cell] : -1; }

  int64_t move(int cell, Neighbourhood& neighbourhood) {
    const auto fits = [&](int j) {
      return j >= 0 && used_[j] < p_.capacity && neighbourhood.absent(j);
    };
    const size_t at = static_cast<size_t>(cell) * p_.listed;
    int target = held(cell);
    if (target < 0 || !fits(target)) {
      const int32_t* end = p_.column + at + p_.listed;
      const int32_t* found = std::find_if(p_.column + at, end, fits);
      if (found == end) return 0;
      target = *found;
    }
    const int old = column_[cell];
    const int64_t added = cost(cell, target) - cost(cell, old);
    neighbourhood.replace(old, target);
    --used_[old];
    ++used_[target];
    column_[cell] = target;
    return added;
  }

  int64_t cost(int cell, int column) {
    if (held(cell) == column) return p_.held_cost[cell];
    const size_t at = static_cast<size_t>(cell) * p_.listed;
    for (int k = 0; k < p_.listed; ++k)
      if (p_.column[at + k] == column) return p_.cost[at + k];
    if (p_.single) return p_.single(cell, column);
    full_.resize(p_.columns);
    p_.read_costs(whole_row(cell, p_.columns, full_.data()));
    return full_[column];
  }

  const AssignmentProblem& p_;
  std::vector<int32_t>& column_;
  std::vector<int32_t> used_;  ///< [columns]
  std::vector<int32_t> full_;  ///< [columns]
};

}  // namespace

int64_t separate_duplicates(const AssignmentProblem& problem, int grid_columns, int grid_rows,
                            int photos, unsigned radius, std::vector<int32_t>& column) {
  if (radius == 0) return 0;
  Neighbourhood neighbourhood(grid_columns, grid_rows, photos, radius, column);
  Separation separation(problem, column);
  // Of two duplicates, the cell whose tile is new changes first, so that the other can keep its
  // held tile.
  int64_t added = 0;
  if (problem.held) added += separation.pass(neighbourhood, grid_columns, grid_rows, true);
  return added + separation.pass(neighbourhood, grid_columns, grid_rows, false);
}

}  // namespace mosaic
