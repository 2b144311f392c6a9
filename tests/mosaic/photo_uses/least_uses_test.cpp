// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photo_uses/least_uses.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "tests/mosaic/photo_uses/tile_problem.h"

namespace {

using mosaic::Assignment;
using mosaic::AssignmentProblem;
using mosaic::LeastUses;
using mosaic::PhotoAssignment;
using test::TileProblem;

int64_t sum_of(const TileProblem& tiles, const std::vector<int32_t>& tile) {
  int64_t sum = 0;
  for (int row = 0; row < tiles.rows; ++row) sum += tiles.priced(row, tile[row]);
  return sum;
}

/// How often each of some photos has to be used, 0 to 2 times, and how many rows there are then.
struct Wanted {
  std::vector<int32_t> least;
  int rows = 0;

  Wanted(int photos, bool equally, std::mt19937& random) : least(photos, 1 + random() % 2) {
    if (!equally)
      for (int32_t& uses : least) uses = static_cast<int32_t>(random() % 3);
    rows = std::accumulate(least.begin(), least.end(), 0) + static_cast<int>(random() % 3);
    rows = std::max(rows, 1);
  }
};

TEST(LeastUses, IsTheBestAssignmentThatUsesPhotosOftenEnough) {
  std::mt19937 random(1);
  const auto below = [&](int limit) { return static_cast<int>(random() % limit); };
  PhotoAssignment solver;
  LeastUses least_uses;
  int raised = 0;
  for (int round = 0; round < 600; ++round) {
    const int photos = 1 + below(3), variants = 1 + below(3);
    const auto [least, rows] = Wanted(photos, round % 2 == 0, random);
    const int most = std::max((rows + photos - 1) / photos + below(2),
                              *std::max_element(least.begin(), least.end()));
    const TileProblem tiles(rows, photos, variants, 1 + below(photos * variants), random);
    AssignmentProblem problem = tiles.problem();
    const Assignment& solved = solver.solve(problem, tiles.uses(most));
    std::vector<int32_t> tile = solved.column;
    const int64_t bound = least_uses.raise(solver, solved, most, least, tile, {});
    std::vector<int> left(photos, most), spare;
    for (const int32_t uses : least) spare.push_back(most - uses);
    const int64_t best = tiles.least(0, left, spare);
    EXPECT_EQ(best, sum_of(tiles, tile)) << "round " << round;
    EXPECT_EQ(best, bound) << "round " << round;
    for (const int32_t t : tile) --left[t % photos];
    for (int photo = 0; photo < photos; ++photo) {
      EXPECT_GE(left[photo], 0);
      EXPECT_LE(left[photo], spare[photo]);
    }
    raised += tile != solved.column;
  }
  EXPECT_GT(raised, 50);
}

/// From an assignment that is not optimal, as after a time limit, every photo is used all the same.
TEST(LeastUses, UsesEveryPhotoWhateverTheAssignment) {
  std::mt19937 random(2);
  PhotoAssignment solver;
  LeastUses least_uses;
  const std::vector<int32_t> kTwice(3, 2);
  for (int round = 0; round < 200; ++round) {
    const TileProblem tiles(7, 3, 2, 6, random);
    AssignmentProblem problem = tiles.problem();
    const Assignment& solved =
        solver.solve(problem, tiles.uses(4), std::nullopt, mosaic::Effort::kGreedy);
    std::vector<int32_t> tile = solved.column;
    const int64_t bound = least_uses.raise(solver, solved, 4, kTwice, tile, {});
    EXPECT_LE(bound, sum_of(tiles, tile));
    std::vector<int> used(3);
    for (const int32_t t : tile) ++used[t % 3];
    for (const int uses : used) {
      EXPECT_GE(uses, 2);
      EXPECT_LE(uses, 4);
    }
  }
}

TEST(LeastUses, EndsAtItsDeadline) {
  std::mt19937 random(4);
  TileProblem tiles(5, 3, 1, 3, random);
  for (int i = 0; i < 15; ++i) {
    tiles.list[i] = i % 3;
    tiles.cost[i] = tiles.list_cost[i] = i % 3 == 0 ? 0 : 9;
  }
  std::fill(tiles.held.begin(), tiles.held.end(), -1);
  AssignmentProblem problem = tiles.problem();
  PhotoAssignment solver;
  const std::vector<int32_t> once(3, 1);
  for (const bool late : {true, false}) {
    const Assignment& solved = solver.solve(problem, tiles.uses(5));
    std::vector<int32_t> tile(5, 0);
    const auto now = PhotoAssignment::Clock::now();
    LeastUses().raise(solver, solved, 5, once, tile, {}, late ? now : now + std::chrono::hours(1));
    EXPECT_EQ(std::set<int32_t>(tile.begin(), tile.end()).size(), late ? 1U : 3U);
  }
}

TEST(LeastUses, EndsWhereItIsCancelled) {
  std::mt19937 random(3);
  const std::atomic<bool> cancelled = true;
  TileProblem tiles(5, 3, 1, 3, random);
  std::fill(tiles.cost.begin(), tiles.cost.end(), 0);
  AssignmentProblem problem = tiles.problem();
  PhotoAssignment solver;
  const Assignment& solved = solver.solve(problem, tiles.uses(5));
  std::vector<int32_t> tile(5, 0);
  const std::vector<int32_t> once(3, 1);
  EXPECT_THROW(LeastUses().raise(solver, solved, 5, once, tile, mt::Cancellation(cancelled)),
               mt::Cancelled);
}

}  // namespace
