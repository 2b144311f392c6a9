// SPDX-License-Identifier: LGPL-2.1-or-later
// The estimate of an engine's memory: what it allocates, no less and not much more.
#include "mosaic/engine/frame_memory.h"
#include "cpu/cpu_executor.h"

#include <gmock/gmock.h>

#include "mosaic/base/error.h"
#include "mosaic/base/memory_limit.h"
#include "mosaic/settings/profile.h"
#include "tests/gpu-check/counting_executor.h"
#include "tests/mosaic/frames.h"

namespace {

using mosaic::Error;
using mosaic::FrameSettings;
using mosaic::Grid;
using test::RgbFrame;
using testing::HasSubstr;

constexpr uint64_t kGigabyte = 1'000'000'000;

struct Case {
  int width, height, out_width, out_height;
  const char* profile;
  double fidelity;
  bool laplacian;
  int lookahead;
};

class FrameMemory : public testing::TestWithParam<Case> {};

TEST_P(FrameMemory, IsWhatAnEngineAllocates) {
  const Case& c = GetParam();
  const auto executor = std::make_shared<gpu_check::CountingExecutor>(mt::make_cpu_executor(2));
  const Grid grid = mosaic::choose_grid(c.width, c.height, c.out_width, c.out_height, 16, "1");
  const auto pool = test::procedural_pool(*executor, grid.side, grid.draw_size, false);
  FrameSettings settings;
  settings.look = mosaic::load_profile(c.profile);
  settings.look.fidelity = c.fidelity;
  settings.look.laplacian_blend = c.laplacian;
  settings.temporal_blend = 4;
  settings.overlay = mosaic::kOverlayGrid;
  executor->allocated = 0;
  mosaic::Engine engine(grid, pool, {}, executor);
  RgbFrame in = test::moving_disc(c.width, c.height, 0), out(c.out_width, c.out_height);
  engine.set_lookahead(c.lookahead);
  for (int i = 0; i <= c.lookahead && c.lookahead > 0; ++i)
    engine.analyse_ahead(in.view(), settings);
  engine.process(in.view(), out.view(), settings);
  const auto allocated = static_cast<double>(executor->allocated);
  const auto estimated =
      static_cast<double>(mosaic::frame_memory(grid, pool->tiles(), settings, c.lookahead));
  EXPECT_GE(estimated, 0.98 * allocated);
  EXPECT_LE(estimated, 1.6 * allocated);
}

INSTANTIATE_TEST_SUITE_P(Of, FrameMemory,
                         testing::Values(Case{640, 360, 640, 360, "plain", 0, false, 0},
                                         Case{640, 360, 640, 360, "vivid_b", 0.5, false, 0},
                                         Case{320, 180, 1280, 720, "vivid_b", 0.5, false, 0},
                                         Case{640, 360, 640, 360, "ultra", 0, true, 0},
                                         Case{640, 360, 640, 360, "vivid_b", 0.5, false, 6}));

TEST(FrameMemoryOf, LargeFramesAndPoolsIsAllowed) {
  const FrameSettings settings;
  const Grid large = mosaic::choose_grid(7680, 4320, 7680, 4320, 0, "16384");
  EXPECT_LT(mosaic::frame_memory(large, 100000, settings, 0), 3 * kGigabyte);
  const Grid small = mosaic::choose_grid(1920, 1080, 1920, 1080, 40, "1");
  EXPECT_LT(mosaic::frame_memory(small, 100000, settings, 0), kGigabyte);
}

TEST(FrameMemoryOf, HugeFramesGrowsWithTheirLookahead) {
  const Grid grid = mosaic::choose_grid(16384, 16384, 16384, 16384, 0, "700");
  const uint64_t none = mosaic::frame_memory(grid, 1000, {}, 0);
  EXPECT_GT(none, 5 * kGigabyte);
  EXPECT_GT(mosaic::frame_memory(grid, 1000, {}, 64), none + 64 * kGigabyte);
}

TEST(MemoryLimit, NamesBothNumbersAndWhatToChange) {
  EXPECT_GT(mosaic::memory_limit(), kGigabyte / 4);
  EXPECT_NO_THROW(mosaic::check_memory(kGigabyte, "it", "", kGigabyte));
  try {
    mosaic::check_memory(5 * kGigabyte, "64 photos", "use fewer photos", 3 * kGigabyte);
    ADD_FAILURE() << "it was allowed";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::kSettings);
    EXPECT_THAT(error.what(), HasSubstr("64 photos would take 5.0 GB"));
    EXPECT_THAT(error.what(), HasSubstr("more than 3.0 GB"));
    EXPECT_EQ(error.hint(), "use fewer photos");
  }
}

}  // namespace
