// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photo_uses/photo_separation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>
#include <optional>
#include <random>
#include <vector>

namespace {

using mosaic::Assignment;
using mosaic::AssignmentProblem;
using mosaic::CostBlock;
using mosaic::PhotoAssignment;
using mosaic::PhotoSeparation;

constexpr int kColumns = 12, kRows = 9, kCells = kColumns * kRows;
constexpr int kVariants = 3;

/// Cells whose costs change slowly over the grid, so that neighbours want the same photos.
class Grid {
 public:
  Grid(int photos, int listed, unsigned seed)
      : photos_(photos), tiles_(photos * kVariants), listed_(std::min(listed, tiles_)) {
    std::mt19937 random(seed);
    const auto below = [&](int limit) { return static_cast<int32_t>(random() % limit); };
    std::vector<int> place(tiles_);
    for (int& p : place) p = below(40);
    for (int cell = 0; cell < kCells; ++cell) {
      const int wanted = (cell % kColumns + cell / kColumns) * 2;
      for (int tile = 0; tile < tiles_; ++tile)
        cost_.push_back(100 * std::abs(wanted - place[tile]) + below(50));
      std::vector<int32_t> order(tiles_);
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(),
                       [&](int a, int b) { return cost(cell, a) < cost(cell, b); });
      list_.insert(list_.end(), order.begin(), order.begin() + listed_);
      for (int i = 0; i < listed_; ++i) list_cost_.push_back(cost(cell, order[i]));
      bound_.push_back(listed_ == tiles_ ? INT32_MAX : cost(cell, order[listed_]));
      held_.push_back(below(2) ? below(tiles_) : -1);
      held_cost_.push_back(held_.back() < 0 ? 0 : cost(cell, held_.back()));
      price_.push_back(below(400));
    }
    problem_.rows = kCells;
    problem_.columns = tiles_;
    problem_.listed = listed_;
    problem_.column = list_.data();
    problem_.cost = list_cost_.data();
    problem_.bound = bound_.data();
    problem_.held = held_.data();
    problem_.held_cost = held_cost_.data();
    problem_.switching_price = price_.data();
    problem_.read_costs = [this](const CostBlock& block) {
      for (size_t i = 0; i < block.rows.size(); ++i)
        for (int t = block.begin; t < block.end; ++t) block.of_row(i)[t] = cost(block.rows[i], t);
    };
    problem_.single = [this](int cell, int tile) { return cost(cell, tile); };
  }

  int32_t cost(int cell, int tile) const { return cost_[cell * tiles_ + tile]; }

  /// Assigns and separates. @return what separate() does
  int separate(int capacity, int radius, const mt::Cancellation& cancellation = {}, int least = 0,
               std::optional<PhotoAssignment::Clock::time_point> deadline = std::nullopt) {
    const Assignment& solved = solver_.solve(
        problem_, {.units = photos_, .most = capacity, .counted = mosaic::Unit::kPhoto});
    tile = assigned = solved.column;
    const std::vector<int32_t> all_least(photos_, least);
    return separation_.separate(solver_,
                                {.columns = kColumns,
                                 .rows = kRows,
                                 .capacity = capacity,
                                 .least = all_least,
                                 .radius = radius},
                                tile, cancellation, deadline);
  }

  /// Cells whose photo also appears within the radius.
  int repeated(const std::vector<int32_t>& tiles, int radius) const {
    int count = 0;
    for (int a = 0; a < kCells; ++a) {
      bool found = false;
      for (int b = 0; b < kCells; ++b)
        found |= a != b && tiles[a] % photos_ == tiles[b] % photos_ &&
                 std::abs(a % kColumns - b % kColumns) <= radius &&
                 std::abs(a / kColumns - b / kColumns) <= radius;
      count += found;
    }
    return count;
  }
  std::vector<int> uses(const std::vector<int32_t>& tiles) const {
    std::vector<int> used(photos_);
    for (const int32_t t : tiles) ++used[t % photos_];
    return used;
  }
  int most_used() const {
    const std::vector<int> used = uses(tile);
    return *std::max_element(used.begin(), used.end());
  }
  int64_t sum(const std::vector<int32_t>& tiles) const {
    int64_t all = 0;
    for (int cell = 0; cell < kCells; ++cell) {
      all += cost(cell, tiles[cell]);
      if (held_[cell] >= 0 && held_[cell] != tiles[cell]) all += price_[cell];
    }
    return all;
  }
  /// Whether each cell shows its cheapest variant of its photo.
  void expect_cheapest_variants() const {
    for (int cell = 0; cell < kCells; ++cell)
      for (int other = tile[cell] % photos_; other < tiles_; other += photos_) {
        const auto priced = [&](int t) {
          return cost(cell, t) - (t == held_[cell] ? price_[cell] : 0);
        };
        EXPECT_LE(priced(tile[cell]), priced(other)) << "cell " << cell;
      }
  }

