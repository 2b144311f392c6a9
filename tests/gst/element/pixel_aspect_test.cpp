// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Video whose pixels are not square: cells and photos are square on the display.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/gst/tiles.h"

namespace {

using namespace element_test;

struct Aspect {
  int n, d;
  double ratio() const { return static_cast<double>(n) / d; }
  std::string caps() const {
    return "pixel-aspect-ratio=(fraction)" + std::to_string(n) + "/" + std::to_string(d);
  }
};

/// The lengths of runs of white that are black on both sides, in a row or column of pixels.
struct Runs {
  int shortest = 1 << 30, longest = 0, count = 0;
  void add(const std::vector<bool>& white) {
    size_t begin = 0;
    for (size_t i = 1; i < white.size(); ++i) {
      if (white[i] && !white[i - 1]) begin = i;
      if (white[i] || !white[i - 1] || begin == 0) continue;
      const int length = static_cast<int>(i - begin);
      shortest = std::min(shortest, length), longest = std::max(longest, length), ++count;
    }
  }
};

/// An element whose tiles all show a white disc of 3/4 of their side on black.
class Discs {
 public:
  Discs() {
    write_disc_photo(folder_.path("disc.bmp"), 128, 96);
    element.set("tile-location", folder_.path().c_str(), "cache-location", "", "augment", FALSE,
                "profile-name", "plain");
  }

  /// Draws a mosaic. @param size of input and output
  void draw(int width, int height, const Aspect& aspect) {
    ASSERT_TRUE(element.set_caps(video_caps("RGB", width, height, aspect.caps())));
    out_ = element.process(make_frame(video_info("RGB", width, height)));
    ASSERT_TRUE(out_) << element.pop_report(GST_MESSAGE_ERROR).text;
    info_ = element.output_info();
    EXPECT_EQ(GST_VIDEO_INFO_PAR_N(&info_), aspect.n);
    EXPECT_EQ(GST_VIDEO_INFO_PAR_D(&info_), aspect.d);
    meta = meta_of(out_).value_or(Meta{});
    ASSERT_GT(meta.columns, 2U);
    ASSERT_GT(meta.rows, 2U);
  }

  /// The widths of the discs along the middle of each row of whole cells.
  Runs widths() {
    return runs(meta.y, info_.width, [](int along, int at) { return std::pair{along, at}; });
  }
  /// Their heights along the middle of each column of whole cells.
  Runs heights() {
    return runs(meta.x, info_.height, [](int along, int at) { return std::pair{at, along}; });
  }

  /// Expects the discs to be round on the display, to within the rounding of width and height.
  void expect_round(const Aspect& aspect) {
    const Runs wide = widths(), high = heights();
    ASSERT_GT(wide.count, 4);
    ASSERT_GT(high.count, 4);
    for (const int width : {wide.shortest, wide.longest})
      for (const int height : {high.shortest, high.longest})
        EXPECT_NEAR(width * aspect.ratio(), height, 1 + std::max(1.0, aspect.ratio()))
            << aspect.caps();
  }

  /// Expects the cells to be square on the display, likewise.
  void expect_square(const Aspect& aspect) const {
    for (guint c = 0; c < meta.columns; ++c)
      for (guint r = 0; r < meta.rows; ++r)
        ASSERT_NEAR((meta.x[c + 1] - meta.x[c]) * aspect.ratio(), meta.y[r + 1] - meta.y[r],
                    1 + aspect.ratio())
            << aspect.caps();
  }

  Element element;
  Meta meta;

 private:
  template <class Pixel>
  Runs runs(const std::vector<int32_t>& edges, int length, Pixel pixel) {
    Runs found;
    Mapped mapped(info_, out_);
    for (size_t i = 2; i + 1 < edges.size(); ++i) {
      const int middle = (edges[i - 1] + edges[i]) / 2;
      std::vector<bool> white(length);
      for (int along = 0; along < length; ++along) {
        const auto [x, y] = pixel(along, middle);
        white[along] = mapped.at(0, x, y) > 127;
      }
      found.add(white);
    }
    return found;
  }

  TempFolder folder_;
  Buffer out_;
  GstVideoInfo info_{};
};

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
