// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photo_uses/photo_assignment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "executor/worker_pool.h"

namespace {

using mosaic::Assignment;
using mosaic::AssignmentProblem;
using mosaic::CostBlock;
using mosaic::PhotoAssignment;
using mosaic::UseLimit;

/// A problem of tiles in which every cost is known.
struct Tiles {
  Tiles(int rows_, int photos_, int variants, int listed_, std::mt19937& random)
      : rows(rows_), photos(photos_), tiles(photos * variants), listed(listed_) {
    cost.resize(rows * tiles);
    for (int32_t& c : cost) c = static_cast<int32_t>(random() % 20);  // many are equal
    held.resize(rows);
    for (int32_t& tile : held) tile = static_cast<int32_t>(random() % (tiles + 2)) - 2;
    price.resize(rows);
    for (int32_t& p : price) p = static_cast<int32_t>(random() % 12);
    for (int row = 0; row < rows; ++row) {
      held[row] = std::max(held[row], -1);
      held_cost.push_back(held[row] < 0 ? 0 : at(row, held[row]));
      std::vector<int32_t> order(tiles);
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(),
                       [&](int a, int b) { return at(row, a) < at(row, b); });
      for (int i = 0; i < listed; ++i) {
        list.push_back(order[i]);
        list_cost.push_back(at(row, order[i]));
      }
      bound.push_back(listed == tiles ? INT32_MAX : at(row, order[listed]));
    }
  }

  int32_t at(int row, int tile) const { return cost[row * tiles + tile]; }
  /// What a row adds to the sum: the tile's cost, and the switching price if it gives up another.
  int64_t priced(int row, int tile) const {
    return at(row, tile) + (held[row] >= 0 && held[row] != tile ? price[row] : 0);
  }

  /// Refers to this object.
  AssignmentProblem problem() const {
    AssignmentProblem p;
    p.rows = rows;
    p.columns = tiles;
    p.listed = listed;
    p.column = list.data();
    p.cost = list_cost.data();
    p.bound = bound.data();
    p.held = held.data();
    p.held_cost = held_cost.data();
    p.switching_price = price.data();
    p.read_costs = [this](const CostBlock& block) {
      for (size_t i = 0; i < block.rows.size(); ++i)
        for (int t = block.begin; t < block.end; ++t) block.of_row(i)[t] = at(block.rows[i], t);
    };
    p.read_cheapest = [this](int row, int wanted, int32_t* to_tiles, int32_t* to_costs) {
      std::vector<int32_t> sorted(&cost[row * tiles], &cost[row * tiles] + tiles);
      std::nth_element(sorted.begin(), sorted.begin() + wanted - 1, sorted.end());
      int count = 0;
      for (int t = 0; t < tiles; ++t)
        if (at(row, t) <= sorted[wanted - 1]) {
          to_tiles[count] = t;
          to_costs[count++] = at(row, t);
        }
      return count;
    };
    p.single = [this](int row, int tile) { return at(row, tile); };
    return p;
  }

  UseLimit uses(int most) const {
    return {.units = photos, .most = most, .counted = mosaic::Unit::kPhoto};
  }

  /// The least sum over all assignments of photos and variants, by trying all.
  int64_t least(int row, std::vector<int>& left) const {
    if (row == rows) return 0;
    int64_t best = INT64_MAX / 2;
    for (int photo = 0; photo < photos; ++photo) {
      if (left[photo] == 0) continue;
      int64_t own = INT64_MAX / 2;
      for (int tile = photo; tile < tiles; tile += photos) own = std::min(own, priced(row, tile));
      --left[photo];
      best = std::min(best, own + least(row + 1, left));
      ++left[photo];
    }
    return best;
  }

  int rows, photos, tiles, listed;
  std::vector<int32_t> cost, held, held_cost, price, list, list_cost, bound;
};

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
