// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// More of engine_test.cpp: mosaics from frame to frame. When tiles and pictures stay the same, and
/// when history is dropped.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>

#include "cpu/cpu_executor.h"
#include "mosaic/engine/engine.h"
#include "mosaic/settings/profile.h"
#include "tests/mosaic/frames.h"

namespace {

using mosaic::Engine;
using mosaic::FrameSettings;
using mosaic::FrameStats;
using mosaic::Grid;
using test::RgbFrame;

/// An engine for small frames.
class SmallFrames : public testing::Test {
 protected:
  /// Draws a frame, and expects the same picture from an engine without history.
  FrameStats draw_without_history(RgbFrame in, const FrameSettings& settings = {}) {
    Engine fresh(grid, pool, {}, executor);
    RgbFrame out(320, 180), expected(320, 180);
    fresh.process(in.view(), expected.view(), settings);
    const FrameStats stats = engine.process(in.view(), out.view(), settings);
    EXPECT_EQ(expected.pixels, out.pixels);
    return stats;
  }

  const std::shared_ptr<mt::Executor> executor = mt::make_cpu_executor(2);
  const Grid grid = mosaic::choose_grid(320, 180, 320, 180, 20, "700");
  const std::shared_ptr<const mosaic::Pool> pool = test::procedural_pool(*executor, 20, 20);
  Engine engine{grid, pool, {}, executor};
  RgbFrame out{320, 180};
};

TEST_F(SmallFrames, AreDrawnOnceInAStillSource) {
  RgbFrame in = test::moving_disc(320, 180, 0), first(320, 180);
  const FrameStats key = engine.process(in.view(), first.view(), {});
  EXPECT_TRUE(key.keyframe);
  EXPECT_EQ(key.cells, key.repainted);
  for (int i = 0; i < 5; ++i) {
    const FrameStats s = engine.process(in.view(), out.view(), {});
    EXPECT_FALSE(s.keyframe);
    EXPECT_EQ(0u, s.changed);
    EXPECT_EQ(0u, s.reranked);
    EXPECT_EQ(0u, s.repainted);
    EXPECT_EQ(first.pixels, out.pixels);
  }
}

TEST(Engine, DrawsANoisyStillSourceOnce) {
  const auto executor = mt::make_cpu_executor(2);
  struct Size {
    int width, height, out_width, out_height;
    unsigned side;
  };
  for (const Size& clip : {Size{320, 180, 320, 180, 20}, Size{322, 190, 644, 380, 24}})
    for (const char* profile : {"vivid_b", "ultra", "fast"}) {
      const Grid grid = mosaic::choose_grid(clip.width, clip.height, clip.out_width,
                                            clip.out_height, clip.side, "700");
      FrameSettings settings;
      settings.look = mosaic::load_profile(profile);
      Engine engine(grid, test::procedural_pool(*executor, grid.side, grid.draw_size), {},
                    executor);
      const RgbFrame still = test::moving_disc(clip.width, clip.height, 0);
      RgbFrame first(clip.out_width, clip.out_height), next = first;
      std::mt19937 random(5);
      for (int i = 0; i < 15; ++i) {
        RgbFrame in = still;
        for (uint8_t& v : in.pixels)
          v = static_cast<uint8_t>(std::clamp(v + static_cast<int>(random() % 3) - 1, 0, 255));
        const FrameStats& s = engine.process(in.view(), (i ? next : first).view(), settings);
        if (i == 0) continue;
        EXPECT_EQ(0u, s.changed) << profile << ", frame " << i;
        EXPECT_EQ(0u, s.repainted) << profile << ", frame " << i;
        ASSERT_EQ(first.pixels, next.pixels) << profile << ", frame " << i;
      }
    }
}

TEST_F(SmallFrames, KeepDiffusedTilesInAStillSource) {
  FrameSettings settings;
  settings.look.placement = mosaic::PlacementKind::kDiffusion;
  RgbFrame in = test::moving_disc(320, 180, 0);
  EXPECT_TRUE(engine.process(in.view(), out.view(), settings).keyframe);
  for (int i = 0; i < 4; ++i) {
    RgbFrame noisy = in;
    const RgbFrame noise = test::noise(320, 180, i);
    for (size_t k = 0; k < in.pixels.size(); ++k)
      noisy.pixels[k] =
          static_cast<uint8_t>(std::clamp(in.pixels[k] + noise.pixels[k] % 3 - 1, 0, 255));
    const FrameStats& s = engine.process(noisy.view(), out.view(), settings);
    EXPECT_FALSE(s.keyframe);
    EXPECT_EQ(0u, s.changed) << "noise " << i;
  }
  RgbFrame moved = test::moving_disc(320, 180, 6);
  const FrameStats& s = engine.process(moved.view(), out.view(), settings);
  EXPECT_GT(s.changed, 0u);
  EXPECT_LT(s.changed, s.cells / 2);
}

TEST_F(SmallFrames, HaveNoHistoryAfterAChangeOfPlacement) {
  FrameSettings settings;
  for (int i = 0; i < 4; ++i) {
    SCOPED_TRACE("frame " + std::to_string(i));
    settings.look.placement =
        i % 2 ? mosaic::PlacementKind::kDiffusion : mosaic::PlacementKind::kAssignment;
    draw_without_history(test::moving_disc(320, 180, i), settings);
  }
}

TEST(Engine, KeepsTheTilesOfANoisySource) {
  const auto executor = mt::make_cpu_executor(2);
  const auto few = test::procedural_pool(*executor, 16, 16, false);
  const auto many = test::procedural_pool(*executor, 16, 16);
  const Grid grid = mosaic::choose_grid(640, 640, 640, 640, 16, "700");
  FrameSettings plain;
  plain.look.rerank = 0;
  for (const auto& pool : {few, many}) {  // tiles of `few` are used repeatedly
    Engine engine(grid, pool, {}, executor), without(grid, pool, {}, executor);
    std::mt19937 random(1);
    for (int i = 0; i < 4; ++i) {
      RgbFrame frame = test::noise(640, 640, 1), out(640, 640);
      for (uint8_t& v : frame.pixels) v = 20 + v / 2 + random() % 3;
      const FrameStats& expected = without.process(frame.view(), out.view(), plain);
      const FrameStats& s = engine.process(frame.view(), out.view(), {});
      EXPECT_EQ(0u, expected.changed);
      EXPECT_EQ(0u, s.changed);
      EXPECT_EQ(i == 0 ? s.cells : 0u, s.reranked);
    }
  }
}

TEST(Engine, RerankChangesLittleMoreThanTheAssignment) {
  const auto executor = mt::make_cpu_executor(2);
  const Grid grid = mosaic::choose_grid(640, 360, 640, 360, 20, "700");
  const auto pool = test::procedural_pool(*executor, 20, 20);
  Engine engine(grid, pool, {}, executor), without(grid, pool, {}, executor);
  FrameSettings plain;
  plain.look.rerank = 0;
  unsigned changed = 0, expected = 0;
  for (int i = 0; i < 10; ++i) {
    RgbFrame in = test::moving_disc(640, 360, i), out(640, 360);
    changed += engine.process(in.view(), out.view(), {}).changed;
    expected += without.process(in.view(), out.view(), plain).changed;
  }
  EXPECT_GT(expected, 0u);
  EXPECT_LT(changed, expected * 5 / 4);
}

TEST(Engine, BetaReducesChangesOfTiles) {
  const auto changed_with = [](double beta) {
    const auto executor = mt::make_cpu_executor(2);
    const Grid grid = mosaic::choose_grid(640, 360, 640, 360, 20, "700");
    Engine engine(grid, test::procedural_pool(*executor, 20, 20), {}, executor);
    FrameSettings settings;
    settings.beta = beta;
    unsigned changed = 0;
    for (int i = 0; i < 8; ++i) {
      RgbFrame frame = test::moving_disc(640, 360, i);
      const FrameStats& s = engine.process(frame.view(), frame.view(), settings);
      EXPECT_LE(s.unexplained, s.changed);
      changed += s.changed;
    }
    return changed;
  };
  const unsigned free = changed_with(0), priced = changed_with(0.3), dear = changed_with(1);
  EXPECT_LT(priced, free);
  EXPECT_LT(dear, priced);
  EXPECT_GT(dear, 0u);
}

TEST_F(SmallFrames, HaveNoHistoryAfterACut) {
  for (int i = 0; i < 3; ++i) {
    RgbFrame in = test::moving_disc(320, 180, i);
    EXPECT_EQ(i == 0, engine.process(in.view(), out.view(), {}).keyframe);
  }
  RgbFrame other(320, 180);
  std::fill(other.pixels.begin(), other.pixels.end(), 250);
  EXPECT_TRUE(draw_without_history(other).keyframe);
}

TEST_F(SmallFrames, HaveNoHistoryAfterForget) {
  RgbFrame in = test::moving_disc(320, 180, 0);
  engine.process(in.view(), out.view(), {});
  engine.forget();
  EXPECT_TRUE(draw_without_history(test::moving_disc(320, 180, 9)).keyframe);
}

TEST_F(SmallFrames, HaveNoHistoryWithoutCoherence) {
  FrameSettings settings;
  settings.coherence = mosaic::Coherence::kNone;
  for (int i = 0; i < 4; ++i) {
    SCOPED_TRACE("frame " + std::to_string(i));
    draw_without_history(test::moving_disc(320, 180, i), settings);
  }
}

}  // namespace
