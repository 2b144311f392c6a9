// SPDX-License-Identifier: LGPL-2.1-or-later
// What frames to come make of tiles: the recursion against a naive one, and what it does to a
// mosaic.
#include "mosaic/outlook.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "mosaic/engine.h"
#include "mosaic/examination.h"
#include "mosaic/price.h"
#include "tests/core/frames.h"

namespace {

using mosaic::Engine;
using mosaic::FrameSettings;
using test::RgbFrame;

constexpr int kWidth = 160, kHeight = 96, kSide = 16, kTiles = 1024;
constexpr int kCells = kWidth / kSide * (kHeight / kSide);

mosaic::Grid grid() {
  return mosaic::choose_grid(kWidth, kHeight, kWidth, kHeight, kSide, "1");
}

/// A frame's costs and best assignment, as anybody would get them.
struct Frame {
  std::vector<std::vector<int32_t>> cost;  ///< [cells][tiles]
  std::vector<int64_t> dual;
  double unit = 0;
  std::vector<bool> quiet;
  bool begins = false;
};

/// Looks at frames, one after the other, and shows them to an outlook.
class Viewer {
 public:
  explicit Viewer(int frames)
      : executor_(mt::make_cpu_executor(2)),
        pool_(std::make_shared<mosaic::PoolOnDevice>(
            test::procedural_pool(*executor_, kSide, kSide, false), executor_)),
        examination_(grid(), pool_, executor_),
        costs_(kCells),
        outlook(kCells, pool_, 1, frames) {}

  mt::WorkerPool& workers() { return executor_->workers(); }

  Frame show(RgbFrame picture) {
    mosaic::Examination::Settings how;
    how.first = how.cut = first_;
    examination_.look(*executor_, picture.view(), how);
    executor_->wait();
    examination_.collect(0.15);
    Frame frame;
    frame.begins = examination_.begins();
    const mosaic::FrameAnalysis& analysis = examination_.analysis();
    const mosaic::CandidateLists& candidates = examination_.candidates();
    costs_.update(workers(), candidates, examination_.saliency(), first_ || frame.begins);
    frame.cost.assign(kCells, std::vector<int32_t>(kTiles));
    for (int cell = 0; cell < kCells; ++cell) {
      costs_.all_costs(analysis, candidates, cell, frame.cost[cell].data());
      frame.quiet.push_back(analysis.moved(cell) < mosaic::kVisibleStep);
    }
    mosaic::AssignmentProblem problem;
    costs_.describe(candidates, problem);
    const auto row = [&](int cell, int32_t* out) {
      std::copy(frame.cost[cell].begin(), frame.cost[cell].end(), out);
    };
    problem.full_row = row;
    const mosaic::Assignment& best = solver_.solve(problem);
    frame.dual = best.column_dual;
    frame.unit = static_cast<double>(best.cost) / kCells;
    outlook.foresee(workers(), analysis, candidates, examination_.saliency(), frame.begins);
    first_ = false;
    return frame;
  }

 private:
  std::shared_ptr<mt::Executor> executor_;
  std::shared_ptr<const mosaic::PoolOnDevice> pool_;
  mosaic::Examination examination_;
  mosaic::WeightedCosts costs_;
  mosaic::AssignmentSolver solver_;
  bool first_ = true;

