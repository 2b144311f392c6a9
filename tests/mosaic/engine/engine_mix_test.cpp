// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// More of engine_test.cpp: mosaics that are mixed with their source.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "cpu/cpu_executor.h"
#include "kernels/drawing/crossfade.h"
#include "mosaic/drawing/mixing.h"
#include "mosaic/engine/copy_frame.h"
#include "mosaic/engine/engine.h"
#include "mosaic/settings/profile.h"
#include "tests/gpu-check/counting_executor.h"
#include "tests/mosaic/frames.h"
#include "tests/mosaic/simd_levels.h"

namespace {

using mosaic::Engine;
using mosaic::FrameSettings;
using test::RgbFrame;

struct Size {
  int width, height;
};
constexpr Size kIn = {160, 96};

/// Engines for frames of 160x96 pixels.
class Mix : public testing::TestWithParam<Size> {
 protected:
  Mix() { settings.look = mosaic::load_profile("plain"); }

  std::unique_ptr<Engine> make_engine(const std::shared_ptr<mt::Executor>& on) const {
    return std::make_unique<Engine>(grid, test::procedural_pool(*loader, grid.side, grid.draw_size),
                                    mosaic::UseSettings{}, on);
  }
  RgbFrame draw(Engine& engine, RgbFrame in, double mix) {
    RgbFrame out(grid.out_width, grid.out_height);
    settings.mix = mix;
    stats = engine.process(in.view(), out.view(), settings);
    executor->wait();
    return out;
  }
  /// The frame at the size of the output, as a pipeline shows it while photos load.
  RgbFrame source(RgbFrame in) const {
    RgbFrame out(grid.out_width, grid.out_height);
    mosaic::copy_frame(*loader, in.view(), out.view());
    return out;
  }
  static RgbFrame picture(int number) { return test::moving_disc(kIn.width, kIn.height, number); }

