// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photo_uses/least_uses.h"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
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

TEST(LeastUses, IsTheBestAssignmentThatUsesEveryPhoto) {
  std::mt19937 random(1);
  const auto below = [&](int limit) { return static_cast<int>(random() % limit); };
  PhotoAssignment solver;
  LeastUses least_uses;
  int raised = 0;
  for (int round = 0; round < 600; ++round) {
    const int photos = 1 + below(3), variants = 1 + below(3), least = 1 + below(2);
    const int rows = photos * least + below(3), most = (rows + photos - 1) / photos + below(2);
    const TileProblem tiles(rows, photos, variants, 1 + below(photos * variants), random);
    AssignmentProblem problem = tiles.problem();
    const Assignment& solved = solver.solve(problem, tiles.uses(most, least));
    std::vector<int32_t> tile = solved.column;
    const int64_t bound = least_uses.raise(solver, solved, tiles.uses(most, least), tile, {});
    std::vector<int> left(photos, most);
    const int64_t best = tiles.least(0, left, most - least);
    EXPECT_EQ(best, sum_of(tiles, tile)) << "round " << round;
    EXPECT_EQ(best, bound) << "round " << round;
    for (const int32_t t : tile) --left[t % photos];
    for (const int of_photo : left) {
      EXPECT_GE(of_photo, 0);
      EXPECT_LE(of_photo, most - least);
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
  for (int round = 0; round < 200; ++round) {
    const TileProblem tiles(7, 3, 2, 6, random);
    AssignmentProblem problem = tiles.problem();
    const Assignment& solved =
        solver.solve(problem, tiles.uses(4, 2), std::nullopt, mosaic::Effort::kGreedy);
    std::vector<int32_t> tile = solved.column;
    const int64_t bound = least_uses.raise(solver, solved, tiles.uses(4, 2), tile, {});
    EXPECT_LE(bound, sum_of(tiles, tile));
    std::vector<int> used(3);
    for (const int32_t t : tile) ++used[t % 3];
    for (const int uses : used) {
      EXPECT_GE(uses, 2);
      EXPECT_LE(uses, 4);
    }
  }
}

TEST(LeastUses, EndsWhereItIsCancelled) {
  std::mt19937 random(3);
  const std::atomic<bool> cancelled = true;
  TileProblem tiles(5, 3, 1, 3, random);
  std::fill(tiles.cost.begin(), tiles.cost.end(), 0);
  AssignmentProblem problem = tiles.problem();
  PhotoAssignment solver;
  const Assignment& solved = solver.solve(problem, tiles.uses(5, 1));
  std::vector<int32_t> tile(5, 0);
  EXPECT_THROW(
      LeastUses().raise(solver, solved, tiles.uses(5, 1), tile, mt::Cancellation(cancelled)),
      mt::Cancelled);
}

}  // namespace
