// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// What happens to a running stream, in all files of the element together: renegotiation, flushes,
/// seeks, its end, stops and starts, and changed settings.
#include <atomic>
#include <chrono>
#include <thread>

#include "tests/gst/harness.h"

namespace {

using namespace element_test;
using std::chrono::milliseconds;

// Pushes the first frame again and returns whether it was a keyframe.
bool is_keyframe(Element& element, const GstVideoInfo& info, bool discont = false) {
  Buffer frame = make_frame(info);
  if (discont) GST_BUFFER_FLAG_SET(frame.get(), GST_BUFFER_FLAG_DISCONT);
  EXPECT_TRUE(element.process(std::move(frame)));
  const Message message = element.pop(GST_MESSAGE_ELEMENT);
  if (!message) {
    ADD_FAILURE() << "no message for the frame";
    return false;
  }
  gboolean keyframe = FALSE;
  gst_structure_get_boolean(gst_message_get_structure(message.get()), "keyframe", &keyframe);
  return keyframe;
}

class History : public testing::Test {
 protected:
  void SetUp() override {
    element.set("silent", FALSE);
    ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
    ASSERT_TRUE(is_keyframe(element, info));
    ASSERT_FALSE(is_keyframe(element, info));
  }
  bool push_segment(GstClockTime start) {
    GstSegment segment;
    gst_segment_init(&segment, GST_FORMAT_TIME);
    segment.start = segment.time = start;
    return gst_harness_push_event(element.harness(), gst_event_new_segment(&segment));
  }

