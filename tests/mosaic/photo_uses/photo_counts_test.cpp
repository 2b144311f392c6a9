// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photo_uses/photo_counts.h"

#include <gtest/gtest.h>

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
}

}  // namespace
