// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The whole engine with an edited video: hard cuts are found, fades and flashes are not taken for
/// new scenes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "cpu/cpu_executor.h"
#include "mosaic/engine/engine.h"
#include "tests/mosaic/frames.h"

namespace {

using mosaic::FrameStats;
using test::RgbFrame;

constexpr int kWidth = 384, kHeight = 216, kSide = 16;

/// A gradient with ripples, and a small disc that moves in front of it.
class Scene {
 public:
  /// @param speed the disc's greatest speed in x and in y, in pixels a frame
  explicit Scene(unsigned seed, double speed = 0.3) : random_(seed) {
    for (int c = 0; c < 3; ++c) {
      base_[c] = uniform(20, 160);
      slope_x_[c] = uniform(-60, 60);
      slope_y_[c] = uniform(-60, 60);
      thing_[c] = uniform(0, 255);
    }
    phase_ = uniform(0, 6);
    x_ = uniform(60, 320), y_ = uniform(50, 170);
    dx_ = uniform(-speed, speed), dy_ = uniform(-speed, speed);
  }

  /// @param t frames since the scene began
  RgbFrame draw(int t) const {
    RgbFrame f(kWidth, kHeight);
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x) {
        const double u = double(x) / kWidth, v = double(y) / kHeight;
        const double ripple = 12 * std::sin(phase_ + 25 * u) * std::cos(17 * v);
        const bool inside = std::hypot(x - x_ - dx_ * t, y - y_ - dy_ * t) < 26;
        for (int c = 0; c < 3; ++c) {
          const double back = base_[c] + slope_x_[c] * u + slope_y_[c] * v + ripple;
          f.at(x, y)[c] = static_cast<uint8_t>(std::clamp(inside ? thing_[c] : back, 0.0, 255.0));
        }
      }
    return f;
  }

 private:
  double uniform(double from, double to) {
    return from + (to - from) * static_cast<double>(random_() % 100000) / 100000;
  }

  std::mt19937 random_;
  double base_[3], slope_x_[3], slope_y_[3], thing_[3], phase_;
  double x_, y_, dx_, dy_;
};

/// (1 - share) a + share b.
RgbFrame mixed(const RgbFrame& a, const RgbFrame& b, double share) {
  RgbFrame out = a;
  for (size_t i = 0; i < out.pixels.size(); ++i)
    out.pixels[i] =
        static_cast<uint8_t>(std::lround(a.pixels[i] + share * (b.pixels[i] - a.pixels[i])));
  return out;
}

double luma(const RgbFrame& f, size_t i) {
  return 0.299 * f.pixels[i] + 0.587 * f.pixels[i + 1] + 0.114 * f.pixels[i + 2];
}

/// Mean absolute difference of luma, percent of full scale.
double difference(const RgbFrame& a, const RgbFrame& b) {
  double sum = 0;
  for (size_t i = 0; i < a.pixels.size(); i += 3) sum += std::abs(luma(a, i) - luma(b, i));
  return 100 * sum / 256 / (static_cast<double>(a.pixels.size()) / 3);
}

/// What happens in an edit between two scenes (cut, fade) or within one (flash).
enum class Event { kNone, kCut, kFade, kFlash };

struct Frame {
  RgbFrame picture;
  Event event = Event::kNone;  ///< that the frame is part of; kCut: the first after the cut
};

/// 20 hard cuts, 5 fades, 5 flashes, in a random order.
class Edit {
 public:
  explicit Edit(unsigned seed) : random_(seed) {
    std::vector<Event> events(20, Event::kCut);
    events.insert(events.end(), 5, Event::kFade);
    events.insert(events.end(), 5, Event::kFlash);
    std::shuffle(events.begin(), events.end(), random_);
    next_scene();
    for (const Event event : events) {
      play();
      if (event == Event::kCut) cut();
      if (event == Event::kFade) fade();
      if (event == Event::kFlash) flash();
    }
    play();
  }

  std::vector<Frame> frames;

 private:
  int between(int from, int to) { return from + static_cast<int>(random_() % (to - from + 1)); }
  RgbFrame shoot() { return scene_->draw(time_++); }
  void show(RgbFrame picture, Event event) { frames.push_back({std::move(picture), event}); }

