// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/farm/job/division.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace {

using mosaic::WindowAxis;
using mosaic::WindowOptions;
using mosaic_program::divide;
using mosaic_program::FarmPart;
using mosaic_program::FilmFrame;
using mosaic_program::FrameRange;
using mosaic_program::Joint;
using mosaic_program::joints_of;
using mosaic_program::weights_of;

std::vector<FilmFrame> film_with(int frames, const std::vector<int>& cuts,
                                 const std::vector<int>& returns = {}) {
  std::vector<FilmFrame> film(frames);
  film[0].cut = true;
  for (const int cut : cuts) film[cut].cut = true;
  for (const int frame : returns) film[frame].returned = true;
  return film;
}

WindowOptions windows(int frames, int overlap) {
  return {.size = 0, .overlap = 0, .frames = frames, .frames_overlap = overlap};
}

/// How much a part counts in a frame of the film.
int weight_in(const FarmPart& part, const std::vector<uint16_t>& weights, int64_t frame) {
  const bool has_it = frame >= part.frames.begin && frame < part.frames.end;
  return has_it ? weights[frame - part.frames.begin] : 0;
}

TEST(Division, ATakeOfOneWindowIsOnePart) {
  const std::vector<FarmPart> parts = divide(film_with(64, {}), windows(64, 24), 0);
  ASSERT_EQ(1u, parts.size());
  EXPECT_EQ((FrameRange{0, 64}), parts[0].drawn);
  EXPECT_EQ((FrameRange{0, 64}), parts[0].own);
}

TEST(Division, PartsBeginAtCutsAndAreNotSmall) {
  const std::vector<FarmPart> parts =
      divide(film_with(900, {100, 250, 260, 600}), windows(960, 24), 0);
  ASSERT_EQ(3u, parts.size());
  EXPECT_EQ((FrameRange{0, 250}), parts[0].own);
  EXPECT_EQ((FrameRange{250, 600}), parts[1].own);
  EXPECT_EQ((FrameRange{238, 600}), parts[1].drawn) << "the frames before it are looked at";
  EXPECT_EQ((FrameRange{600, 900}), parts[2].own);
}

TEST(Division, FramesThatAreLookedAheadAtAreDrawn) {
  const std::vector<FarmPart> parts = divide(film_with(600, {300}), windows(0, 0), 8);
  ASSERT_EQ(2u, parts.size());
  EXPECT_EQ((FrameRange{0, 308}), parts[0].drawn);
  EXPECT_EQ((FrameRange{0, 300}), parts[0].own);
  EXPECT_EQ((FrameRange{288, 600}), parts[1].drawn);
}

TEST(Division, NoPartBeginsWhereTheSceneBeforeReturns) {
  // A flash of five frames at 300, and a scene that returns as late as it can.
  const std::vector<FarmPart> flash = divide(film_with(900, {300}, {305}), windows(960, 24), 0);
  ASSERT_EQ(1u, flash.size());
  EXPECT_EQ(1u, divide(film_with(900, {300}, {308}), windows(960, 24), 0).size());
  EXPECT_EQ(2u, divide(film_with(900, {300}, {309}), windows(960, 24), 0).size());
  EXPECT_EQ(1u, divide(film_with(900, {280, 300}, {288}), windows(960, 24), 0).size());
}

TEST(Division, ALongTakeIsCutIntoWindowsThatOverlap) {
  const std::vector<FarmPart> parts = divide(film_with(132, {}), windows(64, 24), 0);
  ASSERT_EQ(3u, parts.size());
  EXPECT_EQ((FrameRange{0, 40}), parts[0].own);
  EXPECT_EQ((FrameRange{40, 104}), parts[1].frames);
  EXPECT_EQ((FrameRange{27, 104}), parts[1].drawn) << "one frame of weight 0, and twelve before it";
  EXPECT_EQ((FrameRange{64, 80}), parts[1].own);
  EXPECT_EQ((FrameRange{104, 132}), parts[2].own);
  const std::vector<Joint> joints = joints_of(parts);
  ASSERT_EQ(2u, joints.size());
  EXPECT_EQ((FrameRange{40, 64}), joints[0].frames);
  EXPECT_EQ(0, joints[0].first_part);
  EXPECT_EQ(1, joints[0].last_part);
  EXPECT_EQ((FrameRange{80, 104}), joints[1].frames);
}