 public:
  mosaic::Outlook outlook;
};

int64_t price_of(const Frame& now, const Frame& then, int cell, const mosaic::AheadPrice& p) {
  return std::llround(now.unit * (p.any + (then.quiet[cell] ? p.quiet : 0)));
}

/// What the tiles of a cell cost after frame `t`, by definition.
/// @param last frame known, @param whole there are as many as are looked for
std::vector<int64_t> naive(const std::vector<Frame>& clip, int t, int last, bool whole, int cell,
                           std::span<const int32_t> tiles, const mosaic::AheadPrice& p) {
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

TEST(Outlook, IsTheRecursionBackFromTheLastFrameOfTheScene) {
  constexpr int kAhead = 5, kFrames = 14, kCut = 8;
  const mosaic::AheadPrice price;
  Viewer viewer(kAhead);
  std::vector<Frame> clip;
  std::vector<int32_t> held(kCells, -1);
  int compared = 0;
  for (int t = 0; t < kFrames; ++t) {
    for (int n = static_cast<int>(clip.size()); n <= std::min(t + kAhead, kFrames - 1); ++n) {
      const RgbFrame picture = test::moving_disc(kWidth, kHeight, n);
      clip.push_back(viewer.show(n < kCut ? picture : inverted(picture)));
      ASSERT_EQ(clip.back().begins, n == 0 || n == kCut);
    }
    viewer.outlook.turn(viewer.workers(), held, 0.3, price);
    const int end = t < kCut ? kCut : kFrames;
    const int last = std::min(t + kAhead, end - 1);
    for (int cell = 0; cell < kCells; ++cell) {
      const auto tiles = viewer.outlook.tiles(cell);
      const auto later = viewer.outlook.later(cell);
      ASSERT_GE(tiles.size(), 20u);
      if (held[cell] >= 0) {
        EXPECT_NE(std::find(tiles.begin(), tiles.end(), held[cell]), tiles.end());
      }
      const auto expected = naive(clip, t, last, last == t + kAhead, cell, tiles, price);
      for (size_t i = 0; i < tiles.size(); ++i) {
        ASSERT_EQ(expected[i], later[i]) << "frame " << t << ", cell " << cell;
        ASSERT_EQ(later[i], viewer.outlook.later(cell, tiles[i]));
        compared += later[i] != 0;
      }
      EXPECT_EQ(viewer.outlook.price(cell), price_of(clip[t], clip[t], cell, price));
      EXPECT_EQ(viewer.outlook.later_of_others(cell),
                last > t ? price_of(clip[t], clip[t + 1], cell, price) : 0);
      // Tiles that nobody would choose are held on to as well.
      held[cell] = (cell * 37 + t / 3 * 11) % kTiles;
    }
  }
  EXPECT_GT(compared, 10000);
}

TEST(Outlook, KnowsTheCheapestTileOfEachFrame) {
  Viewer viewer(8);
  std::vector<Frame> clip;
  for (int n = 0; n <= 8; ++n)
    clip.push_back(viewer.show(test::moving_disc(kWidth, kHeight, 2 * n)));
  viewer.outlook.turn(viewer.workers(), std::vector<int32_t>(kCells, -1), 0.3, {});
  for (int n = 0; n <= 8; ++n)
    for (int cell = 0; cell < kCells; ++cell) {
      const auto tiles = viewer.outlook.tiles(cell);
      int best = 0;
      for (int t = 1; t < kTiles; ++t)
        if (clip[n].cost[cell][t] - clip[n].dual[t] < clip[n].cost[cell][best] - clip[n].dual[best])
          best = t;
      EXPECT_NE(std::find(tiles.begin(), tiles.end(), best), tiles.end()) << n << " " << cell;
    }
}

/// A picture with another colour in the middle of it, now and then.
/// @param levels by which the colour is another
RgbFrame spotted(int levels) {
  RgbFrame frame = test::moving_disc(kWidth, kHeight, 0);
  for (int y = 2 * kSide; y < 4 * kSide; ++y)
    for (int x = 6 * kSide; x < 8 * kSide; ++x)
      frame.at(x, y)[0] = static_cast<uint8_t>(frame.at(x, y)[0] + levels);
  return frame;
}

/// The tiles of each frame.
std::vector<std::vector<int32_t>> tiles_of(std::vector<RgbFrame> clip, int lookahead,
                                           int threads = 2,
                                           mt::SimdLevel level = mt::best_simd_level()) {
  const auto executor = mt::make_cpu_executor(threads, level);
  Engine engine(grid(), test::procedural_pool(*executor, kSide, kSide, false), 0, executor);
  FrameSettings settings;
  settings.look.rerank = 0;
  engine.look_ahead(lookahead);
  std::vector<std::vector<int32_t>> tiles;
  size_t known = 0;
  RgbFrame out(kWidth, kHeight);
  for (size_t t = 0; t < clip.size(); ++t) {
    for (; lookahead && known < clip.size() && known <= t + lookahead; ++known)
      engine.foresee(clip[known].view(), settings);
    engine.process(clip[t].view(), out.view(), settings);
    EXPECT_EQ(engine.foreseen(), static_cast<int>(lookahead ? known - t - 1 : 0));
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

TEST(Lookahead, SitsOutWhatLastsForOneFrame) {
  std::vector<RgbFrame> clip(12, spotted(0));
  clip[6] = spotted(40);
  EXPECT_GT(changes(tiles_of(clip, 0), 1, 12), 0);
  EXPECT_EQ(changes(tiles_of(clip, 4), 1, 12), 0);
}

TEST(Lookahead, ChangesTilesForWhatStays) {
  std::vector<RgbFrame> clip(6, spotted(0));
  clip.resize(12, spotted(40));
  const auto tiles = tiles_of(clip, 4);
  EXPECT_GE(changes(tiles, 6, 7), 4);  // where it comes, and not before or after
  EXPECT_EQ(changes(tiles, 1, 12), changes(tiles, 6, 7));
}

TEST(Lookahead, ChoosesTheSameTilesWithAnyNumberOfThreadsAndSimdLevel) {
  std::vector<RgbFrame> clip;
  for (int n = 0; n < 9; ++n) clip.push_back(test::moving_disc(kWidth, kHeight, n));
  const auto reference = tiles_of(clip, 3, 1, mt::SimdLevel::kV2);
  EXPECT_EQ(reference, tiles_of(clip, 3, 7, mt::SimdLevel::kV3));
  EXPECT_EQ(reference, tiles_of(clip, 3, 2, mt::SimdLevel::kV4));
  EXPECT_NE(reference, tiles_of(clip, 0));
}

TEST(Lookahead, MayChangeOnTheWayAndForgets) {
  const auto executor = mt::make_cpu_executor(2);
  Engine engine(grid(), test::procedural_pool(*executor, kSide, kSide, false), 0, executor);
  RgbFrame out(kWidth, kHeight), in = test::moving_disc(kWidth, kHeight, 0);
  engine.look_ahead(3);
  for (int i = 0; i < 4; ++i) engine.foresee(in.view(), {});
  engine.process(in.view(), out.view(), {});
  EXPECT_EQ(engine.foreseen(), 3);
  engine.look_ahead(3);
  EXPECT_EQ(engine.foreseen(), 3);
  engine.look_ahead(2);
  EXPECT_EQ(engine.foreseen(), 0);
  for (int i = 0; i < 3; ++i) engine.foresee(in.view(), {});
  EXPECT_EQ(engine.process(in.view(), out.view(), {}).changed, 0u);
  engine.forget();
  EXPECT_EQ(engine.foreseen(), 0);
  EXPECT_TRUE(engine.process(in.view(), out.view(), {}).keyframe);
}

}  // namespace
