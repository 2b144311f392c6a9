// SPDX-License-Identifier: LGPL-2.1-or-later
// A live source of 1280x720 at 30 frames a second, while other threads take all cores in bursts.
// Every frame must be shown, or dropped and counted; the latency must be as answered; the mosaic
// must stay as steady as on an idle machine.
#include <glib.h>
#include <gst/gst.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/gst/harness.h"
#include "tests/storms/journal.h"
#include "tests/storms/messages.h"
#include "tests/storms/random.h"
#include "tests/storms/supervise.h"

namespace {

using storm::Journal;

constexpr int kWidth = 1280, kHeight = 720, kFramesPerSecond = 30;
constexpr int kPictures = 50;  // the source repeats them
constexpr int kPhotos = 800;
constexpr int kPatience = 20;             // seconds without a frame that are a hang
constexpr int kSettling = 3;              // seconds after a burst that do not count as calm
constexpr double kLeastShownCalm = 0.95;  // share of the frames
constexpr double kLeastShownBusy = 0.3;
constexpr double kMostUnexplained = 0.02;  // share of the cells that change without visible reason
/// A second is the most that the element asks for; the source and the sink add a frame each.
constexpr GstClockTime kMostLatency = GST_SECOND + 2 * GST_SECOND / kFramesPerSecond;

/// Threads that take all cores for some seconds and then rest for some.
class Bursts {
 public:
  explicit Bursts(uint64_t seed) {
    for (unsigned i = 0; i < std::thread::hardware_concurrency(); ++i)
      workers_.emplace_back([this](const std::stop_token& end) {
        while (!end.stop_requested())
          if (!busy_) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      });
    director_ = std::jthread([this, seed](const std::stop_token& end) {
      storm::Random random(seed);
      while (!end.stop_requested()) {
        rest(end, random.between(5, 15));
        busy_ = true;
        rest(end, random.between(1, 8));
        busy_ = false;
      }
    });
  }
  bool busy() const { return busy_; }

