// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photo_uses/photo_counts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <vector>

namespace {

using mosaic::PhotoCounter;
using mosaic::PhotoCounts;

TEST(PhotoCounts, CountsPhotosWhateverTheirVariants) {
  // Four columns, five photos; 5 to 9 are their second variants.
  const std::vector<int32_t> tiles{0, 1, 5, 2,  //
                                   3, 3, 4, 6,  //
                                   0, 2, 2, 7};
  PhotoCounter counter;
  const PhotoCounts apart = counter.count(tiles, 5, 4, 0);
  EXPECT_EQ(5u, apart.shown);
  EXPECT_EQ(4u, apart.most);
  EXPECT_EQ(0u, apart.nearby);
  EXPECT_EQ(1u, apart.nearest);
  // Beside each other: photo 3 twice, photo 2 three times.
  EXPECT_EQ(5u, counter.count(tiles, 5, 4, 1).nearby);
  // Within two cells also photos 0, 1 and the 2 of the first row.
  EXPECT_EQ(11u, counter.count(tiles, 5, 4, 2).nearby);
  EXPECT_EQ(11u, counter.count(tiles, 5, 4, UINT32_MAX).nearby);
  EXPECT_EQ(0u, counter.count(tiles, 10, 4, 0).nearby);
}

TEST(PhotoCounts, OfNoPhotoTwice) {
  const std::vector<int32_t> tiles{3, 1, 2, 0};
  const PhotoCounts counts = PhotoCounter().count(tiles, 4, 2, 9);
  EXPECT_EQ(4u, counts.shown);
  EXPECT_EQ(1u, counts.most);
  EXPECT_EQ(0u, counts.nearby);
  EXPECT_EQ(0u, counts.nearest);
}

/// Beside counts of all pairs.
TEST(PhotoCounts, OfAnyFrame) {
  std::mt19937 random(1);
  PhotoCounter counter;
  for (int round = 0; round < 300; ++round) {
    const int columns = 1 + static_cast<int>(random() % 9),
              rows = 1 + static_cast<int>(random() % 7);
    const int photos = 1 + static_cast<int>(random() % 40);
    const unsigned radius = random() % 5;
    std::vector<int32_t> tiles(columns * rows);
    for (int32_t& tile : tiles) tile = static_cast<int32_t>(random() % (2 * photos));
    unsigned nearest = 0, nearby = 0;
    for (int a = 0; a < columns * rows; ++a) {
      bool is_nearby = false;
      for (int b = 0; b < columns * rows; ++b) {
        if (a == b || tiles[a] % photos != tiles[b] % photos) continue;
        const auto distance = static_cast<unsigned>(
            std::max(std::abs(a % columns - b % columns), std::abs(a / columns - b / columns)));
        nearest = nearest == 0 ? distance : std::min(nearest, distance);
        is_nearby |= distance <= radius;
      }
      nearby += is_nearby;
    }
    const PhotoCounts counts = counter.count(tiles, photos, columns, radius);
    EXPECT_EQ(nearest, counts.nearest);
    EXPECT_EQ(nearby, counts.nearby);
  }
}

}  // namespace
