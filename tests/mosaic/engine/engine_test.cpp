// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/engine/engine.h"
#include "cpu/cpu_executor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>

#include "mosaic/base/error.h"
#include "mosaic/settings/profile.h"
#include "tests/mosaic/frames.h"
#include "tests/mosaic/simd_levels.h"

namespace {

using mosaic::Engine;
using mosaic::FrameSettings;
using mosaic::FrameStats;
using mosaic::Grid;
using test::RgbFrame;

#ifdef __SANITIZE_THREAD__  // profiles take minutes, and some clips set one below
constexpr char kProfile[] = "plain";
#else
constexpr char kProfile[] = "vivid_b";
#endif

struct Clip {
  int width, height, out_width, out_height;
  unsigned tile_size;
  const char* size;
  const char* profile = kProfile;
  mosaic::UseSettings uses{};
};

Grid grid_of(const Clip& clip) {
  return mosaic::choose_grid(clip.width, clip.height, clip.out_width, clip.out_height,
                             clip.tile_size, clip.size);
}

/// The mosaics of a few frames of a clip.
std::vector<std::vector<uint8_t>> run(const Clip& clip, std::shared_ptr<const mosaic::Pool> pool,
                                      int threads, mt::SimdLevel level) {
  const auto executor = mt::make_cpu_executor(threads, level);
  FrameSettings settings;
  settings.look = mosaic::load_profile(clip.profile);
  Engine engine(grid_of(clip), std::move(pool), clip.uses, executor);
  std::vector<std::vector<uint8_t>> out;
  for (int i = 0; i < 3; ++i) {
    RgbFrame in = test::moving_disc(clip.width, clip.height, i);
    RgbFrame frame(clip.out_width, clip.out_height);
    const FrameStats& stats = engine.process(in.view(), frame.view(), settings);
    EXPECT_EQ(static_cast<uint64_t>(i), stats.frame);
    EXPECT_EQ(0.0, stats.gap);
    out.push_back(frame.pixels);
  }
  return out;
}

class Clips : public testing::TestWithParam<Clip> {};

TEST_P(Clips, DoNotDependOnThreadsOrSimdLevel) {
  const auto loader = mt::make_cpu_executor(2);
  const Grid grid = grid_of(GetParam());
  const auto pool = test::procedural_pool(*loader, grid.side, grid.draw_size);
  const auto reference = run(GetParam(), pool, 1, mt::SimdLevel::kV2);
  EXPECT_EQ(reference, run(GetParam(), pool, 7, mt::SimdLevel::kV2));
#ifndef __SANITIZE_THREAD__  // takes minutes, and tests nothing new about threads
  EXPECT_EQ(reference, run(GetParam(), pool, 2, mt::SimdLevel::kV2));
  // In place of a level that this processor lacks, the highest that it has is used.
  EXPECT_EQ(reference, run(GetParam(), pool, 2, mt::SimdLevel::kV3));
  EXPECT_EQ(reference, run(GetParam(), pool, 1, mt::SimdLevel::kV4));
  SKIP_WITHOUT_ALL_SIMD_LEVELS();
#endif
}

std::vector<Clip> clips() {
  std::vector<Clip> all{{1, 1, 1, 1, 0, "700"},
                        {17, 13, 17, 13, 8, "700"},
                        {320, 180, 320, 180, 20, "700"},
                        {319, 181, 319, 181, 24, "700"},
                        {160, 90, 480, 270, 16, "700"},
                        {320, 180, 100, 60, 40, "700"},
                        {321, 183, 321, 183, 0, "19x11"},
                        {319, 181, 319, 181, 24, "700", "ultra"},
                        {320, 180, 320, 180, 20, "700", "natural"},
                        {319, 181, 319, 181, 16, "700", "fast"},
                        {320, 180, 320, 180, 10, "700", kProfile, {mosaic::Unit::kPhoto}}};
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)  // minutes, nothing new
  all.push_back({1918, 1078, 1918, 1078, 0, "500"});
#endif
  return all;
}
INSTANTIATE_TEST_SUITE_P(Sizes, Clips, testing::ValuesIn(clips()));

