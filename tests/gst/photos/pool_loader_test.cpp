// SPDX-License-Identifier: LGPL-2.1-or-later
// Where tiles come from, and what happens to the stream while they are loaded.
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <set>
#include <thread>

#include "gst/photos/video_photos.h"
#include "mosaic/base/error.h"
#include "tests/gst/harness.h"
#include "tests/slow_photo.h"

namespace {

using namespace element_test;
using Clock = std::chrono::steady_clock;

// A pool that loads for as long as the test wants: a video that comes through a pipe.
class SlowPool {
 public:
  SlowPool() { EXPECT_EQ(pipe(ends_), 0); }
  ~SlowPool() {
    finish();
    close(ends_[0]);
  }
  SlowPool(const SlowPool&) = delete;
  SlowPool& operator=(const SlowPool&) = delete;

  std::string uri() const { return "fd://" + std::to_string(ends_[0]); }

  /// Sends the video and ends the stream.
  void send(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    size_t sent = 0;
    while (sent < bytes.size()) {
      const ssize_t n = write(ends_[1], bytes.data() + sent, bytes.size() - sent);
      ASSERT_GT(n, 0);
      sent += static_cast<size_t>(n);
    }
    finish();
  }

 private:
  void finish() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }
  int ends_[2] = {-1, -1};
};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Seconds: longer than a cancellation takes, shorter than any time-out.
constexpr double kSoon = 5;

