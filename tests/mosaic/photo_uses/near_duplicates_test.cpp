// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photo_uses/near_duplicates.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <memory>
#include <random>
#include <vector>

#include "tests/mosaic/frames.h"

namespace {

using mosaic::PictureHash;
using test::RgbFrame;
using testing::ElementsAre;

constexpr int kSide = 40;

/// A pool of square photos.
mosaic::Pool pool_of(const std::vector<RgbFrame>& photos) {
  struct Memory {
    std::vector<uint8_t> pixels, grays;
  };
  const auto memory = std::make_shared<Memory>();
  const auto data = std::make_shared<mosaic::PoolData>();
  data->side = kSide;
  data->draw_size = {kSide, kSide};
  for (const RgbFrame& photo : photos) {
    data->names.push_back("photo");
    for (int c = 0; c < 3; ++c)
      for (size_t i = c; i < photo.pixels.size(); i += 3) memory->pixels.push_back(photo.pixels[i]);
    for (size_t i = 0; i < photo.pixels.size(); i += 3)
      memory->grays.push_back(static_cast<uint8_t>(
          (photo.pixels[i] + 2 * photo.pixels[i + 1] + photo.pixels[i + 2]) / 4));
  }
  data->pixels = memory->pixels;
  data->grays = memory->grays;
  data->memory = memory;
  return mosaic::Pool(data);
}

RgbFrame brighter(RgbFrame frame, int levels) {
  for (uint8_t& level : frame.pixels) level = static_cast<uint8_t>(std::min(255, level + levels));
  return frame;
}

RgbFrame mirrored(const RgbFrame& frame) {
  RgbFrame other = frame;
  for (int y = 0; y < frame.height; ++y)
    for (int x = 0; x < frame.width; ++x)
      std::copy_n(&frame.pixels[3 * (size_t(y) * frame.width + frame.width - 1 - x)], 3,
                  other.at(x, y));
  return other;
}

RgbFrame plain(uint8_t level) {
  RgbFrame frame(kSide, kSide);
  std::fill(frame.pixels.begin(), frame.pixels.end(), level);
  return frame;
}

std::vector<int32_t> find_near_duplicates(const mosaic::Pool& pool, double similarity) {
  mt::WorkerPool workers(2);
  return mosaic::find_near_duplicates(pool, similarity, workers);
}

TEST(NearDuplicates, AreThePhotosOfABurst) {
  const RgbFrame disc = test::moving_disc(kSide, kSide, 0);
  const mosaic::Pool pool =
      pool_of({disc, test::noise(kSide, kSide, 1), brighter(disc, 8), test::noise(kSide, kSide, 2),
               test::moving_disc(kSide, kSide, 1), mirrored(disc)});
  EXPECT_THAT(find_near_duplicates(pool, 0.85), ElementsAre(0, 1, 0, 3, 0, 5));
  EXPECT_THAT(find_near_duplicates(pool, 1), ElementsAre(0, 1, 0, 3, 4, 5));
}

TEST(NearDuplicates, HaveAlikeColours) {
  const mosaic::Pool pool = pool_of({plain(40), plain(90), plain(50), plain(57)});
  EXPECT_THAT(find_near_duplicates(pool, 0.9), ElementsAre(0, 1, 0, 3));
}

// Photos are compared with those of similar colours only, in every part of the colour cube and
// across its borders.
TEST(NearDuplicates, AreFoundWhateverTheirColours) {
  std::mt19937 random(4);
  std::vector<RgbFrame> photos;
  std::vector<std::array<int, 3>> colours;
  for (int photo = 0; photo < 400; ++photo) {
    std::array<int, 3> colour;
    for (int& level : colour) level = static_cast<int>(random() % 4 * 64 + random() % 64);
    RgbFrame frame(kSide, kSide);
    for (size_t i = 0; i < frame.pixels.size(); ++i)
      frame.pixels[i] = static_cast<uint8_t>(colour[i % 3]);
    photos.push_back(frame);
    colours.push_back(colour);
  }
  std::vector<int32_t> expected;  // plain pictures have the same hash
  for (int photo = 0; photo < 400; ++photo) {
    const auto alike = [&](int other) {
      for (int c = 0; c < 3; ++c)
        if (std::abs(colours[photo][c] - colours[other][c]) > 16) return false;
      return expected[other] == other;
    };
    int first = 0;
    while (first < photo && !alike(first)) ++first;
    expected.push_back(first);
  }
  EXPECT_EQ(expected, find_near_duplicates(pool_of(photos), 1));
}

TEST(NearDuplicates, AreNoLongerLookedForOnceCancelled) {
  const mosaic::Pool pool = pool_of({plain(40), plain(90)});
  const std::atomic<bool> cancelled{true};
  mt::WorkerPool workers(2);
  workers.set_cancellation(mt::Cancellation(cancelled));
  EXPECT_THROW(mosaic::find_near_duplicates(pool, 0.9, workers), mt::Cancelled);
}

TEST(NearDuplicates, AreFoundByWhereAPictureBecomesLighter) {
  const int side = 19;  // 9 does not divide it
  std::vector<uint8_t> gray(side * side);
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) gray[y * side + x] = static_cast<uint8_t>(10 * x - 3 * y + 60);
  EXPECT_EQ(mosaic::picture_hash(gray, side), (PictureHash{UINT64_MAX, 0}));
  // A light pixel in the middle of the top left corner's part: darker to its right and below.
  std::fill(gray.begin(), gray.end(), 7);
  gray[0] = 200;
  EXPECT_EQ(mosaic::picture_hash(gray, side), (PictureHash{0, 0}));
  gray[0] = 7;
  gray[side * side - 1] = 200;
  EXPECT_EQ(mosaic::picture_hash(gray, side), (PictureHash{uint64_t{1} << 63, uint64_t{1} << 63}));
}

}  // namespace
