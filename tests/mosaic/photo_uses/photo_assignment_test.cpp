// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photo_uses/photo_assignment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
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
  const mosaic::UseLimit uses = tiles.uses(capacity);
  std::vector<int> left(uses.units, capacity);
  EXPECT_EQ(tiles.least(0, left), solved.cost);
  EXPECT_EQ(solved.lower_bound, solved.cost);
  int64_t sum = 0;
  for (int row = 0; row < tiles.rows; ++row) {
    const int tile = solved.column[row];
    EXPECT_EQ(tiles.at(row, tile), solved.column_cost[row]);
    sum += tiles.priced(row, tile);
    EXPECT_GE(--left[uses.unit(tile)], 0) << "photo " << uses.unit(tile);
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
    problem.by_price = round % 7 < 4;
    problem.reads_prices = problem.by_price || round % 2;
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

/// Each photo of a random group, or none.
std::shared_ptr<const mosaic::PhotoGroups> random_groups(int photos, std::mt19937& random) {
  std::vector<int32_t> first(photos);
  for (int photo = 0; photo < photos; ++photo) {
    const int other = static_cast<int>(random() % (photo + 1));
    first[photo] = other < photo ? first[other] : photo;
  }
  return std::make_shared<mosaic::PhotoGroups>(first);
}

TEST(PhotoAssignment, IsTheBestOfAllGroupsOfPhotos) {
  std::mt19937 random(4);
  mt::WorkerPool workers(2);
  PhotoAssignment solver;
  for (int round = 0; round < 600; ++round) {
    const int photos = 2 + static_cast<int>(random() % 4);
    const int variants = 1 + static_cast<int>(random() % 3);
    const int rows = 1 + static_cast<int>(random() % 5);
    const int listed = 1 + static_cast<int>(random() % (photos * variants));
    Tiles tiles(rows, photos, variants, listed, random);
    tiles.groups = random_groups(photos, random);
    const int groups = tiles.groups->count();
    const int capacity = (rows + groups - 1) / groups + static_cast<int>(random() % 2);
    AssignmentProblem problem = tiles.problem();
    if (round % 2) problem.workers = &workers;
    if (round % 3 == 0) problem.read_cheapest = nullptr;
    problem.by_price = round % 7 < 4;
    problem.reads_prices = problem.by_price || round % 2;
    expect_optimal(tiles, capacity, solver.solve(problem, tiles.uses(capacity)));
    const int photo = static_cast<int>(random() % groups);
    std::vector<int64_t> priced(rows);
    solver.price_all(photo, priced);
    for (int row = 0; row < rows; ++row) EXPECT_EQ(solver.priced(row, photo), priced[row]);
  }
}

/// Whole rows are read in blocks of columns. Many members of groups are not in their group's block.
TEST(PhotoAssignment, ReadsGroupsInBlocks) {
  std::mt19937 random(5);
  mt::WorkerPool workers(2);
  constexpr int kRows = 30, kPhotos = 700, kGroups = 300, kVariants = 2;
  std::vector<int32_t> first(kPhotos);
  for (int photo = 0; photo < kPhotos; ++photo)
    first[photo] = photo < kGroups ? photo : static_cast<int>(random() % kGroups);
  Tiles tiles(kRows, kPhotos, kVariants, 2, random);
  for (int32_t& cost : tiles.cost) cost = static_cast<int32_t>(random() % 100000);
  std::fill(tiles.held.begin(), tiles.held.end(), -1);
  std::fill(tiles.bound.begin(), tiles.bound.end(), -1);  // lists that say nothing
  for (int row = 0; row < kRows; ++row)
    for (int i = 0; i < 2; ++i)
      tiles.list_cost[2 * row + i] = tiles.at(row, tiles.list[2 * row + i]);
  tiles.groups = std::make_shared<mosaic::PhotoGroups>(first);
  AssignmentProblem problem = tiles.problem();
  problem.workers = &workers;
  problem.read_cheapest = nullptr;
  PhotoAssignment solver;
  const Assignment& solved = solver.solve(problem, tiles.uses(1));
  EXPECT_EQ(solved.lower_bound, solved.cost);
  for (int row = 0; row < kRows; ++row)
    EXPECT_EQ(tiles.at(row, solved.column[row]), solved.column_cost[row]);

  // The same as a problem without groups, in which each photo costs what its group does.
  Tiles merged(kRows, kGroups, 1, kGroups, random);
  std::fill(merged.held.begin(), merged.held.end(), -1);
  std::fill(merged.cost.begin(), merged.cost.end(), INT32_MAX);
  for (int row = 0; row < kRows; ++row) {
    for (int tile = 0; tile < tiles.tiles; ++tile) {
      int32_t& least = merged.cost[row * kGroups + tiles.groups->group(tile % kPhotos)];
      least = std::min(least, tiles.at(row, tile));
    }
    std::iota(&merged.list[row * kGroups], &merged.list[row * kGroups] + kGroups, 0);
    std::sort(&merged.list[row * kGroups], &merged.list[row * kGroups] + kGroups,
              [&](int a, int b) { return merged.at(row, a) < merged.at(row, b); });
    for (int i = 0; i < kGroups; ++i)
      merged.list_cost[row * kGroups + i] = merged.at(row, merged.list[row * kGroups + i]);
  }
  const AssignmentProblem whole = merged.problem();
  mosaic::AssignmentSolver plain;
  EXPECT_EQ(plain.solve(whole).cost, solved.cost);
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
