// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gst/app/gstappsrc.h>
#include <gst/gst.h>
#include <gst/video/navigation.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "tests/gst/harness.h"
#include "tests/storms/messages.h"
#include "tests/storms/storm.h"
#include "tests/storms/values.h"

namespace storm {
namespace {

using element_test::Caps;
using std::chrono::milliseconds;

/// A thread that repeats something until it is destroyed.
class Repeating {
 public:
  /// @param act does it once; it gets random numbers of its own
  Repeating(uint64_t seed, std::function<void(Random&)> act)
      : thread_([this, seed, act = std::move(act)] {
          Random random(seed);
          while (!ends_) act(random);
        }) {}
  ~Repeating() {
    ends_ = true;
    thread_.join();
  }
  Repeating(const Repeating&) = delete;
  Repeating& operator=(const Repeating&) = delete;

 private:
  std::atomic<bool> ends_ = false;
  std::thread thread_;
};

void pause(Random& random, int most) {
  std::this_thread::sleep_for(milliseconds(random.between(0, most)));
}

class PipelineStorm {
 public:
  explicit PipelineStorm(const Weather& weather)
      : weather_(weather),
        random_(weather.random),
        journal_(weather.journal),
        ranges_(Ranges::choose(random_)),
        large_(random_.one_in(4) && !ranges_.many_variants) {}
  ~PipelineStorm() { gst_clear_object(&pipeline_); }
  PipelineStorm(const PipelineStorm&) = delete;
  PipelineStorm& operator=(const PipelineStorm&) = delete;

  void run() {
    make();
    {
      std::vector<std::unique_ptr<Repeating>> threads = start_threads();
      const int steps = random_.between(5, ranges_.harmless ? 80 : 40);
      for (int i = 0; i < steps && !report_.failed; ++i) {
        step();
        read_bus();
      }
      const bool calm = random_.one_in(2);
      if (!calm) set_state(GST_STATE_NULL);  // while the other threads go on
      const Journal::Step step(journal_, "ending the threads");
      threads.clear();
    }
    if (state_ == GST_STATE_PLAYING && !report_.failed && !report_.ended && !app_source_)
      expect_frames();
    set_state(GST_STATE_NULL);
    read_bus();
    if (report_.failed && !report_.explained) journal_.fail("a failure without its cause");
    weather_.tally.frames += frames_;
  }

 private:
  std::string describe() {
    const std::string live = random_.pick({"true", "false"});
    const bool sync = !ranges_.harmless && random_.one_in(2);
    std::string text;
    if (random_.one_in(3))
      text = "appsrc name=app format=time max-buffers=4 is-live=" + live;
    else
      // Not "ball": videotestsrc of GStreamer 1.22 writes past its memory for narrow frames.
      text = "videotestsrc name=source pattern=" +
             std::string(random_.pick({"smpte", "snow", "pinwheel", "blink", "black"})) +
             " is-live=" + live + " ! capsfilter name=caps caps=" + random_caps(random_, large_);
    if (random_.one_in(3))
      text += " ! queue max-size-buffers=" + random_.pick<std::string>({"1", "20"});
    // While a sink waits for the time of a frame, such a queue takes whatever a source makes that
    // is not live. The next frame would be due many times as late, and so on.
    const bool runs_ahead = sync && live == "false";
    if (!runs_ahead && random_.one_in(4)) text += " ! queue leaky=downstream max-size-buffers=2";
    text += " ! mosaictemporal name=m0";
    if (random_.one_in(6)) text += " ! queue ! mosaictemporal name=m1";
    if (random_.one_in(4)) text += " ! capsfilter name=scaled";
    if (random_.one_in(3)) text += " ! queue";
    text += " ! fakesink name=sink sync=" + std::string(sync ? "true" : "false") +
            " qos=" + random_.pick({"true", "false"}) +
            " async=" + (random_.one_in(5) ? "false" : "true");
    return text;
  }

  void make() {
    const std::string text = describe();
    journal_.note("pipeline: " + text);
    GError* error = nullptr;
    pipeline_ = gst_parse_launch(text.c_str(), &error);
    if (error) journal_.fail(std::string("cannot make the pipeline: ") + error->message);
    for (const char* name : {"m0", "m1"})
      if (GstElement* element = gst_bin_get_by_name(GST_BIN(pipeline_), name)) {
        elements_.emplace_back(element);
        g_object_set(element, "size", "48", nullptr);
        values_.push_back(std::make_unique<Values>(element, weather_.surroundings, ranges_));
      }
    caps_.reset(gst_bin_get_by_name(GST_BIN(pipeline_), "caps"));
    scaled_.reset(gst_bin_get_by_name(GST_BIN(pipeline_), "scaled"));
    app_source_.reset(gst_bin_get_by_name(GST_BIN(pipeline_), "app"));
    sink_.reset(gst_bin_get_by_name(GST_BIN(pipeline_), "sink"));
    GstPad* pad = gst_element_get_static_pad(sink_.get(), "sink");
    gst_pad_add_probe(
        pad, GST_PAD_PROBE_TYPE_BUFFER,
        [](GstPad*, GstPadProbeInfo*, gpointer frames) {
          ++*static_cast<std::atomic<int64_t>*>(frames);
          return GST_PAD_PROBE_OK;
        },
        &frames_, nullptr);
    gst_object_unref(pad);
  }

