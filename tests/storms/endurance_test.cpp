// SPDX-License-Identifier: LGPL-2.1-or-later
// Very many tiles, and very many cuts.
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <memory>
#include <thread>
#include <vector>

#include "tests/gst/harness.h"

namespace {

using namespace element_test;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds kSoon{1000};  // on a loaded machine

/// What the process has in memory now, MiB.
double resident_memory() {
  int64_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return static_cast<double>(resident * sysconf(_SC_PAGESIZE)) / (1 << 20);
}

/// 25,000 photos, four tiles each.
class ManyTiles : public testing::Test {
 protected:
  static constexpr int kPhotos = 25000;
  static constexpr guint kTiles = 4 * kPhotos;

  static void SetUpTestSuite() {
    folder = std::make_unique<TempFolder>();
    write_photos(folder->path("photos"), kPhotos, 8);
  }
  static void TearDownTestSuite() { folder.reset(); }

  /// An element that is to load the photos.
  static std::unique_ptr<Element> make(const std::string& cache) {
    auto element = std::make_unique<Element>();
    element->set("tile-location", folder->path("photos").c_str(), "cache-location", cache.c_str(),
                 "tile-size", 16U, "size", "700");
    return element;
  }

  static std::unique_ptr<TempFolder> folder;
};

std::unique_ptr<TempFolder> ManyTiles::folder;

TEST_F(ManyTiles, MakeAMosaic) {
  const GstVideoInfo info = video_info("I420", 320, 240);
  const std::string cache = folder->path("cache");
  for (const char* pool : {"new", "cached"}) {
    SCOPED_TRACE(pool);
    const std::unique_ptr<Element> element = make(cache);
    ASSERT_TRUE(element->set_caps(video_caps("I420", 320, 240)));
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(element->process(make_frame(info, i)));
    EXPECT_EQ(element->stat<guint>("tiles"), kTiles);
  }
}

TEST_F(ManyTiles, AreGivenUpAtAnyMoment) {
  // From the scan of the folder to the first frames, which come after five to ten seconds.
  for (const int wait : {5, 30, 100, 300, 1000, 2000, 3000, 4000, 5000, 6000, 8000}) {
    SCOPED_TRACE(wait);
    const std::unique_ptr<Element> element = make("");
    ASSERT_TRUE(element->set_caps(video_caps("I420", 320, 240)));
    std::thread pusher([&] {
      int i = 0;
      while (element->push(make_frame(video_info("I420", 320, 240), i++)) == GST_FLOW_OK) {
      }
    });
    std::this_thread::sleep_for(milliseconds(wait));
    const Clock::time_point start = Clock::now();
    gst_element_set_state(element->get(), GST_STATE_NULL);
    EXPECT_LT(Clock::now() - start, kSoon);
    pusher.join();
  }
}

TEST(ManyCuts, TakeNoMoreMemoryThanAFew) {
  constexpr int kFrames = 100000, kFirst = kFrames / 100;
  const TempFolder folder;
  write_photos(folder.path(), 40);
  Element element;
  element.set("tile-location", folder.path().c_str(), "cache-location", "", "size", "8x6",
              "n-threads", 1U, "profile-name", "plain", "silent", FALSE);
  ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
  const GstVideoInfo info = video_info("I420", 64, 48);
  constexpr int kScene = 9;  // frames; then none is taken for the return of one before it
  std::vector<Buffer> scenes;
  for (const uint8_t level : {30, 110, 190, 60, 140, 220})
    scenes.push_back(make_flat_frame(info, level));
  int keyframes = 0;
  double memory = 0;
  for (int i = 0; i < kFrames; ++i) {
    Buffer frame(gst_buffer_copy_deep(scenes[i / kScene % scenes.size()].get()));
    GST_BUFFER_PTS(frame.get()) = i * GST_SECOND / 25;
    ASSERT_TRUE(element.process(std::move(frame))) << i;
    const Message message = element.pop(GST_MESSAGE_ELEMENT);
    ASSERT_TRUE(message);
    gboolean keyframe = FALSE;
    gst_structure_get_boolean(gst_message_get_structure(message.get()), "keyframe", &keyframe);
    keyframes += keyframe ? 1 : 0;
    if (i == kFirst) memory = resident_memory();
  }
  EXPECT_EQ(keyframes, (kFrames + kScene - 1) / kScene);
  EXPECT_LT(resident_memory(), memory + 8);
}

}  // namespace
