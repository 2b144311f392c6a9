// SPDX-License-Identifier: LGPL-2.1-or-later
// Swaps of neighbours on random problems, compared with a plain implementation of the rule.
#include "mosaic/placement/swaps.h"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <random>

#include "mosaic/assignment/assignment.h"

namespace {

struct Problem {
  int columns, rows, tiles;
  std::vector<int64_t> cost;  // [cells][tiles]

  Problem(int columns, int rows, int tiles, int below, unsigned seed)
      : columns(columns), rows(rows), tiles(tiles), cost(size_t(columns) * rows * tiles) {
    std::mt19937 random(seed);
    for (int64_t& c : cost) c = random() % below;
  }
  int cells() const { return columns * rows; }
  int64_t of(int cell, int tile) const { return cost[size_t(cell) * tiles + tile]; }
  int64_t sum(const std::vector<int32_t>& tile) const {
    int64_t sum = 0;
    for (int i = 0; i < cells(); ++i) sum += of(i, tile[i]);
    return sum;
  }
  int64_t swap(int rounds, std::vector<int32_t>& tile) const {
    const auto f = [this](int cell, int t) { return of(cell, t); };
    return mosaic::swap_neighbours(columns, rows, rounds, f, tile);
  }
};

/// The rule, with the sum of all costs computed for every pair.
void swap_plainly(const Problem& p, int rounds, std::vector<int32_t>& tile) {
  const std::pair<int, int> down_right[] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}, {1, 1}, {-1, -1}};
  for (int round = 0; round < rounds; ++round)
    for (int y = 0; y < p.rows; ++y)
      for (int x = 0; x < p.columns; ++x)
        for (const auto& [dy, dx] : down_right) {
          if (y + dy < 0 || y + dy >= p.rows || x + dx < 0 || x + dx >= p.columns) continue;
          std::vector<int32_t> other = tile;
          std::swap(other[y * p.columns + x], other[(y + dy) * p.columns + x + dx]);
          if (p.sum(other) < p.sum(tile)) tile = other;
        }
}

std::vector<int32_t> shuffled(const Problem& p, unsigned seed) {
  std::vector<int32_t> tile(p.tiles);
  std::iota(tile.begin(), tile.end(), 0);
  std::shuffle(tile.begin(), tile.end(), std::mt19937(seed));
  tile.resize(p.cells());
  return tile;
}

TEST(Swaps, MatchNaiveImplementation) {
  unsigned seed = 0;
  for (const auto& [columns, rows] : {std::pair(1, 1), {2, 1}, {1, 7}, {5, 4}, {9, 6}})
    for (int rounds : {0, 1, 2, 5, 100})
      for (int below : {4, 1000000}) {  // many equal costs, and few
        const Problem p(columns, rows, columns * rows + 3, below, ++seed);
        std::vector<int32_t> tile = shuffled(p, seed), expected = tile;
        const int64_t before = p.sum(tile);
        const int64_t saved = p.swap(rounds, tile);
        swap_plainly(p, rounds, expected);
        EXPECT_EQ(expected, tile) << columns << "x" << rows << ", " << rounds << " rounds";
        EXPECT_EQ(before - p.sum(tile), saved);
        if (rounds == 0 || columns * rows == 1) {
          EXPECT_EQ(0, saved);
        } else if (columns * rows > 10) {
          EXPECT_GT(saved, 0);
        }
      }
}

TEST(Swaps, EndWhenNothingIsGained) {
  const Problem p(8, 8, 64, 1000, 1);
  std::vector<int32_t> tile = shuffled(p, 1);
  EXPECT_GT(p.swap(1000, tile), 0);
  EXPECT_EQ(0, p.swap(1000, tile));
}

TEST(Swaps, EndWhereTheyAreCancelled) {
  std::atomic<bool> cancelled = false;
  int costs = 0;
  const auto cost = [&](int, int) {
    if (++costs == 40) cancelled = true;
    return int64_t{0};
  };
  std::vector<int32_t> tile(64);
  std::iota(tile.begin(), tile.end(), 0);
  EXPECT_THROW(mosaic::swap_neighbours(8, 8, 1, cost, tile, mt::Cancellation(cancelled)),
               mt::Cancelled);
  EXPECT_LE(costs, 40 + 6 * 4) << "a cell's neighbours at most";
}

/// All tiles of each cell in order of cost.
struct Lists {
  explicit Lists(const Problem& p)
      : order(p.cost.size()), cost(p.cost.size()), bound(p.cells(), INT32_MAX) {
    for (int i = 0; i < p.cells(); ++i) {
      int32_t* row = order.data() + size_t(i) * p.tiles;
      std::iota(row, row + p.tiles, 0);
      std::stable_sort(row, row + p.tiles, [&](int a, int b) { return p.of(i, a) < p.of(i, b); });
      for (int k = 0; k < p.tiles; ++k)
        cost[size_t(i) * p.tiles + k] = static_cast<int32_t>(p.of(i, row[k]));
    }
    problem.rows = p.cells();
    problem.columns = problem.listed = p.tiles;
    problem.column = order.data();
    problem.cost = cost.data();
    problem.bound = bound.data();
  }
  std::vector<int32_t> order, cost, bound;
  mosaic::AssignmentProblem problem;
};

TEST(Swaps, ImproveOnlyAnInexactAssignment) {
  int64_t gained = 0;
  for (unsigned seed = 0; seed < 5; ++seed) {
    const Problem p(12, 10, 120, 100000, seed);
    const Lists lists(p);
    mosaic::AssignmentSolver solver;
    std::vector<int32_t> exact = solver.solve(lists.problem).column;
    EXPECT_EQ(0, p.swap(100, exact));
    const mosaic::Assignment& hasty =
        solver.solve(lists.problem, mosaic::AssignmentSolver::Clock::time_point());
    ASSERT_GT(hasty.gap(), 0);
    std::vector<int32_t> better = hasty.column;
    const int64_t saved = p.swap(5, better);
    EXPECT_EQ(hasty.cost - saved, p.sum(better));
    EXPECT_GE(p.sum(better), p.sum(exact));
    EXPECT_EQ(saved > 0, hasty.gap(hasty.cost - saved) < hasty.gap());
    gained += saved;
  }
  EXPECT_GT(gained, 0);
}

}  // namespace
