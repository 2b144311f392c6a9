// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// More of engine_test.cpp: mosaics whose tiles are chosen in limited time, or in almost none.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cpu/cpu_executor.h"
#include "mosaic/candidates/weighted_costs.h"
#include "mosaic/engine/analysis_stages.h"
#include "mosaic/engine/engine.h"
#include "mosaic/placement/placement.h"
#include "tests/mosaic/frames.h"

namespace {

using mosaic::Engine;
using mosaic::FrameSettings;
using mosaic::FrameStats;
using test::RgbFrame;

// 0 would mean that there is no limit.
constexpr int64_t kNoTime = 1, kMillisecond = 1'000'000, kHour = 3600'000 * kMillisecond;

struct Clip {
  int width, height;
  unsigned side;
  bool variants;  ///< of photos: four times the tiles
  mosaic::UseSettings uses;
};

/// One tile for each cell; more cells than tiles; tiles that may be used more often than needed;
/// photos that are used once, or more often, or all of them.
constexpr Clip kClips[] = {{320, 180, 20, true, {.most = 1}},
                           {320, 320, 8, false, {}},
                           {320, 180, 10, false, {.most = 3}},
                           {320, 180, 20, true, {mosaic::Unit::kPhoto, 1}},
                           {320, 180, 10, true, {mosaic::Unit::kPhoto}},
                           {320, 180, 8, false, {mosaic::Unit::kPhoto, 0, 1}}};

/// An engine, and the checks of each frame that it draws.
class Film {
 public:
  explicit Film(const Clip& clip)
      : executor_(mt::make_cpu_executor(2)),
        grid_(mosaic::choose_grid(clip.width, clip.height, clip.width, clip.height, clip.side,
                                  "700")),
        pool_(test::procedural_pool(*executor_, grid_.side, grid_.draw_size, clip.variants)),
        uses_(mosaic::use_limit(grid_.cells(), *pool_, clip.uses, executor_->workers())),
        out_(clip.width, clip.height),
        analysis_(grid_, std::make_shared<mosaic::PoolOnDevice>(pool_, executor_), grid_.cells(),
                  executor_),
        costs_(grid_.cells()),
        engine(grid_, pool_, clip.uses, executor_) {}

  RgbFrame disc(int frame) const { return test::moving_disc(out_.width, out_.height, frame); }
  RgbFrame plain(uint8_t value) const {
    RgbFrame frame(out_.width, out_.height);
    std::fill(frame.pixels.begin(), frame.pixels.end(), value);
    return frame;
  }

  /// Draws a frame. @param limit nanoseconds; 0: none
  const FrameStats& draw(RgbFrame in, int64_t limit) {
    settings.solve_budget_ns = limit;
    const FrameStats& stats = engine.process(in.view(), out_.view(), settings);
    check(stats, limit == 0 || limit == kHour);
    expect_exact_costs(in);
    return stats;
  }

  std::vector<int32_t> tiles() const { return {engine.tiles().begin(), engine.tiles().end()}; }
  const std::vector<uint8_t>& pixels() const { return out_.pixels; }

 private:
  /// Checks that the frame is complete and its statistics are plausible.
  /// @param in_time whether the limit is long enough for everything
  void check(const FrameStats& stats, bool in_time) const {
    std::vector<int> used(uses_.units);
    ASSERT_EQ(static_cast<size_t>(grid_.cells()), engine.tiles().size());
    for (const int32_t tile : engine.tiles()) {
      ASSERT_GE(tile, 0);
      ASSERT_LT(tile, pool_->tiles());
      ASSERT_LE(++used[uses_.unit(tile)], uses_.most);
    }
    for (const int uses : used) ASSERT_GE(uses, in_time ? uses_.least : 0);
    EXPECT_TRUE(std::isfinite(stats.gap));
    EXPECT_GE(stats.gap, 0);
    EXPECT_TRUE(std::isfinite(stats.cost));
    EXPECT_GT(stats.cost, 0);
  }

