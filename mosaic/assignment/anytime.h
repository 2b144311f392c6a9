// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Makes a valid answer from a search that did not reach the optimum. Private to the assignment
/// solver.
#pragma once

#include "mosaic/assignment/completion.h"
#include "mosaic/assignment/cost_rows.h"
#include "mosaic/assignment/duals.h"
#include "mosaic/assignment/incumbent.h"
#include "mosaic/assignment/matching.h"
#include "mosaic/assignment/time_slices.h"

namespace mosaic::solver {

/// Keeps the best answer that a search comes across, and turns the state in which the search
/// stopped into a complete assignment and a valid bound. The search itself only needs to know when
/// to stop.
class Anytime {
 public:
  Anytime(CostRows& costs, Matching& matching, Duals& duals, Deadline& deadline)
      : costs_(costs), matching_(matching), duals_(duals), time_(deadline) {}

  /// Call before the search. If there is a deadline, moves it to when the search is to end, and
  /// takes as the first answer that every row keeps the column it holds, if that is possible.
  void begin();
  /// Call after a round of the auction. @param complete whether every row has a column
  void keep_round(bool complete);
  /// Call after a search that was ended by the deadline or was not to be exact.
  /// @param last_dual [columns]: column duals of the last answer; may be empty
  void finish(const std::vector<int64_t>& last_dual);

  Incumbent& incumbent() { return incumbent_; }

 private:
  void offer_held();
  void raise_row_duals();
  void try_last_duals(const std::vector<int64_t>& last_dual);

  CostRows& costs_;
  Matching& matching_;
  Duals& duals_;
  TimeSlices time_;
  Completion completion_{costs_, matching_, time_};
  Incumbent incumbent_;
};

}  // namespace mosaic::solver
