// SPDX-License-Identifier: LGPL-2.1-or-later
// Frames that are held back for the lookahead: when they go out, with which metadata and settings,
// and what messages and statistics say of them.
#include <optional>
#include <utility>

#include "tests/gst/harness.h"

namespace {

using namespace element_test;

/// Records what leaves the element, in order: a frame's time stamp in milliseconds, or an event's
/// name.
class Log {
 public:
  explicit Log(Element& element) {
    GstPad* pad = gst_element_get_static_pad(element.get(), "src");
    gst_pad_add_probe(pad,
                      static_cast<GstPadProbeType>(GST_PAD_PROBE_TYPE_BUFFER |
                                                   GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM),
                      note, this, nullptr);
    gst_object_unref(pad);
  }
  std::vector<std::string> take() { return std::exchange(entries_, {}); }

 private:
  static GstPadProbeReturn note(GstPad*, GstPadProbeInfo* info, gpointer self) {
    auto& entries = static_cast<Log*>(self)->entries_;
    if (GstBuffer* buffer = GST_PAD_PROBE_INFO_BUFFER(info);
        GST_PAD_PROBE_INFO_TYPE(info) & GST_PAD_PROBE_TYPE_BUFFER)
      entries.push_back(std::to_string(GST_BUFFER_PTS(buffer) / GST_MSECOND));
    else
      entries.push_back(GST_EVENT_TYPE_NAME(GST_PAD_PROBE_INFO_EVENT(info)));
    return GST_PAD_PROBE_OK;
  }
  std::vector<std::string> entries_;
};

using Entries = std::vector<std::string>;

class Lookahead : public testing::Test {
 protected:
  void start(guint frames, const std::string& format = "I420") {
    element.set("lookahead", frames, "tile-size", 16U);
    ASSERT_TRUE(element.set_caps(video_caps(format, 96, 64)));
    log.emplace(element);
    info = video_info(format, 96, 64);
  }
  /// Frame `number`, 40 ms after the one before it.
  GstFlowReturn try_push(int number, bool discont = false) {
    Buffer frame = make_frame(info, number);
    GST_BUFFER_PTS(frame.get()) = number * 40 * GST_MSECOND;
    GST_BUFFER_DURATION(frame.get()) = 40 * GST_MSECOND;
    if (discont) GST_BUFFER_FLAG_SET(frame.get(), GST_BUFFER_FLAG_DISCONT);
    return element.push(std::move(frame));
  }
  void push(int number, bool discont = false) { ASSERT_EQ(try_push(number, discont), GST_FLOW_OK); }
  void send_segment(GstClockTime start) {
    GstSegment segment;
    gst_segment_init(&segment, GST_FORMAT_TIME);
    segment.start = segment.time = start;
    send(gst_event_new_segment(&segment));
  }
  void send(GstEvent* event) { gst_harness_push_event(element.harness(), event); }

