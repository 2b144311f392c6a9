// SPDX-License-Identifier: LGPL-2.1-or-later
// Regions of interest that a detector attached to frames reach the mosaic, whatever they contain.
#include <algorithm>

#include "tests/gst/harness.h"
#include "tests/gst/memory/hostile_frames.h"

namespace {

using namespace element_test;

struct Box {
  guint x, y, width, height;
};

void add_region(const Buffer& frame, const Box& box) {
  ASSERT_NE(gst_buffer_add_video_region_of_interest_meta(frame.get(), "face", box.x, box.y,
                                                         box.width, box.height),
            nullptr);
}

// 10 x 6 cells of 16 pixels.
class Regions : public testing::Test {
 protected:
  Regions() { set_up(element_); }
  static void set_up(Element& element) {
    element.set("tile-size", 16U, "ema-alpha", 1.0, "fidelity", 0.5);
    EXPECT_TRUE(element.set_caps(video_caps("RGB", 160, 96)));
  }
  guint cells_with(Buffer frame, const std::vector<Box>& boxes) {
    for (const Box& box : boxes) add_region(frame, box);
    last_ = element_.process(std::move(frame));
    EXPECT_TRUE(last_);
    return element_.stat<guint>("region-cells");
  }
  guint cells_with(const std::vector<Box>& boxes) {
    return cells_with(make_frame(video_info("RGB", 160, 96)), boxes);
  }

  Element element_;
  Buffer last_;
};

TEST_F(Regions, AreCountedInTheStatistics) {
  EXPECT_EQ(cells_with(std::vector<Box>{}), 0U);
  EXPECT_EQ(cells_with({{32, 16, 48, 32}}), 6U);
  EXPECT_EQ(cells_with({{32, 16, 48, 32}, {48, 16, 48, 32}, {150, 90, 4, 4}}), 9U);
  EXPECT_EQ(cells_with(std::vector<Box>{}), 0U);
}

TEST_F(Regions, ChangeThePictureInside) {
  Element plain;
  set_up(plain);
  const GstVideoInfo info = video_info("RGB", 160, 96);
  const Buffer without = plain.process(make_frame(info));
  EXPECT_EQ(cells_with({{32, 16, 48, 32}}), 6U);
  ASSERT_TRUE(without && last_);
  Mapped a(info, without), b(info, last_);
  int inside = 0;
  for (int y = 16; y < 48; ++y)
    for (int x = 32; x < 80; ++x) inside += a.at(0, x, y) != b.at(0, x, y);
  EXPECT_GT(inside, 48 * 32 / 2);
}

TEST_F(Regions, StayOnTheFrame) {
  cells_with({{32, 16, 48, 32}});
  const GstVideoRegionOfInterestMeta* meta =
      gst_buffer_get_video_region_of_interest_meta_id(last_.get(), 0);
  ASSERT_NE(meta, nullptr);
  EXPECT_EQ(meta->x, 32U);
  EXPECT_EQ(meta->h, 32U);
}

TEST_F(Regions, MayContainAnything) {
  EXPECT_EQ(cells_with({{G_MAXUINT, G_MAXUINT, G_MAXUINT, G_MAXUINT}}), 0U);
  EXPECT_EQ(cells_with({{0, 0, G_MAXUINT, G_MAXUINT}}), 60U);
  EXPECT_EQ(cells_with({{16, 16, 0, 16}, {16, 16, 16, 0}}), 0U);
  EXPECT_EQ(cells_with({{160, 0, 1, 1}, {0, 96, 1, 1}}), 0U);
  std::vector<Box> many(1000, {0, 0, 16, 16});
  many.push_back({64, 64, 16, 16});
  EXPECT_EQ(cells_with(many), 1U) << "no more than 64 regions are read";
}

TEST_F(Regions, AreRelativeToThePictureBeforeCropping) {
  Buffer large = make_frame(video_info("RGB", 200, 120), 0, 5);
  add_crop_meta(large.get(), {20, 10, 160, 96});
  // A part of it lies left of the crop.
  EXPECT_EQ(cells_with(std::move(large), {{0, 10, 52, 16}}), 2U);
}

}  // namespace
