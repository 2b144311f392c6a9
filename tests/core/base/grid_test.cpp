// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/base/grid.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "mosaic/base/error.h"

namespace {

using mosaic::choose_grid;
using mosaic::Grid;

int cells_with(int width, int height, int side) {
  return ((width + side - 1) / side) * ((height + side - 1) / side);
}

TEST(Grid, TileSizeDividesTheFrameIntoWholeCells) {
  const Grid g = choose_grid(1920, 1080, 1920, 1080, 40, "700");
  EXPECT_EQ(48, g.columns);
  EXPECT_EQ(27, g.rows);
  EXPECT_EQ(40, g.side);
  EXPECT_EQ(40, g.draw_side);
  EXPECT_EQ(0, g.in_left());
  EXPECT_EQ(0, g.in_top());
}

TEST(Grid, CutsTheOuterCellsEqually) {
  const Grid g = choose_grid(1918, 1078, 1918, 1078, 40, "700");
  EXPECT_EQ(-1, g.in_left());
  EXPECT_EQ(-1, g.in_top());
  EXPECT_EQ(-1, g.out_x(0));
  EXPECT_EQ(1919, g.out_x(48));
}

TEST(Grid, ChoosesTheSideNearestToTheWantedCount) {
  std::mt19937 random(7);
  for (int i = 0; i < 300; ++i) {
    const int w = 1 + random() % 4000, h = 1 + random() % 3000, wanted = 1 + random() % 5000;
    const Grid g = choose_grid(w, h, w, h, 0, std::to_string(wanted));
    const int off = std::abs(g.cells() - wanted);
    for (int side = 8; side <= std::clamp(std::max(w, h), 8, 256); ++side) {
      const int other = std::abs(cells_with(w, h, side) - wanted);
      ASSERT_TRUE(other > off || (other == off && side <= g.side))
          << w << "x" << h << " for " << wanted << ": " << g.side << " but " << side;
    }
  }
}

TEST(Grid, CellsCoverTheFrameWithoutGapOrOverlap) {
  std::mt19937 random(8);
  for (int i = 0; i < 300; ++i) {
    const int w = 1 + random() % 2000, h = 1 + random() % 2000;
    const int ow = 1 + random() % 4000, oh = 1 + random() % 4000;
    Grid g;
    try {
      g = choose_grid(w, h, ow, oh, 0, i % 2 ? "500" : "30x20");
    } catch (const mosaic::Error&) {
      EXPECT_GT(std::max(w / 30, h / 20), 255 - 1);
      continue;
    }
    EXPECT_LE(g.out_x(0), 0);
    EXPECT_LE(g.out_y(0), 0);
    EXPECT_GE(g.out_x(g.columns), ow);
    EXPECT_GE(g.out_y(g.rows), oh);
    for (int c = 0; c < g.columns; ++c) {
      EXPECT_LE(g.out_x(c), g.out_x(c + 1));
      EXPECT_LE(g.out_x(c + 1) - g.out_x(c), g.draw_side);
    }
  }
}

TEST(Grid, ExactSizeDividesTheWholeFrame) {
  const Grid g = choose_grid(1920, 1080, 3840, 2160, 0, "32x32");
  EXPECT_TRUE(g.stretched);
  EXPECT_EQ(32, g.columns);
  EXPECT_EQ(32, g.rows);
  EXPECT_EQ(60, g.side);
  EXPECT_EQ(0, g.out_x(0));
  EXPECT_EQ(3840, g.out_x(32));
  EXPECT_EQ(2160, g.out_y(32));
  EXPECT_EQ(120, g.draw_side);
}

TEST(Grid, AFrameSmallerThanACellIsOneCell) {
  const Grid g = choose_grid(1, 1, 1, 1, 0, "700");
  EXPECT_EQ(1, g.cells());
  EXPECT_EQ(8, g.side);
  const Grid h = choose_grid(17, 13, 17, 13, 40, "700");
  EXPECT_EQ(1, h.cells());
  EXPECT_EQ(-11, h.in_left());
}

TEST(Grid, ClampsTileSizeToItsRange) {
  EXPECT_EQ(8, choose_grid(100, 100, 100, 100, 3, "700").side);
  EXPECT_EQ(256, choose_grid(1000, 1000, 1000, 1000, 4000, "700").side);
}

TEST(Grid, ExplainsSizesThatAFrameCannotHave) {
  const auto why = [](int width, int height, unsigned tile_size, const char* size) {
    const Grid grid = choose_grid(width, height, width, height, tile_size, size);
    return mosaic::why_other_size(grid, tile_size, size);
  };
  EXPECT_EQ(why(320, 240, 0, "1000000"),
            "size=1000000 does not fit a frame of 320x240: the mosaic has 40x30 cells, because no "
            "cell is smaller than 8 pixels");
  EXPECT_NE(why(2000, 1000, 0, "1").find("8x4 cells, because no cell is larger than 256 pixels"),
            std::string::npos);
  EXPECT_NE(why(100, 50, 0, "101x50").find("100x50 cells"), std::string::npos);
  for (const char* size : {"1200", "1210", "300", "2", "40x30"})
    EXPECT_EQ(why(320, 240, 0, size), "");
  EXPECT_EQ(why(320, 240, 16, "1000000"), "") << "tile-size decides";
}

TEST(Grid, RejectsInvalidSizesByName) {
  for (const char* size : {"", "0", "-5", "x", "10x", "x10", "10x0", "ten", "10x10x10", "1e3",
                           "99999999999999999999", "20000x5", " 700"}) {
    try {
      choose_grid(640, 480, 640, 480, 0, size);
      ADD_FAILURE() << "accepted \"" << size << "\"";
    } catch (const mosaic::Error& e) {
      EXPECT_NE(std::string(e.what()).find(size), std::string::npos);
      EXPECT_FALSE(e.hint().empty());
    }
  }
  EXPECT_THROW(choose_grid(1920, 1080, 1920, 1080, 0, "2x2"), mosaic::Error);
}

}  // namespace
