// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "mosaic/base/error.h"
#include "mosaic/motion_network/window_axis.h"
#include "mosaic/motion_network/window_groups.h"
#include "mosaic/motion_network/window_options.h"

namespace {

using mosaic::check_windows;
using mosaic::group_windows;
using mosaic::Range;
using mosaic::window_options;
using mosaic::WindowAxis;
using mosaic::WindowGroup;
using mosaic::WindowOptions;
using mosaic::WindowPreset;
using testing::ElementsAre;
using testing::HasSubstr;

std::string complaint(const WindowOptions& options) {
  try {
    check_windows(options);
  } catch (const mosaic::Error& e) {
    EXPECT_EQ(mosaic::Error::Kind::kSettings, e.kind());
    return e.what();
  }
  return "";
}

TEST(WindowOptions, ErrorsNameTheNumberAndTheRule) {
  EXPECT_EQ("window-size is 32, but must be at least 64 pixels, or 0", complaint({32, 0}));
  EXPECT_EQ("window-size is 100, but must be a multiple of 32 pixels", complaint({100, 0}));
  EXPECT_EQ("window-overlap is 40, but must be a multiple of 32 pixels", complaint({512, 40}));
  EXPECT_EQ("window-overlap is -32, but must be a multiple of 32 pixels", complaint({512, -32}));
  EXPECT_EQ("window-overlap is 64, but must be less than window-size, which is 64",
            complaint({64, 64}));
  EXPECT_EQ("window-frames is 8, but must be at least 16 frames, or 0", complaint({512, 64, 8, 0}));
  EXPECT_EQ("window-frames is 20, but must be a multiple of 8 frames", complaint({512, 64, 20, 8}));
  EXPECT_EQ("window-frames-overlap is 4, but must be a multiple of 8 frames",
            complaint({512, 64, 16, 4}));
  EXPECT_EQ("window-frames-overlap is 16, but must be less than window-frames, which is 16",
            complaint({512, 64, 16, 16}));
  EXPECT_EQ("window-batch is 0, but must be at least 1", complaint({1, 1, 1, 1, 0}))
      << "before anything else";
  EXPECT_EQ("", complaint({64, 32, 16, 8, 1}));
  EXPECT_EQ("", complaint({0, 0, 0, 0, 1}));
}

TEST(WindowOptions, Presets) {
  const auto options = [](WindowPreset preset, int width, int height, int frames) {
    const WindowOptions o = window_options(preset, width, height, frames);
    EXPECT_EQ("", complaint(o));
    return std::vector<int>{o.size, o.overlap, o.frames, o.frames_overlap};
  };
  EXPECT_THAT(options(WindowPreset::kDefault, 64, 64, 1), ElementsAre(512, 64, 64, 24));
  EXPECT_THAT(options(WindowPreset::kSpatialOnly, 64, 64, 1), ElementsAre(512, 64, 0, 0));
  EXPECT_THAT(options(WindowPreset::kTemporalOnly, 64, 64, 1), ElementsAre(0, 0, 64, 24));
  EXPECT_THAT(options(WindowPreset::kAggressive, 64, 64, 1), ElementsAre(256, 64, 32, 8));
  EXPECT_THAT(options(WindowPreset::kConservative, 64, 64, 1), ElementsAre(768, 64, 96, 24));
  EXPECT_THAT(options(WindowPreset::kAuto, 512, 512, 65), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(options(WindowPreset::kAuto, 513, 200, 65), ElementsAre(512, 64, 0, 0));
  EXPECT_THAT(options(WindowPreset::kAuto, 200, 513, 66), ElementsAre(512, 64, 64, 24));
  EXPECT_THAT(options(WindowPreset::kAuto, 512, 512, 66), ElementsAre(0, 0, 64, 24));
  EXPECT_EQ(6u, mosaic::window_preset_words().size());
  EXPECT_EQ("temporal-only",
            mosaic::window_preset_words()[static_cast<int>(WindowPreset::kTemporalOnly)]);
}

TEST(WindowAxis, TheLastWindowEndsWithTheDimension) {
  EXPECT_THAT(WindowAxis::of_space(1920, 512, 128).windows(),
              ElementsAre(Range{0, 512}, Range{384, 512}, Range{768, 512}, Range{1152, 512},
                          Range{1536, 384}));
  EXPECT_THAT(WindowAxis::of_space(896, 512, 128).windows(),
              ElementsAre(Range{0, 512}, Range{384, 512}));
  EXPECT_THAT(WindowAxis::of_space(200, 512, 128).windows(), ElementsAre(Range{0, 200}));
  EXPECT_THAT(WindowAxis::of_space(2000, 0, 0).windows(), ElementsAre(Range{0, 2000}));
}

TEST(WindowAxis, InTimeAllButTheFirstBeginOneFrameEarlier) {
  EXPECT_THAT(WindowAxis::of_time(100, 64, 24).windows(), ElementsAre(Range{0, 64}, Range{39, 61}));
  EXPECT_THAT(WindowAxis::of_time(64, 64, 24).windows(), ElementsAre(Range{0, 64}));
  EXPECT_THAT(WindowAxis::of_time(65, 64, 24).windows(), ElementsAre(Range{0, 64}, Range{39, 26}));
}

TEST(WindowAxis, WeightsAreTrapezoids) {
  const WindowAxis space = WindowAxis::of_space(13, 8, 3);
  EXPECT_THAT(space.weights(0), ElementsAre(16384, 16384, 16384, 16384, 16384, 12288, 8192, 4096));
  EXPECT_THAT(space.weights(1), ElementsAre(4096, 8192, 12288, 16384, 16384, 16384, 16384, 16384));
  const WindowAxis time = WindowAxis::of_time(13, 8, 3);
  EXPECT_THAT(time.weights(0), ElementsAre(16384, 16384, 16384, 16384, 16384, 12288, 8192, 4096));
  EXPECT_THAT(time.weights(1),
              ElementsAre(0, 4096, 8192, 12288, 16384, 16384, 16384, 16384, 16384));
  // The second window of three: both ramps.
  EXPECT_THAT(WindowAxis::of_space(12, 6, 2).weights(1),
              ElementsAre(5461, 10923, 16384, 16384, 10923, 5461));
}

TEST(WindowAxis, WeightsAddUpToOneEverywhere) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    const int size = 1 + static_cast<int>(random() % 40);
    const int overlap = static_cast<int>(random() % size);
    const int length = 1 + static_cast<int>(random() % 200);
    for (const auto& make : {&WindowAxis::of_space, &WindowAxis::of_time}) {
      const WindowAxis axis = make(length, size, overlap);
      std::vector<int> sums(length);
      for (int window = 0; window < static_cast<int>(axis.windows().size()); ++window) {
        const Range range = axis.windows()[window];
        ASSERT_EQ(range.size, static_cast<int>(axis.weights(window).size()));
        for (int i = 0; i < range.size; ++i) sums[range.begin + i] += axis.weights(window)[i];
      }
      ASSERT_TRUE(
          std::all_of(sums.begin(), sums.end(), [](int sum) { return sum == WindowAxis::kOne; }))
          << length << " " << size << " " << overlap;
    }
  }
}

