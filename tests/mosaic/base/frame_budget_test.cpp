// SPDX-License-Identifier: LGPL-2.1-or-later
// How a frame's time limit is divided among its stages, with a clock that the test sets.
#include "mosaic/base/frame_budget.h"

#include <gtest/gtest.h>

namespace {

using mosaic::FrameBudget;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

FrameBudget::Clock::time_point now;

FrameBudget::Clock::time_point test_clock() {
  return now;
}

class FrameBudgets : public testing::Test {
 protected:
  /// A frame whose lists take `lists` and that ends `past_deadline` after its search deadline.
  /// @return the time from its beginning to the deadline of its search
  nanoseconds frame(nanoseconds limit, nanoseconds lists, nanoseconds past_deadline) {
    const auto begin = now;
    budget_.begin(limit);
    now += lists;
    budget_.begin_assignment();
    const auto deadline = *budget_.search_deadline();
    now = deadline + past_deadline;
    budget_.end();
    return deadline - begin;
  }

  FrameBudget budget_{&test_clock};
};

TEST_F(FrameBudgets, HaveNoDeadlineWithoutALimit) {
  budget_.begin(nanoseconds(0));
  budget_.begin_assignment();
  EXPECT_FALSE(budget_.search_deadline());
}

TEST_F(FrameBudgets, EndTheSearchAMarginBeforeTheLimit) {
  EXPECT_EQ(milliseconds(38), frame(milliseconds(40), milliseconds(15), nanoseconds(0)));
}

TEST_F(FrameBudgets, GiveTheAssignmentAQuarterAfterLateLists) {
  EXPECT_EQ(milliseconds(50 + 10 - 2), frame(milliseconds(40), milliseconds(50), nanoseconds(0)));
  // A quarter of 4 ms is shorter than the margin, which leaves a quarter of it.
  EXPECT_EQ(milliseconds(50) + nanoseconds(250'000),
            frame(milliseconds(4), milliseconds(50), nanoseconds(0)));
}

TEST_F(FrameBudgets, GiveRepairsAsMuchAgain) {
  budget_.begin(nanoseconds(0));
  EXPECT_EQ(std::nullopt, budget_.repair_deadline());
  budget_.begin(milliseconds(20));
  budget_.begin_assignment();
  EXPECT_EQ(now + milliseconds(40), budget_.repair_deadline());
}

TEST_F(FrameBudgets, LengthenTheMarginForSecondsAfterAnOverrun) {
  const auto margin = [&](nanoseconds overrun) {
    return milliseconds(40) - frame(milliseconds(40), milliseconds(1), overrun);
  };
  margin(milliseconds(3));
  const nanoseconds longer = margin(nanoseconds(0));
  EXPECT_EQ(milliseconds(4), longer);
  nanoseconds after{};
  for (int i = 0; i < 25; ++i) after = margin(nanoseconds(0));
  EXPECT_LT(after, longer);
  EXPECT_GT(after, milliseconds(3));
  for (int i = 0; i < 1000; ++i) after = margin(nanoseconds(0));
  EXPECT_EQ(milliseconds(1), after);
  margin(milliseconds(100));
  EXPECT_EQ(milliseconds(5), margin(nanoseconds(0))) << "at most";
}

TEST_F(FrameBudgets, DoNotCountExcludedTimeAsOverrun) {
  budget_.begin(milliseconds(40));
  budget_.begin_assignment();
  now = *budget_.search_deadline() + milliseconds(30);
  budget_.end(milliseconds(30));
  EXPECT_EQ(milliseconds(40 - 2) + nanoseconds(milliseconds(2)) / 128,
            frame(milliseconds(40), milliseconds(1), nanoseconds(0)));
}

TEST_F(FrameBudgets, LimitLiveFramesToHalfTheirDuration) {
  static_assert(FrameBudget::default_limit(true, 40) == 20);
  static_assert(FrameBudget::default_limit(false, 40) == 0);
}

}  // namespace
