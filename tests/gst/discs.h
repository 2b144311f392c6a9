// SPDX-License-Identifier: LGPL-2.1-or-later
// Photos of discs, which show whether cells and photos are drawn undistorted.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/gst/tiles.h"

namespace element_test {

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

/// An element whose tiles all show a white disc on black.
class Discs {
 public:
  explicit Discs(int width = 128, int height = 128, double diameter = 96) {
    write_disc_photo(folder_.path("disc.bmp"), width, height, diameter);
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

  /// Expects the cells to have a shape on the display, likewise.
  void expect_cells(const Aspect& aspect, const Aspect& shape) const {
    for (guint c = 0; c < meta.columns; ++c)
      for (guint r = 0; r < meta.rows; ++r)
        ASSERT_NEAR((meta.x[c + 1] - meta.x[c]) * aspect.ratio() / shape.ratio(),
                    meta.y[r + 1] - meta.y[r], 1 + aspect.ratio())
            << aspect.caps();
  }
  void expect_square(const Aspect& aspect) const { expect_cells(aspect, {1, 1}); }

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

}  // namespace element_test
