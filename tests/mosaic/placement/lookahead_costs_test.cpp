// SPDX-License-Identifier: LGPL-2.1-or-later
// Lookahead costs: the recursion compared with a naive one, and its effect on a mosaic.
#include "mosaic/placement/lookahead_costs.h"
#include "cpu/cpu_executor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "mosaic/engine/analysis_stages.h"
#include "mosaic/engine/engine.h"
#include "mosaic/placement/price.h"
#include "tests/mosaic/frames.h"
#include "tests/mosaic/simd_levels.h"

namespace {

using mosaic::Engine;
using mosaic::FrameSettings;
using test::RgbFrame;

constexpr int kWidth = 160, kHeight = 96, kSide = 16, kTiles = 1024;
constexpr int kCells = kWidth / kSide * (kHeight / kSide);

mosaic::Grid grid() {
  return mosaic::choose_grid(kWidth, kHeight, kWidth, kHeight, kSide, "1");
}

/// A frame's costs and optimal assignment, computed without LookaheadCosts.
struct Frame {
  std::vector<std::vector<int32_t>> cost;  ///< [cells][tiles]
  std::vector<int64_t> dual;
  double unit = 0;
  std::vector<mosaic::Movement> movement;
  bool begins = false;
};

/// Analyses frames one after the other and adds them to LookaheadCosts.
class Viewer {
 public:
  explicit Viewer(int frames)
      : executor_(mt::make_cpu_executor(2)),
        pool_(std::make_shared<mosaic::PoolOnDevice>(
            test::procedural_pool(*executor_, kSide, kSide, false), executor_)),
        analysis_(grid(), pool_, kCells, executor_),
        costs_(kCells),
        lookahead(kCells, pool_, {.units = kTiles, .most = 1}, frames) {}

  mt::WorkerPool& workers() { return executor_->workers(); }

  Frame show(RgbFrame picture) {
    analysis_.enqueue(picture.view(), {});
    analysis_.list({});
    executor_->wait();
    analysis_.read_back({});
    const mosaic::AnalysedFrame& now = analysis_.frame();
    Frame frame;
    frame.begins = !now.scene.continues();
    costs_.update(workers(), *now.candidates, *now.saliency, frame.begins);
    const mosaic::TileCosts costs(*now.cells, *now.candidates, costs_);
    frame.cost.assign(kCells, std::vector<int32_t>(kTiles));
    for (int cell = 0; cell < kCells; ++cell) {
      costs.read_costs(mosaic::whole_row(cell, kTiles, frame.cost[cell].data()));
      frame.movement.push_back({.speed = now.cells->moved(cell)});
    }
    mosaic::AssignmentProblem problem;
    costs_.describe(*now.candidates, problem);
    problem.central_duals = true;
    problem.read_costs = [&](const mosaic::CostBlock& block) {
      for (size_t i = 0; i < block.rows.size(); ++i)
        std::copy_n(frame.cost[block.rows[i]].begin(), kTiles, block.of_row(i));
    };
    const mosaic::Assignment& best = solver_.solve(problem);
    frame.dual = best.column_dual;
    frame.unit = static_cast<double>(best.cost) / kCells;
    lookahead.add_frame(workers(), *now.cells, *now.candidates, *now.saliency,
                        now.scene.continuation);
    return frame;
  }

 private:
  std::shared_ptr<mt::Executor> executor_;
  std::shared_ptr<const mosaic::PoolOnDevice> pool_;
  mosaic::AnalysisStages analysis_;
  mosaic::WeightedCosts costs_;
  mosaic::AssignmentSolver solver_;

