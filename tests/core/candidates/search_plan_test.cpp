// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/candidates/search_plan.h"

#include <gtest/gtest.h>

namespace {

using mosaic::SearchPlan;
using namespace std::chrono_literals;

/// A plan that has measured the time a cell takes: exact lists and rough ones.
SearchPlan plan_of(SearchPlan::Time exact, SearchPlan::Time rough) {
  SearchPlan plan;
  for (int i = 0; i < 100; ++i) {
    plan.record_exact(100, 100 * exact);
    plan.record_rough(100, 100 * rough);
  }
  return plan;
}

TEST(SearchPlan, SearchesEverythingExactlyWithEnoughTime) {
  const SearchPlan plan = plan_of(100us, 10us);
  for (const auto& [changed, left] : {std::pair(1000, 0), std::pair(400, 600), std::pair(0, 1000)})
    for (const SearchPlan::Time budget : {SearchPlan::Time(101ms), SearchPlan::Time(1h)}) {
      const SearchPlan::Share share = plan.share(changed, left, budget);
      EXPECT_TRUE(share.changed_exactly);
      EXPECT_EQ(left, share.left_exactly);
    }
  EXPECT_FALSE(plan.share(1000, 0, 99ms).changed_exactly);
  EXPECT_FALSE(plan.share(400, 600, 99ms).changed_exactly);
}

TEST(SearchPlan, SearchesNothingExactlyWithoutTime) {
  const SearchPlan plan = plan_of(100us, 10us);
  for (const SearchPlan::Time budget : {0ns, 1ns, SearchPlan::Time(3900us)}) {
    const SearchPlan::Share share = plan.share(400, 600, budget);
    EXPECT_FALSE(share.changed_exactly);
    EXPECT_EQ(0, share.left_exactly);
  }
}

TEST(SearchPlan, IsExactWithNothingToSearch) {
  EXPECT_TRUE(SearchPlan().share(0, 0, 0ns).changed_exactly);
}

// Every changed cell gets a rough list; the time left is for making older lists exact.
TEST(SearchPlan, SpendsRemainingTimeOnOlderRoughLists) {
  constexpr int64_t kExact = 100'000, kRough = 10'000;
  const SearchPlan plan = plan_of(SearchPlan::Time(kExact), SearchPlan::Time(kRough));
  for (const int changed : {0, 1, 400, 900})
    for (const int left : {1, 100, 600})
      for (SearchPlan::Time budget = 0ns; budget < 120ms; budget += 1234us) {
        const SearchPlan::Share share = plan.share(changed, left, budget);
        if (share.changed_exactly) continue;
        const int64_t time = share.left_exactly * kExact + changed * kRough;
        EXPECT_GE(share.left_exactly, 0);
        EXPECT_LE(share.left_exactly, left);
        if (share.left_exactly > 0) {
          EXPECT_LE(time, budget.count()) << changed << " " << left;
        }
        if (share.left_exactly < left) {
          EXPECT_GT(time + kExact, budget.count()) << "one more would have been done in time";
        }
      }
}

TEST(SearchPlan, AdaptsToMeasuredTimes) {
  SearchPlan plan = plan_of(100us, 10us);
  const SearchPlan::Time budget = 60ms;
  EXPECT_FALSE(plan.share(1000, 0, budget).changed_exactly);
  EXPECT_EQ(0, plan.share(6000, 1000, budget).left_exactly);
  // A single faster frame does not count.
  plan.record_exact(1000, 10ms);
  EXPECT_FALSE(plan.share(1000, 0, budget).changed_exactly);
  for (int i = 0; i < 20; ++i) plan.record_exact(1000, 50ms);
  EXPECT_TRUE(plan.share(1000, 0, budget).changed_exactly);
  for (int i = 0; i < 20; ++i) plan.record_rough(1000, 5ms);
  EXPECT_GT(plan.share(6000, 1000, budget).left_exactly, 0);
  for (int i = 0; i < 20; ++i) plan.record_exact(1000, 200ms);
  EXPECT_FALSE(plan.share(1000, 0, budget).changed_exactly);
}

TEST(SearchPlan, IgnoresTimesOfFewCells) {
  SearchPlan plan = plan_of(100us, 10us);
  const auto shares = [&] {
    return std::pair(plan.share(600, 0, 60'500us).changed_exactly,
                     plan.share(1000, 1000, 40ms).left_exactly);
  };
  const auto before = shares();
  EXPECT_TRUE(before.first);
  EXPECT_NEAR(300, before.second, 1);
  for (int i = 0; i < 100; ++i)
    for (const int few : {0, 1, 31}) {
      plan.record_exact(few, 1s);
      plan.record_rough(few, 1s);
    }
  EXPECT_EQ(before, shares());
  plan.record_exact(32, 1s);
  EXPECT_FALSE(shares().first);
}

// The initial guess neither makes everything rough nor exceeds a budget by far.
TEST(SearchPlan, BeginsWithAPlausibleGuess) {
  const SearchPlan plan;
  EXPECT_TRUE(plan.share(2000, 0, 1s).changed_exactly);
  EXPECT_FALSE(plan.share(2000, 0, 1ms).changed_exactly);
}

}  // namespace
