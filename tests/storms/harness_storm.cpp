// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gst/video/navigation.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>

#include "tests/gst/harness.h"
#include "tests/storms/messages.h"
#include "tests/storms/storm.h"
#include "tests/storms/values.h"

namespace storm {
namespace {

using element_test::Caps;
using element_test::Element;

class HarnessStorm {
 public:
  explicit HarnessStorm(const Weather& weather)
      : weather_(weather),
        random_(weather.random),
        journal_(weather.journal),
        live_(random_.one_in(2)),
        ranges_(Ranges::choose(random_)),
        element_(live_),
        values_(element_.get(), weather.surroundings, ranges_) {}

  void run() {
    journal_.note(std::string("harness, ") + (live_ ? "live" : "not live"));
    ++weather_.tally.restarts;
    change_caps();
    {
      std::atomic<bool> ends = false;
      std::thread other([&, seed = random_.fork()] {
        Random random(seed);
        while (!ends) {
          set_property(random);
          std::this_thread::sleep_for(
              std::chrono::milliseconds(random.between(0, ranges_.harmless ? 100 : 10)));
        }
      });
      const int steps = random_.between(20, 150);
      for (int i = 0; i < steps && flow_ != GST_FLOW_ERROR; ++i) step();
      if (random_.one_in(2)) stop();
      ends = true;
      other.join();
    }
    stop();
    read_bus();
    weather_.surroundings.clear_intermediate();
    if (flow_ == GST_FLOW_ERROR && !report_.failed) journal_.fail("an error without a message");
  }

 private:
  void set_property(Random& random) {
    const Values::Setting setting = values_.choose(random);
    const Journal::Step step(journal_, "set " + setting.describe());
    values_.set(setting);
  }

  void change_caps() {
    std::string text = random_caps(random_, false);
    // Not in pipelines: with this rate videotestsrc has no valid times.
    if (random_.one_in(10)) text += ",framerate=1/2147483647";
    const Journal::Step step(journal_, "caps " + text);
    const Caps caps(gst_caps_from_string(text.c_str()));
    gst_video_info_from_caps(&info_, caps.get());
    element_.set_caps(caps);
  }

  void push() {
    const Journal::Step step(journal_, "frame " + std::to_string(frame_));
    auto buffer = element_test::make_frame(info_, ++frame_ % 50, random_.one_in(4) ? 64 : 0);
    GST_BUFFER_PTS(buffer.get()) = frame_ * 40 * GST_MSECOND;
    if (random_.one_in(20)) GST_BUFFER_PTS(buffer.get()) = GST_CLOCK_TIME_NONE;
    if (random_.one_in(20)) GST_BUFFER_FLAG_SET(buffer.get(), GST_BUFFER_FLAG_DISCONT);
    if (random_.one_in(50)) gst_buffer_resize(buffer.get(), 0, 7);  // not a whole frame
    flow_ = element_.push(std::move(buffer));
    while (GstBuffer* out = gst_harness_try_pull(element_.harness())) {
      ++weather_.tally.frames;
      gst_buffer_unref(out);
    }
  }

  void push_event() {
    GstEvent* event = nullptr;
    GstSegment segment;
    gst_segment_init(&segment, GST_FORMAT_TIME);
    switch (random_.between(0, 6)) {
      case 0:
        event = gst_event_new_gap(frame_ * 40 * GST_MSECOND, GST_SECOND);
        break;
      case 1:
        event = gst_event_new_tag(gst_tag_list_new(GST_TAG_TITLE, "title", nullptr));
        break;
      case 2:
        segment.rate = random_.pick({1.0, 2.0, 0.1});
        segment.base = static_cast<guint64>(random_.between(0, 1000)) * GST_MSECOND;
        event = gst_event_new_segment(&segment);
        break;
      case 3:
        event = gst_event_new_stream_start("another");
        break;
      case 4:
        event = gst_event_new_eos();
        break;
      default:
        flush();
        return;
    }
    const Journal::Step step(journal_, std::string("event ") + GST_EVENT_TYPE_NAME(event));
    const bool ends = GST_EVENT_TYPE(event) == GST_EVENT_EOS;
    gst_harness_push_event(element_.harness(), event);
    if (ends) flush();
  }

  void flush() {
    const Journal::Step step(journal_, "flush");
    gst_harness_push_event(element_.harness(), gst_event_new_flush_start());
    gst_harness_push_event(element_.harness(), gst_event_new_flush_stop(TRUE));
    GstSegment segment;
    gst_segment_init(&segment, GST_FORMAT_TIME);
    gst_harness_push_event(element_.harness(), gst_event_new_segment(&segment));
  }

  void push_upstream_event() {
    const Journal::Step step(journal_, "event from downstream");
    GstEvent* event = gst_navigation_event_new_mouse_button_press(
        1, random_.between(-10, 400), random_.between(-10, 400), GST_NAVIGATION_MODIFIER_NONE);
    if (random_.one_in(2)) {
      gst_event_unref(event);
      event = gst_event_new_qos(
          random_.pick({GST_QOS_TYPE_UNDERFLOW, GST_QOS_TYPE_OVERFLOW, GST_QOS_TYPE_THROTTLE}),
          random_.pick({0.0, 0.5, 1e9}), random_.between(0, 100) * GST_MSECOND,
          (random_.between(100, 5000)) * GST_MSECOND);
    }
    gst_harness_push_upstream_event(element_.harness(), event);
  }

  void restart() {
    stop();
    const Journal::Step step(journal_, "start");
    ++weather_.tally.restarts;
    gst_element_set_state(element_.get(), GST_STATE_PLAYING);
    flow_ = GST_FLOW_OK;
  }

  void step() {
    const int choice = random_.between(0, 99);
    if (choice < 70)
      push();
    else if (choice < 75)
      change_caps();
    else if (choice < 85)
      push_event();
    else if (choice < 90)
      push_upstream_event();
    else if (choice < 95)
      set_property(random_);
    else if (choice < 98)
      ask();
    else
      restart();
    read_bus();
  }

  void ask() {
    const Journal::Step step(journal_, "stats and latency");
    element_.stats();
    gst_harness_query_latency(element_.harness());
  }

  void stop() {
    weather_.stop("state NULL", [&] { gst_element_set_state(element_.get(), GST_STATE_NULL); });
  }

  void read_bus() {
    GstBus* bus = GST_ELEMENT_BUS(element_.get());
    report_.read(bus, journal_);
  }

  const Weather& weather_;
  Random& random_;
  Journal& journal_;
  const bool live_;
  const Ranges ranges_;
  Element element_;
  Values values_;
  GstVideoInfo info_{};
  int64_t frame_ = 0;
  GstFlowReturn flow_ = GST_FLOW_OK;
  BusReport report_;
};

}  // namespace

void harness_storm(const Weather& weather) {
  HarnessStorm(weather).run();
}

}  // namespace storm