  std::vector<int32_t> assigned, tile;

 private:
  int photos_, tiles_, listed_;
  std::vector<int32_t> cost_, list_, list_cost_, bound_, held_, held_cost_, price_;
  AssignmentProblem problem_;
  PhotoAssignment solver_;
  PhotoSeparation separation_;
};

TEST(PhotoSeparation, NoPhotoIsBesideItselfWhereThePoolPermits) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    Grid grid(60, 40, seed);
    EXPECT_EQ(0, grid.separate(3, 2));
    EXPECT_GT(grid.repeated(grid.assigned, 2), 4) << "nothing to separate";
    EXPECT_EQ(0, grid.repeated(grid.tile, 2));
    EXPECT_LE(grid.most_used(), 3);
    grid.expect_cheapest_variants();
    // No worse than a few photos that nobody wanted: by far less than the mean cost of a photo.
    EXPECT_GE(grid.sum(grid.tile), grid.sum(grid.assigned));
    EXPECT_LT(grid.sum(grid.tile), 1.25 * grid.sum(grid.assigned) + 1000);
  }
}

TEST(PhotoSeparation, CountsWhatATooSmallPoolLeaves) {
  for (const int photos : {1, 4, 10, 30}) {
    Grid grid(photos, 30, 1);
    const int capacity = kCells / photos + 1;
    const int left = grid.separate(capacity, 3);
    EXPECT_EQ(grid.repeated(grid.tile, 3), left) << photos << " photos";
    EXPECT_LE(grid.most_used(), capacity);
  }
}

TEST(PhotoSeparation, KeepsPhotosThatHaveToBeShown) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    Grid grid(50, 40, seed);
    EXPECT_EQ(0, grid.separate(4, 2, {}, 1));
    EXPECT_NE(grid.assigned, grid.tile);
    const std::vector<int> before = grid.uses(grid.assigned), after = grid.uses(grid.tile);
    for (size_t photo = 0; photo < before.size(); ++photo)
      EXPECT_TRUE(after[photo] > 0 || before[photo] == 0) << "photo " << photo;
  }
}

TEST(PhotoSeparation, WithoutARadiusOrWithOneUseNothingChanges) {
  Grid grid(60, 40, 1);
  EXPECT_EQ(0, grid.separate(3, 0));
  EXPECT_EQ(grid.assigned, grid.tile);
  Grid once(120, 40, 1);
  EXPECT_EQ(0, once.separate(1, 4));
  EXPECT_EQ(once.assigned, once.tile);
}

TEST(PhotoSeparation, EndsAtItsDeadline) {
  Grid grid(60, 40, 1);
  const auto now = PhotoAssignment::Clock::now();
  const int left = grid.separate(3, 2, {}, 0, now);
  EXPECT_GT(left, 0);
  EXPECT_EQ(left, grid.repeated(grid.assigned, 2));
  EXPECT_EQ(grid.assigned, grid.tile);
  EXPECT_EQ(grid.separate(3, 2, {}, 0, now + std::chrono::hours(1)), 0);
}

TEST(PhotoSeparation, EndsWhereItIsCancelled) {
  const std::atomic<bool> cancelled = true;
  Grid grid(60, 40, 1);
  EXPECT_THROW(grid.separate(3, 2, mt::Cancellation(cancelled)), mt::Cancelled);
  EXPECT_EQ(grid.assigned, grid.tile);
}

}  // namespace