  std::vector<std::unique_ptr<Repeating>> start_threads() {
    std::vector<std::unique_ptr<Repeating>> threads;
    const auto add = [&](std::function<void(Random&)> act) {
      threads.push_back(std::make_unique<Repeating>(random_.fork(), std::move(act)));
    };
    for (const auto& values : values_)
      add([this, values = values.get()](Random& random) { set_property(*values, random); });
    if (random_.one_in(2)) add([this](Random& random) { click(random); });
    if (random_.one_in(2)) add([this](Random& random) { change_photos(random); });
    if (app_source_) add([this](Random& random) { feed(random); });
    return threads;
  }

  void set_property(const Values& values, Random& random) {
    const Values::Setting setting = values.choose(random);
    {
      const Journal::Step step(journal_, "set " + setting.describe());
      values.set(setting);
    }
    pause(random, random.one_in(10) ? 300 : ranges_.harmless ? 100 : 20);
  }

  void change_photos(Random& random) {
    journal_.note("photos: " + weather_.surroundings.change(random));
    pause(random, 50);
  }

  /// A flood of clicks and reports of lateness from the side of the sink.
  void click(Random& random) {
    GstElement* element = random.pick(elements_).get();
    GstPad* pad = gst_element_get_static_pad(element, "src");
    const Journal::Step step(journal_, "clicks");
    const int count = random.between(1, 50);
    for (int i = 0; i < count; ++i) {
      const double x = random.pick({-1e30, -1.0, 0.0, 20.0, 200.5, 1e30}),
                   y = random.between(-5, 400);
      GstEvent* event = random.pick<GstEvent* (*)(double, double)>(
          {[](double x, double y) {
             return gst_navigation_event_new_mouse_button_press(1, x, y,
                                                                GST_NAVIGATION_MODIFIER_NONE);
           },
           [](double x, double y) {
             return gst_navigation_event_new_mouse_move(x, y, GST_NAVIGATION_MODIFIER_NONE);
           },
           [](double x, double y) {
             return gst_navigation_event_new_touch_down(7, x, y, 0.5, GST_NAVIGATION_MODIFIER_NONE);
           }})(x, y);
      gst_pad_send_event(pad, event);
    }
    if (random.one_in(3))
      gst_pad_send_event(pad, gst_event_new_qos(GST_QOS_TYPE_UNDERFLOW, 10 * random.fraction(),
                                                random.between(0, 2000) * GST_MSECOND,
                                                random.between(0, 5000) * GST_MSECOND));
    gst_object_unref(pad);
    pause(random, 30);
  }

  /// Sends a frame from the application's side, with random caps now and then.
  void feed(Random& random) {
    // A push that waits for room would wait for as long as the pipeline is paused.
    if (gst_app_src_get_current_level_buffers(GST_APP_SRC(app_source_.get())) > 2) {
      pause(random, 10);
      return;
    }
    if (!app_info_.finfo || random.one_in(30)) {
      const Caps caps(gst_caps_from_string(random_caps(random, large_).c_str()));
      gst_video_info_from_caps(&app_info_, caps.get());
      journal_.note("caps of appsrc: " + random_caps_text(caps.get()));
      app_caps_ = Caps(gst_caps_ref(caps.get()));
    }
    auto buffer = element_test::make_frame(app_info_, app_frames_ % 50, random.one_in(4) ? 32 : 0);
    GST_BUFFER_PTS(buffer.get()) = app_frames_ * 40 * GST_MSECOND;
    if (random.one_in(20)) GST_BUFFER_PTS(buffer.get()) = GST_CLOCK_TIME_NONE;
    if (random.one_in(20)) GST_BUFFER_FLAG_SET(buffer.get(), GST_BUFFER_FLAG_DISCONT);
    ++app_frames_;
    GstSample* sample = gst_sample_new(buffer.get(), app_caps_.get(), nullptr, nullptr);
    gst_app_src_push_sample(GST_APP_SRC(app_source_.get()), sample);
    gst_sample_unref(sample);
    pause(random, 10);
  }

  static std::string random_caps_text(const GstCaps* caps) {
    gchar* text = gst_caps_to_string(caps);
    const std::string copy = text;
    g_free(text);
    return copy;
  }

