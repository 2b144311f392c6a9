// SPDX-License-Identifier: LGPL-2.1-or-later
// Crossfades between tiles: what is shown during them, and what they leave unchanged.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cpu/cpu_executor.h"
#include "mosaic/drawing/drawing.h"
#include "mosaic/engine/analysis_stages.h"
#include "mosaic/engine/cell_planning.h"
#include "mosaic/engine/engine.h"
#include "tests/mosaic/frames.h"
#include "tests/mosaic/simd_levels.h"

namespace {

using mosaic::Engine;
using mosaic::FrameSettings;
using mosaic::Grid;
using test::RgbFrame;

constexpr int kWidth = 200, kHeight = 130, kSide = 20;  // the frame cuts the outer cells

/// A drawing whose tiles the test chooses.
class Drawer {
 public:
  explicit Drawer(const std::shared_ptr<mt::Executor>& executor)
      : executor_(executor),
        grid_(mosaic::choose_grid(kWidth, kHeight, kWidth, kHeight, kSide, "1")),
        pool_(std::make_shared<mosaic::PoolOnDevice>(
            test::procedural_pool(*executor, kSide, kSide, false), executor)),
        analysis_(grid_, pool_, grid_.cells(), executor),
        planning_(grid_.cells()),
        drawing_(grid_, executor) {
    look_.color_transfer = mosaic::TransferKind::kMklHybrid;
    look_.reinhard_l = 0.5;
    look_.base_blend_min = 0.05;
    look_.base_blend_max = 0.2;
  }

  int cells() const { return grid_.cells(); }
  const Grid& grid() const { return grid_; }
  void set_fidelity(double fidelity) { look_.fidelity = fidelity; }

  /// @param blend frames that a crossfade takes; below 0: everything is drawn anew
  RgbFrame draw(RgbFrame frame, const std::vector<int32_t>& tiles, int blend) {
    FrameSettings settings;
    settings.ema_alpha = 0;
    analysis_.enqueue(frame.view(), settings);
    analysis_.list(settings);
    executor_->wait();
    analysis_.read_back(settings);
    const mosaic::AnalysedFrame& now = analysis_.frame();
    const mosaic::CellUpdates& updates = planning_.update(
        *now.cells, tiles, *now.saliency, look_,
        blend < 0 ? mosaic::Continuation::kCut : now.scene.continuation, std::max(0, blend));
    repainted = static_cast<unsigned>(updates.changed().size());
    drawing_.update({.picture = now.source, .stats = now.cells->stats_on_device()}, pool_->tiles(),
                    updates.changes(), look_);
    executor_->wait();
    return test::frame_of(drawing_.canvas());
  }

  unsigned repainted = 0;

