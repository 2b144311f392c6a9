// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/farm/job/window_places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace {

using mosaic::WindowOptions;
using mosaic_program::place_windows;
using testing::ElementsAre;

WindowOptions windows(int frames, int overlap) {
  return {.size = 0, .overlap = 0, .frames = frames, .frames_overlap = overlap};
}

TEST(WindowPlaces, InAFilmThatMovesEvenlyWindowsAreAsLongAsTheyMay) {
  for (const float change : {0.f, 2.f})
    EXPECT_THAT(place_windows(std::vector<float>(132, change), windows(64, 24)),
                ElementsAre(0, 40, 80));
  EXPECT_THAT(place_windows(std::vector<float>(64, 1.f), windows(64, 24)), ElementsAre(0));
}

TEST(WindowPlaces, AFadeIsWhereTheFilmMovesLess) {
  std::vector<float> changes(200, 4.f);
  std::fill(changes.begin() + 66, changes.begin() + 82, 1.f);  // of the fades that may be
  EXPECT_THAT(place_windows(changes, windows(96, 16)), ElementsAre(0, 66, 146));
}

TEST(WindowPlaces, AFadeIsNotOverAnEvent) {
  std::vector<float> changes(100, 1.f);
  changes[84] = 30;  // in the last of the fades that may be
  const std::vector<int> begins = place_windows(changes, windows(88, 8));
  ASSERT_EQ(2u, begins.size());
  EXPECT_TRUE(begins[1] + 8 <= 84 || begins[1] > 84) << begins[1];
}

TEST(WindowPlaces, TheCutBeforeTheTakeIsNoChangeInIt) {
  std::vector<float> changes(100, 1.f);
  changes[0] = 200;
  EXPECT_THAT(place_windows(changes, windows(24, 8)), ElementsAre(0, 16, 32, 48, 64, 80));
}

TEST(WindowPlaces, WindowsAreAtMostAQuarterShorter) {
  std::mt19937 random(1);
  const auto below = [&](int limit) { return static_cast<int>(random() % limit); };
  for (int round = 0; round < 500; ++round) {
    std::vector<float> changes(1 + below(1000));
    for (float& change : changes) change = static_cast<float>(below(10));
    const int frames = 16 + 8 * below(40), overlap = 8 * below(frames / 8);
    const std::vector<int> begins = place_windows(changes, windows(frames, overlap));
    ASSERT_EQ(0, begins.front());
    ASSERT_GE(begins.back() + frames, std::ssize(changes)) << "the last window reaches the end";
    const int step = frames - overlap;
    for (size_t i = 1; i < begins.size(); ++i) {
      ASSERT_LE(begins[i] - begins[i - 1], step);
      ASSERT_GE(begins[i] - begins[i - 1], step - step / 4);
      ASSERT_LT(begins[i - 1] + frames, std::ssize(changes)) << "a window too many";
    }
  }
}

}  // namespace
