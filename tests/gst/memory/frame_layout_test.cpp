// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Where a frame lies in its buffer: crop metas are respected although the element does not offer
/// to handle them, and a buffer that contradicts its caps is an error before any access to it.
#include <gst/app/gstappsink.h>

#include "tests/gst/memory/hostile_frames.h"

namespace {

using namespace element_test;
using Picture = std::vector<std::vector<uint8_t>>;

constexpr Crop kCrop{13, 7, 67, 49};
constexpr int kWidth = 96, kHeight = 64;  ///< of the frames that are cropped

Picture picture_of(const GstVideoInfo& info, const Buffer& buffer) {
  Picture all;
  for (guint c = 0; c < GST_VIDEO_INFO_N_COMPONENTS(&info); ++c)
    all.push_back(samples_of(info, buffer, static_cast<int>(c)));
  return all;
}

Buffer large_frame(const std::string& format, int number) {
  return make_frame(video_info(format, kWidth, kHeight), number, 5);
}

Buffer small_frame(const std::string& format, int number) {
  return cropped_copy(format, video_info(format, kWidth, kHeight), large_frame(format, number),
                      kCrop);
}

Buffer frame_with_crop(const std::string& format, int number) {
  Buffer frame = large_frame(format, number);
  add_crop_meta(frame.get(), kCrop);
  return frame;
}

/// The mosaics of frames that are cropped by a meta, or else by copying.
/// @param size  of the output; empty: that of the crop
std::vector<Picture> mosaics(const std::string& format, bool by_meta, unsigned lookahead = 0,
                             const std::string& size = {}) {
  Element element;
  // A look and tiles that take little time, as sanitizers run this test, too.
  element.set("lookahead", lookahead, "profile-name", "plain", "rerank", 0, "augment", FALSE);
  if (!size.empty()) element.set_sink_caps("video/x-raw," + size);
  EXPECT_TRUE(element.set_caps(video_caps(format, kCrop.width, kCrop.height)));
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(element.push(by_meta ? frame_with_crop(format, i) : small_frame(format, i)),
              GST_FLOW_OK)
        << element.pop_report(GST_MESSAGE_ERROR).text;
  gst_harness_push_event(element.harness(), gst_event_new_eos());
  std::vector<Picture> pictures;
  while (GstBuffer* out = gst_harness_try_pull(element.harness())) {
    const Buffer buffer(out);
    EXPECT_EQ(gst_buffer_get_video_crop_meta(out), nullptr);
    pictures.push_back(picture_of(element.output_info(), buffer));
  }
  EXPECT_EQ(pictures.size(), 3U);
  return pictures;
}

TEST(CroppedFrames, ShowTheMosaicOfTheVisiblePartInEveryFormat) {
  for (const auto& family : format_families())
    for (const auto& format : family) {
      SCOPED_TRACE(format);
      EXPECT_TRUE(mosaics(format, true) == mosaics(format, false));
    }
}

TEST(CroppedFrames, SupportLookaheadAndScaling) {
  EXPECT_TRUE(mosaics("I420", true, 2) == mosaics("I420", false, 2));
  const std::string size = "width=134,height=98";
  EXPECT_TRUE(mosaics("NV12", true, 0, size) == mosaics("NV12", false, 0, size));
  EXPECT_TRUE(mosaics("RGB", true, 1, size) == mosaics("RGB", false, 1, size));
}

TEST(CroppedFrames, AreNotModified) {
  Element element;
  ASSERT_TRUE(element.set_caps(video_caps("I420", kCrop.width, kCrop.height)));
  Buffer frame = frame_with_crop("I420", 0);
  const Buffer kept(gst_buffer_ref(frame.get()));
  const std::vector<uint8_t> before = bytes_of(kept);
  const Buffer out = element.process(std::move(frame));
  ASSERT_TRUE(out);
  EXPECT_TRUE(bytes_of(kept) == before);
  EXPECT_EQ(GST_BUFFER_PTS(out.get()), GST_BUFFER_PTS(kept.get()));
}

TEST(CroppedFrames, LoseMetasThatDependOnTheSize) {
  Element element;
  ASSERT_TRUE(element.set_caps(video_caps("I420", kCrop.width, kCrop.height)));
  Buffer frame = frame_with_crop("I420", 0);
  gst_buffer_add_video_region_of_interest_meta(frame.get(), "face", 1, 2, 90, 40);
  const Buffer out = element.process(std::move(frame));
  ASSERT_TRUE(out);
  EXPECT_EQ(gst_buffer_get_meta(out.get(), GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE), nullptr);
}

TEST(CroppedFrames, AreCroppedWhileALivePipelineLoadsThePool) {
  const TempFolder photos;
  write_photos(photos.path(), 2000, 64);
  Element element(true);
  element.set("tile-location", photos.path().c_str(), "cache-location", "");
  ASSERT_TRUE(element.set_caps(video_caps("RGB", kCrop.width, kCrop.height)));
  const Buffer out = element.process(frame_with_crop("RGB", 0));
  ASSERT_TRUE(out);
  ASSERT_EQ(element.stat<guint64>("frames"), 0U) << "the pool was there too soon for this test";
  EXPECT_EQ(gst_buffer_get_video_crop_meta(out.get()), nullptr);
  const GstVideoInfo info = video_info("RGB", kCrop.width, kCrop.height);
  EXPECT_TRUE(picture_of(info, out) == picture_of(info, small_frame("RGB", 0)));
}

// The mosaic is the same whether videocrop crops by a meta or by copying.
TEST(CroppedFrames, MatchFramesThatVideocropCopies) {
  if (!have_elements({"videocrop"})) GTEST_SKIP() << "this GStreamer has no videocrop";
  const auto frames = [](const std::string& between) {
    std::vector<std::vector<uint8_t>> all;
    GstElement* pipeline = gst_parse_launch(
        ("videotestsrc num-buffers=5 pattern=ball motion=sweep ! "
         "video/x-raw,format=I420,width=320,height=240,framerate=25/1 ! videocrop left=13 top=7 "
         "! " +
         between + "mosaictemporal size=100 ! " + between +
         "videocrop bottom=5 ! videoconvert ! video/x-raw,format=RGBx ! appsink name=end "
         "sync=false")
            .c_str(),
        nullptr);
    GstElement* end = gst_bin_get_by_name(GST_BIN(pipeline), "end");
    gst_element_set_state(pipeline, GST_STATE_PLAYING);
    while (GstSample* sample = gst_app_sink_pull_sample(GST_APP_SINK(end))) {
      const Buffer buffer(gst_buffer_ref(gst_sample_get_buffer(sample)));
      EXPECT_EQ(gst_buffer_get_size(buffer.get()), 307U * 4 * 228);
      all.push_back(bytes_of(buffer));
      gst_sample_unref(sample);
    }
    gst_element_set_state(pipeline, GST_STATE_NULL);
    gst_object_unref(end);
    gst_object_unref(pipeline);
    return all;
  };
  const auto cropped = frames(""), copied = frames("identity drop-allocation=true ! ");
  EXPECT_EQ(cropped.size(), 5U);
  EXPECT_TRUE(cropped == copied);
}

TEST(AllocationQuery, NeverOffersTheCropMeta) {
  for (const char* size : {"", "width=128,height=96"}) {
    SCOPED_TRACE(size);
    Element element;
    gst_harness_add_propose_allocation_meta(element.harness(), GST_VIDEO_CROP_META_API_TYPE,
                                            nullptr);
    gst_harness_add_propose_allocation_meta(element.harness(), GST_VIDEO_META_API_TYPE, nullptr);
    if (*size) element.set_sink_caps(std::string("video/x-raw,") + size);
    const Caps caps = video_caps("I420", 64, 48);
    ASSERT_TRUE(element.set_caps(caps));
    ASSERT_TRUE(element.process(make_frame(video_info("I420", 64, 48))));
    GstQuery* query = gst_query_new_allocation(caps.get(), FALSE);
    EXPECT_TRUE(gst_pad_peer_query(element.harness()->srcpad, query));
    EXPECT_TRUE(gst_query_find_allocation_meta(query, GST_VIDEO_META_API_TYPE, nullptr));
    EXPECT_FALSE(gst_query_find_allocation_meta(query, GST_VIDEO_CROP_META_API_TYPE, nullptr));
    gst_query_unref(query);
  }
}

class InconsistentFrames : public testing::TestWithParam<Contradiction> {
 protected:
  const GstVideoInfo info = video_info("I420", 64, 48);
  Buffer frame(int number = 0) { return make_frame(info, number, 8); }
};

TEST_P(InconsistentFrames, AreRejectedAsTheFirstFrame) {
  Element element;
  ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
  expect_rejected(element, frame(), GetParam());
  EXPECT_EQ(gst_harness_buffers_received(element.harness()), 0U);
}

TEST_P(InconsistentFrames, AreRejectedAsALaterFrame) {
  Element element;
  ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
  ASSERT_TRUE(element.process(frame()));
  expect_rejected(element, frame(1), GetParam());
  EXPECT_EQ(gst_harness_buffers_received(element.harness()), 1U);
}

TEST_P(InconsistentFrames, AreRejectedWithScalingAndLookahead) {
  for (const unsigned lookahead : {0U, 2U}) {
    Element element;
    element.set("lookahead", lookahead);
    element.set_sink_caps("video/x-raw,width=128,height=96");
    ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
    for (unsigned i = 0; i < lookahead; ++i) ASSERT_EQ(element.push(frame()), GST_FLOW_OK);
    expect_rejected(element, frame(1), GetParam());
  }
}
INSTANTIATE_TEST_SUITE_P(All, InconsistentFrames, testing::ValuesIn(contradictions()),
                         [](const auto& param) { return param.param.name; });

TEST(ShortMemory, IsRejected) {
  Element element;
  ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
  Buffer frame = make_frame(video_info("I420", 64, 48));
  gst_buffer_set_size(frame.get(), 64 * 48);
  EXPECT_EQ(element.push(std::move(frame)), GST_FLOW_ERROR);
  const Element::Report report = element.pop_report(GST_MESSAGE_ERROR);
  EXPECT_NE(report.text.find("3072 bytes, is too small"), std::string::npos) << report.text;
}

}  // namespace
