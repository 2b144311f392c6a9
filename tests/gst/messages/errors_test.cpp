// SPDX-License-Identifier: LGPL-2.1-or-later
// Bad input gives one error on the bus that says what is wrong, and no frame.
#include <algorithm>
#include <fstream>

#include "cuda/gpu_executor.h"
#include "mosaic/base/memory_limit.h"
#include "tests/gst/harness.h"

namespace {

using namespace element_test;

struct Outcome {
  Element::Report report;
  GstFlowReturn flow;
};

// Pushes one frame of 64x48, which has 48 cells, and returns the error.
Outcome outcome_of(Element& element) {
  Outcome outcome;
  EXPECT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
  outcome.flow = element.push(make_frame(video_info("I420", 64, 48)));
  outcome.report = element.pop_report(GST_MESSAGE_ERROR);
  EXPECT_NE(outcome.flow, GST_FLOW_OK);
  EXPECT_EQ(gst_harness_buffers_received(element.harness()), 0U);
  EXPECT_EQ(element.pop_report(GST_MESSAGE_ERROR).text, "") << "a second error";
  return outcome;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Errors, NameAMissingFolder) {
  Element element;
  element.set("tile-location", "/no/such/folder");
  const Outcome o = outcome_of(element);
  EXPECT_EQ(o.report.domain, GST_RESOURCE_ERROR);
  EXPECT_EQ(o.report.code, GST_RESOURCE_ERROR_NOT_FOUND);
  EXPECT_TRUE(contains(o.report.text, "/no/such/folder")) << o.report.text;
  EXPECT_EQ(o.flow, GST_FLOW_ERROR);
}

TEST(Errors, NameAnEmptyFolder) {
  const TempFolder folder;
  Element element;
  element.set("tile-location", folder.path().c_str());
  const Outcome o = outcome_of(element);
  EXPECT_EQ(o.report.domain, GST_RESOURCE_ERROR);
  EXPECT_EQ(o.report.code, GST_RESOURCE_ERROR_NOT_FOUND);
  EXPECT_TRUE(contains(o.report.text, folder.path())) << o.report.text;
}

TEST(Errors, ReportAFolderOfBrokenPhotos) {
  const TempFolder folder;
  for (int i = 0; i < 3; ++i)
    std::ofstream(folder.path("broken" + std::to_string(i) + ".jpg")) << "no picture";
  Element element;
  element.set("tile-location", folder.path().c_str());
  const Outcome o = outcome_of(element);
  EXPECT_EQ(o.report.domain, GST_RESOURCE_ERROR);
  EXPECT_EQ(o.report.code, GST_RESOURCE_ERROR_READ);
  EXPECT_FALSE(o.report.text.empty());
  EXPECT_TRUE(contains(element.pop_report(GST_MESSAGE_WARNING).text, "broken"));
}

TEST(Errors, NameAFileThatIsNoVideo) {
  const TempFolder folder;
  std::ofstream(folder.path("notes.txt")) << std::string(5000, 'x');
  Element element;
  element.set("tile-location", folder.path("notes.txt").c_str());
  const Outcome o = outcome_of(element);
  EXPECT_EQ(o.report.domain, GST_RESOURCE_ERROR);
  EXPECT_EQ(o.report.code, GST_RESOURCE_ERROR_READ);
  EXPECT_TRUE(contains(o.report.text, folder.path("notes.txt"))) << o.report.text;
}

TEST(Errors, NameBothNumbersIfThePoolIsTooSmall) {
  const TempFolder folder;
  write_photos(folder.path(), 7);
  Element element;
  element.set("tile-location", folder.path().c_str(), "augment", FALSE, "unit", 1, "max-tile-uses",
              1U);
  const Outcome o = outcome_of(element);
  EXPECT_EQ(o.report.domain, GST_LIBRARY_ERROR);
  EXPECT_EQ(o.report.code, GST_LIBRARY_ERROR_SETTINGS);
  EXPECT_TRUE(contains(o.report.text, "7") && contains(o.report.text, "48")) << o.report.text;
}

TEST(Errors, CountPhotosIfThePhotosAreTooFew) {
  const TempFolder folder;
  write_photos(folder.path(), 20);  // 80 tiles, for 48 cells
  Element element;
  element.set("tile-location", folder.path().c_str(), "unit", 0, "max-photo-uses", 2U);
  const Outcome o = outcome_of(element);
  EXPECT_EQ(o.report.code, GST_LIBRARY_ERROR_SETTINGS);
  EXPECT_TRUE(contains(o.report.text, "20 photos") && contains(o.report.text, "48"))
      << o.report.text;
}

TEST(Errors, CountPhotosThatAreAlikeOnce) {
  const TempFolder folder;
  write_photos(folder.path(), 20);
  write_photos(folder.path("again"), 20);
  Element element;
  element.set("tile-location", folder.path().c_str(), "max-photo-uses", 2U);
  gst_util_set_object_arg(G_OBJECT(element.get()), "dedup-similarity", "1");
  const Outcome o = outcome_of(element);
  EXPECT_EQ(o.report.code, GST_LIBRARY_ERROR_SETTINGS);
  EXPECT_TRUE(contains(o.report.text, "20 different photos")) << o.report.text;
}

TEST(Errors, NameBothLimitsOfUsesThatContradictEachOther) {
  Element element;
  element.set("unit", 0, "max-photo-uses", 2U, "min-photo-uses", 3U);
  const Outcome o = outcome_of(element);
  EXPECT_EQ(o.report.code, GST_LIBRARY_ERROR_SETTINGS);
  EXPECT_TRUE(contains(o.report.text, "at least 3 times, but at most 2")) << o.report.text;
}

TEST(Errors, NameALimitOfWhatIsNotCounted) {
  for (const auto& [unit, limit] :
       {std::pair(0, "max-tile-uses"), std::pair(1, "max-photo-uses"),
        std::pair(1, "min-photo-uses"), std::pair(1, "dedup-similarity")}) {
    Element element;
    element.set("unit", unit);
    gst_util_set_object_arg(G_OBJECT(element.get()), limit, "1");
    const Outcome o = outcome_of(element);
    EXPECT_EQ(o.report.code, GST_LIBRARY_ERROR_SETTINGS);
    EXPECT_TRUE(contains(o.report.text, limit)) << o.report.text;
  }
}

TEST(Errors, DoNotEndAMosaicThatPlays) {
  Element element;
  ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
  const GstVideoInfo info = video_info("I420", 64, 48);
  ASSERT_TRUE(element.process(make_frame(info)));
  element.set("max-tile-uses", 1U);
  EXPECT_TRUE(element.process(make_frame(info)));
  EXPECT_TRUE(contains(element.pop_report(GST_MESSAGE_WARNING).text, "max-tile-uses"));
  EXPECT_EQ(element.pop_report(GST_MESSAGE_ERROR).text, "");
}

TEST(Errors, AreAbsentIfThePoolJustSuffices) {
  const TempFolder folder;
  write_photos(folder.path(), 12);
  Element element;
  element.set("tile-location", folder.path().c_str(), "unit", 1, "max-tile-uses", 1U);
  ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
  EXPECT_TRUE(element.process(make_frame(video_info("I420", 64, 48))));
}

/// Pushes a frame of in_width x in_height, which downstream wants at another size.
Element::Report report_of_scaling(Element& element, int in_width, int in_height,
                                  const std::string& out_width, const std::string& out_height) {
  element.set_sink_caps("video/x-raw,width=" + out_width + ",height=" + out_height);
  EXPECT_TRUE(element.set_caps(video_caps("GRAY8", in_width, in_height)));
  EXPECT_EQ(element.push(make_frame(video_info("GRAY8", in_width, in_height))), GST_FLOW_ERROR);
  const Element::Report report = element.pop_report(GST_MESSAGE_ERROR);
  EXPECT_EQ(report.domain, GST_LIBRARY_ERROR);
  EXPECT_EQ(report.code, GST_LIBRARY_ERROR_SETTINGS);
  EXPECT_EQ(element.pop_report(GST_MESSAGE_ERROR).text, "") << "a second error";
  return report;
}

TEST(Errors, NameTheSizesIfCellsAreTooLargeToDraw) {
  Element element;
  const std::string text = report_of_scaling(element, 1, 1, "16384", "16384").text;
  for (const char* part : {"1x1", "16384x16384", "131072x131072", "smaller output"})
    EXPECT_TRUE(contains(text, part)) << text;
  EXPECT_FALSE(element.pop(GST_MESSAGE_PROGRESS)) << "a pool was loaded";
}

// On the display, tiles are square: as high as the stretched cell is wide.
TEST(Errors, NameTheMemoryThatStretchedTilesWouldTake) {
  const TempFolder photos;
  write_flat_photo(photos.path("0.bmp"), {1, 2, 3});
  for (int i = 1; i < 4000; ++i)
    std::filesystem::create_hard_link(photos.path("0.bmp"),
                                      photos.path(std::to_string(i) + ".bmp"));
  Element element;
  element.set("tile-location", photos.path().c_str());
  const std::string text = report_of_scaling(element, 8, 1, "16384", "1").text;
  for (const char* part : {"4000 photos", "16384x16384", "3221.2 GB", "fewer photos"})
    EXPECT_TRUE(contains(text, part)) << text;
}

TEST(Errors, NameTheMemoryThatALookaheadWouldTake) {
  constexpr int kSide = 16384;
  if (mosaic::memory_limit() > 100'000'000'000) GTEST_SKIP() << "this machine has that much";
  Element element;
  element.set("lookahead", 64U);
  ASSERT_TRUE(element.set_caps(video_caps("GRAY8", kSide, kSide)));
  // Memory that is never written takes none.
  element.push(Buffer(gst_buffer_new_allocate(nullptr, size_t{kSide} * kSide, nullptr)));
  gst_harness_push_event(element.harness(), gst_event_new_eos());
  const std::string text = element.pop_report(GST_MESSAGE_ERROR).text;
  for (const char* part : {"16384x16384 pixels", "lookahead=64", "GB", "a shorter lookahead"})
    EXPECT_TRUE(contains(text, part)) << text;
  EXPECT_FALSE(element.pop(GST_MESSAGE_PROGRESS)) << "a pool was loaded";
}

TEST(Errors, ReportCudaWithoutAGpuBeforeTheFirstFrame) {
  if (mt::has_gpu_driver()) GTEST_SKIP() << "this machine has a CUDA driver";
  Element element;
  gst_util_set_object_arg(G_OBJECT(element.get()), "device", "cuda");
  const Outcome o = outcome_of(element);
  EXPECT_EQ(o.report.domain, GST_RESOURCE_ERROR);
  EXPECT_EQ(o.report.code, GST_RESOURCE_ERROR_NOT_FOUND);
  EXPECT_TRUE(contains(o.report.text, "no CUDA driver") ||
              contains(o.report.text, "no CUDA support"))
      << o.report.text;
  EXPECT_TRUE(contains(o.report.text, "cpu")) << "no hint in: " << o.report.text;
  EXPECT_FALSE(element.pop(GST_MESSAGE_PROGRESS)) << "a pool was loaded";
}

TEST(Errors, NameAnInvalidSize) {
  for (const char* size : {"many", "0", "-3", "10x", "x10", "10x0", "20000x1"}) {
    Element element;
    element.set("size", size);
    const Outcome o = outcome_of(element);
    EXPECT_EQ(o.report.domain, GST_LIBRARY_ERROR) << size;
    EXPECT_EQ(o.report.code, GST_LIBRARY_ERROR_SETTINGS) << size;
    EXPECT_TRUE(contains(o.report.text, size)) << o.report.text;
  }
}

TEST(Errors, AreOnlyWarningsForSettingsWhilePlaying) {
  Element element;
  ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
  ASSERT_TRUE(element.process(make_frame(video_info("I420", 64, 48))));
  element.set("size", "nonsense");
  EXPECT_EQ(element.push(make_frame(video_info("I420", 64, 48))), GST_FLOW_OK);
  EXPECT_TRUE(contains(element.pop_report(GST_MESSAGE_WARNING).text, "nonsense"));
  EXPECT_EQ(element.pop_report(GST_MESSAGE_ERROR).text, "");
}

// After an error the element can be started again.
TEST(Errors, AreClearedByARestart) {
  const ElementPtr pipeline(
      gst_parse_launch("videotestsrc num-buffers=3 ! video/x-raw,width=64,height=48 ! "
                       "mosaictemporal name=m tile-location=/no/such/folder ! fakesink",
                       nullptr));
  GstBus* bus = gst_element_get_bus(pipeline.get());
  const auto run = [&] {
    gst_element_set_state(pipeline.get(), GST_STATE_PLAYING);
    const Message message(gst_bus_timed_pop_filtered(
        bus, 60 * GST_SECOND, static_cast<GstMessageType>(GST_MESSAGE_EOS | GST_MESSAGE_ERROR)));
    const GstMessageType type = message ? GST_MESSAGE_TYPE(message.get()) : GST_MESSAGE_UNKNOWN;
    gst_element_set_state(pipeline.get(), GST_STATE_NULL);
    return type;
  };
  EXPECT_EQ(run(), GST_MESSAGE_ERROR);
  GstElement* mosaic = gst_bin_get_by_name(GST_BIN(pipeline.get()), "m");
  g_object_set(mosaic, "tile-location", nullptr, nullptr);
  gst_object_unref(mosaic);
  EXPECT_EQ(run(), GST_MESSAGE_EOS);
  gst_object_unref(bus);
}

TEST(DebugLog, HasACategoryForEachPart) {
  const Element element;  // loads the plugin
  std::vector<std::string> names;
  GSList* categories = gst_debug_get_all_categories();
  for (const GSList* i = categories; i; i = i->next) {
    auto* category = static_cast<GstDebugCategory*>(i->data);
    const std::string name = gst_debug_category_get_name(category);
    if (name.rfind("mosaictemporal", 0) != 0) continue;
    names.push_back(name);
    EXPECT_NE(std::string(gst_debug_category_get_description(category)), "") << name;
  }
  g_slist_free(categories);
  for (const char* part : {"", "-base", "-memory", "-drawing", "-pool", "-properties"})
    EXPECT_EQ(std::count(names.begin(), names.end(), std::string("mosaictemporal") + part), 1)
        << part;
}

}  // namespace