  const GstVideoInfo info = video_info("I420", 64, 48);
  Element element;
};

// When an element is stopped, its source pad is deactivated before its sink pad. What arrives
// between must not look like an error: upstream would post one without a cause.
TEST_F(History, EventsBetweenTheDeactivationsOfThePadsAreNoErrors) {
  GstHarness* harness = element.harness();
  GstPad* out = gst_element_get_static_pad(harness->element, "src");
  ASSERT_TRUE(gst_pad_set_active(out, FALSE));
  EXPECT_TRUE(gst_harness_push_event(harness, gst_event_new_stream_start("other")));
  EXPECT_TRUE(push_segment(GST_SECOND));
  EXPECT_EQ(gst_harness_push(harness, make_frame(info).release()), GST_FLOW_FLUSHING);
  gst_object_unref(out);
}

TEST_F(History, EndsAtAFlush) {
  gst_harness_push_event(element.harness(), gst_event_new_flush_start());
  gst_harness_push_event(element.harness(), gst_event_new_flush_stop(TRUE));
  push_segment(0);
  EXPECT_TRUE(is_keyframe(element, info));
  EXPECT_FALSE(is_keyframe(element, info));
}

TEST_F(History, EndsAtANewSegmentButNotAtAnEqualOne) {
  push_segment(0);
  EXPECT_FALSE(is_keyframe(element, info));
  push_segment(10 * GST_MSECOND);
  Buffer late = make_frame(info, 1);
  ASSERT_TRUE(element.process(std::move(late)));
  const Message message = element.pop(GST_MESSAGE_ELEMENT);
  gboolean keyframe = FALSE;
  gst_structure_get_boolean(gst_message_get_structure(message.get()), "keyframe", &keyframe);
  EXPECT_TRUE(keyframe);
}

TEST_F(History, EndsAtADiscontinuity) {
  EXPECT_TRUE(is_keyframe(element, info, true));
}

TEST_F(History, EndsAtNewCaps) {
  ASSERT_TRUE(element.set_caps(video_caps("NV12", 64, 48)));
  EXPECT_TRUE(is_keyframe(element, video_info("NV12", 64, 48)));
  EXPECT_FALSE(is_keyframe(element, video_info("NV12", 64, 48)));
}

TEST_F(History, ContinuesAcrossAGap) {
  gst_harness_push_event(element.harness(), gst_event_new_gap(0, GST_SECOND));
  Buffer frame = make_frame(info);
  GST_BUFFER_FLAG_SET(frame.get(), GST_BUFFER_FLAG_GAP);
  const std::vector<uint8_t> before = bytes_of(frame);
  const Buffer out = element.process(std::move(frame));
  ASSERT_TRUE(out);
  EXPECT_FALSE(bytes_of(out) == before);
  EXPECT_FALSE(GST_BUFFER_FLAG_IS_SET(out.get(), GST_BUFFER_FLAG_GAP));
}

TEST(Renegotiation, AllowsOtherSizesAndFormatsMidStream) {
  Element element;
  element.set("tile-size", 8U);
  struct {
    const char* format;
    int width, height;
  } const steps[] = {{"I420", 64, 48}, {"I420", 65, 47}, {"RGBA", 65, 47},   {"GRAY8", 1, 1},
                     {"NV12", 8, 200}, {"YUY2", 33, 7},  {"I420", 320, 240}, {"I420", 64, 48}};
  guint64 frames = 0;
  for (const auto& s : steps) {
    SCOPED_TRACE(std::string(s.format) + " " + std::to_string(s.width) + "x" +
                 std::to_string(s.height));
    ASSERT_TRUE(element.set_caps(video_caps(s.format, s.width, s.height)));
    const GstVideoInfo info = video_info(s.format, s.width, s.height);
    for (int frame = 0; frame < 2; ++frame) {
      const Buffer out = element.process(make_frame(info, frame));
      ASSERT_TRUE(out);
      EXPECT_EQ(gst_buffer_get_size(out.get()), GST_VIDEO_INFO_SIZE(&info));
      EXPECT_EQ(element.stat<guint64>("frames"), ++frames);
    }
    EXPECT_EQ(element.stat<gint>("width"), s.width);
  }
}

TEST(Renegotiation, LoadsThePoolOnceForOneCellSize) {
  Element element;
  element.set("tile-size", 16U);
  for (const char* format : {"I420", "RGB", "NV12"}) {
    ASSERT_TRUE(element.set_caps(video_caps(format, 160, 120)));
    ASSERT_TRUE(element.process(make_frame(video_info(format, 160, 120))));
  }
  int starts = 0;
  while (const Message message = element.pop(GST_MESSAGE_PROGRESS)) {
    GstProgressType type;
    gst_message_parse_progress(message.get(), &type, nullptr, nullptr);
    starts += type == GST_PROGRESS_TYPE_START;
  }
  EXPECT_EQ(starts, 1);
}

TEST(Renegotiation, DownstreamMayRequestAnotherSizeMidStream) {
  Element element;
  ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
  const GstVideoInfo info = video_info("I420", 64, 48);
  ASSERT_TRUE(element.process(make_frame(info)));
  element.set_sink_caps("video/x-raw,width=128,height=96");
  gst_harness_push_upstream_event(element.harness(), gst_event_new_reconfigure());
  const Buffer out = element.process(make_frame(info, 1));
  ASSERT_TRUE(out);
  const GstVideoInfo output = element.output_info();
  EXPECT_EQ(GST_VIDEO_INFO_WIDTH(&output), 128);
  EXPECT_EQ(gst_buffer_get_size(out.get()), GST_VIDEO_INFO_SIZE(&output));
}

TEST(Eos, IsForwardedAfterTheLastFrame) {
  Element element;
  ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
  ASSERT_TRUE(element.process(make_frame(video_info("I420", 64, 48))));
  EXPECT_TRUE(gst_harness_push_event(element.harness(), gst_event_new_eos()));
  bool eos = false;
  while (GstEvent* event = gst_harness_try_pull_event(element.harness())) {
    eos = GST_EVENT_TYPE(event) == GST_EVENT_EOS;
    gst_event_unref(event);
  }
  EXPECT_TRUE(eos);
}

TEST(Settings, TakeEffectWithTheNextFrame) {
  Element element;
  ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
  const GstVideoInfo info = video_info("I420", 64, 48);
  const auto cells = [&] {
    EXPECT_TRUE(element.process(make_frame(info)));
    return element.stat<guint>("cells");
  };
  const auto tiles = [&] {
    EXPECT_TRUE(element.process(make_frame(info)));
    return element.stat<guint>("tiles");
  };
  EXPECT_EQ(cells(), 48U);
  element.set("size", "3x2");
  EXPECT_EQ(cells(), 6U);
  element.set("tile-size", 16U);
  EXPECT_EQ(cells(), 12U);
  const guint all = tiles();
  element.set("augment", FALSE);
  EXPECT_EQ(tiles(), all / 4);
  const TempFolder photos;
  write_photos(photos.path(), 5);
  element.set("tile-location", photos.path().c_str());
  EXPECT_EQ(tiles(), 5U);
  element.set("tile-location", nullptr);
  EXPECT_EQ(tiles(), all / 4);
}

TEST(Settings, MayChangeFromAnotherThreadWhilePlaying) {
  const TempFolder photos;
  write_photos(photos.path(), 9);
  Element element;
  ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
  const GstVideoInfo info = video_info("I420", 64, 48);
  std::atomic<bool> stop = false;
  std::thread changer([&] {
    for (unsigned i = 0; !stop; ++i) {
      element.set("beta", i % 10 / 10.0, "dedup-radius", i % 5, "scene-threshold", 1.0 * (i % 100),
                  "n-threads", 1 + i % 3, "silent", i % 2, "coherence", i / 4 % 2);
      const unsigned tiles = i / 16 % 2;
      if (i % 8 == 0)
        element.set("tile-location", i % 16 ? photos.path().c_str() : nullptr, "augment",
                    i % 32 < 8, "tile-size", 8 + i % 24, "unit", tiles, "max-tile-uses",
                    tiles && i % 24 == 0 ? 48U : 0U);
      element.stats();
      std::this_thread::sleep_for(milliseconds(2));
    }
  });
  for (int frame = 0; frame < 60; ++frame)
    EXPECT_TRUE(element.process(make_frame(info, frame))) << frame;
  stop = true;
  changer.join();
  EXPECT_EQ(element.pop_report(GST_MESSAGE_ERROR).text, "");
}

ElementPtr parse(const std::string& description) {
  ElementPtr pipeline(gst_parse_launch(description.c_str(), nullptr));
  EXPECT_TRUE(pipeline);
  return pipeline;
}

TEST(Pipeline, ASeekMakesAKeyframe) {
  const ElementPtr pipeline = parse(
      "videotestsrc num-buffers=100 ! video/x-raw,width=64,height=48,framerate=25/1 ! "
      "mosaictemporal size=48 silent=false ! fakesink");
  gst_element_set_state(pipeline.get(), GST_STATE_PAUSED);
  ASSERT_EQ(gst_element_get_state(pipeline.get(), nullptr, nullptr, 60 * GST_SECOND),
            GST_STATE_CHANGE_SUCCESS);
  ASSERT_TRUE(gst_element_seek_simple(
      pipeline.get(), GST_FORMAT_TIME,
      static_cast<GstSeekFlags>(GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE), GST_SECOND));
  gst_element_set_state(pipeline.get(), GST_STATE_PLAYING);
  GstBus* bus = gst_element_get_bus(pipeline.get());
  int keyframes = 0, frames = 0;
  GstClockTime last_key = GST_CLOCK_TIME_NONE;
  for (;;) {
    const Message message(gst_bus_timed_pop_filtered(
        bus, 60 * GST_SECOND,
        static_cast<GstMessageType>(GST_MESSAGE_ELEMENT | GST_MESSAGE_EOS | GST_MESSAGE_ERROR)));
    ASSERT_TRUE(message);
    ASSERT_NE(GST_MESSAGE_TYPE(message.get()), GST_MESSAGE_ERROR);
    if (GST_MESSAGE_TYPE(message.get()) == GST_MESSAGE_EOS) break;
    const GstStructure* s = gst_message_get_structure(message.get());
    gboolean keyframe = FALSE;
    gst_structure_get_boolean(s, "keyframe", &keyframe);
    keyframes += keyframe;
    if (keyframe) gst_structure_get_clock_time(s, "pts", &last_key);
    ++frames;
  }
  EXPECT_EQ(keyframes, 2);
  EXPECT_EQ(last_key, GST_SECOND);
  EXPECT_GE(frames, 76);
  gst_object_unref(bus);
  gst_element_set_state(pipeline.get(), GST_STATE_NULL);
}

TEST(Pipeline, StartsAndStopsTwentyTimes) {
  const ElementPtr pipeline =
      parse("videotestsrc ! video/x-raw,width=64,height=48 ! mosaictemporal size=48 ! fakesink");
  for (int round = 0; round < 20; ++round) {
    gst_element_set_state(pipeline.get(), GST_STATE_PLAYING);
    // Some rounds end before the pool is loaded, some later.
    if (round % 4)
      std::this_thread::sleep_for(milliseconds(round % 4));
    else
      ASSERT_EQ(gst_element_get_state(pipeline.get(), nullptr, nullptr, 60 * GST_SECOND),
                GST_STATE_CHANGE_SUCCESS);
    ASSERT_EQ(gst_element_set_state(pipeline.get(), round % 2 ? GST_STATE_NULL : GST_STATE_READY),
              GST_STATE_CHANGE_SUCCESS);
  }
  gst_element_set_state(pipeline.get(), GST_STATE_NULL);
}

TEST(Pipeline, CountsFramesDroppedForQos) {
  Element element;
  ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
  const GstVideoInfo info = video_info("I420", 64, 48);
  ASSERT_TRUE(element.process(make_frame(info, 0)));
  gst_harness_push_upstream_event(
      element.harness(),
      gst_event_new_qos(GST_QOS_TYPE_UNDERFLOW, 0.5, 10 * GST_SECOND, 10 * GST_SECOND));
  EXPECT_EQ(element.push(make_frame(info, 1)), GST_FLOW_OK);
  EXPECT_EQ(element.stat<guint64>("dropped"), 1U);
  EXPECT_EQ(element.stat<guint64>("frames"), 1U);
}

}  // namespace
