// SPDX-License-Identifier: LGPL-2.1-or-later
// Motion: how it is measured, turned into steps of whole cells, and followed by tiles.
#include "cpu/cpu_executor.h"
#include "mosaic/analysis/block_motion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "kernels/all/kernels.h"
#include "mosaic/engine/engine.h"
#include "tests/mosaic/frames.h"
#include "tests/mosaic/simd_levels.h"

namespace {

using mosaic::CellOrigin;
using mosaic::Continuation;
using mosaic::Engine;
using mosaic::FrameSettings;
using mosaic::Grid;
using test::RgbFrame;

constexpr int kWidth = 240, kHeight = 168, kSide = 24;  // 10 x 7 cells

/// An unbounded pattern of smooth bright and dark hills, each some pixels wide.
int landscape(int x, int y) {
  const double v = std::sin(x * 0.31 + y * 0.12) + std::sin(y * 0.27 - x * 0.09) +
                   std::sin(x * 0.13 + 2 * std::sin(y * 0.07)) + std::sin(y * 0.17 + x * 0.05);
  return static_cast<int>(std::lround(128 + 28 * v));
}

using Grey = std::vector<uint8_t>;

/// The landscape, moved by dx pixels to the right and dy down.
Grey moved(int dx, int dy, int width = kWidth, int height = kHeight) {
  Grey grey(size_t(width) * height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      grey[size_t(y) * width + x] = static_cast<uint8_t>(landscape(x - dx, y - dy));
  return grey;
}

/// Measures motion in pictures of the frame's size or smaller.
class MotionAnalyser {
 public:
  explicit MotionAnalyser(const Grid& grid, int threads = 2,
                          mt::SimdLevel level = mt::SimdLevel::kV4)
      : executor_(mt::make_cpu_executor(threads, level)), motion(grid, executor_) {}

  void enqueue(const Grey& grey, int width = kWidth, int height = kHeight,
               Continuation continuation = Continuation::kContinues) {
    motion.enqueue(grey.data(), width, height);
    executor_->wait();
    motion.read_back(continuation);
  }

 private:
  std::shared_ptr<mt::Executor> executor_;

 public:
  mosaic::BlockMotion motion;
};

Grid grid_of(int width = kWidth, int height = kHeight, int side = kSide) {
  return mosaic::choose_grid(width, height, width, height, side, "1");
}

bool is_inner(const Grid& grid, int cell, int border) {
  const int x = cell % grid.columns, y = cell / grid.columns;
  return x >= border && x < grid.columns - border && y >= border && y < grid.rows - border;
}

int count_moved(const mosaic::FrameMotion& motion) {
  return static_cast<int>(std::ranges::count_if(motion.field, &CellOrigin::moved));
}

TEST(Motion, FindsMotionByAWholeCellInOneFrame) {
  const Grid grid = grid_of();
  for (const auto& [dx, dy] : {std::pair(1, 0), std::pair(0, -1), std::pair(-1, 1)}) {
    MotionAnalyser analyser(grid);
    analyser.enqueue(moved(0, 0));
    EXPECT_EQ(0, count_moved(analyser.motion.found())) << "there is no last frame";
    analyser.enqueue(moved(dx * kSide, dy * kSide));
    for (int cell = 0; cell < grid.cells(); ++cell) {
      if (!is_inner(grid, cell, 2)) continue;
      const mt::CellMotion& found = analyser.motion.found().motion[cell];
      EXPECT_EQ(found.x, dx * mt::kMotionUnit) << cell;
      EXPECT_EQ(found.y, dy * mt::kMotionUnit) << cell;
      EXPECT_GT(found.confidence, 200) << cell;
      const CellOrigin& origin = analyser.motion.found().field[cell];
      EXPECT_EQ(origin.dx, -dx) << cell;
      EXPECT_EQ(origin.dy, -dy) << cell;
      const int from = cell + origin.dy * grid.columns + origin.dx;
      EXPECT_EQ(origin.confidence, analyser.motion.found().motion[from].confidence) << cell;
    }
  }
}

TEST(Motion, AccumulatesMotionByPartsOfACell) {
  const Grid grid = grid_of();
  for (const int step : {kSide / 3, kSide / 8, 5, 2, -1}) {
    MotionAnalyser analyser(grid);
    analyser.enqueue(moved(0, 0));
    std::vector<int> cells(grid.cells());
    int frame = 0;
    while (std::abs(++frame * step) <= 2 * kSide) {
      analyser.enqueue(moved(frame * step, 0));
      for (int cell = 0; cell < grid.cells(); ++cell) {
        if (!is_inner(grid, cell, 3)) continue;
        const mt::CellMotion& found = analyser.motion.found().motion[cell];
        EXPECT_NEAR(found.x, step * mt::kMotionUnit / double{kSide}, 4) << cell;
        EXPECT_NEAR(found.y, 0, 4) << cell;
        cells[cell] -= analyser.motion.found().field[cell].dx;
        EXPECT_EQ(0, analyser.motion.found().field[cell].dy);
        EXPECT_NEAR(cells[cell], double(frame * step) / kSide, 0.5 + frame * 0.02)
            << "cell " << cell << ", frame " << frame << " of " << step;
      }
    }
  }
}

TEST(Motion, MovesTilesOnceInThreeFramesOfAThirdOfACell) {
  const Grid grid = grid_of();
  MotionAnalyser analyser(grid);
  std::vector<int> cells(grid.cells());
  for (int frame = 0; frame <= 3; ++frame) {
    analyser.enqueue(moved(frame * kSide / 3, 0));
    for (int cell = 0; cell < grid.cells(); ++cell)
      cells[cell] -= analyser.motion.found().field[cell].dx;
  }
  for (int cell = 0; cell < grid.cells(); ++cell)
    if (is_inner(grid, cell, 2)) {
      EXPECT_EQ(1, cells[cell]) << cell;
    }
}

TEST(Motion, DoesNotDependOnGridAndFlowSize) {
  // Cells that the frame cuts off, cells that divide the frame exactly, and pictures so small that
  // a sample covers less than a pixel.
  const Grid cut = grid_of(250, 170), divided = mosaic::choose_grid(240, 168, 240, 168, 0, "7x5");
  for (const Grid& grid : {cut, divided})
    for (const int shrink : {1, 2, 4}) {
      const int width = grid.in_width / shrink, height = grid.in_height / shrink;
      MotionAnalyser analyser(grid);
      const auto shrunk = [&](int dx) {
        Grey small(size_t(width) * height);
        for (int y = 0; y < height; ++y)
          for (int x = 0; x < width; ++x) {
            int sum = 0;
            for (int i = 0; i < shrink * shrink; ++i)
              sum += landscape(x * shrink + i % shrink - dx, y * shrink + i / shrink);
            small[size_t(y) * width + x] = static_cast<uint8_t>(sum / (shrink * shrink));
          }
        return small;
      };
      analyser.enqueue(shrunk(0), width, height);
      analyser.enqueue(shrunk(8), width, height);
      const double cell_width = grid == divided ? 240 / 7.0 : kSide;
      for (int cell = 0; cell < grid.cells(); ++cell) {
        if (!is_inner(grid, cell, 1)) continue;
        EXPECT_NEAR(analyser.motion.found().motion[cell].x, 8 / cell_width * mt::kMotionUnit, 6)
            << cell << ", shrunk by " << shrink;
      }
    }
}

TEST(Motion, IsZeroInANoisyStillPicture) {
  const Grid grid = grid_of();
  std::mt19937 random(3);
  const auto noisy = [&random](Grey grey) {
    for (uint8_t& v : grey) v = static_cast<uint8_t>(v + static_cast<int>(random() % 5) - 2);
    return grey;
  };
  for (const bool flat : {false, true}) {
    MotionAnalyser analyser(grid);
    const Grey still = flat ? Grey(size_t{kWidth} * kHeight, 100) : moved(0, 0);
    for (int frame = 0; frame < 40; ++frame) {
      analyser.enqueue(noisy(still));
      ASSERT_EQ(0, count_moved(analyser.motion.found())) << flat << ", frame " << frame;
      for (const mt::CellMotion& found : analyser.motion.found().motion) {
        ASSERT_LE(std::abs(found.x), 1) << flat;
        ASSERT_LE(std::abs(found.y), 1) << flat;
      }
    }
  }
}

TEST(Motion, IsZeroInFlatAndInRandomPictures) {
  MotionAnalyser analyser(grid_of());
  Grey flat(size_t{kWidth} * kHeight, 90);
  analyser.enqueue(flat);
  for (uint8_t& v : flat) v += 12;  // as if a light went on
  analyser.enqueue(flat);
  EXPECT_EQ(0, count_moved(analyser.motion.found()));
  std::mt19937 random(8);
  for (int frame = 0; frame < 3; ++frame) {  // each frame different
    for (uint8_t& v : flat) v = static_cast<uint8_t>(random());
    analyser.enqueue(flat);
    EXPECT_EQ(0, count_moved(analyser.motion.found())) << frame;
  }
}

TEST(Motion, RestartsAfterACut) {
  MotionAnalyser analyser(grid_of());
  for (int frame = 0; frame < 3; ++frame) analyser.enqueue(moved(frame * 5, 0));
  analyser.enqueue(moved(kSide, 0), kWidth, kHeight, Continuation::kCut);
  EXPECT_EQ(0, count_moved(analyser.motion.found()));
  for (const mt::CellMotion& found : analyser.motion.found().motion) EXPECT_EQ(0, found.confidence);
  analyser.enqueue(moved(kSide + 10, 0));
  EXPECT_EQ(0, count_moved(analyser.motion.found())) << "10 of 24, and nothing of before";
  analyser.enqueue(moved(kSide + 20, 0));
  EXPECT_GT(count_moved(analyser.motion.found()), 30);
}

TEST(Motion, DoesNotDependOnThreadsOrSimdLevel) {
  const Grid grid = grid_of(250, 170);
  std::vector<std::vector<CellOrigin>> seen;
  for (const auto& [threads, level] :
       {std::pair(1, mt::SimdLevel::kV2), std::pair(2, mt::SimdLevel::kV3),
        std::pair(7, mt::SimdLevel::kV4)}) {
    MotionAnalyser analyser(grid, threads, level);
    std::vector<CellOrigin> all;
    for (int frame = 0; frame < 6; ++frame) {
      analyser.enqueue(moved(frame * 7, frame * -4, 250, 170), 250, 170);
      all.insert(all.end(), analyser.motion.found().field.begin(),
                 analyser.motion.found().field.end());
    }
    EXPECT_GT(std::ranges::count_if(all, &CellOrigin::moved), 40);
    seen.push_back(all);
    EXPECT_EQ(seen.front(), all);
  }
  SKIP_WITHOUT_ALL_SIMD_LEVELS();
}

FrameSettings following(mosaic::Flow flow) {
  FrameSettings settings;
  settings.flow = flow;
  settings.flow_width = kWidth;
  settings.flow_height = kHeight;
  settings.dedup_radius = 0;
  return settings;
}

RgbFrame frame_of(const Grey& grey) {
  RgbFrame frame(kWidth, kHeight);
  for (size_t i = 0; i < grey.size(); ++i) {
    frame.pixels[3 * i] = grey[i];
    frame.pixels[3 * i + 1] = static_cast<uint8_t>(grey[i] / 2 + 60);
    frame.pixels[3 * i + 2] = static_cast<uint8_t>(255 - grey[i]);
  }
  return frame;
}

struct Player {
  explicit Player(FrameSettings s)
      : engine(grid, test::procedural_pool(*executor, kSide, kSide, false), {}, executor),
        settings(s) {}
  std::vector<int32_t> show(const Grey& grey) {
    RgbFrame in = frame_of(grey);
    stats = engine.process(in.view(), out.view(), settings);
    executor->wait();
    return {engine.tiles().begin(), engine.tiles().end()};
  }

  std::shared_ptr<mt::Executor> executor = mt::make_cpu_executor(2);
  Grid grid = grid_of();
  Engine engine;
  FrameSettings settings;
  mosaic::FrameStats stats;
  RgbFrame out{kWidth, kHeight};
};

TEST(Engine, TilesFollowTheirContent) {
  for (const int nearest : {0, mosaic::Look{}.rerank}) {
    FrameSettings settings = following(mosaic::Flow::kBlock);
    settings.look.rerank = nearest;
    Player player(settings);
    const std::vector<int32_t> first = player.show(moved(0, 0));
    const std::vector<int32_t> second = player.show(moved(kSide, 0));
    const Grid& grid = player.grid;
    int cells = 0, along = 0;
    for (int cell = 0; cell < grid.cells(); ++cell) {
      if (!is_inner(grid, cell, 2)) continue;
      ++cells;
      along += second[cell] == first[cell - 1];
    }
    EXPECT_FALSE(player.stats.keyframe);
    EXPECT_GE(along, cells * 9 / 10) << cells;
    EXPECT_GE(static_cast<int>(player.stats.changed), along) << "they are other tiles of the cells";
    std::vector<int32_t> sorted = second;
    std::ranges::sort(sorted);
    EXPECT_TRUE(std::ranges::adjacent_find(sorted) == sorted.end()) << "each tile once";
  }
}

TEST(Engine, BlockFlowChangesNothingWithoutUsableMotion) {
  // A cut at every frame, frames without coherence, the diffusion, and noise.
  for (int kind = 0; kind < 4; ++kind) {
    FrameSettings settings[2] = {following(mosaic::Flow::kIdentity),
                                 following(mosaic::Flow::kBlock)};
    for (FrameSettings& s : settings) {
      if (kind == 0) s.scene_threshold = 0;
      if (kind == 1) s.coherence = mosaic::Coherence::kNone;
      if (kind == 2) s.look.placement = mosaic::PlacementKind::kDiffusion;
    }
    Player identity(settings[0]), block(settings[1]);
    std::mt19937 random(4);
    for (int frame = 0; frame < 4; ++frame) {
      Grey grey = moved(kind == 3 ? 0 : frame * kSide, 0);
      if (kind == 3)
        for (uint8_t& v : grey) v = static_cast<uint8_t>(v + random() % 5);
      EXPECT_EQ(identity.show(grey), block.show(grey)) << kind << ", frame " << frame;
      EXPECT_EQ(identity.out.pixels, block.out.pixels) << kind << ", frame " << frame;
      EXPECT_EQ(nullptr, identity.engine.motion());
      EXPECT_EQ(kind == 1 || kind == 2, block.engine.motion() == nullptr) << kind;
    }
  }
}

TEST(Engine, FlowMayBeSwitchedBetweenFrames) {
  Player player(following(mosaic::Flow::kIdentity));
  for (int frame = 0; frame < 6; ++frame) {
    player.settings.flow = frame % 3 ? mosaic::Flow::kBlock : mosaic::Flow::kIdentity;
    player.show(moved(frame * kSide, 0));
    const mosaic::FrameMotion* motion = player.engine.motion();
    ASSERT_EQ(frame % 3 != 0, motion != nullptr) << frame;
    if (!motion) continue;
    EXPECT_EQ(frame % 3 == 2, count_moved(*motion) > 0) << frame;
  }
}

TEST(Engine, TilesStayInPlaceAfterAFlash) {
  Player player(following(mosaic::Flow::kBlock));
  std::vector<int32_t> before;
  for (int frame = 0; frame < 3; ++frame) before = player.show(moved(0, 0));
  EXPECT_EQ(0u, player.stats.changed);
  player.show(Grey(size_t{kWidth} * kHeight, 250));
  EXPECT_TRUE(player.stats.keyframe);
  EXPECT_EQ(before, player.show(moved(0, 0)));
  EXPECT_FALSE(player.stats.keyframe);
}

}  // namespace
