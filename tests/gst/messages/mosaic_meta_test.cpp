// SPDX-License-Identifier: LGPL-2.1-or-later
// GstMosaicTemporalMeta describes what the picture shows, and is copied to other buffers only where
// it stays true.
#include <algorithm>
#include <set>

#include "tests/gst/tiles.h"

namespace {

using namespace element_test;

constexpr int kPhotos = 12, kWidth = 100, kHeight = 70;

// An element that draws flat photos in cells of 16 px on frames of 100 x 70.
struct FlatMosaic {
  explicit FlatMosaic(const std::string& wanted = {}) {
    photos.give_to(element);
    element.set("tile-size", 16U);
    if (!wanted.empty()) element.set_sink_caps("video/x-raw," + wanted);
    EXPECT_TRUE(element.set_caps(video_caps("RGB", kWidth, kHeight)));
  }
  Buffer draw(int frame) {
    return element.process(make_frame(video_info("RGB", kWidth, kHeight), frame));
  }

  FlatPhotos photos{kPhotos};
  Element element;
};

// Every pixel of every cell shows the photo that the meta names.
void expect_photos_drawn(const GstVideoInfo& info, const Buffer& buffer, const Meta& meta) {
  Mapped mapped(info, buffer);
  for (guint row = 0; row < meta.rows; ++row)
    for (guint column = 0; column < meta.columns; ++column) {
      const Colour expected = FlatPhotos::colour(meta.photo[meta.cell(column, row)]);
      const int right = std::min(meta.x[column + 1], info.width);
      const int bottom = std::min(meta.y[row + 1], info.height);
      for (int y = std::max(meta.y[row], 0); y < bottom; ++y)
        for (int x = std::max(meta.x[column], 0); x < right; ++x)
          for (int c = 0; c < 3; ++c)
            ASSERT_EQ(mapped.at(c, x, y), expected[c])
                << "cell " << column << ", " << row << ", pixel " << x << ", " << y;
    }
}

// The grid covers the frame from its first pixel to its last, and may begin before the first.
void expect_covered(const std::vector<int32_t>& edges, guint cells, int length) {
  ASSERT_EQ(edges.size(), cells + 1);
  EXPECT_LE(edges.front(), 0);
  EXPECT_GT(edges[1], 0);
  EXPECT_LT(edges[cells - 1], length);
  EXPECT_GE(edges.back(), length);
  EXPECT_TRUE(std::is_sorted(edges.begin(), edges.end()));
}

TEST(Meta, NamesTheDrawnPhotos) {
  FlatMosaic mosaic;
  std::set<int32_t> seen;
  for (int frame = 0; frame < 4; ++frame) {
    const Buffer out = mosaic.draw(8 * frame);
    ASSERT_TRUE(out);
    const auto meta = meta_of(out);
    ASSERT_TRUE(meta);
    EXPECT_EQ(meta->columns, 7U);
    EXPECT_EQ(meta->rows, 5U);
    EXPECT_EQ(meta->x, (std::vector<int32_t>{-6, 10, 26, 42, 58, 74, 90, 106}));
    EXPECT_EQ(meta->y, (std::vector<int32_t>{-5, 11, 27, 43, 59, 75}));
    ASSERT_EQ(meta->tile.size(), 35U);
    EXPECT_EQ(meta->photo, meta->tile) << "without variants a tile is a photo";
    ASSERT_EQ(meta->age.size(), 35U);
    expect_photos_drawn(video_info("RGB", kWidth, kHeight), out, *meta);
    seen.insert(meta->photo.begin(), meta->photo.end());
  }
  EXPECT_GT(seen.size(), 6U) << "nearly one photo everywhere shows nothing";
}

TEST(Meta, HasPositionsInPixelsOfTheOutput) {
  for (const char* size : {"", "7x3"}) {
    SCOPED_TRACE(size);
    FlatMosaic mosaic("width=219,height=93");
    if (*size) mosaic.element.set("tile-size", 0U, "size", size);
    const Buffer out = mosaic.draw(0);
    ASSERT_TRUE(out);
    const auto meta = meta_of(out);
    ASSERT_TRUE(meta);
    expect_covered(meta->x, meta->columns, 219);
    expect_covered(meta->y, meta->rows, 93);
    expect_photos_drawn(mosaic.element.output_info(), out, *meta);
  }
}

TEST(Meta, DistinguishesTilesFromPhotos) {
  FlatMosaic mosaic;
  mosaic.element.set("augment", TRUE);
  const Buffer out = mosaic.draw(0);
  ASSERT_TRUE(out);
  const auto meta = meta_of(out);
  ASSERT_TRUE(meta);
  int variants = 0;
  for (size_t cell = 0; cell < meta->tile.size(); ++cell) {
    EXPECT_EQ(meta->photo[cell], meta->tile[cell] % kPhotos);
    EXPECT_LT(meta->tile[cell], 4 * kPhotos);
    variants += meta->tile[cell] >= kPhotos;
  }
  EXPECT_GT(variants, 0);
}

TEST(Meta, AgesCountFramesSinceTheTileChanged) {
  FlatMosaic mosaic;
  Meta last;
  int changed = 0, kept = 0;
  for (int frame = 0; frame < 12; ++frame) {
    // Every third picture is new.
    const Buffer out = mosaic.draw(frame / 3 * 3);
    ASSERT_TRUE(out);
    const Meta meta = meta_of(out).value();
    for (size_t cell = 0; cell < meta.age.size(); ++cell) {
      const bool same = frame > 0 && meta.tile[cell] == last.tile[cell];
      ASSERT_EQ(meta.age[cell], same ? last.age[cell] + 1 : 0) << "frame " << frame;
      ++(same ? kept : changed);
    }
    last = meta;
  }
  EXPECT_GT(kept, 100);
  EXPECT_GT(changed, 35) << "only the first frame had tiles that are new";
}

TEST(Meta, AgesRestartAtADiscontinuity) {
  FlatMosaic mosaic;
  for (int frame = 0; frame < 3; ++frame) {
    const Meta meta = meta_of(mosaic.draw(0)).value();
    EXPECT_EQ(meta.age, std::vector<int32_t>(35, frame));
  }
  Buffer in = make_frame(video_info("RGB", kWidth, kHeight));
  GST_BUFFER_FLAG_SET(in.get(), GST_BUFFER_FLAG_DISCONT);
  EXPECT_EQ(meta_of(mosaic.element.process(std::move(in))).value().age,
            std::vector<int32_t>(35, 0));
}

const void* bytes_in(const Buffer& buffer, const char* field) {
  const GstStructure* s = gst_custom_meta_get_structure(
      gst_buffer_get_custom_meta(buffer.get(), "GstMosaicTemporalMeta"));
  return g_value_get_boxed(gst_structure_get_value(s, field));
}

TEST(Meta, SharesMemoryIfNothingChanged) {
  FlatMosaic mosaic;
  const Buffer first = mosaic.draw(0), second = mosaic.draw(0);
  for (const char* field : {"x", "y", "tile", "photo"})
    EXPECT_EQ(bytes_in(first, field), bytes_in(second, field)) << field;
  EXPECT_EQ(meta_of(first)->age, std::vector<int32_t>(35, 0)) << "what went out stays as it was";
}

TEST(Meta, FollowsThePoolAndTheGrid) {
  FlatMosaic mosaic;
  ASSERT_TRUE(mosaic.draw(0));
  EXPECT_EQ(photos_of(mosaic.element).size(), size_t{kPhotos});
  const FlatPhotos fewer(3);
  fewer.give_to(mosaic.element);
  const Buffer out = mosaic.draw(1);
  const Meta meta = meta_of(out).value();
  expect_photos_drawn(video_info("RGB", kWidth, kHeight), out, meta);
  EXPECT_LT(*std::max_element(meta.photo.begin(), meta.photo.end()), 3);
  EXPECT_EQ(photos_of(mosaic.element),
            (std::vector<std::string>{fewer.path(0), fewer.path(1), fewer.path(2)}));
  mosaic.element.set("tile-size", 8U);
  const Buffer finer = mosaic.draw(2);
  EXPECT_EQ(meta_of(finer)->columns, 13U);
  expect_photos_drawn(video_info("RGB", kWidth, kHeight), finer, *meta_of(finer));
}

TEST(Meta, IsReplacedByASecondMosaic) {
  FlatMosaic first, second;
  second.element.set("tile-size", 20U);
  const Buffer out = second.element.process(first.draw(0));
  ASSERT_TRUE(out);
  EXPECT_EQ(count_metas(out), 1);
  EXPECT_EQ(meta_of(out)->columns, 5U);
  FlatMosaic larger("width=200,height=140");
  const Buffer scaled = larger.element.process(first.draw(0));
  ASSERT_TRUE(scaled);
  EXPECT_EQ(count_metas(scaled), 1);
  EXPECT_EQ(meta_of(scaled)->x.back(), 212);
}

TEST(Meta, IsCopiedWithTheBuffer) {
  FlatMosaic mosaic;
  const Buffer out = mosaic.draw(0);
  const Meta meta = meta_of(out).value();
  EXPECT_EQ(meta_of(Buffer(gst_buffer_copy(out.get()))), meta);
  EXPECT_EQ(meta_of(Buffer(gst_buffer_copy_deep(out.get()))), meta);
  const Buffer part(gst_buffer_copy_region(out.get(), GST_BUFFER_COPY_ALL, 0, 300));
  EXPECT_FALSE(meta_of(part)) << "a part is another picture";
}

// A mosaic, converted by videoconvertscale.
Buffer convert(const Buffer& mosaic, const std::string& caps) {
  GstHarness* harness = gst_harness_new("videoconvertscale");
  gst_harness_set_src_caps(harness, video_caps("RGB", kWidth, kHeight).release());
  gst_harness_set_sink_caps_str(harness, caps.c_str());
  EXPECT_EQ(gst_harness_push(harness, gst_buffer_ref(mosaic.get())), GST_FLOW_OK);
  Buffer out(gst_harness_pull(harness));
  gst_harness_teardown(harness);
  return out;
}

TEST(Meta, SurvivesConversionButNotScaling) {
  FlatMosaic mosaic;
  const Buffer out = mosaic.draw(0);
  EXPECT_EQ(meta_of(convert(out, "video/x-raw,format=I420,width=100,height=70")), meta_of(out));
  EXPECT_FALSE(meta_of(convert(out, "video/x-raw,format=RGB,width=50,height=35")));
  EXPECT_FALSE(meta_of(
      convert(out, "video/x-raw,format=RGB,width=100,height=70,pixel-aspect-ratio=(fraction)2/1")))
      << "there are borders";
}

TEST(Photos, AreListedInTheOrderOfTheirNumbers) {
  FlatMosaic mosaic;
  EXPECT_TRUE(photos_of(mosaic.element).empty());
  ASSERT_TRUE(mosaic.draw(0));
  const std::vector<std::string> photos = photos_of(mosaic.element);
  ASSERT_EQ(photos.size(), size_t{kPhotos});
  for (int i = 0; i < kPhotos; ++i) EXPECT_EQ(photos[i], mosaic.photos.path(i));
  gst_element_set_state(mosaic.element.get(), GST_STATE_READY);
  EXPECT_TRUE(photos_of(mosaic.element).empty());
}

TEST(Photos, OfTheBuiltInPoolHaveNames) {
  Element element;
  ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
  const Buffer out = element.process(make_frame(video_info("I420", 64, 48)));
  const std::vector<std::string> photos = photos_of(element);
  const Meta meta = meta_of(out).value();
  for (const int32_t photo : meta.photo)
    EXPECT_EQ(photos.at(photo), "built-in " + std::to_string(photo));
}

}  // namespace
