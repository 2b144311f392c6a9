// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photos/tile_pictures.h"

#include <gtest/gtest.h>

#include <vector>

#include "mosaic/photos/resize_part.h"

namespace mosaic {
namespace {

TilePictures sizes(mt::PixelSize first, mt::PixelSize second = {}, Shape shape = {}) {
  TilePictures pictures{.cut = {.shape = shape, .crop = Crop::kCentre}, .picture = {}};
  pictures.picture[0].size = first;
  pictures.picture[1].size = second;
  return pictures;
}

TEST(TilePictures, AreCutOutInBothSizes) {
  Photo photo{90, 60, std::vector<uint8_t>(size_t{3} * 90 * 60)};
  for (size_t i = 0; i < photo.rgb.size(); ++i) photo.rgb[i] = static_cast<uint8_t>(i * 7);
  TilePictures pictures = sizes({30, 20}, 8, {3, 2});
  std::vector<uint8_t> first(3 * 30 * 20), second(3 * 8 * 8), expected(first.size());
  pictures.picture[0].out = first.data();
  pictures.picture[1].out = second.data();
  cut_out(photo, pictures);
  const mt::CellRect all{0, 0, 90, 60};
  resize_part(photo, all, {30, 20}, expected.data());
  EXPECT_EQ(first, expected);
  expected.resize(second.size());
  resize_part(photo, all, 8, expected.data());
  EXPECT_EQ(second, expected);
}

TEST(DivisorOfAPhoto, LeavesEnoughPixelsForThePictures) {
  static_assert(kSpare == 8);
  EXPECT_EQ(divisor_for(4000, 3000, sizes(40)), 4);
  EXPECT_EQ(divisor_for(4000, 3000, sizes(93)), 4);   // 8 x 93 = 744 of 750
  EXPECT_EQ(divisor_for(4000, 3000, sizes(94)), 2);   // 752
  EXPECT_EQ(divisor_for(4000, 3000, sizes(187)), 2);  // 1496 of 1500
  EXPECT_EQ(divisor_for(4000, 3000, sizes(188)), 1);
  EXPECT_EQ(divisor_for(120, 120, sizes(8)), 1);
  EXPECT_EQ(divisor_for(1, 1, sizes(1)), 1);
}

TEST(DivisorOfAPhoto, CountsTheLargerPictureAndTheCut) {
  EXPECT_EQ(divisor_for(4000, 3000, sizes(40, 100)), 2);
  EXPECT_EQ(divisor_for(4000, 3000, sizes(100, 40)), 2);
  // Of 4000x3000 pixels a cut of 4:1 leaves 4000x1000; turned upright, 3000x750.
  EXPECT_EQ(divisor_for(4000, 3000, sizes({80, 20}, {}, {4, 1})), 4);
  EXPECT_EQ(divisor_for(4000, 3000, sizes({80, 24}, {}, {4, 1})), 2);
}

TEST(DivisorOfAPhoto, HoldsForATurnedPhoto) {
  for (const Shape shape : {Shape{3, 2}, Shape{2, 3}, Shape{1, 1}})
    for (const int side : {20, 60, 90, 130, 200}) {
      const TilePictures wanted = sizes({side, side * shape.height / shape.width}, {}, shape);
      EXPECT_EQ(divisor_for(4000, 3000, wanted), divisor_for(3000, 4000, wanted));
    }
}

}  // namespace
}  // namespace mosaic