 private:
  std::shared_ptr<mt::Executor> executor_;
  Grid grid_;
  std::shared_ptr<const mosaic::PoolOnDevice> pool_;
  mosaic::AnalysisStages analysis_;
  mosaic::CellPlanning planning_;
  mosaic::Drawing drawing_;
  mosaic::Look look_;
};

std::vector<int32_t> tiles_from(int first, int cells) {
  std::vector<int32_t> tiles(cells);
  for (int i = 0; i < cells; ++i) tiles[i] = (first + 37 * i) % 1024;
  return tiles;
}

/// The frame, brighter by `levels`.
RgbFrame brighter(RgbFrame frame, int levels) {
  for (uint8_t& v : frame.pixels) v = static_cast<uint8_t>(std::min(v + levels, 255));
  return frame;
}

/// Two pictures mixed. @param share of `above`, 0..mt::kWholeShare
RgbFrame mixed(const RgbFrame& below, const RgbFrame& above, int share) {
  RgbFrame out = below;
  for (size_t i = 0; i < out.pixels.size(); ++i) {
    const double v = below.pixels[i] + (double(above.pixels[i]) - below.pixels[i]) * share / 65536;
    out.pixels[i] = static_cast<uint8_t>(std::floor(v + 0.5));
  }
  return out;
}

TEST(Blend, MixesBothTilesInTheCurrentColoursOfTheCell) {
  const auto executor = mt::make_cpu_executor(2);
  Drawer drawer(executor), old_tiles(executor), new_tiles(executor);
  const int cells = drawer.cells();
  const auto a = tiles_from(3, cells), b = tiles_from(500, cells);
  const RgbFrame frame = test::moving_disc(kWidth, kHeight, 0);
  EXPECT_EQ(old_tiles.draw(frame, a, -1).pixels, drawer.draw(frame, a, 4).pixels);
  mosaic::Fades fade(1);
  fade.advance(0, 0, 4);
  for (int i = 1; i <= 6; ++i) {
    const RgbFrame now = brighter(frame, i < 3 ? 0 : 12);  // the source changes in the third frame
    const RgbFrame below = old_tiles.draw(now, a, -1), above = new_tiles.draw(now, b, -1);
    const RgbFrame shown = drawer.draw(now, b, 4);
    fade.advance(0, 1, 4);
    EXPECT_EQ(mixed(below, above, fade[0].share).pixels, shown.pixels) << i;
    EXPECT_EQ(i <= 5 ? cells : 0, static_cast<int>(drawer.repainted)) << i;
  }
}

TEST(Blend, WithFidelityMixesNothingWhereTheSourceMoves) {
  const auto executor = mt::make_cpu_executor(2);
  Drawer drawer(executor), new_tiles(executor);
  drawer.set_fidelity(0.5);
  new_tiles.set_fidelity(0.5);
  const auto a = tiles_from(3, drawer.cells()), b = tiles_from(500, drawer.cells());
  const RgbFrame frame = test::moving_disc(kWidth, kHeight, 0), next = brighter(frame, 12);
  drawer.draw(frame, a, 4);
  EXPECT_NE(new_tiles.draw(frame, b, -1).pixels, drawer.draw(frame, b, 4).pixels);  // it rests
  EXPECT_EQ(new_tiles.draw(next, b, -1).pixels, drawer.draw(next, b, 4).pixels);
}

TEST(Blend, DoesNotChangeCellsThatKeepTheirTile) {
  const auto executor = mt::make_cpu_executor(2);
  Drawer drawer(executor);
  const RgbFrame frame = test::moving_disc(kWidth, kHeight, 0);
  auto tiles = tiles_from(3, drawer.cells());
  RgbFrame last = drawer.draw(frame, tiles, 8);
  constexpr int kCell = 15;
  tiles[kCell] = 1000;
  const Grid& grid = drawer.grid();
  const int left = grid.out_x(kCell % grid.columns), top = grid.out_y(kCell / grid.columns);
  for (int i = 1; i <= 10; ++i) {
    const RgbFrame now = drawer.draw(frame, tiles, 8);
    int different = 0;
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x) {
        const size_t at = (size_t(y) * kWidth + x) * 3;
        const bool same = std::equal(&now.pixels[at], &now.pixels[at] + 3, &last.pixels[at]);
        different += !same;
        const bool inside = x >= left && x < left + kSide && y >= top && y < top + kSide;
        ASSERT_TRUE(same || inside) << x << " " << y;
      }
    EXPECT_EQ(i <= 9, different > 0) << i;
    EXPECT_EQ(i <= 9 ? 1u : 0u, drawer.repainted);
    last = now;
  }
}

TEST(Blend, MayBeSwitchedOnAndOffBetweenFrames) {
  const auto executor = mt::make_cpu_executor(2);
  Drawer drawer(executor), at_once(executor);
  const RgbFrame frame = test::moving_disc(kWidth, kHeight, 0);
  const auto a = tiles_from(3, drawer.cells()), b = tiles_from(500, drawer.cells());
  drawer.draw(frame, a, 0);
  const RgbFrame first = at_once.draw(frame, a, 0), second = at_once.draw(frame, b, 0);
  EXPECT_EQ(first.pixels, drawer.draw(frame, a, 6).pixels) << "on, with nothing to change";
  EXPECT_EQ(0u, drawer.repainted);
  EXPECT_NE(second.pixels, drawer.draw(frame, b, 6).pixels);
  EXPECT_EQ(second.pixels, drawer.draw(frame, b, 0).pixels) << "off: it ends at once";
  EXPECT_EQ(second.pixels, drawer.draw(frame, b, 3).pixels);
  EXPECT_NE(first.pixels, drawer.draw(frame, a, 3).pixels);
  EXPECT_EQ(second.pixels, drawer.draw(frame, b, -1).pixels) << "and at a keyframe";
}

