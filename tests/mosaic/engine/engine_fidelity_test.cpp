// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// More of engine_test.cpp: what fidelity does to whole mosaics.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "cpu/cpu_executor.h"
#include "mosaic/engine/economy.h"
#include "mosaic/engine/engine.h"
#include "mosaic/settings/profile.h"
#include "tests/mosaic/frames.h"

namespace {

using mosaic::Engine;
using mosaic::FrameSettings;
using test::RgbFrame;

constexpr int kWidth = 320, kHeight = 180, kSide = 20;

class Fidelity : public testing::Test {
 protected:
  Fidelity() { settings.look = mosaic::load_profile("vivid_b"); }

  RgbFrame draw(Engine& engine, RgbFrame in, double fidelity,
                const std::vector<mosaic::Region>& regions = {}) {
    RgbFrame out(kWidth, kHeight);
    settings.look.fidelity = fidelity;
    stats = engine.process(in.view(), out.view(), settings, regions);
    executor->wait();
    return out;
  }
  std::unique_ptr<Engine> make_engine() {
    return std::make_unique<Engine>(grid, test::procedural_pool(*executor, kSide, kSide),
                                    mosaic::UseSettings{}, executor);
  }
  RgbFrame draw_alone(const RgbFrame& in, double fidelity) {
    return draw(*make_engine(), in, fidelity);
  }

