// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photos/photo_cut.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

namespace mosaic {
namespace {

using Colour = std::array<uint8_t, 3>;
constexpr Colour kGrey = {90, 90, 90}, kSkin = {224, 172, 145};

Photo plain(int width, int height, Colour colour = kGrey) {
  Photo photo{width, height, std::vector<uint8_t>(size_t{3} * width * height)};
  for (size_t i = 0; i < photo.rgb.size(); ++i) photo.rgb[i] = colour[i % 3];
  return photo;
}

/// Paints a rectangle. @param stripe width of alternating dark stripes; 0: none
void paint(Photo& photo, const mt::CellRect& at, Colour colour, int stripe = 0) {
  for (int y = at.y; y < at.y + at.height; ++y)
    for (int x = at.x; x < at.x + at.width; ++x)
      for (int c = 0; c < 3; ++c)
        photo.rgb[3 * (size_t{1} * y * photo.width + x) + c] =
            stripe && (x / stripe) % 2 ? uint8_t{20} : colour[c];
}

void expect_part(const mt::CellRect& part, int x, int y, int width, int height) {
  EXPECT_EQ(part.x, x);
  EXPECT_EQ(part.y, y);
  EXPECT_EQ(part.width, width);
  EXPECT_EQ(part.height, height);
}

TEST(PhotoCut, TakesTheLargestPartInTheMiddle) {
  expect_part(shown_part(plain(300, 200)), 50, 0, 200, 200);
  expect_part(shown_part(plain(200, 301)), 0, 50, 200, 200);
  expect_part(shown_part(plain(300, 200), {.shape = {3, 2}}), 0, 0, 300, 200);
  expect_part(shown_part(plain(300, 200), {.shape = {2, 3}}), 83, 0, 133, 200);
  expect_part(shown_part(plain(300, 200), {.shape = {16, 9}}), 0, 15, 300, 169);
  expect_part(shown_part(plain(1, 1), {.shape = {255, 64}}), 0, 0, 1, 1);
  expect_part(shown_part(plain(1, 900), {.shape = {4, 1}}), 0, 449, 1, 1);
}

TEST(PhotoCut, KnowsTheShapeOfPixels) {
  Photo packed = plain(64, 64);
  packed.pixel = {3, 2};
  expect_part(shown_part(packed, {.shape = {3, 2}}), 0, 0, 64, 64);
  expect_part(shown_part(packed), 10, 0, 43, 64);
  packed.pixel = {2, 3};
  expect_part(shown_part(packed), 0, 10, 64, 43);
}

TEST(PhotoCut, DetailMovesToEdges) {
  for (const bool upright : {false, true}) {
    SCOPED_TRACE(upright);
    Photo photo = upright ? plain(200, 600) : plain(600, 200);
    paint(photo, upright ? mt::CellRect{20, 470, 160, 100} : mt::CellRect{470, 20, 100, 160},
          {250, 250, 250}, 5);
    const mt::CellRect part = shown_part(photo, {.crop = Crop::kDetail});
    const int at = upright ? part.y : part.x;
    EXPECT_GT(at, 340);
    EXPECT_LE(at, 400);
    EXPECT_EQ(upright ? part.x : part.y, 0);
    EXPECT_EQ(part.width, 200);
    EXPECT_EQ(part.height, 200);
  }
}

TEST(PhotoCut, DetailMovesToSkin) {
  Photo photo = plain(300, 450);
  paint(photo, {90, 20, 120, 130}, kSkin);
  const mt::CellRect part = shown_part(photo, {.crop = Crop::kDetail});
  EXPECT_LE(part.y, 20);
  EXPECT_EQ(shown_part(photo).y, 75);
}

TEST(PhotoCut, DetailStaysInTheMiddleWithoutAReason) {
  expect_part(shown_part(plain(300, 200), {.crop = Crop::kDetail}), 50, 0, 200, 200);
  Photo even = plain(300, 200);
  paint(even, {0, 0, 300, 200}, {250, 250, 250}, 5);
  expect_part(shown_part(even, {.crop = Crop::kDetail}), 50, 0, 200, 200);
  Photo middle = plain(300, 200);
  paint(middle, {120, 40, 60, 120}, {250, 250, 250}, 5);
  expect_part(shown_part(middle, {.crop = Crop::kDetail}), 50, 0, 200, 200);
}

TEST(PhotoCut, AnyPhotoCanBeCutByDetail) {
  for (const mt::PixelSize size : {mt::PixelSize(1, 1),
                                   {1, 70},
                                   {9000, 3},
                                   {3, 9000},
                                   {65, 64},
                                   {64, 65},
                                   {2, 1},
                                   {30000, 1},
                                   {257, 63}})
    for (const Shape shape : {Shape{1, 1}, {4, 1}, {1, 4}, {3, 2}, {255, 254}}) {
      Photo photo = plain(size.width, size.height);
      std::iota(photo.rgb.begin(), photo.rgb.end(), uint8_t{0});
      const mt::CellRect part = shown_part(photo, {.shape = shape, .crop = Crop::kDetail});
      EXPECT_GE(part.x, 0);
      EXPECT_GE(part.y, 0);
      EXPECT_GE(part.width, 1);
      EXPECT_GE(part.height, 1);
      EXPECT_LE(part.x + part.width, size.width);
      EXPECT_LE(part.y + part.height, size.height);
    }
}

}  // namespace
}  // namespace mosaic
