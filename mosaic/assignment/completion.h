// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Completes partial assignments. Private to the assignment solver.
#pragma once

#include "mosaic/assignment/cost_rows.h"
#include "mosaic/assignment/matching.h"
#include "mosaic/assignment/time_slices.h"

namespace mosaic::solver {

/// Gives each row that the search left without a column a column with room, row by row: the
/// cheapest, or what can be found in the time that is left.
class Completion {
 public:
  Completion(CostRows& costs, Matching& matching, TimeSlices& time)
      : costs_(costs), matching_(matching), time_(time) {}

  void run();

 private:
  struct Found {
    int column = kNone;
    int64_t cost = kInfinity;
  };

  void consider(int column, int64_t cost, Found& found) const;
  Found cheapest_known(int row) const;
  void take_known(int row);
  void take_held(int row);
  void take_any(int row);
  void take_next(int row);

  CostRows& costs_;
  Matching& matching_;
  TimeSlices& time_;
  int next_ = 0;  ///< the column that take_next() tries next
};

}  // namespace mosaic::solver
