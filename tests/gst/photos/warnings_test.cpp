// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// If the user does not get everything asked for, one warning says so. If there is nothing to get,
/// the error names the cause. Also: where pools are cached.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "tests/gst/harness.h"

namespace {

using namespace element_test;

constexpr int kWidth = 64, kHeight = 48;

/// The warnings of the first two frames.
std::vector<std::string> warnings_of(Element& element) {
  EXPECT_TRUE(element.set_caps(video_caps("RGB", kWidth, kHeight)));
  for (const int number : {0, 1})
    EXPECT_TRUE(element.process(make_frame(video_info("RGB", kWidth, kHeight), number)));
  std::vector<std::string> warnings;
  for (;;) {
    const Element::Report report = element.pop_report(GST_MESSAGE_WARNING);
    if (report.text.empty()) return warnings;
    warnings.push_back(report.text);
  }
}

class PoolWarnings : public testing::Test {
 protected:
  PoolWarnings() {
    write_photos(photos_.path("photos"), 3);
    element_.set("tile-location", photos_.path("photos").c_str());
  }
  void expect_warning(const std::vector<std::string>& parts) {
    const std::vector<std::string> warnings = warnings_of(element_);
    ASSERT_EQ(warnings.size(), 1U);
    for (const std::string& part : parts)
      EXPECT_NE(warnings[0].find(part), std::string::npos) << part << " in: " << warnings[0];
  }
  TempFolder photos_;
  Element element_;
};

TEST_F(PoolWarnings, AreAbsentByDefault) {
  EXPECT_EQ(warnings_of(element_), std::vector<std::string>());
}

TEST_F(PoolWarnings, NameASizeThatDoesNotFitTheFrame) {
  element_.set("size", "1000000");
  expect_warning({"size=1000000", "64x48", "8x6 cells", "8 pixels"});
}

TEST_F(PoolWarnings, IgnoreTheDefaultSizeInASmallFrame) {
  element_.set("size", nullptr);
  EXPECT_EQ(warnings_of(element_), std::vector<std::string>());
}

TEST_F(PoolWarnings, NameACacheThatCannotBeWritten) {
  std::ofstream(photos_.path("file")) << "x";
  const std::string cache = photos_.path("file");
  element_.set("cache-location", cache.c_str());
  expect_warning({"cannot be cached in '" + cache + "'", g_strerror(ENOTDIR), "cache-location"});
}

TEST_F(PoolWarnings, CountPhotosOfUnsupportedFormats) {
  for (int i = 0; i < 300; ++i)
    std::ofstream(photos_.path("photos/IMG_" + std::to_string(i) + ".JXL")) << "x";
  expect_warning({"300 JXL files", photos_.path("photos"), "JPEG"});
  EXPECT_EQ(element_.stat<guint>("tiles"), 12U);
}

TEST_F(PoolWarnings, CountLinksToFolders) {
  const TempFolder elsewhere;
  write_photos(elsewhere.path(), 2);
  std::filesystem::create_directory_symlink(elsewhere.path(), photos_.path("photos/link"));
  expect_warning({"1 symbolic links to folders", photos_.path("photos"), "not followed"});
  EXPECT_EQ(element_.stat<guint>("tiles"), 12U);
}

/// Expects that all texts in the messages on the bus are UTF-8, and that some were changed to be.
void expect_utf8(Element& element) {
  bool replaced = false;
  while (const Message message = element.pop(GST_MESSAGE_ANY)) {
    std::string text;
    GError* error = nullptr;
    gchar *debug = nullptr, *code = nullptr, *progress = nullptr;
    if (GST_MESSAGE_TYPE(message.get()) == GST_MESSAGE_ERROR)
      gst_message_parse_error(message.get(), &error, &debug);
    else if (GST_MESSAGE_TYPE(message.get()) == GST_MESSAGE_WARNING)
      gst_message_parse_warning(message.get(), &error, &debug);
    else if (GST_MESSAGE_TYPE(message.get()) == GST_MESSAGE_PROGRESS)
      gst_message_parse_progress(message.get(), nullptr, &code, &progress);
    for (const gchar* part : {error ? error->message : nullptr, debug, progress})
      if (part) text += part;
    EXPECT_TRUE(g_utf8_validate(text.data(), static_cast<gssize>(text.size()), nullptr)) << text;
    replaced |= text.find("\xef\xbf\xbd") != std::string::npos;
    g_clear_error(&error);
    g_free(debug);
    g_free(code);
    g_free(progress);
  }
  EXPECT_TRUE(replaced);
}

TEST_F(PoolWarnings, AreUtf8) {
  std::ofstream(photos_.path("photos/caf\xe9.jpg")) << "no picture";
  warnings_of(element_);
  element_.set("tile-location", photos_.path("photos/caf\xe9.jpg").c_str());
  EXPECT_TRUE(element_.process(make_frame(video_info("RGB", kWidth, kHeight), 2)));
  expect_utf8(element_);
  Element element;
  element.set("tile-location", photos_.path("missing-\xe9").c_str());
  EXPECT_TRUE(element.set_caps(video_caps("RGB", kWidth, kHeight)));
  EXPECT_EQ(element.push(make_frame(video_info("RGB", kWidth, kHeight))), GST_FLOW_ERROR);
  expect_utf8(element);
}

TEST(Pools, AreCachedAtCacheLocation) {
  namespace fs = std::filesystem;
  const TempFolder cache, elsewhere;
  fs::path file;
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(2);
  for (int round = 0; round < 2; ++round) {
    Element element;
    element.set("cache-location", cache.path().c_str());
    ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
    ASSERT_TRUE(element.process(make_frame(video_info("I420", 64, 48))));
    ASSERT_EQ(std::distance(fs::directory_iterator(cache.path()), {}), 1);
    if (round == 1) {
      EXPECT_GT(fs::last_write_time(file), old) << "reading marks the file as used";
      EXPECT_EQ(fs::hard_link_count(file), 2U) << "and it is not written anew";
    } else {
      file = *fs::directory_iterator(cache.path());
      fs::create_hard_link(file, elsewhere.path("link"));
      fs::last_write_time(file, old);
    }
  }
}

/// A port on which nothing listens.
int free_port() {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  EXPECT_EQ(bind(fd, reinterpret_cast<sockaddr*>(&address), size), 0);
  EXPECT_EQ(getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size), 0);
  close(fd);
  return ntohs(address.sin_port);
}

TEST(Http, RefusedConnectionIsReported) {
  if (!gst_uri_protocol_is_supported(GST_URI_SRC, "http"))
    GTEST_SKIP() << "this GStreamer has no source for http";
  g_setenv("no_proxy", "127.0.0.1", TRUE);
  const std::string uri = "http://127.0.0.1:" + std::to_string(free_port()) + "/tiles.mp4";
  Element element;
  element.set("tile-location", uri.c_str());
  ASSERT_TRUE(element.set_caps(video_caps("RGB", kWidth, kHeight)));
  EXPECT_EQ(element.push(make_frame(video_info("RGB", kWidth, kHeight))), GST_FLOW_ERROR);
  const std::string text = element.pop_report(GST_MESSAGE_ERROR).text;
  for (const std::string& part : {uri, std::string(g_strerror(ECONNREFUSED))})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
  EXPECT_EQ(text.find("Internal data stream error"), std::string::npos) << text;
}

}  // namespace
