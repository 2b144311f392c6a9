// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// A full, lost or read-only file system: each call that the element makes for its files fails
/// once.
#include "tests/gst/file_faults.h"

#include <cerrno>
#include <fstream>
#include <iterator>

#include "tests/gst/harness.h"

namespace {

using namespace element_test;
namespace fs = std::filesystem;

constexpr int kWidth = 64, kHeight = 48;
constexpr int kMostCalls = 1000;  // more than the element makes

class Files : public testing::TestWithParam<int> {
 protected:
  Files() { write_photos(folder_.path("photos"), 3); }

  void start(Element& element) const {
    element.set("tile-location", folder_.path("photos").c_str(), "cache-location",
                folder_.path("cache").c_str());
    ASSERT_TRUE(element.set_caps(video_caps("RGB", kWidth, kHeight)));
  }
  /// The files whose names end so.
  std::vector<fs::path> files(const std::string& folder, const std::string& suffix) const {
    std::vector<fs::path> found;
    if (!fs::exists(folder)) return found;
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().native().ends_with(suffix)) found.push_back(entry.path());
    return found;
  }
  static Buffer frame() { return make_frame(video_info("RGB", kWidth, kHeight)); }

  const TempFolder folder_;
};

TEST_P(Files, OfTheCacheMayFail) {
  const std::string cache = folder_.path("cache");
  std::vector<uint8_t> expected;
  bool happened = true;
  int call = 0, not_cached = 0;
  for (; happened && call < kMostCalls; ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    fs::remove_all(cache);
    {
      const FileFault fault(cache + "/", call, GetParam());
      Element element;
      start(element);
      const Buffer out = element.process(frame());
      ASSERT_TRUE(out) << "a mosaic needs no cache";
      if (expected.empty()) expected = bytes_of(out);
      ASSERT_EQ(bytes_of(out), expected);
      happened = fault.happened();
      // Where photos cannot be kept one by one, the pool still can.
      const std::string warning = element.pop_report(GST_MESSAGE_WARNING).text;
      const size_t pools = files(cache, ".pool").size();
      EXPECT_EQ(warning.find("cannot be cached") != std::string::npos, pools == 0);
      EXPECT_EQ(files(cache, "").size(), pools + files(cache, ".photos").size())
          << "no temporary file remains";
      EXPECT_TRUE(happened || pools == 1);
      not_cached += pools == 0;
    }
    Element next;
    start(next);
    EXPECT_EQ(bytes_of(next.process(frame())), expected);
    EXPECT_EQ(files(cache, ".pool").size(), 1U);
  }
  EXPECT_GT(not_cached, 4);
  EXPECT_LT(call, kMostCalls);
}

TEST_P(Files, OfTheCacheMayNotBeReadable) {
  const std::string cache = folder_.path("cache");
  Element first;
  start(first);
  const Buffer expected = first.process(frame());
  ASSERT_TRUE(expected);
  ASSERT_EQ(files(cache, ".pool").size(), 1U);
  const FileFault fault(cache + "/", 0, GetParam());
  Element second;
  start(second);
  const Buffer out = second.process(frame());
  ASSERT_TRUE(out);
  EXPECT_EQ(bytes_of(out), bytes_of(expected));
  EXPECT_TRUE(fault.happened());
}

TEST_P(Files, OfIntermediatePicturesMayFail) {
  const std::string pictures = folder_.path("pictures");
  bool happened = true;
  int call = 0;
  for (; happened && call < kMostCalls; ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    fs::remove_all(pictures);
    {
      const FileFault fault(pictures + "/", call, GetParam());
      Element element;
      element.set("keep-intermediate", TRUE, "intermediate-location", pictures.c_str(), "n-threads",
                  1U);
      start(element);
      const GstFlowReturn flow = element.push(frame());
      happened = fault.happened();
      EXPECT_EQ(flow, happened ? GST_FLOW_ERROR : GST_FLOW_OK);
      const std::string text = element.pop_report(GST_MESSAGE_ERROR).text;
      if (happened) {
        EXPECT_NE(text.find(pictures), std::string::npos) << text;
      } else {
        EXPECT_EQ(text, "");
      }
    }
    const std::vector<fs::path> whole = files(pictures, ".png");
    EXPECT_EQ(files(pictures, "").size(), whole.size()) << "no temporary file remains";
    for (const fs::path& path : whole) {
      std::ifstream in(path, std::ios::binary);
      const std::string bytes((std::istreambuf_iterator<char>(in)), {});
      EXPECT_NE(bytes.find("IEND"), std::string::npos) << path << " is incomplete";
    }
  }
  EXPECT_GT(call, 4);
  EXPECT_LT(call, kMostCalls);
}

INSTANTIATE_TEST_SUITE_P(With, Files, testing::Values(ENOSPC, EIO, EROFS), [](const auto& info) {
  return std::string(info.param == ENOSPC ? "ENOSPC" : info.param == EIO ? "EIO" : "EROFS");
});

}  // namespace
