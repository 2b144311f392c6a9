// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// When a solve has to stop. Private to the assignment solver.
#pragma once

#include <optional>

#include "mosaic/assignment/assignment.h"

namespace mosaic::lap {

/// A deadline for inner loops: only every eighth check() reads the clock, and once the deadline has
/// passed it stays passed, until set() again.
class Deadline {
 public:
  using Clock = AssignmentSolver::Clock;

  explicit Deadline(AssignmentSolver::Now now) : now_(now) {}

  /// @param at without a value the deadline never passes
  void set(std::optional<Clock::time_point> at) {
    at_ = at;
    questions_ = 0;
    passed_ = false;
  }

  bool is_set() const { return at_.has_value(); }
  Clock::time_point at() const { return *at_; }
  Clock::time_point now() const { return now_(); }

  bool check() {
    if (at_ && !passed_ && questions_++ % kQuestionsPerReading == 0) passed_ = now_() >= *at_;
    return passed_;
  }

  /// Whether a check() has found that the deadline passed.
  bool passed() const { return passed_; }

  /// Makes the next check() read the clock. Call before something that takes long.
  void read_clock_next() { questions_ = 0; }

 private:
  static constexpr unsigned kQuestionsPerReading = 8;

  AssignmentSolver::Now now_;
  std::optional<Clock::time_point> at_;
  unsigned questions_ = 0;
  bool passed_ = false;
};

}  // namespace mosaic::lap
