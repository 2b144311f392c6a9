// SPDX-License-Identifier: LGPL-2.1-or-later
// Overlays: the marks of each cell, and that none is left in later frames.
#include "mosaic/drawing/overlay_drawing.h"
#include "cpu/cpu_executor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "kernels/matching/candidates.h"
#include "mosaic/engine/engine.h"
#include "tests/mosaic/frames.h"

namespace {

using namespace mosaic;
using test::RgbFrame;

constexpr int kWidth = 100, kHeight = 70, kSide = 24;

/// An engine, and the picture that it drew last.
struct Scene {
  Scene() : engine(grid, test::procedural_pool(*executor, kSide, kSide, false), {}, executor) {}

  const FrameStats& draw(int frame, unsigned overlay, Flow flow = Flow::kIdentity) {
    FrameSettings settings;
    settings.flow = flow;
    settings.overlay = overlay;
    RgbFrame in = test::moving_disc(kWidth, kHeight, frame);
    const FrameStats& stats = engine.process(in.view(), out.view(), settings);
    executor->wait();
    return stats;
  }
  int pixel(int x, int y, int c) const { return out.pixels[(size_t(y) * kWidth + x) * 3 + c]; }

  std::shared_ptr<mt::Executor> executor = mt::make_cpu_executor(2);
  Grid grid = choose_grid(kWidth, kHeight, kWidth, kHeight, kSide, "700");
  Engine engine;
  RgbFrame out{kWidth, kHeight};
};

/// The cell that a pixel lies in, and how far it is from the cell's visible edges.
struct Spot {
  int cell, left, top, right, bottom;
  int edge() const { return std::min({left, top, right, bottom}); }
};
Spot spot(const Grid& grid, int x, int y) {
  int c = 0, r = 0;
  while (grid.out_x(c + 1) <= x) ++c;
  while (grid.out_y(r + 1) <= y) ++r;
  return {r * grid.columns + c, x - std::max(grid.out_x(c), 0), y - std::max(grid.out_y(r), 0),
          std::min(grid.out_x(c + 1), kWidth) - 1 - x,
          std::min(grid.out_y(r + 1), kHeight) - 1 - y};
}

/// Calls f(x, y, spot) for every pixel.
template <class F>
void for_each_pixel(const Grid& grid, F f) {
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) f(x, y, spot(grid, x, y));
}

TEST(OverlayDrawing, GridDrawsALineAtTheLeftAndTopOfEachCell) {
  Scene plain, lined;
  plain.draw(0, 0);
  lined.draw(0, kOverlayGrid);
  for_each_pixel(plain.grid, [&](int x, int y, const Spot& at) {
    const bool line = at.left == 0 || at.top == 0;
    for (int c = 0; c < 3; ++c)
      ASSERT_EQ(lined.pixel(x, y, c), line ? 0 : plain.pixel(x, y, c)) << x << ", " << y;
  });
}

TEST(OverlayDrawing, ChangedDrawsABorderAroundNewTiles) {
  Scene plain, marked;
  int borders = 0, others = 0;
  for (int frame = 0; frame < 4; ++frame) {
    plain.draw(3 * frame, 0);
    marked.draw(3 * frame, kOverlayChanged);
    for_each_pixel(plain.grid, [&](int x, int y, const Spot& at) {
      const bool border = marked.engine.ages()[at.cell] == 0 && at.edge() < kSide / 12;
      ++(border ? borders : others);
      for (int c = 0; c < 3; ++c)
        ASSERT_EQ(marked.pixel(x, y, c), border ? (c == 0 ? 255 : 0) : plain.pixel(x, y, c))
            << "frame " << frame << ": " << x << ", " << y;
    });
  }
  EXPECT_GT(borders, 0);
  EXPECT_GT(others, 0);
}

/// Expects an overlay to tint each cell in one channel, by `level` of the cell.
void expect_tinted(unsigned flag, int channel, const std::function<int(Engine&, int)>& level) {
  Scene plain, tinted;
  for (int frame = 0; frame < 3; ++frame) {
    plain.draw(frame, 0);
    tinted.draw(frame, flag);
    for_each_pixel(plain.grid, [&](int x, int y, const Spot& at) {
      for (int c = 0; c < 3; ++c) {
        const int tint = c == channel ? level(tinted.engine, at.cell) : 0;
        const double mixed = plain.pixel(x, y, c) * (112 / 256.0) + tint * (144 / 256.0);
        ASSERT_NEAR(tinted.pixel(x, y, c), mixed, 0.5001) << x << ", " << y << ", " << c;
      }
    });
  }
}

TEST(OverlayDrawing, AgeTintsNewTilesBlue) {
  expect_tinted(kOverlayAge, 2,
                [](Engine& engine, int cell) { return 255 - 4 * engine.ages()[cell]; });
}

