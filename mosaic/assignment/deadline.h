// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// When a solve has to stop. Private to the assignment solver.
#pragma once

#include <optional>

#include "executor/cancellation.h"
#include "mosaic/assignment/assignment.h"

namespace mosaic::solver {

/// A deadline for inner loops: only every eighth check() reads the clock, and once the deadline has
/// passed it stays passed, until set() again. Without a deadline there is only the cancellation,
/// and looking at its flag takes less time than counting.
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

  /// What makes check() and expect_delay() throw mt::Cancelled.
  void set_cancellation(const mt::Cancellation& cancellation) { cancellation_ = cancellation; }

  bool is_set() const { return at_.has_value(); }
  Clock::time_point at() const { return *at_; }
  Clock::time_point now() const { return now_(); }

  bool check() {
    if (at_ ? !passed_ && questions_++ % kQuestionsPerLook == 0 : cancellation_.requested()) look();
    return passed_;
  }

  /// Whether a check() has found that the deadline passed.
  bool passed() const { return passed_; }

  /// Makes the next check() look again. Call before something that takes long.
  void expect_delay() {
    cancellation_.check();
    questions_ = 0;
  }

 private:
  static constexpr unsigned kQuestionsPerLook = 8;

  /// Not inline, so that the loops that call check() stay short.
  [[gnu::noinline]] void look() {
    cancellation_.check();
    passed_ = at_ && now_() >= *at_;
  }

  AssignmentSolver::Now now_;
  std::optional<Clock::time_point> at_;
  mt::Cancellation cancellation_;
  unsigned questions_ = 0;
  bool passed_ = false;
};

}  // namespace mosaic::solver