TEST(Loading, LiveFramesPassUnchangedUntilThePoolIsReady) {
  SKIP_WITHOUT_VIDEO();
  const TempFolder folder;
  write_video(folder.path("tiles.avi"), 20);
  SlowPool slow;
  Element element(true);
  element.set("tile-location", slow.uri().c_str(), "silent", FALSE);
  ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
  const GstVideoInfo info = video_info("I420", 64, 48);
  for (int frame = 0; frame < 5; ++frame) {
    const Buffer out = element.process(make_frame(info, frame));
    ASSERT_TRUE(out);
    EXPECT_TRUE(bytes_of(out) == bytes_of(make_frame(info, frame)));
  }
  EXPECT_EQ(element.stat<guint64>("frames"), 0U);
  EXPECT_FALSE(element.pop(GST_MESSAGE_ELEMENT));

  slow.send(folder.path("tiles.avi"));
  const Clock::time_point start = Clock::now();
  while (element.stat<guint64>("frames") == 0 && seconds_since(start) < 60) {
    ASSERT_TRUE(element.process(make_frame(info)));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_EQ(element.stat<guint>("tiles"), 80U);
  const Buffer out = element.process(make_frame(info));
  ASSERT_TRUE(out);
  EXPECT_FALSE(bytes_of(out) == bytes_of(make_frame(info)));
}

TEST(Loading, LiveFramesAreScaledUntilThePoolIsReady) {
  const SlowPool slow;
  Element element(true);
  element.set("tile-location", slow.uri().c_str());
  element.set_sink_caps("video/x-raw,width=128,height=96");
  ASSERT_TRUE(element.set_caps(video_caps("RGB", 64, 48)));
  const Buffer out = element.process(make_flat_frame(video_info("RGB", 64, 48), 90));
  ASSERT_TRUE(out);
  for (const uint8_t value : samples_of(element.output_info(), out, 0)) ASSERT_EQ(value, 90);
}

TEST(Loading, OtherFramesWaitForThePool) {
  SKIP_WITHOUT_VIDEO();
  const TempFolder folder;
  write_video(folder.path("tiles.avi"), 10);
  SlowPool slow;
  Element element;
  element.set("tile-location", slow.uri().c_str());
  ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
  std::atomic<bool> done = false;
  Buffer out;
  std::thread pusher([&] {
    out = element.process(make_frame(video_info("I420", 64, 48)));
    done = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_FALSE(done);
  slow.send(folder.path("tiles.avi"));
  pusher.join();
  ASSERT_TRUE(out);
  EXPECT_EQ(element.stat<guint>("tiles"), 40U);
}

TEST(Loading, AFlushEndsTheWait) {
  const SlowPool slow;
  Element element;
  element.set("tile-location", slow.uri().c_str());
  ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
  const Clock::time_point start = Clock::now();
  GstFlowReturn flow = GST_FLOW_OK;
  std::thread pusher([&] { flow = element.push(make_frame(video_info("I420", 64, 48))); });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  gst_harness_push_event(element.harness(), gst_event_new_flush_start());
  pusher.join();
  EXPECT_EQ(flow, GST_FLOW_FLUSHING);
  EXPECT_LT(seconds_since(start), kSoon);

  // After the flush the element waits again for the same pool, which went on loading.
  gst_harness_push_event(element.harness(), gst_event_new_flush_stop(TRUE));
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  gst_harness_push_event(element.harness(), gst_event_new_segment(&segment));
  element.set("tile-location", nullptr);
  EXPECT_TRUE(element.process(make_frame(video_info("I420", 64, 48))));
}

TEST(Loading, StoppingEndsTheWait) {
  const SlowPool slow;
  const ElementPtr pipeline(gst_parse_launch(
      ("videotestsrc ! mosaictemporal tile-location=" + slow.uri() + " ! fakesink").c_str(),
      nullptr));
  ASSERT_TRUE(pipeline);
  for (const GstState state : {GST_STATE_READY, GST_STATE_NULL}) {
    const Clock::time_point start = Clock::now();
    gst_element_set_state(pipeline.get(), GST_STATE_PLAYING);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_EQ(gst_element_set_state(pipeline.get(), state), GST_STATE_CHANGE_SUCCESS);
    EXPECT_LT(seconds_since(start), kSoon);
  }
}

TEST(Loading, StoppingEndsTheDecodingOfPhotos) {
  const TempFolder folder;
  const std::vector<uint8_t> bytes = slow_photo();
  for (int i = 0; i < 40; ++i)
    std::ofstream(folder.path(std::to_string(i) + ".jpg"), std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  const ElementPtr pipeline(
      gst_parse_launch(("videotestsrc ! mosaictemporal cache-location=\"\" n-threads=2 "
                        "tile-location=" +
                        folder.path() + " ! fakesink")
                           .c_str(),
                       nullptr));
  ASSERT_TRUE(pipeline);
  const Clock::time_point start = Clock::now();
  gst_element_set_state(pipeline.get(), GST_STATE_PLAYING);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_EQ(gst_element_set_state(pipeline.get(), GST_STATE_NULL), GST_STATE_CHANGE_SUCCESS);
  EXPECT_LT(seconds_since(start), kSoon) << "all photos would take 40 seconds";
}

TEST(Loading, ANewLocationCancelsTheLoad) {
  const SlowPool slow;
  Element element;
  element.set("tile-location", slow.uri().c_str());
  ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
  element.set("tile-location", nullptr);
  const Clock::time_point start = Clock::now();
  ASSERT_TRUE(element.process(make_frame(video_info("I420", 64, 48))));
  EXPECT_LT(seconds_since(start), 4 * kSoon);
  bool cancelled = false, completed = false;
  while (const Message message = element.pop(GST_MESSAGE_PROGRESS)) {
    GstProgressType type;
    gchar* code = nullptr;
    gst_message_parse_progress(message.get(), &type, &code, nullptr);
    EXPECT_STREQ(code, "mosaictemporal-pool");
    g_free(code);
    cancelled |= type == GST_PROGRESS_TYPE_CANCELED;
    completed |= type == GST_PROGRESS_TYPE_COMPLETE;
  }
  EXPECT_TRUE(cancelled);
  EXPECT_TRUE(completed);
}

TEST(Pools, MayHaveASinglePhoto) {
  const TempFolder folder;
  write_photos(folder.path(), 1);
  for (const std::string& location : {folder.path(), folder.path("photo0.bmp")}) {
    Element element;
    element.set("tile-location", location.c_str(), "augment", FALSE);
    ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
    ASSERT_TRUE(element.process(make_frame(video_info("I420", 64, 48))));
    EXPECT_EQ(element.stat<guint>("tiles"), 1U);
  }
}

TEST(Pools, SkipBrokenPhotosWithAFewWarnings) {
  const TempFolder folder;
  write_photos(folder.path(), 3);
  for (int i = 0; i < 20; ++i)
    std::ofstream(folder.path("broken" + std::to_string(i) + ".jpg")) << "no picture";
  Element element;
  element.set("tile-location", folder.path().c_str(), "augment", FALSE);
  ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
  ASSERT_TRUE(element.process(make_frame(video_info("I420", 64, 48))));
  EXPECT_EQ(element.stat<guint>("tiles"), 3U);
  EXPECT_EQ(element.stat<guint>("skipped"), 20U);
  std::vector<std::string> warnings;
  for (;;) {
    const Element::Report report = element.pop_report(GST_MESSAGE_WARNING);
    if (report.text.empty()) break;
    warnings.push_back(report.text);
  }
  ASSERT_GE(warnings.size(), 2U);
  EXPECT_LE(warnings.size(), 8U);
  EXPECT_NE(warnings.front().find("broken"), std::string::npos) << warnings.front();
  EXPECT_NE(warnings.back().find("20"), std::string::npos) << warnings.back();
}

class Video : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_VIDEO(); }
  std::unique_ptr<mosaic::PhotoSource> open(const std::string& path, int side = 512) {
    return mosaic_gst::open_video_photos("file://" + path, {}, side, cancelled_, [](int, int) {});
  }
  /// Expects so many photos of 48x48, each another picture, and the same pictures when the video is
  /// opened again.
  void expect_different_photos(const std::string& path, int count) {
    const auto source = open(path), again = open(path);
    ASSERT_EQ(source->count(), count);
    std::set<std::vector<uint8_t>> different;
    for (int i = 0; i < count; ++i) {
      const mosaic::Photo photo = source->decode(i);
      EXPECT_EQ(photo.width, 48);
      EXPECT_EQ(photo.height, 48);
      EXPECT_EQ(photo.rgb.size(), 48U * 48 * 3);
      EXPECT_TRUE(again->decode(i).rgb == photo.rgb) << "frame " << i << " differs the second time";
      different.insert(photo.rgb);
    }
    EXPECT_EQ(different.size(), static_cast<size_t>(count));
  }
  std::atomic<bool> cancelled_ = false;
  TempFolder folder_;
};

TEST_F(Video, EveryFrameOfAShortVideoIsAPhoto) {
  const std::string path = folder_.path("a.avi");
  write_video(path, 30);
  expect_different_photos(path, 30);
}

TEST_F(Video, FramesAreSpreadOverALongVideo) {
  const std::string path = folder_.path("a.avi");
  write_video(path, 1500, 16, 16);
  const auto source = open(path);
  ASSERT_EQ(source->count(), mosaic_gst::kMaxVideoPhotos);
  for (const int i : {0, 500, 1023}) EXPECT_EQ(source->decode(i).width, 16);
  EXPECT_NE(source->name(1023).find("at 59.9"), std::string::npos) << source->name(1023);
}

TEST_F(Video, SeeksToFramesThatAreFarApart) {
  const std::string path = folder_.path("a.avi");
  write_video(path, 30, 64, 48, 1);
  expect_different_photos(path, 30);
}

TEST_F(Video, FindsFramesBetweenDistantKeyframes) {
  const std::string path = folder_.path("a.mkv");
  ASSERT_EQ(run_pipeline("videotestsrc pattern=ball motion=sweep num-buffers=40 ! "
                         "video/x-raw,format=I420,width=64,height=48,framerate=1/1 ! "
                         "theoraenc keyframe-auto=false keyframe-freq=16 keyframe-force=16 ! "
                         "matroskamux ! filesink location=\"" +
                         path + "\""),
            "");
  expect_different_photos(path, 40);
}

TEST_F(Video, AudioIsIgnored) {
  const std::string path = folder_.path("a.avi");
  ASSERT_EQ(run_pipeline("videotestsrc num-buffers=20 ! "
                         "video/x-raw,format=I420,width=64,height=48,framerate=25/1 ! jpegenc ! "
                         "avimux name=mux ! filesink location=\"" +
                         path + "\"  audiotestsrc num-buffers=40 ! mux."),
            "");
  const auto source = open(path);
  EXPECT_GE(source->count(), 20);
  EXPECT_EQ(source->decode(19).width, 48);
}

TEST_F(Video, LargeFramesAreReduced) {
  const std::string path = folder_.path("a.avi");
  write_video(path, 2, 320, 240);
  const mosaic::Photo photo = open(path, 64)->decode(0);
  EXPECT_EQ(photo.width, 64);
  EXPECT_EQ(photo.height, 64);
}

TEST_F(Video, FingerprintsDependOnTheFile) {
  const std::string path = folder_.path("a.avi");
  write_video(path, 2);
  const std::string before = open(path)->fingerprint(0);
  EXPECT_EQ(open(path)->fingerprint(0), before);
  EXPECT_NE(open(path)->fingerprint(1), before);
  EXPECT_NE(open(path, 64)->fingerprint(0), before);
  write_video(path, 3);
  EXPECT_NE(open(path)->fingerprint(0), before);
}

TEST_F(Video, ErrorsNameAFileThatIsNoVideo) {
  std::ofstream(folder_.path("text.avi")) << std::string(5000, 'x');
  std::ofstream(folder_.path("empty.avi")) << "";
  ASSERT_EQ(run_pipeline("audiotestsrc num-buffers=10 ! avimux ! filesink location=\"" +
                         folder_.path("sound.avi") + "\""),
            "");
  for (const char* name : {"text.avi", "empty.avi", "sound.avi", "missing.avi"}) {
    const Clock::time_point start = Clock::now();
    try {
      open(folder_.path(name));
      ADD_FAILURE() << name << " was opened";
    } catch (const mosaic::Error& error) {
      EXPECT_EQ(error.kind(), mosaic::Error::Kind::kRead) << error.what();
      EXPECT_NE(std::string(error.what()).find(folder_.path(name)), std::string::npos)
          << error.what();
    }
    EXPECT_LT(seconds_since(start), kSoon) << name;
  }
}

TEST_F(Video, TruncatedVideoGivesTheFramesItHas) {
  const std::string path = folder_.path("a.avi");
  write_video(path, 40);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  Element element;
  element.set("tile-location", path.c_str(), "augment", FALSE);
  ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
  ASSERT_TRUE(element.process(make_frame(video_info("I420", 64, 48))));
  const guint tiles = element.stat<guint>("tiles");
  EXPECT_GE(tiles, 10U);
  EXPECT_LE(tiles, 30U);
}

TEST_F(Video, BecomesTiles) {
  const std::string path = folder_.path("a.avi");
  write_video(path, 25);
  Element element;
  element.set("tile-location", path.c_str(), "augment", FALSE);
  ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
  ASSERT_TRUE(element.process(make_frame(video_info("I420", 64, 48))));
  EXPECT_EQ(element.stat<guint>("tiles"), 25U);
}

}  // namespace
