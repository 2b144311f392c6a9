// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Frames that take long to draw are given up when the element is to stop or to flush.
#include <chrono>
#include <future>
#include <thread>

#include "tests/gst/harness.h"

namespace {

using namespace element_test;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr int kSide = 512;  // with a sanitizer 4096 cells take as long
constexpr milliseconds kSoon{25000};
#else
constexpr int kSide = 1024;  // 16384 cells; there are as many tiles
/// Much less than the frame takes, and much more than giving it up does on a loaded machine.
constexpr milliseconds kSoon{2500};
#endif

struct Way {
  const char* name;
  const char* solver;
  unsigned lookahead;
};

class Interrupt : public testing::TestWithParam<Way> {
 protected:
  void SetUp() override {
    element.set("tile-size", 8U, "unit", 1, "max-tile-uses", 1U, "color-variants", 3U, "lookahead",
                GetParam().lookahead);
    gst_util_set_object_arg(G_OBJECT(element.get()), "solver", GetParam().solver);
    ASSERT_TRUE(element.set_caps(video_caps("I420", kSide, kSide)));
  }

  /// Pushes frames whose cells are all alike, which no solver finds easy, until one fails.
  void start_drawing() {
    flow_ = std::async(std::launch::async, [this] {
      GstFlowReturn flow = GST_FLOW_OK;
      while (flow == GST_FLOW_OK) flow = element.push(make_flat_frame(info, 128));
      return flow;
    });
    // Loading the pool ends with this message; drawing follows at once.
    while (!is_loaded()) std::this_thread::sleep_for(milliseconds(1));
  }

  bool is_loaded() {
    const Message message = element.pop(GST_MESSAGE_PROGRESS);
    if (!message) return false;
    GstProgressType type;
    gst_message_parse_progress(message.get(), &type, nullptr, nullptr);
    return type == GST_PROGRESS_TYPE_COMPLETE;
  }

  GstFlowReturn flow() {
    EXPECT_EQ(flow_.wait_for(kSoon), std::future_status::ready);
    return flow_.get();
  }

  Element element;
  const GstVideoInfo info = video_info("I420", kSide, kSide);

 private:
  std::future<GstFlowReturn> flow_;
};

TEST_P(Interrupt, ByStoppingEndsADrawingSoon) {
  for (const int wait : {50, 400, 1500}) {
    SCOPED_TRACE(std::to_string(wait) + " ms after the pool was loaded");
    start_drawing();
    std::this_thread::sleep_for(milliseconds(wait));
    const Clock::time_point before = Clock::now();
    ASSERT_EQ(gst_element_set_state(element.get(), GST_STATE_NULL), GST_STATE_CHANGE_SUCCESS);
    EXPECT_LT(Clock::now() - before, kSoon);
    EXPECT_EQ(flow(), GST_FLOW_FLUSHING);
    EXPECT_EQ(gst_harness_buffers_received(element.harness()), 0U);
    EXPECT_EQ(element.pop_report(GST_MESSAGE_ERROR).text, "");
    ASSERT_NE(gst_element_set_state(element.get(), GST_STATE_PLAYING), GST_STATE_CHANGE_FAILURE);
    gst_harness_push_event(element.harness(), gst_event_new_stream_start("again"));
    ASSERT_TRUE(element.set_caps(video_caps("I420", kSide, kSide)));
  }
}

TEST_P(Interrupt, ByAFlushEndsADrawingSoon) {
  start_drawing();
  std::this_thread::sleep_for(milliseconds(400));
  const Clock::time_point before = Clock::now();
  gst_harness_push_event(element.harness(), gst_event_new_flush_start());
  EXPECT_EQ(flow(), GST_FLOW_FLUSHING);
  EXPECT_LT(Clock::now() - before, kSoon);
  gst_harness_push_event(element.harness(), gst_event_new_flush_stop(TRUE));
  EXPECT_EQ(gst_harness_buffers_received(element.harness()), 0U);
  EXPECT_EQ(element.pop_report(GST_MESSAGE_ERROR).text, "");
}

INSTANTIATE_TEST_SUITE_P(Of, Interrupt,
                         testing::Values(Way{"Exact", "exact", 0}, Way{"Auction", "auction", 0},
                                         Way{"Greedy", "greedy", 0},
                                         Way{"Diffusion", "diffusion", 0},
                                         Way{"Lookahead", "exact", 1}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
