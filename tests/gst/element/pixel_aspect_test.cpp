// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Video whose pixels are not square: cells and photos are square on the display.
#include "tests/gst/discs.h"

namespace {

using namespace element_test;

const Aspect kAspects[] = {{16, 11}, {59, 54}, {8, 9}, {4, 3}, {1, 2}, {1, 1}};

TEST(PixelAspect, CellsAndPhotosAreSquareOnTheDisplay) {
  for (const Aspect& aspect : kAspects)
    for (const char* size : {"100", "700"}) {
      Discs discs;
      discs.element.set("size", size);
      ASSERT_NO_FATAL_FAILURE(discs.draw(720, 576, aspect));
      discs.expect_square(aspect);
      discs.expect_round(aspect);
      EXPECT_NEAR(discs.meta.tile.size(), atoi(size), atoi(size) / 10);
    }
}

TEST(PixelAspect, PhotosAreSquareInALargerOutput) {
  for (const Aspect& aspect : kAspects) {
    Discs discs;
    discs.element.set_sink_caps("video/x-raw,width=1080");  // the height follows
    discs.element.set("size", "100");
    ASSERT_NO_FATAL_FAILURE(discs.draw(720, 576, aspect));
    discs.expect_square(aspect);
    discs.expect_round(aspect);
  }
}

TEST(PixelAspect, AnExactGridHasItsCellsAndUndistortedPhotos) {
  for (const Aspect& aspect : kAspects) {
    Discs discs;
    discs.element.set("size", "12x9");
    ASSERT_NO_FATAL_FAILURE(discs.draw(720, 576, aspect));
    EXPECT_EQ(discs.meta.columns, 12U);
    EXPECT_EQ(discs.meta.rows, 9U);
    for (int i = 0; i <= 12; ++i) EXPECT_EQ(discs.meta.x[i], 60 * i);
    for (int i = 0; i <= 9; ++i) EXPECT_EQ(discs.meta.y[i], 64 * i);
    // With any other, a part of the disc is beyond the edge of the cell.
    if (aspect.ratio() > 0.8 && aspect.ratio() < 1.4) discs.expect_round(aspect);
  }
}

TEST(PixelAspect, ANewOneMakesANewGrid) {
  Discs discs, wide;
  discs.element.set("size", "100");
  wide.element.set("size", "100");
  ASSERT_NO_FATAL_FAILURE(wide.draw(720, 576, {16, 11}));
  ASSERT_NO_FATAL_FAILURE(discs.draw(720, 576, {1, 1}));
  const Meta square = discs.meta;
  ASSERT_NO_FATAL_FAILURE(discs.draw(720, 576, {16, 11}));
  discs.expect_round({16, 11});
  EXPECT_TRUE(discs.meta.x == wide.meta.x && discs.meta.y == wide.meta.y);
  ASSERT_NO_FATAL_FAILURE(discs.draw(720, 576, {1, 1}));
  discs.expect_round({1, 1});
  EXPECT_TRUE(discs.meta.x == square.x && discs.meta.y == square.y);
}

TEST(PixelAspect, AbsurdOnesAreDrawn) {
  const FlatPhotos photos(3);
  for (const Aspect& aspect : {Aspect{1000000, 1}, {1, 1000000}, {2147483647, 2147483646}})
    for (const char* size : {"700", "12x9"}) {
      Element element;
      photos.give_to(element);
      element.set("size", size);
      ASSERT_TRUE(element.set_caps(video_caps("I420", 321, 119, aspect.caps())));
      ASSERT_TRUE(element.process(make_frame(video_info("I420", 321, 119)))) << aspect.caps();
    }
}

}  // namespace
