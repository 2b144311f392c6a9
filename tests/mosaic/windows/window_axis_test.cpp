// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/windows/window_axis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace {

using mosaic::Range;
using mosaic::WindowAxis;
using testing::ElementsAre;

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

}  // namespace
