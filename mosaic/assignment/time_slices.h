// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// How a solve with a deadline shares its time out. Private to the assignment solver.
#pragma once

#include "mosaic/assignment/deadline.h"

namespace mosaic::lap {

/// The time until the deadline goes to three parts: the search, the completion of what it left, and
/// the lower bound. The search ends earlier by the time that the other two took in the last solves;
/// if no row is rough, the completion has a fixed share instead.
class TimeSlices {
 public:
  using Clock = Deadline::Clock;

  /// @param deadline of the whole solve when begin() is called, then of the search
  explicit TimeSlices(Deadline& deadline) : deadline_(deadline) {}

  /// Moves the deadline to when the search is to end.
  /// @param rough_rows whether there are any: the search may leave these without a column, and the
  ///                   time of their completion is measured
  void begin(bool rough_rows);

  /// Call where each part begins, and at the end; without a deadline they do nothing.
  void begin_completion();
  void begin_bound();
  void end();

  Deadline& deadline() { return deadline_; }
  /// Whether both the search and the completion ran out of time.
  bool over() const { return deadline_.passed() && deadline_.now() >= bound_begin_; }

 private:
  Deadline& deadline_;
  bool rough_rows_ = false;
  Clock::time_point bound_begin_;       ///< when the bound is to begin
  Clock::time_point completion_begun_;  ///< when these parts began
  Clock::time_point bound_begun_;
  /// How long these parts take: the longest recent time, decaying with each solve. 0: not known.
  Clock::duration completion_{}, bound_{};
};

}  // namespace mosaic::lap