  /// Whatever the limit, every tile has the cost that the lists give it.
  void expect_exact_costs(RgbFrame in) {
    const bool first = analysis_.starts();
    analysis_.enqueue(in.view(), settings);
    analysis_.list(settings);
    executor_->wait();
    analysis_.read_back(settings);
    const mosaic::AnalysedFrame& frame = analysis_.frame();
    costs_.update(executor_->workers(), *frame.candidates, *frame.saliency, first);
    const mosaic::TileCosts costs(*frame.cells, *frame.candidates, costs_);
    for (int cell = 0; cell < grid_.cells(); ++cell)
      ASSERT_EQ(engine.costs()[cell], costs.cost(cell, engine.tiles()[cell]));
  }

  std::shared_ptr<mt::Executor> executor_;
  mosaic::Grid grid_;
  std::shared_ptr<const mosaic::Pool> pool_;
  mosaic::UseLimit uses_;
  RgbFrame out_;
  mosaic::AnalysisStages analysis_;
  mosaic::WeightedCosts costs_;

 public:
  Engine engine;
  FrameSettings settings;
};

class EngineTimeLimit : public testing::TestWithParam<Clip> {};
INSTANTIATE_TEST_SUITE_P(Clips, EngineTimeLimit, testing::ValuesIn(kClips));

TEST_P(EngineTimeLimit, DrawsEveryFrameCompletely) {
  for (const int64_t limit : {kNoTime, kMillisecond, kHour}) {
    SCOPED_TRACE("limit " + std::to_string(limit));
    Film film(GetParam());
    for (int i = 0; i < 3; ++i) EXPECT_EQ(i == 0, film.draw(film.disc(i), limit).keyframe);
    EXPECT_TRUE(film.draw(film.plain(250), limit).keyframe);
    for (int i = 3; i < 5; ++i) film.draw(film.disc(i), limit);  // the scene returns
    for (int i = 0; i < 3; ++i) film.draw(film.disc(4), limit);
  }
}

TEST_P(EngineTimeLimit, LongLimitsGiveTheUnlimitedFrames) {
  Film film(GetParam()), patient(GetParam());
  const auto both = [&](const RgbFrame& frame) {
    EXPECT_EQ(0.0, patient.draw(frame, 0).gap);
    EXPECT_EQ(0.0, film.draw(frame, kHour).gap);
    EXPECT_EQ(patient.tiles(), film.tiles());
    EXPECT_EQ(patient.pixels(), film.pixels());
  };
  for (int i = 0; i < 3; ++i) both(film.disc(i));
  both(film.plain(250));
  both(film.disc(3));
  both(film.disc(3));
}

TEST_P(EngineTimeLimit, AStillSourceBecomesExactAndStopsChanging) {
  Film film(GetParam());
  for (int i = 0; i < 3; ++i) film.draw(film.disc(i), i == 0 ? 0 : kNoTime);
  EXPECT_GT(film.draw(film.disc(3), kNoTime).gap, 0);
  // The limit grows until it is enough. Saliencies are running averages and also take a while.
  int64_t limit = kMillisecond;
  for (int i = 0; i < 60; ++i, limit = std::min(2 * limit, kHour)) film.draw(film.disc(3), limit);
  for (int i = 0; i < 4; ++i) {
    const std::vector<int32_t> tiles = film.tiles();
    const std::vector<uint8_t> pixels = film.pixels();
    const FrameStats& s = film.draw(film.disc(3), kHour);
    EXPECT_EQ(0.0, s.gap);
    EXPECT_EQ(0u, s.changed);
    EXPECT_EQ(0u, s.repainted);
    EXPECT_EQ(tiles, film.tiles());
    EXPECT_EQ(pixels, film.pixels());
  }
}

TEST_P(EngineTimeLimit, LimitsMayChangeBetweenFrames) {
  Film film(GetParam());
  int frame = 0;
  for (const int64_t limit : {int64_t{0}, kNoTime, int64_t{0}, kNoTime, kMillisecond, kHour,
                              kNoTime, int64_t{0}, int64_t{0}}) {
    SCOPED_TRACE("frame " + std::to_string(frame));
    const FrameStats& s = film.draw(film.disc(frame), limit);
    if (limit == 0 || limit == kHour) {
      EXPECT_EQ(0.0, s.gap);
    }
    ++frame;
  }
}

}  // namespace
