// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/assignment/time_slices.h"

#include <algorithm>

namespace mosaic::solver {
namespace {

using Duration = TimeSlices::Clock::duration;

// 1 / n of the time: for the bound until it is known how long it takes, and for the completion.
constexpr int kBoundShare = 8, kCompletionShare = 5;

/// Updates the longest recent time.
void note(Duration& longest, Duration time) {
  longest = std::max(time, longest * 7 / 8);
}

}  // namespace

void TimeSlices::begin() {
  const Clock::time_point now = deadline_.now();
  const Duration time = std::max(Duration::zero(), deadline_.at() - now);
  const Duration for_bound = bound_ == Duration::zero() ? time / kBoundShare : bound_;
  bound_begin_ = now + time - std::min(for_bound, time / 2);
  const Duration rest = bound_begin_ - now;
  deadline_.set(bound_begin_ - rest / kCompletionShare);
}

void TimeSlices::begin_bound() {
  if (deadline_.is_set()) bound_begun_ = deadline_.now();
}

void TimeSlices::end() {
  if (!deadline_.is_set()) return;
  note(bound_, deadline_.now() - bound_begun_);
}

}  // namespace mosaic::solver