  const Size out = GetParam();
  const mosaic::Grid grid =
      mosaic::choose_grid(kIn.width, kIn.height, out.width, out.height, 16, "1");
  const std::shared_ptr<mt::Executor> loader = mt::make_cpu_executor(2);
  const std::shared_ptr<mt::Executor> executor = mt::make_cpu_executor(2);
  FrameSettings settings;
  mosaic::FrameStats stats;
};

/// What the mixture is defined to be, computed without the kernel: exactly, as shares have few
/// bits.
RgbFrame mixture(const RgbFrame& source, const RgbFrame& mosaic, double mix) {
  mix = mosaic::mix_share(mix) / double{mt::kWholeShare};
  RgbFrame mixed = mosaic;
  for (size_t i = 0; i < mixed.pixels.size(); ++i)
    mixed.pixels[i] = static_cast<uint8_t>(
        std::floor(source.pixels[i] + (mosaic.pixels[i] - source.pixels[i]) * mix + 0.5));
  return mixed;
}

TEST_P(Mix, IsBetweenTheSourceAndTheMosaic) {
  const auto mixed = make_engine(executor), whole = make_engine(executor);
  int number = 0;
  // The source stands still, too: later frames are not drawn anew.
  for (const double mix : {0.3, 0.0, 1.0, 1.0, 0.777, 0.5, 0.0, 1.0}) {
    SCOPED_TRACE("frame " + std::to_string(number));
    const RgbFrame in = picture(std::min(number, 2));
    ++number;
    const RgbFrame mosaic = draw(*whole, in, 1), got = draw(*mixed, in, mix);
    EXPECT_EQ(got.pixels, mixture(source(in), mosaic, mix).pixels);
    if (mix == 0) {
      EXPECT_EQ(got.pixels, source(in).pixels);
    }
    EXPECT_NE(source(in).pixels, mosaic.pixels);
  }
}

// Every pixel of the source shows, though no cell is drawn anew.
TEST_P(Mix, FollowsASourceWhoseCellsDoNotChange) {
  const auto engine = make_engine(executor);
  RgbFrame in = picture(0);
  const RgbFrame mosaic = draw(*engine, in, 1);
  for (int i = 0; i < 4; ++i) {
    std::swap_ranges(in.at(40, 40 + i), in.at(50, 40 + i), in.at(50, 40 + i));
    in.at(20 * i, 10)[1] ^= 4;
    const RgbFrame got = draw(*engine, in, 0.5);
    EXPECT_EQ(0u, stats.repainted) << "frame " << i;
    EXPECT_EQ(got.pixels, mixture(source(in), mosaic, 0.5).pixels) << "frame " << i;
  }
}

TEST_P(Mix, OfARepeatedMosaicIsWithTheNewSource) {
  for (const unsigned overlay : {0u, unsigned{mosaic::kOverlayGrid}}) {
    const auto engine = make_engine(executor), whole = make_engine(executor);
    settings.overlay = 0;
    const RgbFrame mosaic = draw(*whole, picture(0), 1);
    settings.overlay = overlay;
    RgbFrame none = mosaic, late = picture(9);
    EXPECT_FALSE(engine->repeat(late.view(), none.view(), 0.5)) << "there is none";
    EXPECT_EQ(none.pixels, mosaic.pixels);
    const RgbFrame first = draw(*engine, picture(0), 0.75);
    for (const double mix : {0.5, 0.0, 1.0}) {
      RgbFrame got(out.width, out.height);
      ASSERT_TRUE(engine->repeat(late.view(), got.view(), mix));
      executor->wait();
      const RgbFrame expected = mixture(source(late), mosaic, mix);
      int marked = 0;
      for (size_t i = 0; i < got.pixels.size(); ++i) {
        if (got.pixels[i] == expected.pixels[i]) continue;
        ASSERT_EQ(got.pixels[i], 0) << "byte " << i << " is neither a mixture nor the grid";
        ++marked;
      }
      EXPECT_EQ(marked > 0, overlay != 0) << "mix " << mix;
    }
  }
}

TEST_P(Mix, IsUnderTheOverlay) {
  const auto mixed = make_engine(executor), marked = make_engine(executor);
  const RgbFrame plain = draw(*mixed, picture(0), 0.5);
  settings.overlay = mosaic::kOverlayGrid;
  const RgbFrame got = draw(*marked, picture(0), 0.5);
  int lines = 0;
  for (size_t i = 0; i < got.pixels.size(); ++i) {
    if (got.pixels[i] == plain.pixels[i]) continue;
    ASSERT_EQ(got.pixels[i], 0) << "a line of the grid is not mixed with the source";
    ++lines;
  }
  EXPECT_GT(lines, 0);
}

TEST_P(Mix, UsesTheSourceOfItsFrameWithALookahead) {
  const auto engine = make_engine(executor), whole = make_engine(executor);
  constexpr int kLookahead = 3;
  for (const auto& e : {engine.get(), whole.get()}) e->set_lookahead(kLookahead);
  for (int i = 0; i <= kLookahead; ++i)
    for (const auto& e : {engine.get(), whole.get()}) {
      RgbFrame in = picture(2 * i);
      e->analyse_ahead(in.view(), settings);
    }
  for (int i = 0; i <= kLookahead; ++i) {
    const RgbFrame in = picture(2 * i), mosaic = draw(*whole, in, 1);
    EXPECT_EQ(draw(*engine, in, 0.5).pixels, mixture(source(in), mosaic, 0.5).pixels) << i;
  }
}

TEST_P(Mix, DoesNotDependOnThreadsOrSimdLevel) {
  std::vector<std::vector<uint8_t>> seen;
  for (const auto& [threads, level] :
       {std::pair(1, mt::SimdLevel::kV2), std::pair(2, mt::SimdLevel::kV3),
        std::pair(7, mt::SimdLevel::kV4)}) {
    const auto engine = make_engine(mt::make_cpu_executor(threads, level));
    std::vector<uint8_t> all;
    for (int i = 0; i < 2; ++i) {
      const RgbFrame frame = draw(*engine, picture(i), 0.3 + 0.4 * i);
      all.insert(all.end(), frame.pixels.begin(), frame.pixels.end());
    }
    seen.push_back(std::move(all));
  }
  EXPECT_EQ(seen[0], seen[1]);
  EXPECT_EQ(seen[0], seen[2]);
  SKIP_WITHOUT_ALL_SIMD_LEVELS();
}

TEST_P(Mix, CostsNothingAtOne) {
  const auto counting = std::make_shared<gpu_check::CountingExecutor>(executor);
  const auto engine = make_engine(counting);
  const auto mixtures = [&] {
    return counting->launches_of[static_cast<size_t>(mt::KernelId::kMixRows)];
  };
  draw(*engine, picture(0), 1);
  EXPECT_EQ(mixtures(), 0);
  draw(*engine, picture(1), 0.5);
  EXPECT_EQ(mixtures(), 1);
  const int64_t allocated = counting->allocations;
  draw(*engine, picture(2), 0.4);
  EXPECT_EQ(mixtures(), 2);
  EXPECT_EQ(counting->allocations, allocated) << "memory is allocated once";
  draw(*engine, picture(2), 1);
  EXPECT_EQ(mixtures(), 2);
}

INSTANTIATE_TEST_SUITE_P(Sizes, Mix, testing::Values(kIn, Size{250, 150}, Size{101, 60}),
                         [](const auto& info) {
                           return "Width" + std::to_string(info.param.width);
                         });

TEST(MixShare, IsAFixedPointNumber) {
  EXPECT_EQ(mosaic::mix_share(0), 0);
  EXPECT_EQ(mosaic::mix_share(1), mt::kWholeShare);
  EXPECT_EQ(mosaic::mix_share(0.5), mt::kWholeShare / 2);
  EXPECT_EQ(mosaic::mix_share(-1), 0);
  EXPECT_EQ(mosaic::mix_share(2), mt::kWholeShare);
  EXPECT_EQ(mosaic::mix_share(std::numeric_limits<double>::quiet_NaN()), 0);
}

}  // namespace
