// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/motion_network/window_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "mosaic/windows/window_axis.h"

namespace {

using mosaic::group_windows;
using mosaic::WindowAxis;
using mosaic::WindowGroup;
using testing::ElementsAre;

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