 private:
  static void rest(const std::stop_token& end, int seconds) {
    for (int i = 0; i < 10 * seconds && !end.stop_requested(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }

  std::atomic<bool> busy_ = false;
  std::vector<std::jthread> workers_;
  std::jthread director_;  ///< ends first
};

/// Frames of some seconds.
struct Part {
  guint64 shown = 0, dropped = 0;
  double share() const {
    return static_cast<double>(shown) / static_cast<double>(std::max<guint64>(1, shown + dropped));
  }
};

class LiveLoad {
 public:
  LiveLoad(Journal& journal, const std::string& photos) : journal_(journal) {
    const GstVideoInfo info = element_test::video_info("I420", kWidth, kHeight);
    for (int i = 0; i < kPictures; ++i) pictures_.push_back(element_test::make_frame(info, i));
    const std::string text =
        "videotestsrc name=source is-live=true pattern=black ! "
        "video/x-raw,format=I420,width=1280,height=720,framerate=30/1 ! "
        "queue max-size-buffers=3 ! mosaictemporal name=mosaic size=700 silent=false "
        "cache-location=\"\" tile-location=" +
        photos + " ! fakesink name=sink sync=true qos=true max-lateness=20000000";
    pipeline_.reset(gst_parse_launch(text.c_str(), nullptr));
    mosaic_.reset(gst_bin_get_by_name(GST_BIN(pipeline_.get()), "mosaic"));
    sink_.reset(gst_bin_get_by_name(GST_BIN(pipeline_.get()), "sink"));
    const test::ElementPtr source(gst_bin_get_by_name(GST_BIN(pipeline_.get()), "source"));
    on_frame(source.get(), "src", &LiveLoad::give_picture);
    on_frame(mosaic_.get(), "sink", &LiveLoad::count_in);
    on_frame(mosaic_.get(), "src", &LiveLoad::count_out);
  }
  ~LiveLoad() { gst_element_set_state(pipeline_.get(), GST_STATE_NULL); }
  LiveLoad(const LiveLoad&) = delete;
  LiveLoad& operator=(const LiveLoad&) = delete;

  void run(int seconds, uint64_t seed) {
    gst_element_set_state(pipeline_.get(), GST_STATE_PLAYING);
    {
      const Journal::Step step(journal_, "waiting for the first mosaic");
      while (stat("frames") == 0) pause_and_read();
    }
    const guint64 passed = in_;
    sink_counts_ = sink_counts();
    {
      const Bursts bursts(seed);
      for (int i = 0; i < seconds; ++i) pass_second(bursts);
    }
    finish(passed);
  }

 private:
  template <class Member>
  void on_frame(GstElement* element, const char* pad_name, Member member) {
    GstPad* pad = gst_element_get_static_pad(element, pad_name);
    using Call = std::pair<LiveLoad*, Member>;
    gst_pad_add_probe(
        pad, GST_PAD_PROBE_TYPE_BUFFER,
        [](GstPad*, GstPadProbeInfo* info, gpointer data) {
          const auto& [self, member] = *static_cast<Call*>(data);
          (self->*member)(info);
          return GST_PAD_PROBE_OK;
        },
        new Call(this, member), [](gpointer data) { delete static_cast<Call*>(data); });
    gst_object_unref(pad);
  }

  /// Gives the frame another picture: videotestsrc draws none that is costly to make a mosaic of.
  void give_picture(GstPadProbeInfo* info) {
    GstBuffer* black = GST_PAD_PROBE_INFO_BUFFER(info);
    GstBuffer* picture = gst_buffer_copy_deep(pictures_[given_++ % kPictures].get());
    gst_buffer_copy_into(picture, black, GST_BUFFER_COPY_TIMESTAMPS, 0, -1);
    gst_buffer_unref(black);
    info->data = picture;
  }
  void count_in(GstPadProbeInfo*) { ++in_; }
  void count_out(GstPadProbeInfo*) { ++out_; }

  Part sink_counts() {
    GstStructure* stats = nullptr;
    g_object_get(sink_.get(), "stats", &stats, nullptr);
    Part part;
    gst_structure_get_uint64(stats, "rendered", &part.shown);
    gst_structure_get_uint64(stats, "dropped", &part.dropped);
    gst_structure_free(stats);
    return part;
  }

  void pass_second(const Bursts& bursts) {
    const guint64 dropped_before = dropped_by_element();
    const guint64 out_before = out_;
    bool busy = bursts.busy();
    for (int i = 0; i < 50; ++i) {
      pause_and_read();
      busy |= bursts.busy();
    }
    since_burst_ = busy ? 0 : since_burst_ + 1;
    const Part now = sink_counts();
    Part& part = busy || since_burst_ <= kSettling ? busy_ : calm_;
    part.shown += now.shown - sink_counts_.shown;
    part.dropped += now.dropped - sink_counts_.dropped + dropped_by_element() - dropped_before;
    sink_counts_ = now;
    silent_seconds_ = out_ == out_before ? silent_seconds_ + 1 : 0;
    if (silent_seconds_ > kPatience) journal_.fail("no frame comes any more");
    check_latency();
  }

  guint64 stat(const char* name) {
    GstStructure* stats = nullptr;
    g_object_get(mosaic_.get(), "stats", &stats, nullptr);
    guint64 value = 0;
    gst_structure_get_uint64(stats, name, &value);
    gst_structure_free(stats);
    return value;
  }
  guint64 dropped_by_element() { return stat("dropped"); }

  /// The answer to a latency query changes only when the element has announced it.
  void check_latency() {
    GstQuery* query = gst_query_new_latency();
    gboolean live = FALSE;
    GstClockTime least = 0, most = 0;
    const bool answered = gst_element_query(pipeline_.get(), query);
    gst_query_parse_latency(query, &live, &least, &most);
    gst_query_unref(query);
    read_bus();
    if (!answered || !live || least == 0 || least > kMostLatency)
      journal_.fail("the latency is " + std::to_string(least / GST_MSECOND) + " ms");
    if (latency_ != least && latency_ != 0 && !announced_)
      journal_.fail("the latency has changed without a message");
    if (latency_ != least) announced_ = false;
    latency_ = least;
    most_latency_ = std::max(most_latency_, least);
  }

  void pause_and_read() {
    g_usleep(20000);
    read_bus();
  }

  void read_bus() {
    GstBus* bus = gst_element_get_bus(pipeline_.get());
    while (GstMessage* message = gst_bus_pop(bus)) {
      read(message);
      gst_message_unref(message);
    }
    gst_object_unref(bus);
  }

  void read(GstMessage* message) {
    const bool ours = GST_MESSAGE_SRC(message) == GST_OBJECT(mosaic_.get());
    if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR) journal_.fail("an error");
    if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_EOS) ended_ = true;
    if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_QOS && ours) ++told_;
    if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_LATENCY) {
      announced_ = true;
      gst_bin_recalculate_latency(GST_BIN(pipeline_.get()));
    }
    const GstStructure* structure = gst_message_get_structure(message);
    if (!ours || !structure || !gst_structure_has_name(structure, "mosaictemporal-stats")) return;
    guint unexplained = 0, cells = 0;
    gst_structure_get(structure, "unexplained", G_TYPE_UINT, &unexplained, "cells", G_TYPE_UINT,
                      &cells, nullptr);
    unexplained_ += unexplained;
    cells_ += cells;
  }

  /// @param passed at most so many frames were sent unchanged while the photos were loaded
  void finish(guint64 passed) {
    gst_element_send_event(pipeline_.get(), gst_event_new_eos());
    {
      const Journal::Step step(journal_, "waiting for the end of the stream");
      while (!ended_) pause_and_read();
    }
    const Part sink = sink_counts();
    const guint64 drawn = stat("frames"), repeated = stat("repeated"), dropped = stat("dropped");
    const double unexplained =
        static_cast<double>(unexplained_) / static_cast<double>(std::max<guint64>(1, cells_));
    std::printf(
        "live frames=%llu drawn=%llu repeated=%llu dropped=%llu late-at-sink=%llu calm=%.4f "
        "busy=%.4f unexplained=%.4f latency-ms=%llu memory=%d\n",
        static_cast<unsigned long long>(in_), static_cast<unsigned long long>(drawn),
        static_cast<unsigned long long>(repeated), static_cast<unsigned long long>(dropped),
        static_cast<unsigned long long>(sink.dropped), calm_.share(), busy_.share(), unexplained,
        static_cast<unsigned long long>(most_latency_ / GST_MSECOND), storm::peak_memory());
    std::fflush(stdout);
    if (in_ != out_ + dropped || out_ < drawn + repeated || out_ > drawn + repeated + passed)
      journal_.fail("the counts do not add up");
    if (told_ != dropped) journal_.fail("not every dropped frame was told by a message");
    if (sink.shown + sink.dropped != out_) journal_.fail("frames were lost before the sink");
    if (calm_.share() < kLeastShownCalm) journal_.fail("too few frames were shown between bursts");
    if (busy_.share() < kLeastShownBusy) journal_.fail("too few frames were shown in bursts");
    if (unexplained > kMostUnexplained) journal_.fail("the mosaic was not steady");
  }

  Journal& journal_;
  std::vector<test::Buffer> pictures_;
  test::ElementPtr pipeline_, mosaic_, sink_;
  guint64 given_ = 0;
  std::atomic<guint64> in_ = 0, out_ = 0;  ///< frames that entered and left the element
  Part sink_counts_, calm_, busy_;
  int since_burst_ = 0, silent_seconds_ = 0;
  GstClockTime latency_ = 0, most_latency_ = 0;
  bool announced_ = false, ended_ = false;
  guint64 told_ = 0;  ///< dropped frames for which there was a message
  guint64 unexplained_ = 0, cells_ = 0;
};

int run(int seconds, uint64_t seed, const std::string& journal_path) {
  Journal journal(journal_path, kPatience);
  gst_init(nullptr, nullptr);
  storm::make_criticals_fatal(journal);
  const element_test::TempFolder folder;
  element_test::write_photos(folder.path("photos"), kPhotos);
  LiveLoad(journal, folder.path("photos")).run(seconds, seed);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  int seconds = 60;
  uint64_t seed = 1;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::string_view(argv[i]) == "--seconds") seconds = std::atoi(argv[i + 1]);
    if (std::string_view(argv[i]) == "--seed") seed = std::strtoull(argv[i + 1], nullptr, 10);
  }
  const std::string journal = "/tmp/mosaictemporal-live-" + std::to_string(getpid()) + ".log";
  const std::string repeat = std::string(argv[0]) + " --seconds " + std::to_string(seconds) +
                             " --seed " + std::to_string(seed);
  return storm::supervise(journal, repeat, [&] { return run(seconds, seed, journal); });
}