  void play() {
    for (int i = between(5, 9); i > 0; --i) show(shoot(), Event::kNone);
  }

  /// Begins a scene that clearly differs from the last.
  void next_scene() {
    const std::optional<Scene> last = scene_;
    do {
      scene_.emplace(random_());
    } while (last && difference(last->draw(time_), scene_->draw(0)) < 15);
    time_ = 0;
  }

  void cut() {
    next_scene();
    show(shoot(), Event::kCut);
  }

  /// Alternately a fade through black and a dissolve.
  void fade() {
    const Scene from = *scene_;
    const int start = time_, n = between(8, 25);
    next_scene();
    const RgbFrame black(kWidth, kHeight);
    for (int i = 1; i <= n; ++i) {
      const double share = i / (n + 1.0);
      const RgbFrame a = from.draw(start + i), b = scene_->draw(i);
      show(fades_ % 2 ? mixed(a, b, share)
                      : mixed(share < 0.5 ? a : b, black, 1 - std::abs(2 * share - 1)),
           Event::kFade);
    }
    time_ = n + 1;
    ++fades_;
  }

  /// A flash of 1 to 3 frames of random brightness.
  void flash() {
    RgbFrame white(kWidth, kHeight);
    std::fill(white.pixels.begin(), white.pixels.end(), 255);
    for (int i = 1 + flashes_ % 3; i > 0; --i)
      show(mixed(shoot(), white, between(60, 95) / 100.0), Event::kFlash);
    ++flashes_;
  }

  std::mt19937 random_;
  std::optional<Scene> scene_;
  int time_ = 0, fades_ = 0, flashes_ = 0;
};

/// Statistics and tiles of each frame of an edit.
struct Run {
  std::vector<FrameStats> stats;
  std::vector<std::vector<int32_t>> tiles;
};

Run run(const Edit& edit, const mosaic::FrameSettings& settings) {
  const auto executor = mt::make_cpu_executor(2);
  const mosaic::Grid grid = mosaic::choose_grid(kWidth, kHeight, kWidth, kHeight, kSide, "1");
  mosaic::Engine engine(grid, test::procedural_pool(*executor, kSide, kSide), {}, executor);
  Run run;
  for (const Frame& frame : edit.frames) {
    RgbFrame in = frame.picture, out(kWidth, kHeight);
    run.stats.push_back(engine.process(in.view(), out.view(), settings));
    run.tiles.emplace_back(engine.tiles().begin(), engine.tiles().end());
  }
  return run;
}

double share_held(std::span<const int32_t> before, std::span<const int32_t> now) {
  double held = 0;
  for (size_t i = 0; i < now.size(); ++i) held += now[i] == before[i];
  return held / static_cast<double>(now.size());
}

/// Expects a keyframe at every cut and at no other frame outside flashes, and that almost all tiles
/// are held across a flash.
void expect_found(const Edit& edit, const Run& run) {
  int cuts = 0, flashes = 0;
  double least = 1;
  for (size_t i = 1; i < edit.frames.size(); ++i) {
    const Event event = edit.frames[i].event, last = edit.frames[i - 1].event;
    const bool keyframe = run.stats[i].keyframe;
    if (event == Event::kCut) {
      EXPECT_TRUE(keyframe) << "frame " << i << ", "
                            << difference(edit.frames[i].picture, edit.frames[i - 1].picture)
                            << " % from the last";
      cuts += keyframe;
    } else if (event != Event::kFlash) {
      EXPECT_FALSE(keyframe) << "frame " << i << (event == Event::kFade ? " of a fade" : "");
    }
    if (last != Event::kFlash || event == Event::kFlash) continue;
    ++flashes;
    size_t before = i - 1;
    while (edit.frames[before].event == Event::kFlash) --before;
    for (size_t after : {i, i + 1}) {
      const double held = share_held(run.tiles[before], run.tiles[after]);
      least = std::min(least, held);
      EXPECT_GE(held, 0.98) << "frame " << after;
    }
  }
  EXPECT_EQ(20, cuts);
  EXPECT_EQ(5, flashes);
  testing::Test::RecordProperty("least_held_after_a_flash", std::to_string(least));
}

TEST(Cuts, AreFoundButNotInFadesAndFlashes) {
  const Edit edit(1);
  expect_found(edit, run(edit, {}));
}

