// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// What a live pipeline gets if frames come late: the work of timing.cpp, live_pace.cpp and
/// frames.cpp together.
#include <gst/check/gsttestclock.h>

#include "tests/gst/harness.h"

namespace {

using namespace element_test;

constexpr GstClockTime kFrame = 40 * GST_MSECOND;  // see video_caps()

class Pacing : public testing::Test {
 protected:
  explicit Pacing(bool live = true) : element(live) {
    gst_harness_use_testclock(element.harness());
    EXPECT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
  }
  /// Pushes the first frame until the tiles are loaded; meanwhile a live pipeline shows the source.
  Buffer first_mosaic() {
    for (;;) {
      Buffer frame = frame_at(0, 0);
      if (!frame || element.stat<guint64>("frames") > 0) return frame;
    }
  }

  /// The latency and the reports that a sink sends.
  void send_latency_and_report(GstClockTime latency) {
    gst_harness_push_upstream_event(element.harness(), gst_event_new_latency(latency));
    gst_harness_push_upstream_event(element.harness(),
                                    gst_event_new_qos(GST_QOS_TYPE_UNDERFLOW, 1, GST_MSECOND, 0));
  }
  /// Pushes frame `number` at a running time, and takes what comes out, if anything does.
  Buffer frame_at(int number, GstClockTime now) {
    gst_harness_set_time(element.harness(), now);
    EXPECT_EQ(element.push(make_frame(info, number)), GST_FLOW_OK);
    return Buffer(gst_harness_try_pull(element.harness()));
  }

  const GstVideoInfo info = video_info("I420", 64, 48);
  Element element;
};

class NotLive : public Pacing {
 protected:
  NotLive() : Pacing(false) {}
};

TEST_F(Pacing, ReportsTheTimeOfAFrameAsLatency) {
  ASSERT_TRUE(first_mosaic());
  gst_harness_set_upstream_latency(element.harness(), 0);
  EXPECT_EQ(gst_harness_query_latency(element.harness()), kFrame);
}

TEST_F(Pacing, RepeatsTheLastMosaicWhereThereIsNoTime) {
  const Buffer first = first_mosaic();
  ASSERT_TRUE(first);
  send_latency_and_report(kFrame);
  const Buffer second = frame_at(1, 2 * kFrame + GST_MSECOND);
  ASSERT_TRUE(second);
  EXPECT_EQ(GST_BUFFER_PTS(second.get()), kFrame);
  EXPECT_EQ(bytes_of(second), bytes_of(first));
  EXPECT_EQ(element.stat<guint64>("repeated"), 1U);
  EXPECT_EQ(element.stat<guint64>("frames"), 1U);

  // The next frame is in time, and is drawn as if the one before it had been, too.
  const Buffer third = frame_at(2, 2 * kFrame + 2 * GST_MSECOND);
  ASSERT_TRUE(third);
  EXPECT_NE(bytes_of(third), bytes_of(first));
  EXPECT_EQ(element.stat<guint64>("frames"), 2U);
}

TEST_F(Pacing, DropsFramesThatNoSinkWouldShow) {
  ASSERT_TRUE(first_mosaic());
  send_latency_and_report(kFrame);
  EXPECT_FALSE(frame_at(1, 10 * kFrame));
  EXPECT_EQ(element.stat<guint64>("dropped"), 1U);
  EXPECT_TRUE(element.pop(GST_MESSAGE_QOS));
  EXPECT_TRUE(frame_at(10, 10 * kFrame));
}

TEST_F(Pacing, HonoursThePropertyQos) {
  element.set("qos", FALSE);
  ASSERT_TRUE(first_mosaic());
  send_latency_and_report(kFrame);
  EXPECT_TRUE(frame_at(1, 10 * kFrame));
  EXPECT_EQ(element.stat<guint64>("frames"), 2U);
}

TEST_F(Pacing, DrawsEveryFrameWithALookahead) {
  ASSERT_TRUE(first_mosaic());
  element.set("lookahead", 1U);
  EXPECT_FALSE(frame_at(0, 0));
  send_latency_and_report(kFrame);
  EXPECT_TRUE(frame_at(1, 3 * kFrame));
  EXPECT_TRUE(frame_at(2, 10 * kFrame));
  EXPECT_EQ(element.stat<guint64>("frames"), 3U);
  EXPECT_EQ(element.stat<guint64>("repeated"), 0U);
}

// Queues and cameras mark each gap in a live stream as a discontinuity.
TEST_F(Pacing, SmallGapsStartNoNewScene) {
  ASSERT_TRUE(first_mosaic());
  element.set("silent", FALSE, "scene-threshold", 100.0);
  const auto is_keyframe = [&](int number) {
    Buffer frame = make_frame(info, number);
    GST_BUFFER_FLAG_SET(frame.get(), GST_BUFFER_FLAG_DISCONT);
    EXPECT_TRUE(element.process(std::move(frame)));
    const Message message = element.pop(GST_MESSAGE_ELEMENT);
    gboolean keyframe = FALSE;
    gst_structure_get_boolean(gst_message_get_structure(message.get()), "keyframe", &keyframe);
    return keyframe != FALSE;
  };
  EXPECT_FALSE(is_keyframe(5));
  EXPECT_TRUE(is_keyframe(50)) << "a gap of more than a second";
  EXPECT_FALSE(is_keyframe(51));
  EXPECT_TRUE(is_keyframe(49)) << "back in time";
}

TEST_F(NotLive, DrawsLateFrames) {
  ASSERT_TRUE(first_mosaic());
  gst_harness_push_upstream_event(element.harness(), gst_event_new_latency(kFrame));
  EXPECT_TRUE(frame_at(1, 10 * kFrame));
  EXPECT_EQ(element.stat<guint64>("frames"), 2U);
}

}  // namespace
