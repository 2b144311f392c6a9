// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/base/frame_budget.h"

#include <algorithm>

namespace mosaic {
namespace {

/// The assignment has 1 / kAssignmentShare of the limit at least: if the candidate lists always
/// took too long, no tile would ever change otherwise.
constexpr int kAssignmentShare = 4;

}  // namespace

void FrameBudget::begin(std::chrono::nanoseconds limit) {
  limit_ = limit;
  begun_ = now_();
  deadline_ = begun_ + limit;
}

void FrameBudget::begin_assignment() {
  deadline_ = std::max(begun_ + limit_, now_() + limit_ / kAssignmentShare);
}

std::optional<FrameBudget::Clock::time_point> FrameBudget::search_deadline() {
  if (!limited()) return std::nullopt;
  // A search without any time would never change a tile, so the margin takes at most 3/4 of the
  // time left.
  const Clock::duration left = deadline_ - now_();
  search_deadline_ = deadline_ - std::min(margin_, std::max(left, Clock::duration::zero()) * 3 / 4);
  return search_deadline_;
}

std::optional<FrameBudget::Clock::time_point> FrameBudget::repair_deadline() const {
  if (!limited()) return std::nullopt;
  return deadline_ + limit_;
}

/// Other processes take the CPU in bursts, so a margin that was needed once is kept for seconds: it
/// shrinks by 1 / kDecay a frame.
void FrameBudget::end(Clock::duration excluded) {
  constexpr Clock::duration kSpare = std::chrono::milliseconds(1);
  constexpr Clock::duration kMaxMargin = std::chrono::milliseconds(5);
  constexpr int kDecay = 128;
  if (!limited()) return;
  const Clock::duration overrun = now_() - excluded - search_deadline_;
  margin_ = std::clamp(overrun + kSpare, margin_ - margin_ / kDecay, kMaxMargin);
}

}  // namespace mosaic