  Element element;
  std::optional<Log> log;
  GstVideoInfo info;
};

TEST_F(Lookahead, DelaysFramesAndSendsThemAtEos) {
  start(3);
  for (int i = 0; i < 3; ++i) push(i);
  EXPECT_EQ(log->take(), Entries());
  push(3);
  push(4);
  EXPECT_EQ(log->take(), (Entries{"0", "40"}));
  send(gst_event_new_eos());
  EXPECT_EQ(log->take(), (Entries{"80", "120", "160", "eos"}));
}

TEST_F(Lookahead, AFlushDropsHeldFrames) {
  start(2);
  for (int i = 0; i < 3; ++i) push(i);
  EXPECT_EQ(log->take(), Entries{"0"});
  send(gst_event_new_flush_start());
  send(gst_event_new_flush_stop(TRUE));
  send_segment(0);
  log->take();
  for (int i = 10; i < 13; ++i) push(i);
  EXPECT_EQ(log->take(), Entries{"400"});
}

TEST_F(Lookahead, AnErrorIsPostedOnceAndDropsHeldFrames) {
  element.set("require-hardware", TRUE);
  start(2);
  for (const char* what : {"from the start", "after a flush"}) {
    SCOPED_TRACE(what);
    push(0);
    push(1);
    EXPECT_EQ(try_push(2), GST_FLOW_ERROR);
    EXPECT_NE(element.pop_report(GST_MESSAGE_ERROR).text, "");
    EXPECT_EQ(try_push(3), GST_FLOW_ERROR);
    send(gst_event_new_eos());
    EXPECT_EQ(element.pop_report(GST_MESSAGE_ERROR).text, "");
    EXPECT_EQ(log->take(), Entries{"eos"});
    send(gst_event_new_flush_start());
    send(gst_event_new_flush_stop(TRUE));
    send_segment(0);
    log->take();
  }
}

TEST_F(Lookahead, KeepsTheOrderOfEventsAndFrames) {
  start(2);
  push(0);
  push(1);
  send(gst_event_new_gap(80 * GST_MSECOND, 40 * GST_MSECOND));
  push(3);
  EXPECT_EQ(log->take(), Entries{"0"});
  send(gst_event_new_tag(gst_tag_list_new_empty()));
  push(4);
  EXPECT_EQ(log->take(), (Entries{"40", "gap"}));
  push(5);
  EXPECT_EQ(log->take(), (Entries{"120", "tag"}));
  send(gst_event_new_gap(240 * GST_MSECOND, 40 * GST_MSECOND));
  send(gst_event_new_eos());
  EXPECT_EQ(log->take(), (Entries{"160", "200", "gap", "eos"}));
}

TEST_F(Lookahead, SendsHeldFramesBeforeNewCaps) {
  start(2);
  push(0);
  push(1);
  ASSERT_TRUE(element.set_caps(video_caps("NV12", 64, 80)));
  info = video_info("NV12", 64, 80);
  const Entries sent = log->take();
  ASSERT_GE(sent.size(), 3u);
  EXPECT_EQ(Entries(sent.begin(), sent.begin() + 3), (Entries{"0", "40", "caps"}));
  for (int i = 2; i < 5; ++i) push(i);
  EXPECT_EQ(log->take(), Entries{"80"});
}

TEST_F(Lookahead, SendsHeldFramesBeforeADiscontinuityAndANewSegment) {
  start(2);
  push(0);
  push(1);
  push(7, true);
  EXPECT_EQ(log->take(), (Entries{"0", "40"}));
  send_segment(GST_MSECOND);
  EXPECT_EQ(log->take(), (Entries{"280", "segment"}));
}

TEST_F(Lookahead, SendsHeldFramesOnADrainQuery) {
  start(4);
  push(0);
  push(1);
  GstQuery* query = gst_query_new_drain();
  gst_pad_peer_query(element.harness()->srcpad, query);
  gst_query_unref(query);
  EXPECT_EQ(log->take(), (Entries{"0", "40"}));
}

TEST_F(Lookahead, MayChangeWhilePlaying) {
  start(3);
  for (int i = 0; i < 4; ++i) push(i);
  EXPECT_EQ(log->take(), Entries{"0"});
  while (element.pop(GST_MESSAGE_LATENCY)) {
  }
  element.set("lookahead", 1U);
  EXPECT_TRUE(element.pop(GST_MESSAGE_LATENCY));
  push(4);
  EXPECT_EQ(log->take(), (Entries{"40", "80", "120"}));
  element.set("lookahead", 2U);
  push(5);
  EXPECT_EQ(log->take(), Entries());
  element.set("lookahead", 0U);
  push(6);
  EXPECT_EQ(log->take(), (Entries{"160", "200", "240"}));
}

TEST_F(Lookahead, IsReportedAsLatency) {
  start(12);
  gst_harness_set_upstream_latency(element.harness(), 0);
  EXPECT_EQ(gst_harness_query_latency(element.harness()), 480 * GST_MSECOND);
  element.set("lookahead", 0U);
  EXPECT_EQ(gst_harness_query_latency(element.harness()), 0u);
}

// A critical message ends the test.
TEST_F(Lookahead, IsTheLongestLatencyAtTheLowestFrameRate) {
  element.set("lookahead", 64U, "profile-name", "plain");
  ASSERT_TRUE(
      element.set_caps(Caps(gst_caps_from_string("video/x-raw,format=I420,width=64,height=48,"
                                                 "framerate=1/2147483647"))));
  for (const bool upstream_live : {false, true}) {
    gst_harness_set_upstream_latency(element.harness(), upstream_live ? GST_SECOND : 0);
    GstQuery* query = gst_query_new_latency();
    EXPECT_TRUE(gst_pad_query(GST_BASE_TRANSFORM_SRC_PAD(element.get()), query));
    GstClockTime least = 0, most = 0;
    gst_query_parse_latency(query, nullptr, &least, &most);
    gst_query_unref(query);
    EXPECT_TRUE(GST_CLOCK_TIME_IS_VALID(least));
    EXPECT_GT(least, GST_CLOCK_TIME_NONE / 4);
    EXPECT_GE(most, least);
  }
}

TEST_F(Lookahead, RequestsPoolBuffersForHeldFrames) {
  start(5);
  const Caps caps = video_caps("I420", 96, 64);
  GstQuery* query = gst_query_new_allocation(caps.get(), TRUE);
  ASSERT_TRUE(gst_pad_peer_query(element.harness()->srcpad, query));
  ASSERT_GE(gst_query_get_n_allocation_pools(query), 1u);
  guint size = 0, least = 0, most = 0;
  gst_query_parse_nth_allocation_pool(query, 0, nullptr, &size, &least, &most);
  EXPECT_GE(size, GST_VIDEO_INFO_SIZE(&info));
  EXPECT_GE(least, 5u);
  EXPECT_TRUE(most == 0 || most >= least);
  gst_query_unref(query);
}

TEST_F(Lookahead, DrawsTheFramesHeldAtEos) {
  start(3);
  for (int i = 0; i < 6; ++i) push(i);
  send(gst_event_new_eos());
  int frames = 0;
  while (Buffer out{gst_harness_try_pull(element.harness())}) {
    Mapped mapped(info, out);
    const Buffer source = make_frame(info, frames);
    EXPECT_FALSE(samples_of(info, out, 0) == samples_of(info, source, 0)) << frames;
    ++frames;
  }
  EXPECT_EQ(frames, 6);
  EXPECT_EQ(element.stat<guint64>("frames"), 6u);
}

// A frame is drawn with the settings of the moment when it arrived.
TEST_F(Lookahead, DrawsAFrameWithTheSettingsAtItsArrival) {
  element.set("overlay", 0);
  start(2);
  for (int i = 0; i < 3; ++i) push(0);
  element.set("overlay", 1);  // the grid
  for (int i = 3; i < 6; ++i) push(0);
  send(gst_event_new_eos());
  std::vector<std::vector<uint8_t>> luma;
  while (Buffer out{gst_harness_try_pull(element.harness())})
    luma.push_back(samples_of(info, out, 0));
  ASSERT_EQ(luma.size(), 6u);
  EXPECT_TRUE(luma[1] == luma[0] && luma[2] == luma[0]);
  EXPECT_FALSE(luma[3] == luma[0]);
  EXPECT_TRUE(luma[4] == luma[3] && luma[5] == luma[3]);
}

TEST(LiveLookahead, NeedsAFrameRate) {
  Element element(true);
  element.set("lookahead", 4U);
  const std::string any_rate = "video/x-raw,format=I420,width=96,height=64,framerate=0/1";
  ASSERT_TRUE(element.set_caps(Caps(gst_caps_from_string(any_rate.c_str()))));
  EXPECT_EQ(element.push(make_frame(video_info("I420", 96, 64))), GST_FLOW_ERROR);
  const Element::Report report = element.pop_report(GST_MESSAGE_ERROR);
  EXPECT_NE(report.text.find("lookahead=4"), std::string::npos) << report.text;
  EXPECT_NE(report.text.find("needs a known frame rate"), std::string::npos) << report.text;
  EXPECT_NE(report.text.find("frame rate"), std::string::npos) << report.text;
}

TEST(LiveLookahead, PassesHeldFramesUntilThePoolIsReady) {
  Element element(true);
  element.set("lookahead", 2U);
  ASSERT_TRUE(element.set_caps(video_caps("I420", 96, 64)));
  const GstVideoInfo info = video_info("I420", 96, 64);
  for (int i = 0; i < 8; ++i) ASSERT_EQ(element.push(make_frame(info, i)), GST_FLOW_OK);
  int frames = 0;
  while (Buffer out{gst_harness_try_pull(element.harness())}) ++frames;
  EXPECT_EQ(frames, 6);
}

}  // namespace
