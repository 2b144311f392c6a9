// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/windows/window_axis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
  EXPECT_THAT(WindowAxis::of_time(100, {{0, 40}}, 24).windows(),
              ElementsAre(Range{0, 64}, Range{39, 61}));
  EXPECT_THAT(WindowAxis::of_time(64, {{0}}, 24).windows(), ElementsAre(Range{0, 64}));
  EXPECT_THAT(WindowAxis::of_time(65, {{0, 40}}, 24).windows(),
              ElementsAre(Range{0, 64}, Range{39, 26}));
  EXPECT_THAT(WindowAxis::of_time(100, {{0, 30, 75}}, 24).windows(),
              ElementsAre(Range{0, 54}, Range{29, 70}, Range{74, 26}));
  EXPECT_THAT(WindowAxis::of_time(60, {{0, 40}}, 24).windows(),
              ElementsAre(Range{0, 60}, Range{39, 21}));
}

TEST(WindowAxis, WeightsAreTrapezoids) {
  const WindowAxis space = WindowAxis::of_space(13, 8, 3);
  EXPECT_THAT(space.weights(0), ElementsAre(16384, 16384, 16384, 16384, 16384, 12288, 8192, 4096));
  EXPECT_THAT(space.weights(1), ElementsAre(4096, 8192, 12288, 16384, 16384, 16384, 16384, 16384));
  const WindowAxis time = WindowAxis::of_time(13, {{0, 5}}, 3);
  EXPECT_THAT(time.weights(0), ElementsAre(16384, 16384, 16384, 16384, 16384, 12288, 8192, 4096));
  EXPECT_THAT(time.weights(1),
              ElementsAre(0, 4096, 8192, 12288, 16384, 16384, 16384, 16384, 16384));
  // The second window of three: both ramps.
  EXPECT_THAT(WindowAxis::of_space(12, 6, 2).weights(1),
              ElementsAre(5461, 10923, 16384, 16384, 10923, 5461));
}

/// How much all windows together count at each position.
std::vector<int> sums_of(const WindowAxis& axis) {
  std::vector<int> sums(axis.length());
  for (int window = 0; window < static_cast<int>(axis.windows().size()); ++window) {
    const Range range = axis.windows()[window];
    EXPECT_EQ(range.size, static_cast<int>(axis.weights(window).size()));
    for (int i = 0; i < range.size; ++i) sums[range.begin + i] += axis.weights(window)[i];
  }
  return sums;
}

TEST(WindowAxis, WeightsAddUpToOneEverywhere) {
  std::mt19937 random(1);
  const auto below = [&](int limit) { return static_cast<int>(random() % limit); };
  for (int round = 0; round < 2000; ++round) {
    const int size = 1 + below(40), overlap = below(size), length = 1 + below(200);
    std::vector<int> begins{0};
    for (int next = 1 + below(30); next < length; next += 1 + below(30)) begins.push_back(next);
    for (const WindowAxis& axis : {WindowAxis::of_space(length, size, overlap),
                                   WindowAxis::of_time(length, begins, overlap)})
      ASSERT_THAT(sums_of(axis), testing::Each(WindowAxis::kOne))
          << length << " " << size << " " << overlap;
  }
}

}  // namespace