 public:
  mosaic::LookaheadCosts lookahead;
};

constexpr double kFactor = 1.5;  // of the prices

int64_t price_of(const Frame& now, const Frame& then, int cell, const mosaic::LookaheadPrice& p) {
  return std::llround(now.unit * p.at(then.movement[cell], kFactor));
}

/// The lookahead costs of a cell's tiles after frame `t`, by definition.
/// @param last the last frame known
/// @param whole whether all frames of the lookahead are known
std::vector<int64_t> naive(const std::vector<Frame>& clip, int t, int last, bool whole, int cell,
                           std::span<const int32_t> tiles, const mosaic::LookaheadPrice& p) {
  std::vector<int64_t> worth(tiles.size()), later(tiles.size());
  for (int n = last; n > t; --n) {
    const int64_t times = n == last && whole ? 8 : 1;
    for (size_t i = 0; i < tiles.size(); ++i)
      worth[i] = times * (clip[n].cost[cell][tiles[i]] - clip[n].dual[tiles[i]]) + later[i];
    const int64_t least = *std::min_element(worth.begin(), worth.end());
    for (size_t i = 0; i < tiles.size(); ++i)
      later[i] = std::min(worth[i] - least, price_of(clip[t], clip[n], cell, p));
  }
  return later;
}

RgbFrame inverted(RgbFrame frame) {
  for (uint8_t& v : frame.pixels) v = static_cast<uint8_t>(255 - v);
  return frame;
}

TEST(LookaheadCosts, MatchTheBackwardRecursion) {
  constexpr int kAhead = 5, kFrames = 14, kCut = 8;
  const mosaic::LookaheadPrice price;
  Viewer viewer(kAhead);
  std::vector<Frame> clip;
  std::vector<int32_t> held(kCells, -1), shown;
  int compared = 0;
  for (int t = 0; t < kFrames; ++t) {
    for (int n = static_cast<int>(clip.size()); n <= std::min(t + kAhead, kFrames - 1); ++n) {
      const RgbFrame picture = test::moving_disc(kWidth, kHeight, n);
      clip.push_back(viewer.show(n < kCut ? picture : inverted(picture)));
      ASSERT_EQ(clip.back().begins, n == 0 || n == kCut);
    }
    viewer.lookahead.advance(viewer.workers(), held, shown, kFactor, price);
    const int end = t < kCut ? kCut : kFrames;
    const int last = std::min(t + kAhead, end - 1);
    for (int cell = 0; cell < kCells; ++cell) {
      const auto tiles = viewer.lookahead.tiles(cell);
      const auto later = viewer.lookahead.later_costs(cell);
      ASSERT_GE(tiles.size(), 20u);
      for (const int32_t kept : {held[cell], shown.empty() ? -1 : shown[cell]})
        if (kept >= 0) {
          EXPECT_NE(std::find(tiles.begin(), tiles.end(), kept), tiles.end());
        }
      const auto expected = naive(clip, t, last, last == t + kAhead, cell, tiles, price);
      for (size_t i = 0; i < tiles.size(); ++i) {
        ASSERT_EQ(expected[i], later[i]) << "frame " << t << ", cell " << cell;
        ASSERT_EQ(later[i], viewer.lookahead.later_cost(cell, tiles[i]));
        compared += later[i] != 0;
      }
      EXPECT_EQ(viewer.lookahead.price(cell), price_of(clip[t], clip[t], cell, price));
      EXPECT_EQ(viewer.lookahead.later_cost_of_others(cell),
                last > t ? price_of(clip[t], clip[t + 1], cell, price) : 0);
      // Hold also tiles that the solver would never choose.
      held[cell] = (cell * 37 + t / 3 * 11) % kTiles;
    }
    shown.assign(kCells, -1);
    for (int cell = 0; cell < kCells; cell += 2) shown[cell] = (cell * 53 + t / 2 * 7) % kTiles;
  }
  EXPECT_GT(compared, 10000);
}

TEST(LookaheadCosts, IncludeTheCheapestTileOfEachFrame) {
  Viewer viewer(8);
  std::vector<Frame> clip;
  for (int n = 0; n <= 8; ++n)
    clip.push_back(viewer.show(test::moving_disc(kWidth, kHeight, 2 * n)));
  viewer.lookahead.advance(viewer.workers(), std::vector<int32_t>(kCells, -1), {}, 1, {});
  for (int n = 0; n <= 8; ++n)
    for (int cell = 0; cell < kCells; ++cell) {
      const auto tiles = viewer.lookahead.tiles(cell);
      int best = 0;
      for (int t = 1; t < kTiles; ++t)
        if (clip[n].cost[cell][t] - clip[n].dual[t] < clip[n].cost[cell][best] - clip[n].dual[best])
          best = t;
      EXPECT_NE(std::find(tiles.begin(), tiles.end(), best), tiles.end()) << n << " " << cell;
    }
}

/// A picture with a spot in the middle.
/// @param levels how much redder the spot is than the picture without it
RgbFrame spotted(int levels) {
  RgbFrame frame = test::moving_disc(kWidth, kHeight, 0);
  for (int y = 2 * kSide; y < 4 * kSide; ++y)
    for (int x = 6 * kSide; x < 8 * kSide; ++x)
      frame.at(x, y)[0] = static_cast<uint8_t>(frame.at(x, y)[0] + levels);
  return frame;
}

/// The tiles chosen for each frame.
std::vector<std::vector<int32_t>> tiles_of(std::vector<RgbFrame> clip, int lookahead,
                                           int threads = 2,
                                           mt::SimdLevel level = mt::best_simd_level(),
                                           double fidelity = 0) {
  const auto executor = mt::make_cpu_executor(threads, level);
  Engine engine(grid(), test::procedural_pool(*executor, kSide, kSide, false), {}, executor);
  FrameSettings settings;
  settings.look.rerank = 0;
  settings.look.fidelity = fidelity;
  engine.set_lookahead(lookahead);
  std::vector<std::vector<int32_t>> tiles;
  size_t known = 0;
  RgbFrame out(kWidth, kHeight);
  for (size_t t = 0; t < clip.size(); ++t) {
    for (; lookahead && known < clip.size() && known <= t + lookahead; ++known)
      engine.analyse_ahead(clip[known].view(), settings);
    engine.process(clip[t].view(), out.view(), settings);
    EXPECT_EQ(engine.frames_ahead(), static_cast<int>(lookahead ? known - t - 1 : 0));
    tiles.emplace_back(engine.tiles().begin(), engine.tiles().end());
  }
  return tiles;
}

int changes(const std::vector<std::vector<int32_t>>& tiles, size_t from, size_t to) {
  int count = 0;
  for (size_t t = from; t < to; ++t)
    for (int cell = 0; cell < kCells; ++cell) count += tiles[t][cell] != tiles[t - 1][cell];
  return count;
}

TEST(Lookahead, IgnoresAChangeOfOneFrame) {
  std::vector<RgbFrame> clip(12, spotted(0));
  clip[6] = spotted(40);
  EXPECT_GT(changes(tiles_of(clip, 0), 1, 12), 0);
  EXPECT_EQ(changes(tiles_of(clip, 4), 1, 12), 0);
}

TEST(Lookahead, ChangesTilesForALastingChange) {
  std::vector<RgbFrame> clip(6, spotted(0));
  clip.resize(12, spotted(40));
  const auto tiles = tiles_of(clip, 4);
  EXPECT_GE(changes(tiles, 6, 7), 4);  // the frame in which the spot appears
  EXPECT_EQ(changes(tiles, 1, 12), changes(tiles, 6, 7));
}

/// A picture whose cells become brighter and darker, each at its own time.
RgbFrame pulsing(int frame) {
  RgbFrame f = test::moving_disc(kWidth, kHeight, 0);
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      const double phase = 6.2832 * frame / 36 + 0.7 * (x / kSide) + 1.1 * (y / kSide);
      for (int c = 0; c < 3; ++c)
        f.at(x, y)[c] = static_cast<uint8_t>(38 + 0.7 * f.at(x, y)[c] + 24 * std::sin(phase));
    }
  return f;
}

