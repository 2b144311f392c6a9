// SPDX-License-Identifier: LGPL-2.1-or-later
// Candidate lists made within a search budget: what they promise, and how they become exact again.
#include "mosaic/candidates/rough_lists.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "tests/core/candidates/placement_stream.h"
#include "tests/first_failure.h"

namespace {

using namespace test;
using namespace std::chrono_literals;

/// Frames in which every cell changes slowly.
RgbFrame brighter(int frame) {
  RgbFrame f = disc(0);
  for (uint8_t& v : f.pixels) v = static_cast<uint8_t>(std::min(v + 3 * frame, 255));
  return f;
}

/// Checks that a list has the right costs, in ascending order, and is incomplete only if rough.
/// @param row the cost of every tile
void check_list(const Stream& s, int cell, const std::vector<int32_t>& row) {
  const int32_t *tile = s.lists.tiles(cell), *cost = s.lists.costs(cell);
  std::vector<bool> seen(s.tiles);
  FirstFailure wrong;
  int n = 0;
  for (; n < s.lists.listed() && cost[n] < INT32_MAX; ++n) {
    const int32_t t = tile[n];
    ASSERT_TRUE(t >= 0 && t < s.tiles) << n;
    const bool ascending =
        n == 0 || std::pair(cost[n - 1], tile[n - 1]) < std::pair(cost[n], tile[n]);
    wrong.check(
        !seen[t] && ascending && row[t] == cost[n] && cost[n] == s.lists.cost(s.analysis, cell, t),
        [&] { return text_of("entry", n, "tile", t, "cost", cost[n], "not", row[t]); });
    seen[t] = true;
  }
  for (int i = n; i < s.lists.listed(); ++i)
    wrong.check(cost[i] == INT32_MAX, [&] { return text_of("a cost after the end, at", i); });
  ASSERT_TRUE(s.lists.rough(cell) || n == s.lists.listed());
  for (int t = 0; t < s.tiles; ++t)
    wrong.check(seen[t] || row[t] >= s.lists.bound(cell),
                [&] { return text_of("below the bound: tile", t, "cost", row[t]); });
  ASSERT_TRUE(wrong.none());
}

/// Checks the bounds of rough lists, in the solver's units; its lower bound relies on them.
void check_bounds(const Stream& s, const mosaic::AssignmentProblem& problem, int cell,
                  const std::vector<int32_t>& row) {
  const int32_t weight = s.costs.weight()[cell];
  ASSERT_EQ(weight, s.placement.weights()[cell]);
  ASSERT_EQ(s.lists.rough(cell), s.lists.priced_bound(cell) >= 0);
  if (!problem.priced_bound) return;
  ASSERT_EQ(s.lists.rough(cell), problem.priced_bound[cell] >= 0);
  const std::vector<bool> listed = s.listed(cell);
  FirstFailure wrong;
  for (int t = 0; t < s.tiles; ++t) {
    if (listed[t]) continue;
    const int32_t cost = mosaic::weighted_cost(row[t], weight);
    const int64_t price = s.lists.priced() ? s.prices[t] : 0;
    wrong.check(problem.bound[cell] <= cost && problem.priced_bound[cell] <= cost - price, [&] {
      return text_of("tile", t, "cost", cost, "price", price, "bounds", problem.bound[cell],
                     problem.priced_bound[cell]);
    });
  }
  ASSERT_TRUE(wrong.none());
}

void check(const Stream& s) {
  mosaic::AssignmentProblem problem;
  s.costs.describe(s.lists, problem);
  ASSERT_EQ(s.lists.any_rough(), problem.priced_bound != nullptr);
  std::vector<int32_t> row(s.tiles);
  for (int cell = 0; cell < s.cells; ++cell) {
    SCOPED_TRACE("cell " + std::to_string(cell));
    s.lists.all_costs(s.analysis, cell, row.data());
    ASSERT_NO_FATAL_FAILURE(check_list(s, cell, row));
    ASSERT_NO_FATAL_FAILURE(check_bounds(s, problem, cell, row));
  }
  EXPECT_GE(s.result.gap, 0);
}

/// Checks that two streams have exactly the same lists.
void check_same(const Stream& expected, const Stream& s) {
  ASSERT_EQ(expected.lists.factor(), s.lists.factor());
  const size_t bytes = sizeof(int32_t) * s.lists.listed();
  for (int cell = 0; cell < s.cells; ++cell) {
    ASSERT_FALSE(s.lists.rough(cell)) << cell;
    ASSERT_EQ(-1, s.lists.priced_bound(cell));
    ASSERT_EQ(expected.lists.near_limits()[cell], s.lists.near_limits()[cell]) << cell;
    ASSERT_EQ(expected.lists.bound(cell), s.lists.bound(cell)) << cell;
    ASSERT_EQ(0, std::memcmp(expected.lists.tiles(cell), s.lists.tiles(cell), bytes)) << cell;
    ASSERT_EQ(0, std::memcmp(expected.lists.costs(cell), s.lists.costs(cell), bytes)) << cell;
  }
  const auto nearest = [](const Stream& of) {
    return std::span(of.lists.nearest_on_device(), size_t(of.cells) * mt::kRerankNearest);
  };
  ASSERT_TRUE(std::ranges::equal(nearest(expected), nearest(s)));
}

TEST(RoughLists, LongBudgetsGiveTheUnlimitedLists) {
  for (const size_t max_distances : {kAllDistances, size_t{100'000}}) {
    Stream patient(16, max_distances), s(16, max_distances);
    const auto both = [&](RgbFrame frame, bool cut) {
      s.scene.cut = patient.scene.cut = cut;
      patient.show(frame, std::nullopt);
      s.show(frame, kAllTime);
      EXPECT_FALSE(s.lists.any_rough());
      EXPECT_FALSE(s.lists.priced());
      EXPECT_EQ(patient.lists.updated(), s.lists.updated());
      ASSERT_NO_FATAL_FAILURE(check_same(patient, s));
      EXPECT_TRUE(std::ranges::equal(patient.placement.tiles(), s.placement.tiles()));
    };
    for (int i = 0; i < 4; ++i) both(disc(i), i == 0);
    both(disc(3), false);
    both(plain(10), true);
    both(plain(250), false);
  }
}

/// Even a budget of 0 gives 128 cells a rough list; each frame begins with other cells.
TEST(RoughLists, AllChangedCellsAreRoughWithoutTime) {
  for (const int side : {40, 16, 8}) {
    SCOPED_TRACE("side " + std::to_string(side));
    Stream s(side);
    s.cut(disc(0), kNoTime);
    EXPECT_EQ(s.cells, s.rough_cells());
    EXPECT_FALSE(s.lists.priced());
    ASSERT_NO_FATAL_FAILURE(check(s));
    std::vector<bool> reached(s.cells);
    for (int i = 0; i < (s.cells + 127) / 128; ++i) {
      s.show(brighter(1 + i), kNoTime);
      EXPECT_TRUE(s.lists.priced());
      EXPECT_EQ(static_cast<size_t>(s.cells), s.lists.updated().size());
      ASSERT_NO_FATAL_FAILURE(check(s));
      int some = 0;
      for (int cell = 0; cell < s.cells; ++cell) {
        const bool has = s.lists.costs(cell)[0] < INT32_MAX;
        some += has;
        reached[cell] = reached[cell] || has;
      }
      EXPECT_EQ(std::min(128, s.cells), some);
    }
    EXPECT_EQ(s.cells, std::count(reached.begin(), reached.end(), true));
  }
}

TEST(RoughLists, UnchangedCellsKeepTheirLists) {
  Stream patient, s;
  for (int i = 0; i < 4; ++i) {
    patient.scene.cut = s.scene.cut = i == 0;
    patient.show(disc(i), std::nullopt);
    s.show(disc(i), i == 0 ? Budget() : kNoTime);
  }
  ASSERT_NO_FATAL_FAILURE(check(s));
  EXPECT_GT(s.rough_cells(), 0);
  EXPECT_LT(s.rough_cells(), s.cells / 2);
  const size_t bytes = sizeof(int32_t) * s.lists.listed();
  for (int cell = 0; cell < s.cells; ++cell) {
    if (s.lists.rough(cell)) continue;
    EXPECT_EQ(patient.lists.bound(cell), s.lists.bound(cell));
    EXPECT_EQ(0, std::memcmp(patient.lists.tiles(cell), s.lists.tiles(cell), bytes)) << cell;
    EXPECT_EQ(0, std::memcmp(patient.lists.costs(cell), s.lists.costs(cell), bytes)) << cell;
  }
}

/// Rough lists become exact as soon as there is time, whether the source moves or not.
TEST(RoughLists, BecomeExactWhenThereIsTime) {
  for (const size_t max_distances : {kAllDistances, size_t{100'000}})
    for (const Budget again : {Budget(), Budget(kAllTime)})
      for (const int last : {3, 4}) {
        Stream patient(16, max_distances), s(16, max_distances);
        for (int i = 0; i < 4; ++i) {
          patient.scene.cut = s.scene.cut = i == 0;
          patient.show(disc(i), std::nullopt);
          s.show(disc(i), i == 0 ? Budget() : kNoTime);
        }
        std::vector<int32_t> was_rough;
        for (int cell = 0; cell < s.cells; ++cell)
          if (s.lists.rough(cell)) was_rough.push_back(cell);
        EXPECT_FALSE(was_rough.empty());
        patient.show(disc(last), std::nullopt);
        s.show(disc(last), again);
        EXPECT_FALSE(s.lists.any_rough());
        const std::vector<int32_t>& updated = s.lists.updated();
        EXPECT_TRUE(
            std::includes(updated.begin(), updated.end(), was_rough.begin(), was_rough.end()));
        ASSERT_NO_FATAL_FAILURE(check_same(patient, s));
        ASSERT_NO_FATAL_FAILURE(check(s));
        s.show(disc(last), again);
        EXPECT_TRUE(s.lists.updated().empty());
      }
}

/// The prices come from frames with exact lists, from frames with rough lists, and from frames with
/// another cost scale.
TEST(RoughLists, BoundsHoldForPricesOfAnyFrame) {
  for (const int side : {20, 16, 8}) {  // side 8 makes more cells than there are tiles
    SCOPED_TRACE("side " + std::to_string(side));
    Stream s(side);
    s.cut(disc(0), std::nullopt);
    for (int i = 1; i < 7; ++i) {
      s.show(i % 2 ? brighter(i) : disc(i), i == 4 ? Budget(10ms) : kNoTime);
      ASSERT_NO_FATAL_FAILURE(check(s)) << "frame " << i;
    }
  }
}

/// The prices were computed with the saliencies of the frame before.
TEST(RoughLists, BoundsHoldWhenSaliencyChanges) {
  Stream s;
  s.newest = 1;
  const RgbFrame noise = test::noise(kWidth, kHeight, 1);
  const auto noisy = [&](int part) {  // cells alike: the tiles nearest to them have a high price
    RgbFrame frame = plain(128);
    const size_t third = frame.pixels.size() / 3;
    for (size_t i = part * third; i < (part + 1) * third; ++i)
      frame.pixels[i] = static_cast<uint8_t>(128 + noise.pixels[i] % 32 - 16);
    return frame;
  };
  s.cut(noisy(0), std::nullopt);
  int heavier = 0, lighter = 0;
  for (int i = 1; i < 6; ++i) {
    const std::vector<int32_t> before = s.costs.weight();
    s.show(noisy(i % 3), kNoTime);
    ASSERT_NO_FATAL_FAILURE(check(s)) << "frame " << i;
    for (int cell = 0; cell < s.cells; ++cell) {
      if (s.lists.costs(cell)[0] == INT32_MAX) continue;
      heavier += s.lists.rough(cell) && s.costs.weight()[cell] > before[cell] * 3 / 2;
      lighter += s.lists.rough(cell) && s.costs.weight()[cell] < before[cell] * 2 / 3;
    }
  }
  EXPECT_GT(heavier, 0);
  EXPECT_GT(lighter, 0);
}

/// Greys, with `white` a white first row of cells: its distance to black makes the cost scale
/// larger.
RgbFrame greys(int shift, bool white) {
  RgbFrame f(kWidth, kHeight);
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x)
      for (int c = 0; c < 3; ++c)
        f.at(x, y)[c] = white && y < 16 ? 255 : 110 + 20 * x / kWidth + 20 * y / kHeight + shift;
  return f;
}

// The cost scale is not that of the scene before, which unsearched cells still have.
TEST(RoughLists, ACutSetsItsCostScaleWithinABudget) {
  Stream budgeted, exact;
  RgbFrame white(kWidth, kHeight);
  std::fill(white.pixels.begin(), white.pixels.end(), 255);
  budgeted.cut(white, std::nullopt);
  budgeted.cut(greys(0, false), kNoTime);
  exact.cut(greys(0, false), std::nullopt);
  EXPECT_NEAR(1, static_cast<double>(budgeted.lists.factor()) / exact.lists.factor(), 0.1);
}

// The cost scale is neither that of the scene between, nor that of the few searched cells.
TEST(RoughLists, AReturningSceneRestoresItsCostScaleWithinABudget) {
  for (const uint8_t flash : {0, 128}) {
    SCOPED_TRACE(int{flash});
    Stream s;
    s.cut(greys(0, true), std::nullopt);
    const int64_t before = s.lists.factor();
    s.cut(plain(flash), std::nullopt, 1);
    EXPECT_NE(before, s.lists.factor());
    s.come_back(greys(0, true), kNoTime, 1);
    EXPECT_EQ(s.cells, s.rough_cells());
    EXPECT_EQ(before, s.lists.factor());
    ASSERT_NO_FATAL_FAILURE(check(s));
    for (int i = 1; s.lists.any_rough(); ++i) {  // the scale stays when lists become exact
      s.show(greys(0, true), i * 100us);
      EXPECT_EQ(before, s.lists.factor());
    }
  }
}

/// The cost scale changes when some lists become exact while others are still rough, as rough lists
/// do not contribute to it.
TEST(RoughLists, BoundsHoldWhenTheCostScaleChanges) {
  for (const bool white : {true, false}) {
    SCOPED_TRACE(white);
    Stream s;
    s.cut(greys(0, !white), std::nullopt);
    const int64_t before = s.lists.factor();
    s.show(greys(4, white), kNoTime);
    ASSERT_EQ(before, s.lists.factor());
    ASSERT_EQ(s.cells, s.rough_cells());
    ASSERT_NO_FATAL_FAILURE(check(s));
    int changes = 0, rough_at_change = 0;
    for (auto budget = std::chrono::nanoseconds(20us); s.lists.any_rough(); budget += budget / 8) {
      const int64_t last = s.lists.factor();
      s.show(greys(4, white), budget);
      ASSERT_NO_FATAL_FAILURE(check(s));
      EXPECT_TRUE(s.lists.priced() || !s.lists.any_rough());
      if (s.lists.factor() == last) continue;
      ++changes;
      rough_at_change += s.rough_cells();
      EXPECT_EQ(static_cast<size_t>(s.cells), s.lists.updated().size());
    }
    EXPECT_EQ(1, changes);
    EXPECT_GT(rough_at_change, 0);
    EXPECT_EQ(white, s.lists.factor() < before);
  }
}

/// Prices of another scene are not used.
TEST(RoughLists, BoundsHoldAtACutAndWhenTheSceneReturns) {
  Stream patient, s;
  const auto both = [&](auto show) {
    show(patient, Budget());
    show(s, Budget(kNoTime));
  };
  patient.cut(disc(0), std::nullopt);
  s.cut(disc(0), std::nullopt);
  both([](Stream& of, Budget budget) { of.show(disc(1), budget); });
  ASSERT_NO_FATAL_FAILURE(check(s));
  EXPECT_TRUE(s.lists.priced());
  both([](Stream& of, Budget budget) { of.cut(plain(250), budget, 1); });
  ASSERT_NO_FATAL_FAILURE(check(s));
  EXPECT_EQ(s.cells, s.rough_cells());
  EXPECT_FALSE(s.lists.priced());
  both([](Stream& of, Budget budget) { of.show(plain(251), budget); });
  ASSERT_NO_FATAL_FAILURE(check(s));
  EXPECT_TRUE(s.lists.priced());
  both([](Stream& of, Budget budget) { of.come_back(disc(1), budget, 1); });
  ASSERT_NO_FATAL_FAILURE(check(s));
  EXPECT_EQ(s.cells, s.rough_cells());
  EXPECT_FALSE(s.lists.priced());
  patient.show(disc(2), std::nullopt);
  s.show(disc(2), std::nullopt);
  ASSERT_NO_FATAL_FAILURE(check_same(patient, s));
}

/// The cost of the optimal assignment for the frame.
int64_t least_cost(const Stream& s) {
  std::vector<int32_t> column(static_cast<size_t>(s.cells) * s.tiles), cost(column.size());
  const std::vector<int32_t> bound(s.cells, INT32_MAX);
  std::vector<int32_t> row(s.tiles);
  for (int cell = 0; cell < s.cells; ++cell) {
    mosaic::TileCosts(s.analysis, s.lists, s.costs).all_costs(cell, row.data());
    const std::span order(&column[static_cast<size_t>(cell) * s.tiles], s.tiles);
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](int tile) { return row[tile]; });
    for (int i = 0; i < s.tiles; ++i) cost[static_cast<size_t>(cell) * s.tiles + i] = row[order[i]];
  }
  mosaic::AssignmentProblem problem;
  problem.rows = s.cells;
  problem.columns = problem.listed = s.tiles;
  problem.column = column.data();
  problem.cost = cost.data();
  problem.bound = bound.data();
  return mosaic::AssignmentSolver().solve(problem).cost;
}

/// The gap of a frame with rough lists is an upper bound on its true gap.
TEST(RoughLists, GapIsAnUpperBoundOnTheTrueGap) {
  Stream s;
  s.how.beta = 0;  // no switching prices
  for (int i = 0; i < 8; ++i) {
    SCOPED_TRACE("frame " + std::to_string(i));
    s.scene.cut = i == 0 || i == 5;
    s.show(i == 5 ? plain(200) : i % 2 ? brighter(i) : disc(i), i == 2 ? Budget() : kNoTime);
    const auto costs = s.placement.costs();
    const auto cost = std::accumulate(costs.begin(), costs.end(), int64_t{0});
    const int64_t least = least_cost(s);
    const double bound = static_cast<double>(cost) / (1 + s.result.gap);
    EXPECT_GE(cost, least);
    EXPECT_LE(bound, static_cast<double>(least) * (1 + 1e-9));
    if (i == 2) {
      EXPECT_EQ(cost, least);
    }
  }
}

}  // namespace