/// "512x512 x8" (height x width) for each size.
std::vector<std::string> shapes(const std::vector<WindowGroup>& groups) {
  std::vector<std::string> found;
  for (const WindowGroup& group : groups)
    found.push_back(std::to_string(group.height) + "x" + std::to_string(group.width) + " x" +
                    std::to_string(group.windows.size()));
  return found;
}

/// The groups of a frame whose edges are cut down to multiples of 32.
std::vector<WindowGroup> groups_of(int width, int height, int batch) {
  return group_windows(WindowAxis::of_space(width / 32 * 32, 512, 128),
                       WindowAxis::of_space(height / 32 * 32, 512, 128), batch);
}

TEST(WindowGroups, SizesOfCommonFrames) {
  EXPECT_THAT(shapes(groups_of(896, 896, 100)), ElementsAre("512x512 x4"));
  EXPECT_THAT(shapes(groups_of(1280, 720, 100)), ElementsAre("512x512 x3", "320x512 x3"));
  EXPECT_THAT(shapes(groups_of(1920, 1080, 100)),
              ElementsAre("512x512 x8", "512x384 x2", "288x512 x4", "288x384 x1"));
  EXPECT_THAT(shapes(groups_of(2560, 1440, 100)),
              ElementsAre("512x512 x18", "512x256 x3", "288x512 x6", "288x256 x1"));
  EXPECT_THAT(shapes(groups_of(3840, 2160, 100)),
              ElementsAre("512x512 x45", "512x384 x5", "224x512 x9", "224x384 x1"));
}

TEST(WindowGroups, ABatchLimitsTheirSize) {
  const auto launches = [](int width, int height) { return groups_of(width, height, 8).size(); };
  EXPECT_EQ(1u, launches(896, 896));
  EXPECT_EQ(2u, launches(1280, 720));
  EXPECT_EQ(4u, launches(1920, 1080));
  EXPECT_EQ(6u, launches(2560, 1440));
  EXPECT_EQ(10u, launches(3840, 2160));
  EXPECT_EQ(15u, groups_of(1920, 1080, 1).size());
}

TEST(WindowGroups, EachWindowIsInOneGroup) {
  for (int batch : {1, 3, 8}) {
    std::vector<std::pair<int, int>> found;
    for (const WindowGroup& group : groups_of(1920, 1080, batch)) {
      EXPECT_LE(group.windows.size(), static_cast<std::size_t>(batch));
      for (const WindowGroup::Window& window : group.windows)
        found.emplace_back(window.row, window.column);
    }
    std::sort(found.begin(), found.end());
    EXPECT_EQ(15u, found.size());
    EXPECT_EQ(found.end(), std::adjacent_find(found.begin(), found.end()));
  }
}

}  // namespace
