// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photo_uses/photo_assignment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "executor/worker_pool.h"
#include "tests/mosaic/photo_uses/tile_problem.h"

namespace {

using mosaic::Assignment;
using mosaic::AssignmentProblem;
using mosaic::PhotoAssignment;
using Tiles = test::TileProblem;

void expect_optimal(const Tiles& tiles, int capacity, const Assignment& solved) {
  std::vector<int> left(tiles.photos, capacity);
  EXPECT_EQ(tiles.least(0, left), solved.cost);
  EXPECT_EQ(solved.lower_bound, solved.cost);
  int64_t sum = 0;
  for (int row = 0; row < tiles.rows; ++row) {
    const int tile = solved.column[row];
    EXPECT_EQ(tiles.at(row, tile), solved.column_cost[row]);
    sum += tiles.priced(row, tile);
    EXPECT_GE(--left[tile % tiles.photos], 0) << "photo " << tile % tiles.photos;
  }
  EXPECT_EQ(sum, solved.cost);
}

TEST(PhotoAssignment, IsTheBestOfAllPhotosAndVariants) {
  std::mt19937 random(1);
  mt::WorkerPool workers(2);
  PhotoAssignment solver;
  for (int round = 0; round < 600; ++round) {
    const int photos = 2 + static_cast<int>(random() % 4);
    const int variants = 1 + static_cast<int>(random() % 4);
    const int rows = 1 + static_cast<int>(random() % 5);
    const int capacity = (rows + photos - 1) / photos + static_cast<int>(random() % 2);
    const int listed = 1 + static_cast<int>(random() % (photos * variants));
    const Tiles tiles(rows, photos, variants, listed, random);
    AssignmentProblem problem = tiles.problem();
    if (round % 2) problem.workers = &workers;
    if (round % 3 == 0) problem.read_cheapest = nullptr;
    if (round % 5 == 0) problem.held = nullptr;
    const Assignment& solved = solver.solve(problem, tiles.uses(capacity));
    if (!problem.held) {
      Tiles free = tiles;
      std::fill(free.held.begin(), free.held.end(), -1);
      expect_optimal(free, capacity, solved);
    } else {
      expect_optimal(tiles, capacity, solved);
    }
  }
}

TEST(PhotoAssignment, CountsTilesIfItIsTo) {
  std::mt19937 random(2);
  const Tiles tiles(4, 2, 3, 6, random);
  AssignmentProblem problem = tiles.problem();
  PhotoAssignment solver;
  const Assignment& solved = solver.solve(problem, {.units = tiles.tiles, .most = 1});
  std::vector<int32_t> used(solved.column);
  std::sort(used.begin(), used.end());
  EXPECT_EQ(used.end(), std::adjacent_find(used.begin(), used.end()));
}

/// Lists of rows that did not change are kept: the solver's answer is that of all lists.
TEST(PhotoAssignment, KeepsTheListsOfRowsThatDidNotChange) {
  std::mt19937 random(3);
  Tiles tiles(5, 4, 3, 7, random);
  PhotoAssignment solver;
  std::vector<uint8_t> unchanged(tiles.rows, 0);
  AssignmentProblem problem = tiles.problem();
  problem.unchanged = unchanged.data();
  solver.solve(problem, tiles.uses(2));
  for (int round = 0; round < 50; ++round) {
    const Tiles other(5, 4, 3, 7, random);
    const int row = static_cast<int>(random() % tiles.rows);
    const auto take = [row](std::vector<int32_t>& to, const std::vector<int32_t>& from, int each) {
      std::copy_n(from.begin() + row * each, each, to.begin() + row * each);
    };
    take(tiles.cost, other.cost, tiles.tiles);
    take(tiles.list, other.list, tiles.listed);
    take(tiles.list_cost, other.list_cost, tiles.listed);
    take(tiles.bound, other.bound, 1);
    for (int r = 0; r < tiles.rows; ++r) {
      tiles.held[r] = other.held[r];
      tiles.held_cost[r] = tiles.held[r] < 0 ? 0 : tiles.at(r, tiles.held[r]);
      unchanged[r] = r != row;
    }
    expect_optimal(tiles, 2, solver.solve(problem, tiles.uses(2)));
  }
}

}  // namespace