FrameSettings blending(int frames) {
  FrameSettings settings;
  settings.temporal_blend = frames;
  settings.look.color_transfer = mosaic::TransferKind::kReinhard;
  settings.look.reinhard_l = settings.look.reinhard_ab = 0.5;
  settings.look.sharpness = 0.3;
  return settings;
}

/// Draws a clip that moves and then stands still.
std::vector<RgbFrame> run(Engine& engine, int moving, int still, int blend) {
  std::vector<RgbFrame> out;
  for (int i = 0; i < moving + still; ++i) {
    RgbFrame in = test::moving_disc(320, 180, std::min(i, moving)), frame(320, 180);
    engine.process(in.view(), frame.view(), blending(blend));
    out.push_back(frame);
  }
  return out;
}

TEST(Blend, ChoosesTheSameTilesAndEndsWithTheSamePicture) {
  const auto executor = mt::make_cpu_executor(2);
  const Grid grid = mosaic::choose_grid(320, 180, 320, 180, 20, "1");
  const auto pool = test::procedural_pool(*executor, 20, 20);
  Engine with(grid, pool, {}, executor), without(grid, pool, {}, executor);
  const auto faded = run(with, 6, 16, 6), popped = run(without, 6, 16, 0);
  EXPECT_TRUE(std::ranges::equal(with.tiles(), without.tiles()));
  EXPECT_EQ(faded[0].pixels, popped[0].pixels);
  EXPECT_NE(faded[5].pixels, popped[5].pixels);
  EXPECT_EQ(faded.back().pixels, popped.back().pixels);
  RgbFrame in = test::moving_disc(320, 180, 6), frame(320, 180);
  EXPECT_EQ(0u, with.process(in.view(), frame.view(), blending(6)).repainted);
  EXPECT_EQ(faded.back().pixels, frame.pixels);
}

TEST(Blend, DoesNotDependOnThreadsOrSimdLevel) {
  const auto loader = mt::make_cpu_executor(2);
  const Grid grid = mosaic::choose_grid(320, 180, 320, 180, 20, "1");
  const auto pool = test::procedural_pool(*loader, 20, 20);
  std::vector<std::vector<RgbFrame>> seen;
  for (const auto& [threads, level] :
       {std::pair(1, mt::SimdLevel::kV2), std::pair(2, mt::SimdLevel::kV3),
        std::pair(7, mt::SimdLevel::kV4)}) {
    Engine engine(grid, pool, {}, mt::make_cpu_executor(threads, level));
    seen.push_back(run(engine, 4, 2, 4));
    for (size_t i = 0; i < seen.back().size(); ++i)
      EXPECT_EQ(seen[0][i].pixels, seen.back()[i].pixels) << threads << " threads, frame " << i;
  }
  SKIP_WITHOUT_ALL_SIMD_LEVELS();
}

TEST(Blend, EndsAtACutAndAtForget) {
  const auto executor = mt::make_cpu_executor(2);
  const Grid grid = mosaic::choose_grid(320, 180, 320, 180, 20, "1");
  const auto pool = test::procedural_pool(*executor, 20, 20);
  for (const bool cut : {false, true}) {
    Engine engine(grid, pool, {}, executor), fresh(grid, pool, {}, executor);
    run(engine, 5, 0, 8);
    if (!cut) engine.forget();
    RgbFrame other = test::moving_disc(320, 180, 9), out(320, 180), expected(320, 180);
    if (cut) std::fill(other.pixels.begin(), other.pixels.end(), 250);
    EXPECT_TRUE(engine.process(other.view(), out.view(), blending(8)).keyframe);
    fresh.process(other.view(), expected.view(), blending(0));
    EXPECT_EQ(expected.pixels, out.pixels) << (cut ? "cut" : "forgotten");
  }
}

}  // namespace
