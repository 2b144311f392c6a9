// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// keep-intermediate: which files there are, and what is in them.
#include <gdk-pixbuf/gdk-pixbuf.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cerrno>
#include <csignal>
#include <fstream>
#include <set>

#include "tests/gst/harness.h"

namespace {

using namespace element_test;
namespace fs = std::filesystem;

constexpr int kWidth = 96, kHeight = 64;

struct Picture {
  int width = 0, height = 0;
  std::vector<uint8_t> rgb;
};

Picture read_png(const std::string& path) {
  GError* error = nullptr;
  GdkPixbuf* pixbuf = gdk_pixbuf_new_from_file(path.c_str(), &error);
  if (!pixbuf) {
    ADD_FAILURE() << error->message;
    g_error_free(error);
    return {};
  }
  Picture picture{gdk_pixbuf_get_width(pixbuf), gdk_pixbuf_get_height(pixbuf), {}};
  for (int y = 0; y < picture.height; ++y) {
    const uint8_t* row = gdk_pixbuf_read_pixels(pixbuf) +
                         static_cast<ptrdiff_t>(y) * gdk_pixbuf_get_rowstride(pixbuf);
    picture.rgb.insert(picture.rgb.end(), row, row + 3 * picture.width);
  }
  g_object_unref(pixbuf);
  return picture;
}

std::vector<uint8_t> rgb_of(const Buffer& buffer, const GstVideoInfo& info) {
  Mapped mapped(info, buffer);
  std::vector<uint8_t> rgb;
  for (int y = 0; y < mapped.height(0); ++y)
    for (int x = 0; x < mapped.width(0); ++x)
      for (int c = 0; c < 3; ++c) rgb.push_back(mapped.at(c, x, y));
  return rgb;
}

std::set<std::string> names_in(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename());
  return names;
}

class Intermediate : public testing::Test {
 protected:
  void start(const char* profile) {
    element.set("keep-intermediate", TRUE, "intermediate-location", folder.path().c_str(),
                "profile-name", profile, "size", "6x4");
    ASSERT_TRUE(element.set_caps(video_caps("RGB", kWidth, kHeight)));
  }
  Buffer process(int number) { return element.process(make_frame(info, number)); }
  Picture stage(const std::string& name) { return read_png(folder.path(name)); }

  const GstVideoInfo info = video_info("RGB", kWidth, kHeight);
  const TempFolder folder;
  Element element;
};

TEST_F(Intermediate, FilesShowEachStage) {
  start("vivid_b");
  for (int i = 0; i < 3; ++i) {
    const std::vector<uint8_t> source = rgb_of(make_frame(info, i), info);
    const Buffer out = process(i);
    ASSERT_TRUE(out);
    const std::string frame = "frame-00000" + std::to_string(i);
    EXPECT_EQ(stage(frame + "-source.png").rgb, source);
    EXPECT_EQ(stage(frame + "-finished.png").rgb, rgb_of(out, info));
    EXPECT_NE(stage(frame + "-tiles.png").rgb, rgb_of(out, info)) << "it is yet to be finished";
  }
  std::set<std::string> expected;
  for (const char* frame : {"frame-000000", "frame-000001", "frame-000002"})
    for (const char* name : {"-source.png", "-saliency.png", "-tiles.png", "-finished.png"})
      expected.insert(frame + std::string(name));
  EXPECT_EQ(names_in(folder.path()), expected);
}

TEST_F(Intermediate, TilesEqualTheOutputWithoutFinishing) {
  start("plain");
  const Buffer out = process(0);
  ASSERT_TRUE(out);
  EXPECT_EQ(stage("frame-000000-tiles.png").rgb, rgb_of(out, info));
  EXPECT_EQ(stage("frame-000000-finished.png").rgb, rgb_of(out, info));
}

TEST_F(Intermediate, SaliencyHasOneGreyPerCell) {
  start("plain");
  ASSERT_TRUE(process(0));
  const Picture saliency = stage("frame-000000-saliency.png");
  ASSERT_EQ(saliency.width, kWidth);
  ASSERT_EQ(saliency.height, kHeight);
  int sum = 0;
  std::set<int> greys;
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 6; ++column) {
      const auto at = [&](int x, int y, int c) { return saliency.rgb[(y * kWidth + x) * 3 + c]; };
      const int grey = at(column * 16, row * 16, 0);
      sum += grey;
      greys.insert(grey);
      for (int y = row * 16; y < row * 16 + 16; ++y)
        for (int x = column * 16; x < column * 16 + 16; ++x)
          for (int c = 0; c < 3; ++c) ASSERT_EQ(at(x, y, c), grey);
    }
  EXPECT_NEAR(sum / 24.0, 128, 2) << "weights are 1 on the mean";
  EXPECT_GT(greys.size(), 4U);
}

TEST_F(Intermediate, FilesHaveTheSizeOfTheirStage) {
  element.set_sink_caps("video/x-raw,format=RGB,width=192,height=128");
  start("vivid_b");
  ASSERT_TRUE(process(0));
  EXPECT_EQ(stage("frame-000000-source.png").width, kWidth);
  for (const char* name : {"saliency", "tiles", "finished"}) {
    const Picture picture = stage("frame-000000-" + std::string(name) + ".png");
    EXPECT_EQ(picture.width, 192) << name;
    EXPECT_EQ(picture.height, 128) << name;
  }
}