/// With more motion, tiles change during a flash as much as they do without one.
TEST(Cuts, AFlashChangesNoMoreTilesThanMotionAlone) {
  const auto executor = mt::make_cpu_executor(2);
  const mosaic::Grid grid = mosaic::choose_grid(kWidth, kHeight, kWidth, kHeight, kSide, "1");
  const auto pool = test::procedural_pool(*executor, kSide, kSide);
  RgbFrame white(kWidth, kHeight);
  std::fill(white.pixels.begin(), white.pixels.end(), 255);
  for (const int frames : {1, 2, 3}) {
    mosaic::Engine lit(grid, pool, {}, executor), plain(grid, pool, {}, executor);
    const Scene scene(frames, 4);
    RgbFrame out(kWidth, kHeight);
    std::vector<int32_t> before;
    for (int i = 0; i < 4 + frames + 2; ++i) {
      const bool flash = i >= 4 && i < 4 + frames;
      if (i == 4) before.assign(plain.tiles().begin(), plain.tiles().end());
      RgbFrame in = scene.draw(i), bright = flash ? mixed(in, white, 0.8) : in;
      plain.process(in.view(), out.view(), {});
      EXPECT_EQ(i == 0 || i == 4, lit.process(bright.view(), out.view(), {}).keyframe) << i;
    }
    const double moved = 1 - share_held(before, plain.tiles());
    EXPECT_GT(moved, 0);
    EXPECT_LT(1 - share_held(before, lit.tiles()), moved + 0.02) << frames << " frames";
  }
}

/// A scene returns after up to 8 frames; what lasts longer is no flash.
TEST(Cuts, ALongFlashIsANewScene) {
  const auto executor = mt::make_cpu_executor(2);
  const mosaic::Grid grid = mosaic::choose_grid(kWidth, kHeight, kWidth, kHeight, kSide, "1");
  const auto pool = test::procedural_pool(*executor, kSide, kSide);
  const RgbFrame scene = Scene(5).draw(0);
  RgbFrame white(kWidth, kHeight);
  std::fill(white.pixels.begin(), white.pixels.end(), 250);
  for (const int frames : {1, 8, 9}) {
    mosaic::Engine engine(grid, pool, {}, executor);
    const auto show = [&](RgbFrame frame) {
      RgbFrame out(kWidth, kHeight);
      return engine.process(frame.view(), out.view(), {}).keyframe;
    };
    EXPECT_TRUE(show(scene));
    EXPECT_FALSE(show(scene));
    for (int i = 0; i < frames; ++i) EXPECT_EQ(i == 0, show(white)) << i;
    EXPECT_EQ(frames > 8, show(scene)) << frames;
  }
}

/// A scene that returns continues exactly: its picture is that of before the flash.
TEST(Cuts, AStillSceneIsUnchangedAfterAFlash) {
  const auto executor = mt::make_cpu_executor(2);
  const mosaic::Grid grid = mosaic::choose_grid(kWidth, kHeight, kWidth, kHeight, kSide, "1");
  const auto pool = test::procedural_pool(*executor, kSide, kSide);
  RgbFrame white(kWidth, kHeight), dim = white;
  std::fill(white.pixels.begin(), white.pixels.end(), 250);
  std::fill(dim.pixels.begin(), dim.pixels.end(), 160);
  for (const auto placement :
       {mosaic::PlacementKind::kAssignment, mosaic::PlacementKind::kDiffusion}) {
    mosaic::FrameSettings settings;
    settings.look.placement = placement;
    mosaic::Engine engine(grid, pool, {}, executor);
    RgbFrame out(kWidth, kHeight);
    const auto show = [&](RgbFrame frame) {
      return engine.process(frame.view(), out.view(), settings);
    };
    for (int i = 0; i < 3; ++i) show(Scene(6).draw(3));
    const RgbFrame before = out;
    show(white);
    show(dim);  // a cut within the flash: the scene before is still kept
    const FrameStats& back = show(Scene(6).draw(3));
    EXPECT_FALSE(back.keyframe);
    EXPECT_EQ(before.pixels, out.pixels);
    EXPECT_EQ(0u, show(Scene(6).draw(3)).repainted);
  }
}

}  // namespace
