// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// More of engine_test.cpp: frames that are analysed ahead. Each is analysed once, in memory that
/// is allocated once, and with the results that it would have if it were analysed when it is drawn.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "cpu/cpu_executor.h"
#include "mosaic/engine/engine.h"
#include "tests/gpu-check/counting_executor.h"
#include "tests/mosaic/frames.h"

namespace {

using mosaic::Engine;
using mosaic::FrameSettings;
using mosaic::FrameStats;
using mt::KernelId;
using test::RgbFrame;

constexpr int kWidth = 160, kHeight = 96, kSide = 16;

/// Everything about a frame that must not depend on when it was analysed.
struct Found {
  std::vector<uint8_t> source;
  std::vector<double> weights;
  std::vector<int16_t> motion;
  bool keyframe;
  bool operator==(const Found&) const = default;
};

/// Plays a clip, frame by frame, as the element does.
class Film {
 public:
  Film()
      : grid_(mosaic::choose_grid(kWidth, kHeight, kWidth, kHeight, kSide, "1")),
        executor(std::make_shared<gpu_check::CountingExecutor>(mt::make_cpu_executor(2))),
        engine(grid_, test::procedural_pool(*mt::make_cpu_executor(2), kSide, kSide, false), {},
               executor),
        out(kWidth, kHeight) {}

  /// A disc that moves; a flash, after which the scene returns; a cut.
  static RgbFrame picture(int number) {
    RgbFrame frame = test::moving_disc(kWidth, kHeight, number);
    if (number == 6) std::fill(frame.pixels.begin(), frame.pixels.end(), 250);
    if (number >= 15)
      for (uint8_t& v : frame.pixels) v = static_cast<uint8_t>(255 - v);
    return frame;
  }

  /// Draws the next frame, with so many later ones known.
  const FrameStats& draw(int lookahead) {
    engine.set_lookahead(lookahead);
    while (lookahead > 0 && known_ <= drawn_ + lookahead) {
      RgbFrame coming = picture(known_);
      engine.analyse_ahead(coming.view(), settings_of(known_++));
    }
    RgbFrame in = picture(drawn_);
    const FrameStats& stats = engine.process(in.view(), out.view(), settings_of(drawn_++));
    known_ = std::max(known_, drawn_);
    return stats;
  }

  Found found() {
    Found f{test::frame_of(engine.stages().source).pixels, {}, {}, engine.stats().keyframe};
    for (int cell = 0; cell < grid_.cells(); ++cell)
      f.weights.push_back(engine.stages().saliency.weight(cell));
    if (const mosaic::FrameMotion* motion = engine.motion())
      for (const mt::CellMotion& of_cell : motion->motion) {
        f.motion.push_back(static_cast<int16_t>(of_cell.x));
        f.motion.push_back(static_cast<int16_t>(of_cell.y));
      }
    return f;
  }

  int64_t launches(KernelId id) const { return executor->launches_of[static_cast<size_t>(id)]; }

 private:
  mosaic::Grid grid_;
  int known_ = 0, drawn_ = 0;

 public:
  std::shared_ptr<gpu_check::CountingExecutor> executor;
  Engine engine;
  RgbFrame out;
  std::function<FrameSettings(int number)> settings_of = [](int) { return FrameSettings{}; };
};

TEST(EngineAhead, AnalysesEachFrameOnce) {
  constexpr int kAhead = 12, kFrames = 20;
  Film ahead, plain;
  for (int i = 0; i < kFrames; ++i) ahead.draw(kAhead);
  for (int i = 0; i < kFrames + kAhead; ++i) plain.draw(0);  // as many as are known
  for (const KernelId id :
       {KernelId::kUnpack, KernelId::kThumbnail, KernelId::kSceneChange, KernelId::kAnalyse,
        KernelId::kGaussianBlur, KernelId::kHysteresis, KernelId::kSumDetail,
        KernelId::kCoarseDistance, KernelId::kRescale, KernelId::kCandidates}) {
    EXPECT_GT(plain.launches(id), 0) << static_cast<int>(id);
    EXPECT_EQ(plain.launches(id), ahead.launches(id)) << static_cast<int>(id);
  }
}

TEST(EngineAhead, AllocatesMemoryOnce) {
  Film film;
  film.draw(5);
  const int64_t allocations = film.executor->allocations;
  for (int i = 0; i < 20; ++i) film.draw(5);
  EXPECT_EQ(allocations, film.executor->allocations);
}

TEST(EngineAhead, FindsTheSameHoweverFarItLooks) {
  Film plain, ahead, changing;
  // Also while the look-ahead becomes longer, shorter, or ends.
  constexpr int kChanging[] = {0, 0, 3, 3, 8, 8, 8, 2, 2, 2, 2, 2, 2, 2, 2, 0, 0, 0, 0, 5, 5, 1};
  for (Film* film : {&plain, &ahead, &changing})
    film->settings_of = [](int number) {
      FrameSettings settings;
      if (number >= 3) settings.flow = mosaic::Flow::kBlock;
      return settings;
    };
  int frame = 0;
  for (const int lookahead : kChanging) {
    SCOPED_TRACE(frame);
    plain.draw(0);
    ahead.draw(4);
    EXPECT_EQ(frame == 0 || frame == 6 || frame == 15, changing.draw(lookahead).keyframe);
    EXPECT_EQ(plain.found(), ahead.found());
    EXPECT_EQ(plain.found(), changing.found());
    ++frame;
  }
  EXPECT_EQ(plain.launches(KernelId::kAnalyse), frame);
  EXPECT_EQ(changing.launches(KernelId::kAnalyse), frame + changing.engine.frames_ahead());
}

TEST(EngineAhead, DiffusionChangesFewerTiles) {
  constexpr int kFlash = 6, kFrames = 14;
  Film plain, ahead;
  unsigned changed_plain = 0, changed_ahead = 0;
  for (Film* film : {&plain, &ahead})
    film->settings_of = [](int) {
      FrameSettings settings;
      settings.look.placement = mosaic::PlacementKind::kDiffusion;
      return settings;
    };
  for (int frame = 0; frame < kFrames; ++frame) {
    const FrameStats &by_itself = plain.draw(0), &seen_ahead = ahead.draw(4);
    EXPECT_EQ(by_itself.keyframe, seen_ahead.keyframe) << frame;
    if (frame == 0 || frame == kFlash) {
      EXPECT_TRUE(std::ranges::equal(plain.engine.tiles(), ahead.engine.tiles())) << frame;
    }
    changed_plain += by_itself.changed;
    changed_ahead += seen_ahead.changed;
  }
  EXPECT_LT(changed_ahead, changed_plain);
  EXPECT_GT(changed_ahead, 0u);
}

TEST(EngineAhead, DiffusionMayEndWhileFramesAreKnown) {
  Film plain, ahead;
  for (Film* film : {&plain, &ahead})
    film->settings_of = [](int number) {
      FrameSettings settings;
      if (number < 10) settings.look.placement = mosaic::PlacementKind::kDiffusion;
      return settings;
    };
  for (int frame = 0; frame < 14; ++frame)
    EXPECT_EQ(plain.draw(0).keyframe, ahead.draw(4).keyframe) << frame;
}

}  // namespace
