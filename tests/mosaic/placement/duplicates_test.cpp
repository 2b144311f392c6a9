// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/placement/duplicates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>

#include "tests/mosaic/assignment/assignment_problems.h"

namespace {

using mosaic::separate_duplicates;

/// The cells of a grid whose photo appears again within `radius` cells.
std::vector<int> duplicates(const std::vector<int32_t>& column, int width, int height, int photos,
                            int radius) {
  std::vector<int> found;
  for (int a = 0; a < width * height; ++a)
    for (int b = 0; b < width * height; ++b) {
      const int dx = std::abs(a % width - b % width), dy = std::abs(a / width - b / width);
      if (a == b || std::max(dx, dy) > radius) continue;
      if (column[a] % photos != column[b] % photos) continue;
      found.push_back(a);
      break;
    }
  return found;
}

/// The change of cost between two assignments, without switching prices.
int64_t difference(const DenseProblem& d, const std::vector<int32_t>& before,
                   const std::vector<int32_t>& after) {
  int64_t sum = 0;
  for (int i = 0; i < d.rows; ++i) sum += d.cost(i, after[i]) - d.cost(i, before[i]);
  return sum;
}

/// Whether a cell could have taken a listed column without becoming a duplicate.
bool could_move(const DenseProblem& d, const std::vector<int32_t>& column, int cell, int width,
                int height, int photos, int radius) {
  std::vector<int> used(d.columns, 0);
  for (const int32_t j : column) ++used[j];
  for (int k = 0; k < d.listed; ++k) {
    std::vector<int32_t> other = column;
    other[cell] = d.list_column[static_cast<size_t>(cell) * d.listed + k];
    if (used[other[cell]] == d.capacity) continue;
    const std::vector<int> left = duplicates(other, width, height, photos, radius);
    if (std::find(left.begin(), left.end(), cell) == left.end()) return true;
  }
  return false;
}

TEST(SeparateDuplicates, LeavesNoDuplicateThatCouldMove) {
  std::mt19937 random(1);
  int moved = 0, stayed = 0;
  for (int n = 0; n < 300; ++n) {
    const int width = 1 + random() % 9, height = 1 + random() % 7, radius = 1 + random() % 12;
    const int photos = 1 + random() % 80, variants = 1 + random() % 4, tiles = photos * variants;
    const int cells = width * height, capacity = (cells + tiles - 1) / tiles + random() % 3;
    SCOPED_TRACE("problem " + std::to_string(n) + ": " + std::to_string(width) + "x" +
                 std::to_string(height) + ", radius " + std::to_string(radius));
    DenseProblem d(cells, tiles, capacity, 1 + random() % tiles);
    fill(d, n % 3 ? Shape::kRandom : Shape::kFewValues, random);
    std::vector<int32_t> held(cells);
    for (int32_t& h : held) h = static_cast<int32_t>(random() % (tiles + 1)) - 1;
    if (n % 2) d.hold(held, std::vector<int32_t>(cells, 1000));
    const mosaic::AssignmentProblem p = d.problem();
    mosaic::AssignmentSolver solver;
    const std::vector<int32_t> before = solver.solve(p).column;

    std::vector<int32_t> after = before;
    const int64_t added = separate_duplicates(p, width, height, photos, radius, after);
    EXPECT_EQ(added, difference(d, before, after));
    std::vector<int> used(tiles, 0);
    for (const int32_t j : after) ASSERT_LE(++used[j], capacity);
    for (const int cell : duplicates(after, width, height, photos, radius)) {
      // A duplicate that can move now could not when it was its turn: a later cell has since made
      // room. So it must still have its tile.
      if (could_move(d, after, cell, width, height, photos, radius)) {
        EXPECT_EQ(after[cell], before[cell]);
      }
      ++stayed;
    }
    const std::vector<int> at_first = duplicates(before, width, height, photos, radius);
    for (int i = 0; i < cells; ++i) {
      if (after[i] == before[i]) continue;
      ++moved;
      EXPECT_NE(std::find(at_first.begin(), at_first.end(), i), at_first.end()) << "cell " << i;
    }
    std::vector<int32_t> again = before;
    separate_duplicates(p, width, height, photos, radius, again);
    EXPECT_EQ(after, again);
  }
  EXPECT_GT(moved, 100);
  EXPECT_GT(stayed, 100);
}

TEST(SeparateDuplicates, SeparatesAllDuplicatesWithEnoughTiles) {
  // For all 8 x 6 cells, photo 0 is the cheapest of 500 listed photos.
  DenseProblem d(48, 500, 48, 500);
  for (int i = 0; i < 48; ++i)
    for (int j = 0; j < 500; ++j) d.costs[i * 500 + j] = 10 * j;
  std::vector<int32_t> column(48, 0);
  const auto p = d.problem();
  const std::vector<int32_t> before = column;
  const int64_t added = separate_duplicates(p, 8, 6, 500, 4, column);
  EXPECT_TRUE(duplicates(column, 8, 6, 500, 4).empty());
  EXPECT_EQ(added, difference(d, before, column));
  EXPECT_GT(added, 0);
  EXPECT_EQ(column[0], 1);  // the cheapest that fits
}

TEST(SeparateDuplicates, EndsWhereItIsCancelled) {
  const std::atomic<bool> cancelled = true;
  DenseProblem d(48, 500, 48, 500);
  auto p = d.problem();
  p.cancellation = mt::Cancellation(cancelled);
  std::vector<int32_t> column(48, 0);
  const std::vector<int32_t> before = column;
  EXPECT_THROW(separate_duplicates(p, 8, 6, 500, 4, column), mt::Cancelled);
  EXPECT_EQ(column, before);
}

TEST(SeparateDuplicates, KeepsTilesThatAreFarEnoughApart) {
  DenseProblem d(6, 8, 2, 8);
  const auto p = d.problem();
  struct Case {
    std::vector<int32_t> column;
    int photos;
    unsigned radius;
  };
  for (const Case& c : {Case{{0, 1, 2, 3, 4, 5}, 8, 16384},
                        Case{{0, 1, 2, 0, 1, 2}, 4, 2},  // a row of cells: duplicates three apart
                        Case{{0, 0, 4, 4, 1, 5}, 4, 0}}) {  // radius 0: no duplicates
    std::vector<int32_t> column = c.column;
    EXPECT_EQ(separate_duplicates(p, 6, 1, c.photos, c.radius, column), 0);
    EXPECT_EQ(column, c.column);
  }
}

TEST(SeparateDuplicates, MovesTheNewDuplicateBackToItsHeldTile) {
  // Cells 0 and 1 are neighbours. Cell 1 keeps tile 0; cell 0 gets it too, but held tile 3.
  DenseProblem d(2, 4, 2, 4);
  d.costs = {1, 5, 7, 9, 1, 5, 7, 9};
  d.hold({3, 0}, {2, 2});
  std::vector<int32_t> column = {0, 0};
  EXPECT_EQ(separate_duplicates(d.problem(), 2, 1, 4, 4, column), 8);
  EXPECT_EQ(column, (std::vector<int32_t>{3, 0}));
  // Without held tiles, the first cell moves, to the cheapest tile that fits.
  d.held.clear();
  column = {0, 0};
  EXPECT_EQ(separate_duplicates(d.problem(), 2, 1, 4, 4, column), 4);
  EXPECT_EQ(column, (std::vector<int32_t>{1, 0}));
}

TEST(SeparateDuplicates, KeepsDuplicatesWithoutAListedAlternative) {
  // One photo in two variants: the cells are duplicates, whichever they take.
  DenseProblem d(2, 2, 2, 2);
  d.costs = {1, 5, 1, 5};
  std::vector<int32_t> column = {0, 0};
  EXPECT_EQ(separate_duplicates(d.problem(), 2, 1, 1, 4, column), 0);
  EXPECT_EQ(column, (std::vector<int32_t>{0, 0}));
  // Another photo would fit, but is not listed, or has no room.
  DenseProblem unlisted(2, 3, 2, 1);
  unlisted.costs = {1, 5, 9, 1, 5, 9};
  EXPECT_EQ(separate_duplicates(unlisted.problem(), 2, 1, 3, 4, column), 0);
  DenseProblem full(4, 2, 2, 2);
  full.costs = {1, 5, 1, 5, 5, 1, 5, 1};
  column = {0, 0, 1, 1};
  EXPECT_EQ(separate_duplicates(full.problem(), 4, 1, 2, 4, column), 0);
  EXPECT_EQ(column, (std::vector<int32_t>{0, 0, 1, 1}));
}

}  // namespace
