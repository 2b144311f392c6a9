// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Cells that are not square, and photos that are cut to their shape.
#include <algorithm>
#include <string>
#include <vector>

#include "tests/gst/discs.h"

namespace {

using namespace element_test;

std::string text(const Aspect& shape) {
  return std::to_string(shape.n) + ":" + std::to_string(shape.d);
}

const Aspect kPixels[] = {{1, 1}, {16, 11}, {8, 9}};

TEST(TileShape, CellsHaveItAndPhotosAreUndistorted) {
  for (const Aspect& pixel : kPixels)
    for (const Aspect& shape : {Aspect{4, 3}, {3, 2}, {5, 4}, {4, 5}, {1, 1}}) {
      SCOPED_TRACE(text(shape));
      Discs discs(144, 108, 72);
      discs.element.set("size", "300", "tile-aspect-ratio", text(shape).c_str());
      ASSERT_NO_FATAL_FAILURE(discs.draw(720, 576, pixel));
      discs.expect_cells(pixel, shape);
      discs.expect_round(pixel);
      EXPECT_NEAR(discs.meta.tile.size(), 300, 30);
    }
}

TEST(TileShape, AutoIsThatOfThePhotos) {
  Discs automatic(144, 108, 80), given(144, 108, 80);
  automatic.element.set("size", "300", "tile-aspect-ratio", "auto");
  given.element.set("size", "300", "tile-aspect-ratio", "4:3");
  ASSERT_NO_FATAL_FAILURE(automatic.draw(720, 576, {1, 1}));
  ASSERT_NO_FATAL_FAILURE(given.draw(720, 576, {1, 1}));
  EXPECT_TRUE(automatic.meta.x == given.meta.x && automatic.meta.y == given.meta.y);
  automatic.expect_round({1, 1});
}

TEST(TileShape, MayChangeWhileFramesAreShown) {
  Discs discs(144, 108, 72);
  discs.element.set("size", "300");
  ASSERT_NO_FATAL_FAILURE(discs.draw(720, 576, {1, 1}));
  discs.expect_square({1, 1});
  discs.element.set("tile-aspect-ratio", "3:2");
  ASSERT_NO_FATAL_FAILURE(discs.draw(720, 576, {1, 1}));
  discs.expect_cells({1, 1}, {3, 2});
  discs.expect_round({1, 1});
  discs.element.set("tile-aspect-ratio", "auto");
  ASSERT_NO_FATAL_FAILURE(discs.draw(720, 576, {1, 1}));
  discs.expect_cells({1, 1}, {4, 3});
  discs.expect_round({1, 1});
}

TEST(TileShape, ImpossibleOnesAreRefused) {
  for (const char* shape : {"", "3", "0:1", "9:1", "wide", "3:2:1"}) {
    Discs discs;
    discs.element.set("tile-aspect-ratio", shape);
    ASSERT_TRUE(discs.element.set_caps(video_caps("RGB", 160, 120)));
    EXPECT_FALSE(discs.element.process(make_frame(video_info("RGB", 160, 120)))) << shape;
    const std::string error = discs.element.pop_report(GST_MESSAGE_ERROR).text;
    EXPECT_NE(error.find("tile-aspect-ratio"), std::string::npos) << error;
  }
}

/// The mean of the green samples of a frame that shows one photo, 400x200, whose right third is
/// white stripes on black; the rest is black.
double brightness(const char* crop) {
  const TempFolder folder;
  write_striped_photo(folder.path("photo.bmp"), 400, 200, 300);
  Element element;
  element.set("tile-location", folder.path().c_str(), "cache-location", "", "augment", FALSE,
              "profile-name", "plain", "fidelity", 0.0, "rerank", 0, "tile-size", 40);
  gst_util_set_object_arg(G_OBJECT(element.get()), "crop", crop);
  EXPECT_TRUE(element.set_caps(video_caps("RGB", 160, 120)));
  const Buffer out = element.process(make_frame(video_info("RGB", 160, 120)));
  if (!out) return -1;
  const GstVideoInfo info = element.output_info();
  Mapped mapped(info, out);
  double sum = 0;
  for (int y = 0; y < 120; ++y)
    for (int x = 0; x < 160; ++x) sum += mapped.at(1, x, y);
  return sum / (160 * 120);
}

TEST(TileShape, CropByDetailShowsWhereItIs) {
  EXPECT_NEAR(brightness("centre"), 0, 1);
  EXPECT_GT(brightness("detail"), 20);
}

}  // namespace