// Prices rise with fidelity. With a lookahead the changes of tiles must become fewer to the same
// extent, so that it still saves changes.
TEST(Lookahead, ChangesFewerTilesWithFidelity) {
  std::vector<RgbFrame> clip;
  for (int n = 0; n < 48; ++n) clip.push_back(pulsing(n));
  for (const double fidelity : {0.5, 0.75}) {
    const auto changed = [&](int lookahead) {
      return changes(tiles_of(clip, lookahead, 2, mt::best_simd_level(), fidelity), 1, clip.size());
    };
    const int without = changed(0);
    EXPECT_GT(without, 100);
    EXPECT_LE(changed(12), 0.9 * without) << "fidelity " << fidelity;
  }
}

TEST(Lookahead, DoesNotDependOnThreadsOrSimdLevel) {
  std::vector<RgbFrame> clip;
  for (int n = 0; n < 9; ++n) clip.push_back(test::moving_disc(kWidth, kHeight, n));
  const auto reference = tiles_of(clip, 3, 1, mt::SimdLevel::kV2);
  EXPECT_EQ(reference, tiles_of(clip, 3, 7, mt::SimdLevel::kV3));
  EXPECT_EQ(reference, tiles_of(clip, 3, 2, mt::SimdLevel::kV4));
  EXPECT_NE(reference, tiles_of(clip, 0));
  SKIP_WITHOUT_ALL_SIMD_LEVELS();
}

TEST(Lookahead, IsClearedByAChangeOfLengthAndByForget) {
  const auto executor = mt::make_cpu_executor(2);
  Engine engine(grid(), test::procedural_pool(*executor, kSide, kSide, false), {}, executor);
  RgbFrame out(kWidth, kHeight), in = test::moving_disc(kWidth, kHeight, 0);
  engine.set_lookahead(3);
  for (int i = 0; i < 4; ++i) engine.analyse_ahead(in.view(), {});
  engine.process(in.view(), out.view(), {});
  EXPECT_EQ(engine.frames_ahead(), 3);
  engine.set_lookahead(3);
  EXPECT_EQ(engine.frames_ahead(), 3);
  engine.set_lookahead(2);
  EXPECT_EQ(engine.frames_ahead(), 3);
  EXPECT_EQ(engine.process(in.view(), out.view(), {}).changed, 0u);
  engine.forget();
  EXPECT_EQ(engine.frames_ahead(), 0);
  EXPECT_TRUE(engine.process(in.view(), out.view(), {}).keyframe);
}

}  // namespace
