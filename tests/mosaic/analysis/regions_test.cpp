// SPDX-License-Identifier: LGPL-2.1-or-later
// Which cells lie in regions of interest.
#include "mosaic/analysis/regions.h"

#include <gtest/gtest.h>

#include <climits>
#include <numeric>
#include <string>
#include <vector>

namespace {

using mosaic::choose_grid;
using mosaic::Grid;
using mosaic::Region;

/// The rows of a grid: # for cells in regions, . for others.
std::vector<std::string> cells_in(const Grid& grid, const std::vector<Region>& regions) {
  std::vector<uint8_t> inside(grid.cells(), 7);
  find_cells_in_regions(grid, regions, inside);
  std::vector<std::string> rows(grid.rows);
  for (int cell = 0; cell < grid.cells(); ++cell) {
    EXPECT_LE(inside[cell], 1);
    rows[cell / grid.columns] += inside[cell] ? '#' : '.';
  }
  return rows;
}

using Rows = std::vector<std::string>;

TEST(Regions, ContainTheCellsWhoseCentreTheyContain) {
  const Grid grid = choose_grid(100, 60, 100, 60, 20, "700");  // cells from 0, 0
  EXPECT_EQ(cells_in(grid, {}), (Rows{".....", ".....", "....."}));
  EXPECT_EQ(cells_in(grid, {{20, 20, 40, 20}}), (Rows{".....", ".##..", "....."}));
  // Centres are at 10, 30, 50, 70, 90; an end does not belong to a region.
  EXPECT_EQ(cells_in(grid, {{10, 10, 60, 21}}), (Rows{"###..", "###..", "....."}));
  EXPECT_EQ(cells_in(grid, {{11, 11, 60, 19}}), (Rows{".....", ".###.", "....."}));
  EXPECT_EQ(cells_in(grid, {{0, 0, 100, 60}}), (Rows{"#####", "#####", "#####"}));
}

TEST(Regions, ContainTheCellAtTheirCentreHoweverSmall) {
  const Grid grid = choose_grid(100, 60, 100, 60, 20, "700");
  EXPECT_EQ(cells_in(grid, {{99, 59, 1, 1}, {41, 1, 2, 2}}), (Rows{"..#..", ".....", "....#"}));
}

TEST(Regions, MayLieOutsideTheSource) {
  const Grid grid = choose_grid(100, 60, 100, 60, 20, "700");
  const Rows none{".....", ".....", "....."};
  EXPECT_EQ(cells_in(grid, {{100, 0, 10, 10}, {0, 60, 10, 10}, {-9, 0, 9, 9}}), none);
  EXPECT_EQ(cells_in(grid, {{10, 10, 0, 20}, {10, 10, 20, 0}, {30, 30, -20, -20}}), none);
  EXPECT_EQ(cells_in(grid, {{INT_MAX, INT_MAX, INT_MAX, INT_MAX}}), none);
  EXPECT_EQ(cells_in(grid, {{INT_MIN, INT_MIN, INT_MAX, INT_MAX}}), none);
  EXPECT_EQ(cells_in(grid, {{-50, -50, 75, 75}}), (Rows{"#....", ".....", "....."}));
  EXPECT_EQ(cells_in(grid, {{70, 45, INT_MAX, INT_MAX}}), (Rows{".....", ".....", "...##"}));
}

TEST(Regions, AreInPixelsOfTheSource) {
  // The analysed picture has 64 x 32 pixels, cells of 8; the source four times as many each way.
  const Grid scaled = choose_grid(256, 128, 64, 32, 0, "8x4");
  const int wide = 256 / scaled.columns, high = 128 / scaled.rows;
  const Rows rows = cells_in(scaled, {{2 * wide, high, 3 * wide, high}});
  EXPECT_EQ(rows, (Rows{"........", "..###...", "........", "........"}));
  // Pixels twice as wide as high: the analysed picture is smaller than the frame.
  const Grid anamorphic = choose_grid(100, 120, 100, 120, 20, "700", {2, 1});
  ASSERT_TRUE(anamorphic.resampled());
  const Rows halves = cells_in(anamorphic, {{0, 0, 50, 120}});
  for (const std::string& row : halves)
    for (size_t i = 0; i < row.size(); ++i)
      EXPECT_EQ(row[i], 2 * i + 1 < row.size() ? '#' : '.') << row;
}

}  // namespace
