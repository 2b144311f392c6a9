// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace mosaic {

/// The time limit of a frame: candidate lists take the time that they need, and the assignment has
/// the rest, but at least a quarter of the limit. The assignment ends earlier by the deadline
/// margin, which depends on how far frames before overran their limit.
class FrameBudget {
 public:
  using Clock = std::chrono::steady_clock;
  using Now = Clock::time_point (*)();

  /// The limit where the user sets none, in nanoseconds: half of a live frame's duration, else 0.
  static constexpr uint64_t default_limit(bool live, uint64_t frame_duration) {
    return live ? frame_duration / 2 : 0;
  }

  /// @param now the clock; a test may have its own
  explicit FrameBudget(Now now = &Clock::now) : now_(now) {}

  /// Begins a frame's search with its candidate lists. @param limit of time; 0: unlimited
  void begin(std::chrono::nanoseconds limit);

  /// The candidate lists are complete, and the assignment begins.
  void begin_assignment();
  /// When the search for an assignment must end; nullopt: it has no limit. Call it right before the
  /// search.
  std::optional<Clock::time_point> search_deadline();

  /// When steps that repair the found assignment must end: one limit after the tiles should be
  /// chosen, so at twice the limit unless the candidate lists took very long; nullopt: they have no
  /// limit.
  std::optional<Clock::time_point> repair_deadline() const;

  /// The tiles are chosen: sets the deadline margin for the next frame.
  /// @param excluded time since search_deadline() that does not count
  void end(Clock::duration excluded = {});

 private:
  bool limited() const { return limit_ > std::chrono::nanoseconds::zero(); }

  Now now_;
  std::chrono::nanoseconds limit_{};
  Clock::time_point begun_;            ///< when this frame's search began
  Clock::time_point deadline_;         ///< when the tiles must be chosen
  Clock::time_point search_deadline_;  ///< deadline_ less the margin
  /// The deadline margin, from how far frames before overran; at first a guess.
  Clock::duration margin_ = std::chrono::milliseconds(2);
};

}  // namespace mosaic