TEST(OverlayDrawing, SaliencyTintsSalientCellsGreen) {
  expect_tinted(kOverlaySaliency, 1, [](Engine& engine, int cell) {
    const double weight = engine.stages().saliency.weight(cell);
    return static_cast<int>(std::lround(std::clamp(weight / 2, 0.0, 1.0) * 255));
  });
}

TEST(OverlayDrawing, CostTintsRedUpToTwiceTheMean) {
  expect_tinted(kOverlayCost, 0, [](Engine& engine, int cell) {
    double sum = 0;
    for (const int32_t cost : engine.costs()) sum += cost;
    const double mean = sum / static_cast<double>(engine.costs().size());
    return static_cast<int>(
        std::lround(std::clamp(engine.costs()[cell] / (2 * mean), 0.0, 1.0) * 255));
  });
}

TEST(OverlayDrawing, CostsSumToTheCostInTheStatistics) {
  Scene scene;
  for (int frame = 0; frame < 3; ++frame) {
    const FrameStats& stats = scene.draw(3 * frame, 0);
    double sum = 0;
    for (const int32_t cost : scene.engine.costs()) sum += cost;
    EXPECT_DOUBLE_EQ(stats.cost, sum / (stats.cells * double{1 << mt::kCostBits}));
  }
}

TEST(OverlayDrawing, MotionDrawsNothingWithoutFlow) {
  Scene plain, moving;
  for (int frame = 0; frame < 3; ++frame) {
    plain.draw(4 * frame, 0);
    moving.draw(4 * frame, kOverlayMotion);
    EXPECT_EQ(moving.out.pixels, plain.out.pixels);
  }
}

/// Whether a pixel lies on the line from the middle of its cell by (way_x, way_y), which is one
/// pixel wide with a dot of 3 x 3 at its start.
bool is_on_way(const Spot& at, int way_x, int way_y) {
  const int x = at.left - (at.left + at.right + 1) / 2, y = at.top - (at.top + at.bottom + 1) / 2;
  const double length = std::hypot(way_x, way_y);
  if (length == 0) return false;
  const double along = (x * way_x + y * way_y) / length, across = (x * way_y - y * way_x) / length;
  return (std::abs(x) <= 1 && std::abs(y) <= 1) ||
         (along >= 0 && along <= length + 1e-9 && std::abs(across) <= 0.5 + 1e-9);
}

TEST(OverlayDrawing, MotionDrawsALineOfTwiceTheMotion) {
  Scene plain, moving;
  int ways = 0, carried = 0, none = 0;
  for (int frame = 0; frame < 6; ++frame) {
    plain.draw(3 * frame, 0, Flow::kBlock);
    moving.draw(3 * frame, kOverlayMotion, Flow::kBlock);
    ASSERT_TRUE(std::ranges::equal(plain.engine.tiles(), moving.engine.tiles()));
    const mosaic::FrameMotion& motion = *moving.engine.motion();
    for_each_pixel(plain.grid, [&](int x, int y, const Spot& at) {
      const mt::CellMotion& found = motion.motion[at.cell];
      const bool comes = motion.field[at.cell].moved();
      const bool on_way = is_on_way(at, -2 * found.x * kSide / mt::kMotionUnit,
                                    -2 * found.y * kSide / mt::kMotionUnit);
      ++(!on_way ? none : comes ? carried : ways);
      const int colours[2][3] = {{255, found.confidence, 0}, {0, 255, 255}};
      for (int c = 0; c < 3; ++c)
        ASSERT_EQ(moving.pixel(x, y, c), on_way ? colours[comes][c] : plain.pixel(x, y, c))
            << "frame " << frame << ": " << x << ", " << y;
    });
  }
  EXPECT_GT(ways, 100);
  EXPECT_GT(carried, 10);
  EXPECT_GT(none, ways + carried);
}

// A still source is painted once, whatever the overlay, and is unmarked when the overlay ends.
TEST(OverlayDrawing, LeavesNoMarksInLaterFrames) {
  Scene plain, other;
  const unsigned flags[] = {0, kOverlayAge | kOverlayGrid, kOverlayAge, 0, 0, kOverlayChanged, 0};
  for (const unsigned overlay : flags) {
    const unsigned repainted = plain.draw(0, 0).repainted;
    EXPECT_EQ(other.draw(0, overlay).repainted, repainted);
    EXPECT_EQ(other.out.pixels == plain.out.pixels, !(overlay & kOverlayAge)) << overlay;
  }
  // The first frame that differs from a still source.
  for (const unsigned overlay : {0U, unsigned{kOverlayCost}, 0U}) {
    plain.draw(9, 0);
    other.draw(9, overlay);
    EXPECT_EQ(other.out.pixels == plain.out.pixels, overlay == 0) << overlay;
  }
}

}  // namespace