TEST(Division, WithoutWindowsALongTakeIsOnePart) {
  EXPECT_EQ(1u, divide(film_with(5000, {}), windows(0, 0), 0).size());
}

TEST(Division, OverAnOverlapOneMosaicFadesIntoTheOther) {
  const WindowOptions options = windows(64, 24);
  const std::vector<FarmPart> parts = divide(film_with(132, {}), options, 0);
  const std::vector<uint16_t> first = weights_of(parts, 0, options);
  const std::vector<uint16_t> second = weights_of(parts, 1, options);
  EXPECT_EQ(WindowAxis::kOne, weight_in(parts[0], first, 39));
  for (int frame = 40; frame < 64; ++frame) {
    const int later = weight_in(parts[1], second, frame);
    EXPECT_EQ(WindowAxis::kOne, weight_in(parts[0], first, frame) + later);
    EXPECT_NEAR((frame - 39) * WindowAxis::kOne / 25., later, 1);
  }
  EXPECT_EQ(WindowAxis::kOne, weight_in(parts[1], second, 64));
}

TEST(Division, APlanThatSomebodyHasChangedHasSomeWeights) {
  const WindowOptions options = windows(64, 24);
  std::vector<FarmPart> parts = divide(film_with(132, {}), options, 0);
  const size_t size = static_cast<size_t>(parts[1].frames.size());
  for (const int window : {0, 2, 1000}) {
    parts[1].window = window;
    EXPECT_EQ(size, weights_of(parts, 1, options).size());
  }
  parts[1].window = 1;
  parts[2].frames.begin = parts[1].frames.begin;  // does not rise
  EXPECT_EQ(std::vector<uint16_t>(size, WindowAxis::kOne), weights_of(parts, 1, options));
}

/// Whatever the film: each frame is in one part alone or in one joint, in which the weights of the
/// parts that have it add up to one, and each part draws all frames that it has.
TEST(Division, EveryFrameIsMadeOnce) {
  std::mt19937 random(1);
  const auto below = [&](int limit) { return static_cast<int>(random() % limit); };
  for (int round = 0; round < 400; ++round) {
    const int frames = 1 + below(1500);
    std::vector<int> cuts, returns;
    for (int i = below(8); i > 0; --i) cuts.push_back(below(frames));
    for (int i = below(4); i > 0; --i) returns.push_back(below(frames));
    const int window = below(4) == 0 ? 0 : 16 + 8 * below(40);
    const WindowOptions options = windows(window, window == 0 ? 0 : 8 * below(window / 8));
    std::vector<FilmFrame> film = film_with(frames, cuts, returns);
    for (FilmFrame& frame : film) frame.change = static_cast<float>(below(8));
    const std::vector<FarmPart> parts = divide(film, options, below(2) * 16);
    std::vector<int> alone(frames), mixed(frames);
    std::vector<std::vector<uint16_t>> weights;
    for (const FarmPart& part : parts) {
      weights.push_back(weights_of(parts, static_cast<int>(weights.size()), options));
      ASSERT_LE(part.drawn.begin, part.frames.begin);
      ASSERT_GE(part.drawn.end, part.frames.end);
      for (int64_t frame = part.own.begin; frame < part.own.end; ++frame) ++alone[frame];
    }
    for (const Joint& joint : joints_of(parts))
      for (int64_t frame = joint.frames.begin; frame < joint.frames.end; ++frame) {
        ++mixed[frame];
        int sum = 0;
        for (int part = joint.first_part; part <= joint.last_part; ++part)
          sum += weight_in(parts[part], weights[part], frame);
        ASSERT_EQ(WindowAxis::kOne, sum) << "frame " << frame << ", window " << window;
      }
    for (int frame = 0; frame < frames; ++frame) ASSERT_EQ(1, alone[frame] + mixed[frame]) << frame;
  }
}

}  // namespace