TEST(Pool, DoesNotDependOnThreadsOrSimdLevel) {
  const auto one = mt::make_cpu_executor(1, mt::SimdLevel::kV2);
  const auto reference = test::load_procedural_pool(*one, 24, 24, true);
  for (const auto& [threads, level] :
       {std::pair(2, mt::SimdLevel::kV3), std::pair(7, mt::SimdLevel::kV4)}) {
    const auto executor = mt::make_cpu_executor(threads, level);
    const auto pool = test::load_procedural_pool(*executor, 24, 24, true);
    EXPECT_TRUE(std::ranges::equal(reference->pixels(), pool->pixels()));
    EXPECT_TRUE(std::ranges::equal(reference->features(), pool->features()));
    ASSERT_EQ(reference->stats().size_bytes(), pool->stats().size_bytes());
    EXPECT_EQ(0, std::memcmp(reference->stats().data(), pool->stats().data(),
                             pool->stats().size_bytes()));
  }
  SKIP_WITHOUT_ALL_SIMD_LEVELS();
}

TEST(Engine, DrawsTheSameFramesInPlace) {
  const auto executor = mt::make_cpu_executor(2);
  const Grid grid = mosaic::choose_grid(200, 120, 200, 120, 20, "700");
  const auto pool = test::procedural_pool(*executor, 20, 20);
  Engine a(grid, pool, {}, executor), b(grid, pool, {}, executor);
  for (int i = 0; i < 3; ++i) {
    RgbFrame in = test::moving_disc(200, 120, i), out(200, 120), place = in;
    a.process(in.view(), out.view(), {});
    b.process(place.view(), place.view(), {});
    EXPECT_EQ(out.pixels, place.pixels);
  }
}

TEST(Engine, RerankChangesTilesAndReportsTheAddedCost) {
  const auto executor = mt::make_cpu_executor(2);
  const Grid grid = mosaic::choose_grid(320, 180, 320, 180, 20, "700");
  Engine engine(grid, test::procedural_pool(*executor, 20, 20), {}, executor);
  FrameSettings settings;
  RgbFrame in = test::moving_disc(320, 180, 4);
  std::vector<std::vector<uint8_t>> seen;
  double cost = 0;
  for (const int nearest : {0, 25, 12, 0}) {  // all on the same frame
    settings.look.rerank = nearest;
    RgbFrame out(320, 180);
    const FrameStats& s = engine.process(in.view(), out.view(), settings);
    if (nearest == 0) {
      EXPECT_EQ(0u, s.reranked);
      EXPECT_EQ(0.0, s.extra);
      cost = s.cost;
    } else {
      EXPECT_EQ(s.cells, s.reranked);
      EXPECT_GT(s.changed, 0u);
      EXPECT_NEAR(s.cost / cost - 1, s.extra, 1e-6);
      EXPECT_GT(s.extra, 0.0);
    }
    seen.push_back(out.pixels);
  }
  EXPECT_EQ(seen[0], seen[3]);
  EXPECT_NE(seen[0], seen[1]);
  EXPECT_NE(seen[1], seen[2]);
}

#ifndef __SANITIZE_THREAD__  // takes minutes, and tests nothing about threads
TEST(Engine, AppliesANewLookAtOnce) {
  const auto executor = mt::make_cpu_executor(2);
  const Grid grid = mosaic::choose_grid(320, 180, 320, 180, 20, "700");
  const auto pool = test::procedural_pool(*executor, 20, 20);
  Engine engine(grid, pool, {}, executor);
  RgbFrame in = test::moving_disc(320, 180, 0);
  std::vector<std::vector<uint8_t>> seen;
  // The last two return to earlier profiles.
  for (const char* name :
       {"plain", "natural", "tile", "vivid", "vivid_b", "ultra", "plain", "ultra"}) {
    FrameSettings settings;
    settings.look = mosaic::load_profile(name);
    Engine fresh(grid, pool, {}, executor);
    RgbFrame out(320, 180), expected(320, 180), again(320, 180);
    engine.process(in.view(), out.view(), settings);
    fresh.process(in.view(), expected.view(), settings);
    EXPECT_EQ(expected.pixels, out.pixels) << name;
    engine.process(in.view(), again.view(), settings);
    EXPECT_EQ(expected.pixels, again.pixels) << name << ", the same frame again";
    seen.push_back(out.pixels);
  }
  for (size_t i = 0; i < 6; ++i)
    for (size_t k = 0; k < i; ++k) EXPECT_NE(seen[i], seen[k]);
}
#endif

