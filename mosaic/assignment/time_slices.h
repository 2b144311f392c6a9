// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// How a solve with a deadline shares its time out. Private to the assignment solver.
#pragma once

#include "mosaic/assignment/deadline.h"

namespace mosaic::solver {

/// The time until the deadline goes to three parts: the search, the completion of what it left, and
/// the lower bound. The search ends earlier by a fixed share for the completion, and by the time
/// that the bound took in the last solves.
class TimeSlices {
 public:
  using Clock = Deadline::Clock;

  /// @param deadline of the whole solve when begin() is called, then of the search
  explicit TimeSlices(Deadline& deadline) : deadline_(deadline) {}

  /// Moves the deadline to when the search is to end.
  void begin();

  /// Call where the bound begins, and at the end; without a deadline they do nothing.
  void begin_bound();
  void end();

  Deadline& deadline() { return deadline_; }
  /// Whether both the search and the completion ran out of time.
  bool over() const { return deadline_.passed() && deadline_.now() >= bound_begin_; }

 private:
  Deadline& deadline_;
  Clock::time_point bound_begin_;  ///< when the bound is to begin
  Clock::time_point bound_begun_;  ///< when it began
  /// How long the bound takes: the longest recent time, decaying with each solve. 0: not known.
  Clock::duration bound_{};
};

}  // namespace mosaic::solver
