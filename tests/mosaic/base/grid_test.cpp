// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/base/grid.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "mosaic/base/error.h"

namespace {

using mosaic::choose_grid;
using mosaic::Grid;
using mosaic::Shape;

int cells_with(int width, int height, int side) {
  return ((width + side - 1) / side) * ((height + side - 1) / side);
}

TEST(Grid, TileSizeDividesTheFrameIntoWholeCells) {
  const Grid g = choose_grid(1920, 1080, 1920, 1080, 40, "700");
  EXPECT_EQ(48, g.columns);
  EXPECT_EQ(27, g.rows);
  EXPECT_EQ(40, g.side);
  EXPECT_TRUE(g.draw_size == 40);
  EXPECT_EQ(0, g.left());
  EXPECT_EQ(0, g.top());
}

TEST(Grid, CutsTheOuterCellsEqually) {
  const Grid g = choose_grid(1918, 1078, 1918, 1078, 40, "700");
  EXPECT_EQ(-1, g.left());
  EXPECT_EQ(-1, g.top());
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
      EXPECT_LE(g.out_x(c + 1) - g.out_x(c), g.draw_size.width);
    }
  }
}

TEST(Grid, MergesNeighboursInARowWithinTheFrame) {
  const Grid g = choose_grid(200, 100, 200, 100, 40, "700");  // 5 x 3 cells, cut above and below
  ASSERT_EQ(5, g.columns);
  ASSERT_EQ(3, g.rows);
  std::vector<mt::CellRect> parts;
  const auto merged = [&](std::vector<int32_t> cells) {
    mosaic::merge_cells(g, cells, parts);
    std::vector<std::vector<int>> numbers;
    for (const mt::CellRect& r : parts) numbers.push_back({r.x, r.y, r.width, r.height});
    return numbers;
  };
  using Numbers = std::vector<std::vector<int>>;
  EXPECT_EQ(Numbers(), merged({}));
  EXPECT_EQ((Numbers{{0, 0, 200, 30}, {0, 30, 200, 40}, {0, 70, 200, 30}}),
            merged({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}));
  EXPECT_EQ((Numbers{{40, 0, 80, 30}, {160, 0, 40, 30}, {0, 30, 40, 40}, {80, 70, 40, 30}}),
            merged({1, 2, 4, 5, 12}));
}

TEST(Grid, ExactSizeDividesTheWholeFrame) {
  const Grid g = choose_grid(1920, 1080, 3840, 2160, 0, "32x32");
  EXPECT_TRUE(g.analysed == mt::PixelSize(1920, 1920));
  EXPECT_EQ(32, g.columns);
  EXPECT_EQ(32, g.rows);
  EXPECT_EQ(60, g.side);
  EXPECT_EQ(0, g.out_x(0));
  EXPECT_EQ(3840, g.out_x(32));
  EXPECT_EQ(2160, g.out_y(32));
  EXPECT_TRUE(g.draw_size == 120);
}

/// Pixel aspect ratios of PAL, NTSC and HDV in use, and the limits.
const Shape kAspects[] = {{16, 11}, {59, 54}, {8, 9},  {10, 11}, {4, 3},
                          {1, 1},   {2, 1},   {1, 16}, {16, 1}};

TEST(Grid, CellsAreSquareOnTheDisplay) {
  for (const Shape& aspect : kAspects)
    for (const int scale : {1, 2}) {
      SCOPED_TRACE(std::to_string(aspect.width) + "/" + std::to_string(aspect.height));
      const int width = 720, height = 576;
      const Grid g = choose_grid(width, height, scale * width, scale * height, 0, "700", aspect);
      const double ratio = double(aspect.width) / aspect.height;
      for (int i = 0; i < g.cells(); ++i) {
        const mt::CellRect cell = g.out_rect(i);
        // The shorter side is a whole number of pixels, the longer one is rounded.
        EXPECT_NEAR(cell.width * ratio, cell.height, std::min(ratio, 1.0) + 0.01 * cell.height);
        EXPECT_LE(cell.width, g.draw_size.width);
        EXPECT_LE(cell.height, g.draw_size.height);
      }
      EXPECT_NEAR(g.draw_size.width * ratio, g.draw_size.height, 0.5 + 0.5 * ratio);
      for (const int left : {g.out_x(0), scale * width - g.out_x(g.columns)})
        EXPECT_TRUE(left <= 0 && left > -g.draw_size.width) << left;
      for (const int top : {g.out_y(0), scale * height - g.out_y(g.rows)})
        EXPECT_TRUE(top <= 0 && top > -g.draw_size.height) << top;
    }
}