TEST(Engine, MosaicResemblesItsSource) {
  const auto executor = mt::make_cpu_executor(2);
  const Grid grid = mosaic::choose_grid(640, 360, 640, 360, 20, "700");
  Engine engine(grid, test::procedural_pool(*executor, 20, 20), {}, executor);
  RgbFrame in = test::moving_disc(640, 360, 5), out(640, 360);
  engine.process(in.view(), out.view(), {});
  double cell_error = 0, pixel_error = 0;
  for (int cell = 0; cell < grid.cells(); ++cell)
    for (int c = 0; c < 3; ++c) {
      double mean = 0;
      for (int i = 0; i < 400; ++i) {
        const int x = cell % grid.columns * 20 + i % 20, y = cell / grid.columns * 20 + i / 20;
        mean += in.at(x, y)[c] - out.at(x, y)[c];
        pixel_error += std::abs(in.at(x, y)[c] - out.at(x, y)[c]);
      }
      cell_error += std::abs(mean / 400);
    }
  cell_error /= 3 * grid.cells();
  pixel_error /= 3 * 640 * 360;
  EXPECT_LT(cell_error, 15) << "from afar: the source's colours";
  EXPECT_GT(pixel_error, 1.5 * cell_error) << "from near: structure of its own";
}

TEST(Engine, RejectsATooSmallPoolWithBothNumbers) {
  const auto executor = mt::make_cpu_executor(2);
  const Grid grid = mosaic::choose_grid(320, 320, 320, 320, 8, "700");
  const auto pool = test::procedural_pool(*executor, 8, 8, false);
  ASSERT_EQ(1024, pool->tiles());
  try {
    Engine engine(grid, pool, {.most = 1}, executor);
    ADD_FAILURE();
  } catch (const mosaic::Error& e) {
    EXPECT_NE(std::string(e.what()).find("1024 tiles"), std::string::npos);
    EXPECT_NE(std::string(e.what()).find("1600 cells"), std::string::npos);
  }
  RgbFrame in = test::moving_disc(320, 320, 0);
  Engine fewest(grid, pool, {}, executor), any(grid, pool, {.most = UINT_MAX}, executor);
  const double cost = fewest.process(in.view(), in.view(), {}).cost;
  RgbFrame again = test::moving_disc(320, 320, 0);
  FrameSettings no_duplicates;
  no_duplicates.dedup_radius = 0;
  EXPECT_LT(any.process(again.view(), again.view(), no_duplicates).cost, cost);
}

TEST(Engine, ReportsTheGapWithinATimeLimit) {
  const auto executor = mt::make_cpu_executor(2);
  const Grid grid = mosaic::choose_grid(640, 360, 640, 360, 10, "700");
  Engine engine(grid, test::procedural_pool(*executor, 10, 10), {}, executor);
  FrameSettings settings;
  settings.solve_budget_ns = 1;
  double gap = 10;
  for (const int rounds : {0, 1, 8}) {  // more swaps, smaller gap
    settings.look.neighbor_swap_rounds = rounds;
    RgbFrame in = test::moving_disc(640, 360, 1);
    engine.forget();
    const FrameStats& s = engine.process(in.view(), in.view(), settings);
    EXPECT_GE(s.gap, 0);
    EXPECT_LT(s.gap, gap);
    EXPECT_GT(s.cost, 0);
    gap = s.gap;
  }
}

TEST(Engine, ThreadsMayChangeBetweenFrames) {
  const auto one = mt::make_cpu_executor(1), changing = mt::make_cpu_executor(1);
  const Grid grid = mosaic::choose_grid(320, 180, 320, 180, 20, "700");
  const auto pool = test::procedural_pool(*one, 20, 20);
  Engine a(grid, pool, {}, one), b(grid, pool, {}, changing);
  for (int i = 0; i < 3; ++i) {
    RgbFrame x = test::moving_disc(320, 180, i), y = x;
    a.process(x.view(), x.view(), {});
    b.process(y.view(), y.view(), {});
    EXPECT_EQ(x.pixels, y.pixels);
    changing->set_threads(i % 2 ? 1 : 3);
    EXPECT_EQ(i % 2 ? 1 : 3, changing->workers().threads());
  }
}

}  // namespace
