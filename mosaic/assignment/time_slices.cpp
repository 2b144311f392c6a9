// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/assignment/time_slices.h"

#include <algorithm>

namespace mosaic::lap {
namespace {

using Duration = TimeSlices::Clock::duration;

// 1 / n of the time: for the bound until it is known how long it takes, and for the completion if
// no row is rough.
constexpr int kBoundShare = 8, kCompletionShare = 5;

/// Updates the longest recent time.
void note(Duration& longest, Duration time) {
  longest = std::max(time, longest * 7 / 8);
}

}  // namespace

void TimeSlices::begin(bool rough_rows) {
  rough_rows_ = rough_rows;
  const Clock::time_point now = deadline_.now();
  const Duration time = std::max(Duration::zero(), deadline_.at() - now);
  const Duration for_bound = bound_ == Duration::zero() ? time / kBoundShare : bound_;
  bound_begin_ = now + time - std::min(for_bound, time / 2);
  const Duration rest = bound_begin_ - now;
  const Duration for_completion =
      rough_rows ? std::min(completion_, rest / 2) : rest / kCompletionShare;
  deadline_.set(bound_begin_ - for_completion);
}

void TimeSlices::begin_completion() {
  if (deadline_.is_set()) completion_begun_ = deadline_.now();
}

void TimeSlices::begin_bound() {
  if (deadline_.is_set()) bound_begun_ = deadline_.now();
}

void TimeSlices::end() {
  if (!deadline_.is_set()) return;
  note(bound_, deadline_.now() - bound_begun_);
  if (rough_rows_) note(completion_, bound_begun_ - completion_begun_);
}

}  // namespace mosaic::lap
