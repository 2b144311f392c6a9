// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photo_uses/photo_groups.h"

#include <gmock/gmock.h>

#include <vector>

namespace {

using testing::ElementsAre;

TEST(PhotoGroups, AreNumberedByTheirFirstPhotos) {
  const std::vector<int32_t> first = {0, 1, 0, 3, 1, 0};
  const mosaic::PhotoGroups groups(first);
  EXPECT_EQ(6, groups.photos());
  EXPECT_EQ(3, groups.count());
  EXPECT_EQ(3, groups.largest());
  EXPECT_THAT(groups.photos(0), ElementsAre(0, 2, 5));
  EXPECT_THAT(groups.photos(1), ElementsAre(1, 4));
  EXPECT_THAT(groups.photos(2), ElementsAre(3));
  for (int group = 0; group < 3; ++group)
    for (const int photo : groups.photos(group)) EXPECT_EQ(group, groups.group(photo));
}

TEST(PhotoGroups, MayEachBeASinglePhoto) {
  const std::vector<int32_t> first = {0, 1};
  const mosaic::PhotoGroups groups(first);
  EXPECT_EQ(2, groups.count());
  EXPECT_EQ(1, groups.largest());
}

}  // namespace