  void step() {
    // Pipelines with harmless values play most of the time.
    switch (random_.between(0, ranges_.harmless ? 15 : 9)) {
      case 0:
        set_state(random_.pick({GST_STATE_NULL, GST_STATE_READY}));
        break;
      case 1:
      case 2:
        set_state(GST_STATE_PAUSED);
        break;
      case 3:
      case 4:
      case 10:
      case 11:
      case 12:
        set_state(GST_STATE_PLAYING);
        break;
      case 5:
        seek();
        break;
      case 6:
        change_caps();
        break;
      case 7:
        ask();
        break;
      case 8:
        load_preset();
        break;
      default:  // only the pause
        break;
    }
    pause(random_, random_.one_in(4) ? 400 : 40);
  }

  void set_state(GstState state) {
    const std::string text = std::string("state ") + gst_element_state_get_name(state);
    if (state > GST_STATE_READY) {
      const Journal::Step step(journal_, text);
      if (state_ == GST_STATE_NULL) ++weather_.tally.restarts;
      gst_element_set_state(pipeline_, state);
    } else {
      read_bus();
      weather_.stop(text, [&] { gst_element_set_state(pipeline_, state); });
      read_bus(/*stopping=*/true);
      weather_.surroundings.clear_intermediate();
    }
    state_ = state;
  }

  void seek() {
    const GstClockTime to = random_.between(0, 10000) * GST_MSECOND;
    const Journal::Step step(journal_, "seek to " + std::to_string(to));
    gst_element_seek_simple(pipeline_, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH,
                            static_cast<gint64>(to));
  }

  void change_caps() {
    GstElement* filter = scaled_ && random_.one_in(2) ? scaled_.get() : caps_.get();
    if (!filter) return;
    std::string text = random_caps(random_, large_);
    if (filter == scaled_.get())
      text = "video/x-raw,width=" + std::to_string(random_.between(16, 320)) +
             ",height=" + std::to_string(random_.between(40, 240));
    const Journal::Step step(journal_, "caps " + text);
    const Caps caps(gst_caps_from_string(text.c_str()));
    g_object_set(filter, "caps", caps.get(), nullptr);
  }

  void ask() {
    const Journal::Step step(journal_, "queries");
    GstQuery* latency = gst_query_new_latency();
    gst_element_query(pipeline_, latency);
    gst_query_unref(latency);
    for (const auto& element : elements_) {
      GstStructure* stats = nullptr;
      gchar** photos = nullptr;
      g_object_get(element.get(), "stats", &stats, "photos", &photos, nullptr);
      if (stats) gst_structure_free(stats);
      g_strfreev(photos);
    }
    gst_bin_recalculate_latency(GST_BIN(pipeline_));
  }

  void load_preset() {
    GstElement* element = random_.pick(elements_).get();
    const std::string name = random_.pick({"faithful", "film", "ultra", "tile", "no such preset"});
    const Journal::Step step(journal_, "preset " + name);
    gst_preset_load_preset(GST_PRESET(element), name.c_str());
  }

  void read_bus(bool stopping = false) {
    GstBus* bus = gst_element_get_bus(pipeline_);
    report_.read(bus, journal_, stopping);
    gst_object_unref(bus);
  }

  /// After the storm, with all properties at their defaults, frames must come again.
  void expect_frames() {
    const Journal::Step step(journal_, "waiting for frames");
    for (const auto& values : values_) values->reset();
    if (scaled_) g_object_set(scaled_.get(), "caps", nullptr, nullptr);
    if (caps_) {
      const Caps caps(gst_caps_from_string("video/x-raw,width=64,height=48,framerate=30/1"));
      g_object_set(caps_.get(), "caps", caps.get(), nullptr);
    }
    // A slow frame rate, a late time: from here the next frame is due at once.
    gst_element_seek_simple(pipeline_, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, 0);
    const int64_t before = frames_;
    while (frames_ < before + 3) {  // the watchdog ends this
      read_bus();
      if (report_.failed || report_.ended) return;
      std::this_thread::sleep_for(milliseconds(20));
    }
  }

  const Weather& weather_;
  Random& random_;
  Journal& journal_;
  const Ranges ranges_;
  const bool large_;
  GstElement* pipeline_ = nullptr;
  std::vector<test::ElementPtr> elements_;
  std::vector<std::unique_ptr<Values>> values_;
  test::ElementPtr caps_, scaled_, app_source_, sink_;
  GstVideoInfo app_info_{};  ///< this and the next two: only for the thread that feeds appsrc
  Caps app_caps_;
  int64_t app_frames_ = 0;
  std::atomic<int64_t> frames_ = 0;
  GstState state_ = GST_STATE_NULL;
  BusReport report_;
};

}  // namespace

void pipeline_storm(const Weather& weather) {
  std::vector<std::jthread> others;
  for (int i = weather.random.one_in(3) ? weather.random.between(1, 3) : 0; i > 0; --i)
    others.emplace_back([&weather, seed = weather.random.fork()] {
      Random random(seed);
      PipelineStorm({weather.journal, weather.surroundings, random, weather.tally}).run();
    });
  PipelineStorm(weather).run();
}

}  // namespace storm