TEST(Grid, SizeCountsCellsOfTheDisplay) {
  // 720 x 576 at 16/11 is shown as 720 x 396.
  const Grid wide = choose_grid(720, 576, 720, 576, 0, "700", {16, 11});
  const Grid same = choose_grid(720, 396, 720, 396, 0, "700");
  EXPECT_EQ(wide.columns, same.columns);
  EXPECT_EQ(wide.rows, same.rows);
  EXPECT_EQ(wide.side, same.side);
  EXPECT_TRUE(wide.analysed == mt::PixelSize(720, 396));
  for (const Shape& aspect : {Shape{16, 11}, {59, 54}, {8, 9}, {10, 11}, {2, 1}})
    EXPECT_NEAR(choose_grid(720, 576, 720, 576, 0, "700", aspect).cells(), 700, 70);
}

TEST(Grid, TileSizeIsTheShorterSideOfACell) {
  const mt::CellRect wide = choose_grid(720, 576, 720, 576, 40, "700", {1, 2}).out_rect(0);
  EXPECT_EQ(80, wide.width);
  EXPECT_EQ(40, wide.height);
  const mt::CellRect high = choose_grid(720, 576, 720, 576, 40, "700", {2, 1}).out_rect(0);
  EXPECT_EQ(40, high.width);
  EXPECT_EQ(80, high.height);
}

TEST(Grid, AnExactGridDividesTheFrameWithAnyPixels) {
  for (const Shape& aspect : kAspects) {
    const Grid g = choose_grid(720, 576, 720, 576, 0, "36x24", aspect);
    EXPECT_EQ(20, g.out_rect(0).width);
    EXPECT_EQ(24, g.out_rect(0).height);
    EXPECT_TRUE(g.analysed == mt::PixelSize(36 * 24, 24 * 24));
    // Tiles cover the cell and are square on the display.
    EXPECT_GE(g.draw_size.width, 20);
    EXPECT_GE(g.draw_size.height, 24);
    EXPECT_NEAR(double(g.draw_size.width) * aspect.width / aspect.height, g.draw_size.height,
                0.5 + 0.5 * aspect.width / aspect.height);
  }
}

TEST(Grid, AbsurdPixelsCostNoMore) {
  constexpr int kMax = 2147483647;
  const auto grid = [](const Shape& aspect, int side, const char* size) {
    return choose_grid(side, side, side, side, 0, size, aspect);
  };
  for (const int side : {1, 9, 700, 16384})
    for (const char* size : {"1", "700", "64x64"}) {
      EXPECT_EQ(grid({1000000, 1}, side, size), grid({16, 1}, side, size));
      EXPECT_EQ(grid({kMax, 1}, side, size), grid({16, 1}, side, size));
      EXPECT_EQ(grid({kMax, kMax - 1}, side, size).cells(), grid({1, 1}, side, size).cells());
      EXPECT_EQ(grid({1, kMax}, side, size), grid({1, 16}, side, size));
      EXPECT_EQ(grid({0, 1}, side, size), grid({1, 1}, side, size));
      for (const Shape& aspect : kAspects) {
        const Grid g = grid(aspect, side, size);
        EXPECT_LE(int64_t{g.analysed.width} * g.analysed.height, int64_t{256 * 64} * 256 * 64);
        EXPECT_LE(std::max(g.draw_size.width, g.draw_size.height), 16384);
        if (std::string(size).find('x') == std::string::npos) {
          EXPECT_LE(std::max(g.analysed.width, g.analysed.height), side);
        }
      }
    }
}

TEST(Grid, RefusesCellsThatAreTooLargeToDraw) {
  try {
    choose_grid(1, 1, 16384, 16384, 0, "700");
    ADD_FAILURE() << "the grid was made";
  } catch (const mosaic::Error& error) {
    EXPECT_EQ(error.kind(), mosaic::Error::Kind::kSettings);
    for (const char* part : {"1x1", "16384x16384", "131072x131072"})
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    EXPECT_NE(error.hint(), "");
  }
  EXPECT_EQ(choose_grid(8, 8, 16384, 16384, 0, "700").draw_size, mt::PixelSize(16384));
}

TEST(Grid, AFrameSmallerThanACellIsOneCell) {
  const Grid g = choose_grid(1, 1, 1, 1, 0, "700");
  EXPECT_EQ(1, g.cells());
  EXPECT_EQ(8, g.side);
  const Grid h = choose_grid(17, 13, 17, 13, 40, "700");
  EXPECT_EQ(1, h.cells());
  EXPECT_EQ(-11, h.left());
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