  const std::shared_ptr<mt::Executor> executor = mt::make_cpu_executor(2);
  const mosaic::Grid grid = mosaic::choose_grid(kWidth, kHeight, kWidth, kHeight, kSide, "700");
  FrameSettings settings;
  mosaic::FrameStats stats;
};

/// A scene whose levels are an eighth of moving_disc's.
RgbFrame night(int frame) {
  RgbFrame f = test::moving_disc(kWidth, kHeight, frame);
  for (uint8_t& v : f.pixels) v /= 8;
  return f;
}

/// Mean absolute difference between the mean levels of cells in the mosaic and in the source.
double error(const RgbFrame& source, const RgbFrame& mosaic) {
  double sum = 0;
  int means = 0;
  for (int y = 0; y + kSide <= kHeight; y += kSide)
    for (int x = 0; x + kSide <= kWidth; x += kSide)
      for (int c = 0; c < 3; ++c, ++means) {
        int off = 0;
        for (int i = 0; i < kSide * kSide; ++i) {
          const size_t at = (size_t(y + i / kSide) * kWidth + x + i % kSide) * 3 + c;
          off += mosaic.pixels[at] - source.pixels[at];
        }
        sum += std::abs(off) / double(kSide * kSide);
      }
  return sum / means;
}

/// Mean absolute difference between horizontally adjacent pixels.
double roughness(const RgbFrame& f) {
  double sum = 0;
  for (size_t i = 3; i < f.pixels.size(); ++i) sum += std::abs(f.pixels[i] - f.pixels[i - 3]);
  return sum / double(f.pixels.size());
}

TEST_F(Fidelity, MovesCellsTowardsTheSource) {
  for (const RgbFrame& source : {test::moving_disc(kWidth, kHeight, 5), night(5)}) {
    const double none = error(source, draw_alone(source, 0));
    const double half = error(source, draw_alone(source, 0.5));
    const double most = error(source, draw_alone(source, 1));
    EXPECT_LT(half, 0.5 * none);
    EXPECT_LT(most, 1.0);
    EXPECT_LT(most, half);
  }
}

TEST_F(Fidelity, KeepsTheStructureOfThePhotos) {
  const RgbFrame source = test::moving_disc(kWidth, kHeight, 5);
  const double none = roughness(draw_alone(source, 0));
  EXPECT_GT(roughness(draw_alone(source, 0.5)), 0.5 * none);
  EXPECT_GT(roughness(draw_alone(source, 1)), 3 * roughness(source));
}

TEST_F(Fidelity, MayChangeBetweenFrames) {
  const auto engine = make_engine();
  const RgbFrame source = night(3);
  for (const double fidelity : {0.0, 0.7, 0.2, 0.0, 1.0})
    EXPECT_EQ(draw_alone(source, fidelity).pixels, draw(*engine, source, fidelity).pixels)
        << fidelity;
}

/// The frame, white from column `x` on.
RgbFrame white_from(int x, RgbFrame frame) {
  for (int y = 0; y < kHeight; ++y)
    std::fill_n(&frame.pixels[(size_t(y) * kWidth + x) * 3], 3 * (kWidth - x), 255);
  return frame;
}

// Finishing depends on the whole picture, so without fidelity they change.
TEST_F(Fidelity, CellsStayAsTheyAreWhileOthersChange) {
  constexpr int kFrom = 300;  // columns left of it keep their source
  const RgbFrame source = test::moving_disc(kWidth, kHeight, 5), next = white_from(kFrom, source);
  for (const double fidelity : {0.0, 0.5}) {
    const auto engine = make_engine();
    const RgbFrame before = draw(*engine, source, fidelity);
    const std::vector<int32_t> tiles(engine->tiles().begin(), engine->tiles().end());
    const RgbFrame after = draw(*engine, next, fidelity);
    int same_tile = 0, same_picture = 0;
    for (int cell = 0; cell < grid.cells(); ++cell) {
      const int left = grid.out_x(cell % grid.columns), top = grid.out_y(cell / grid.columns);
      if (left + kSide > kFrom || tiles[cell] != engine->tiles()[cell]) continue;
      ++same_tile;
      bool same = true;
      for (int y = top; y < std::min(top + kSide, kHeight); ++y) {
        const size_t at = (size_t(y) * kWidth + left) * 3;
        same &= std::equal(&before.pixels[at], &before.pixels[at] + 3 * kSide, &after.pixels[at]);
      }
      same_picture += same;
    }
    ASSERT_GT(same_tile, grid.cells() / 2);
    if (fidelity > 0)
      EXPECT_EQ(same_tile, same_picture);
    else
      EXPECT_LT(same_picture, same_tile / 2);
  }
}

/// Mean absolute difference of the pixels of a region, after reduction to half cells, which is what
/// a viewer sees from a distance.
double far_error(const RgbFrame& a, const RgbFrame& b, const mosaic::Region& r) {
  constexpr int kHalf = kSide / 2;
  double sum = 0;
  int means = 0;
  for (int y = r.y; y + kHalf <= r.y + r.height; y += kHalf)
    for (int x = r.x; x + kHalf <= r.x + r.width; x += kHalf)
      for (int c = 0; c < 3; ++c, ++means) {
        int off = 0;
        for (int i = 0; i < kHalf * kHalf; ++i) {
          const size_t at = (size_t(y + i / kHalf) * kWidth + x + i % kHalf) * 3 + c;
          off += a.pixels[at] - b.pixels[at];
        }
        sum += std::abs(off) / double(kHalf * kHalf);
      }
  return sum / means;
}

TEST_F(Fidelity, RegionsOfInterestAreCloserToTheSource) {
  const RgbFrame source = test::moving_disc(kWidth, kHeight, 5);
  const mosaic::Region region{100, 60, 120, 60}, elsewhere{0, 0, 320, 40};
  const RgbFrame plain = draw_alone(source, 0.2);
  EXPECT_EQ(0u, stats.region_cells);
  const RgbFrame with = draw(*make_engine(), source, 0.2, {region});
  EXPECT_EQ(6u * 3u, stats.region_cells);
  EXPECT_LT(far_error(with, source, region), 0.8 * far_error(plain, source, region));
  EXPECT_NEAR(far_error(with, source, elsewhere), far_error(plain, source, elsewhere),
              0.1 * far_error(plain, source, elsewhere));
}

// A region that begins or ends while the source stands still is seen all the same.
TEST_F(Fidelity, RegionsMayChangeWhileTheSourceIsStill) {
  settings.ema_alpha = 1;
  const RgbFrame source = test::moving_disc(kWidth, kHeight, 5);
  const std::vector<mosaic::Region> regions = {{100, 60, 120, 60}};
  const auto engine = make_engine();
  const RgbFrame plain = draw(*engine, source, 0.5);
  EXPECT_NE(plain.pixels, draw(*engine, source, 0.5, regions).pixels);
  EXPECT_GE(stats.repainted, 18u);
  EXPECT_EQ(18u, stats.region_cells);
  draw(*engine, source, 0.5);
  EXPECT_GE(stats.repainted, 18u);
  EXPECT_EQ(0u, stats.region_cells);
}

TEST_F(Fidelity, ChangesFewerTiles) {
  unsigned changed[2] = {};
  for (const bool with : {false, true}) {
    const auto engine = make_engine();
    for (int frame = 0; frame < 12; ++frame) {
      draw(*engine, test::moving_disc(kWidth, kHeight, frame), with ? 0.5 : 0);
      changed[with] += stats.changed;
    }
  }
  EXPECT_GT(changed[true], 0u);
  EXPECT_LT(changed[true], changed[false]);
}

// Noise that nobody sees: no cell is analysed again, so none is drawn again.
TEST_F(Fidelity, NoiseOfALevelRedrawsNothing) {
  const auto engine = make_engine();
  const RgbFrame still = test::moving_disc(kWidth, kHeight, 0);
  const auto noisy = [&](int seed) {
    RgbFrame frame = still, noise = test::noise(kWidth, kHeight, seed);
    for (size_t i = 0; i < frame.pixels.size(); ++i) {
      const int v = frame.pixels[i] + noise.pixels[i] % 3 - 1;
      frame.pixels[i] = static_cast<uint8_t>(std::clamp(v, 0, 255));
    }
    return frame;
  };
  const RgbFrame first = draw(*engine, noisy(0), 0.5);
  EXPECT_GT(stats.repainted, 0u);
  for (int i = 1; i < 20; ++i) {
    EXPECT_EQ(first.pixels, draw(*engine, noisy(i), 0.5).pixels) << i;
    EXPECT_EQ(0u, stats.repainted) << i;
  }
}

// A live pipeline without time leaves out small changes of the source, but no large ones, and none
// in a new scene.
TEST_F(Fidelity, EconomyLeavesOutSmallChanges) {
  const RgbFrame source = test::moving_disc(kWidth, kHeight, 0);
  RgbFrame next = source;
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x)
      for (int c = 0; c < 3; ++c) {
        uint8_t& v = next.at(x, y)[c];
        v = static_cast<uint8_t>(std::min(255, v + (x < kWidth / 2 ? 5 : 40)));
      }
  const auto changed_pixels = [](const RgbFrame& a, const RgbFrame& b, int begin, int end) {
    int changed = 0;
    for (int y = 0; y < kHeight; ++y)
      for (int i = 3 * begin; i < 3 * end; ++i)
        changed += a.pixels[3 * kWidth * y + i] != b.pixels[3 * kWidth * y + i];
    return changed;
  };
  RgbFrame starts[2] = {source, source};
  for (const int economy : {0, mosaic::kMostEconomy}) {
    SCOPED_TRACE(economy);
    const auto engine = make_engine();
    settings.economy = economy;
    const RgbFrame before = draw(*engine, source, 0.5), after = draw(*engine, next, 0.5);
    starts[economy > 0] = before;
    const int small = changed_pixels(before, after, 0, kWidth / 2);
    EXPECT_EQ(small > kWidth * kHeight / 4, economy == 0);
    EXPECT_EQ(small == 0, economy > 0);
    EXPECT_GT(changed_pixels(before, after, kWidth / 2, kWidth), kWidth * kHeight / 4);
  }
  EXPECT_EQ(starts[0].pixels, starts[1].pixels);
}

TEST_F(Fidelity, LeavesAStillSourceStill) {
  const auto engine = make_engine();
  const RgbFrame source = night(3);
  const RgbFrame first = draw(*engine, source, 0.5);
  RgbFrame noisy = source;
  for (size_t i = 0; i < noisy.pixels.size(); ++i) noisy.pixels[i] += i % 7 == 0;
  for (const RgbFrame& next : {source, noisy, source}) {
    EXPECT_EQ(first.pixels, draw(*engine, next, 0.5).pixels);
    EXPECT_EQ(0u, stats.repainted);
  }
}

}  // namespace