TEST_F(Intermediate, FilesAreCompressedAsPngCompressionSays) {
  const auto bytes_at = [this](int compression, int number) {
    element.set("png-compression", compression);
    EXPECT_TRUE(process(number));
    return fs::file_size(folder.path("frame-00000" + std::to_string(number) + "-source.png"));
  };
  start("plain");
  const auto none = bytes_at(0, 0), most = bytes_at(9, 1);
  EXPECT_GT(none, kWidth * kHeight * 3U);
  EXPECT_LT(most, none);
}

TEST_F(Intermediate, FilesAreWrittenOnlyWhileEnabled) {
  start("plain");
  element.set("keep-intermediate", FALSE);
  ASSERT_TRUE(process(0));
  EXPECT_TRUE(names_in(folder.path()).empty());
  const std::string inner = folder.path("made/on/the/way");
  element.set("keep-intermediate", TRUE, "intermediate-location", inner.c_str());
  ASSERT_TRUE(process(1));
  EXPECT_EQ(names_in(inner).count("frame-000001-finished.png"), 1U) << "counted from the start";
}

TEST_F(Intermediate, MissingLocationIsAnError) {
  start("plain");
  element.set("intermediate-location", nullptr);
  EXPECT_EQ(element.push(make_frame(info)), GST_FLOW_ERROR);
  const Element::Report report = element.pop_report(GST_MESSAGE_ERROR);
  EXPECT_EQ(report.domain, GST_LIBRARY_ERROR);
  EXPECT_EQ(report.code, GST_LIBRARY_ERROR_SETTINGS);
  EXPECT_NE(report.text.find("set intermediate-location"), std::string::npos) << report.text;
}

TEST_F(Intermediate, UnwritableFolderIsReportedOnceWithTheCause) {
  std::ofstream(folder.path("file")) << "no folder";
  fs::create_directories(folder.path("taken/frame-000000-tiles.png"));
  for (const auto& [location, named, reason] :
       {std::tuple{"file", "file", ENOTDIR},
        std::tuple{"taken", "taken/frame-000000-tiles.png", EISDIR}}) {
    Element other;
    other.set("keep-intermediate", TRUE, "intermediate-location", folder.path(location).c_str());
    ASSERT_TRUE(other.set_caps(video_caps("RGB", kWidth, kHeight)));
    EXPECT_EQ(other.push(make_frame(info)), GST_FLOW_ERROR);
    EXPECT_EQ(gst_harness_buffers_received(other.harness()), 0U);
    const Element::Report report = other.pop_report(GST_MESSAGE_ERROR);
    EXPECT_EQ(report.domain, GST_RESOURCE_ERROR);
    EXPECT_EQ(report.code, GST_RESOURCE_ERROR_WRITE);
    EXPECT_NE(report.text.find("'" + folder.path(named) + "'"), std::string::npos) << report.text;
    EXPECT_NE(report.text.find(g_strerror(reason)), std::string::npos) << report.text;
    EXPECT_NE(report.text.find("keep-intermediate to false"), std::string::npos) << report.text;
    EXPECT_EQ(other.pop_report(GST_MESSAGE_ERROR).text, "") << "a second error";
  }
}

TEST_F(Intermediate, FilesReplaceLinksAndSpecialFiles) {
  std::ofstream(folder.path("precious")) << "text";
  fs::create_symlink(folder.path("precious"), folder.path("frame-000000-source.png"));
  fs::create_symlink(folder.path("nowhere"), folder.path("frame-000000-saliency.png"));
  ASSERT_EQ(mkfifo(folder.path("frame-000000-tiles.png").c_str(), 0600), 0);
  start("plain");
  ASSERT_TRUE(process(0));
  for (const char* name : {"source", "saliency", "tiles", "finished"}) {
    const std::string file = "frame-000000-" + std::string(name) + ".png";
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(folder.path(file)))) << name;
    EXPECT_EQ(stage(file).width, kWidth) << name;
  }
  EXPECT_EQ(fs::file_size(folder.path("precious")), 4U);
  EXPECT_FALSE(fs::exists(folder.path("nowhere")));
}

// As on a full disk: files of this process cannot become longer than this.
TEST_F(Intermediate, NothingIsLeftOfAFileThatCannotBeWritten) {
  start("plain");
  element.set("png-compression", 0);
  ASSERT_TRUE(process(0));
  std::ofstream(folder.path("frame-000001-source.png")) << "before";
  const std::set<std::string> before = names_in(folder.path());
  rlimit unlimited;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &unlimited), 0);
  const rlimit limited{1000, unlimited.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limited), 0);
  EXPECT_EQ(element.push(make_frame(info, 1)), GST_FLOW_ERROR);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &unlimited), 0);
  std::signal(SIGXFSZ, handler);
  const Element::Report report = element.pop_report(GST_MESSAGE_ERROR);
  EXPECT_EQ(report.code, GST_RESOURCE_ERROR_WRITE);
  EXPECT_NE(report.text.find(g_strerror(EFBIG)), std::string::npos) << report.text;
  EXPECT_EQ(names_in(folder.path()), before);
  EXPECT_EQ(fs::file_size(folder.path("frame-000001-source.png")), 6U) << "the old file stays";
}

}  // namespace
