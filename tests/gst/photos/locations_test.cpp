// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// What tile-location may name: folders, images, videos, patterns, and several of them.
#include "gst/photos/photo_location.h"

#include <algorithm>
#include <atomic>
#include <fstream>

#include "gst/photos/location_photos.h"
#include "mosaic/base/error.h"
#include "tests/gst/harness.h"

namespace {

using namespace element_test;
namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

const std::atomic<bool> never{false};

/// What a location stands for, as texts "photos PATH" and "video URI".
Texts resolve(const std::string& location) {
  Texts all;
  for (const mosaic_gst::PhotoLocation& l : mosaic_gst::resolve_location(location, never)) {
    for (const std::string& path : l.paths) all.push_back("photos " + path);
    for (const std::string& uri : l.videos) all.push_back("video " + uri);
  }
  return all;
}

TEST(Locations, AreVideosFoldersOrImages) {
  const TempFolder folder;
  for (const char* name : {"a.JPG", "b.png", "c.avi", "d", "e.txt"})
    std::ofstream(folder.path(name)) << "x";
  EXPECT_EQ(resolve(folder.path()), Texts{"photos " + folder.path()});
  EXPECT_EQ(resolve("file://" + folder.path()), Texts{"photos " + folder.path()});
  EXPECT_EQ(resolve(folder.path("a.JPG")), Texts{"photos " + folder.path("a.JPG")});
  EXPECT_EQ(resolve("file://" + folder.path("b.png")), Texts{"photos " + folder.path("b.png")});
  for (const char* name : {"c.avi", "d", "e.txt"}) {
    EXPECT_EQ(resolve(folder.path(name)), Texts{"video file://" + folder.path(name)});
    EXPECT_EQ(resolve("file://" + folder.path(name)), Texts{"video file://" + folder.path(name)});
  }
  EXPECT_EQ(resolve("rtsp://camera/1?a=[b]*"), Texts{"video rtsp://camera/1?a=[b]*"});
  EXPECT_EQ(resolve("/no/such"), Texts{"photos /no/such"});
  EXPECT_EQ(resolve("file:///no/such"), Texts{"photos /no/such"});
}

TEST(Locations, MayBeSeveral) {
  const TempFolder folder;
  fs::create_directory(folder.path("a"));
  fs::create_directory(folder.path("b"));
  const std::string a = folder.path("a"), b = folder.path("b");
  EXPECT_EQ(resolve(a + ";" + b), (Texts{"photos " + a, "photos " + b}));
  EXPECT_EQ(resolve(";" + a + ";;rtsp://camera/1;/no/such;"),
            (Texts{"photos " + a, "video rtsp://camera/1", "photos /no/such"}));
  fs::create_directory(folder.path("a;b"));
  EXPECT_EQ(resolve(folder.path("a;b")), Texts{"photos " + folder.path("a;b")})
      << "a path that exists";
}

TEST(Locations, MayBePatterns) {
  const TempFolder folder;
  fs::create_directory(folder.path("1"));
  fs::create_directory(folder.path("2.mkv"));
  for (const char* name : {"3.jpg", "4.MP4", "notes.txt", "[x]*"})
    std::ofstream(folder.path(name)) << "x";
  const auto photos = [&](const char* name) { return "photos " + folder.path(name); };
  EXPECT_EQ(resolve(folder.path("[1-3]*")), (Texts{photos("1"), photos("2.mkv"), photos("3.jpg")}));
  EXPECT_EQ(resolve(folder.path("?.MP4")), Texts{"video file://" + folder.path("4.MP4")});
  EXPECT_EQ(resolve(folder.path("n*.txt")), Texts{photos("notes.txt")}) << "by its name no video";
  EXPECT_EQ(resolve(folder.path("none*")), Texts());
  EXPECT_EQ(resolve(folder.path("[x]*")), Texts{"video file://" + folder.path("%5Bx%5D*")})
      << "a path that exists";
}

/// The text of the error that a location leads to.
std::string error_of(const std::string& location, mosaic::Error::Kind kind) {
  try {
    mosaic_gst::open_location(location, 32, {}, never, [](int, int) {});
  } catch (const mosaic::Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "was opened";
  return {};
}

TEST(Locations, AreLimited) {
  std::string many;
  for (int i = 0; i < 2000; ++i) many += "a;";
  EXPECT_NE(error_of(many, mosaic::Error::Kind::kSettings).find("1024"), std::string::npos);
  const TempFolder folder;
  for (int i = 0; i < 17; ++i) std::ofstream(folder.path(std::to_string(i) + ".mp4")) << "x";
  const std::string text = error_of(folder.path("*.mp4"), mosaic::Error::Kind::kSettings);
  EXPECT_NE(text.find("17 videos"), std::string::npos) << text;
  error_of(";;", mosaic::Error::Kind::kNotFound);
}

TEST(Locations, WithoutPhotosAreNamed) {
  const TempFolder folder;
  fs::create_directory(folder.path("empty"));
  const auto expect_named = [](const std::string& location, const Texts& parts) {
    const std::string text = error_of(location, mosaic::Error::Kind::kNotFound);
    for (const std::string& part : parts)
      EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
  };
  const std::string empty = folder.path("empty");
  expect_named(empty, {"'" + empty + "'"});
  expect_named(folder.path("e*"), {"'" + folder.path("e*") + "'", "none of the 1 paths"});
  expect_named("/no/such*", {"'/no/such*'", "nothing matches"});
  expect_named(empty + ";/no/such", {"none of the 2 entries", "'" + empty + "'", "'/no/such'"});
}

class SeveralFolders : public testing::Test {
 protected:
  SeveralFolders() {
    write_photos(folder_.path("a/2023"), 3);
    write_photos(folder_.path("b/2023"), 2, 20);
    fs::create_directories(folder_.path("c/2023"));
    fs::create_directories(folder_.path("empty"));
    fs::create_directories(cache_.path());
  }
  /// The number of photos that an element finds.
  guint photos(const std::string& location) {
    Element element;
    element.set("tile-location", location.c_str(), "augment", FALSE, "cache-location",
                cache_.path().c_str());
    EXPECT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
    EXPECT_TRUE(element.process(make_frame(video_info("I420", 64, 48))));
    warnings_.clear();
    for (;;) {
      const Element::Report report = element.pop_report(GST_MESSAGE_WARNING);
      if (report.text.empty()) break;
      warnings_.push_back(report.text);
    }
    return element.stat<guint>("tiles");
  }
  /// The number of prepared pools.
  long cached() const {
    return std::count_if(
        fs::directory_iterator(cache_.path()), {},
        [](const fs::directory_entry& entry) { return entry.path().extension() == ".pool"; });
  }

  TempFolder folder_, cache_;
  Texts warnings_;
};

TEST_F(SeveralFolders, GiveTheirPhotosTogether) {
  const std::string a = folder_.path("a"), b = folder_.path("b");
  EXPECT_EQ(photos(a + ";" + b), 5U);
  EXPECT_EQ(photos(folder_.path("*/2023")), 5U);
  EXPECT_EQ(photos(a + ";" + folder_.path("a/2023") + ";" + a), 3U) << "each photo once";
  EXPECT_EQ(warnings_, Texts());
}

TEST_F(SeveralFolders, AreAllInTheKeyOfTheCache) {
  const std::string a = folder_.path("a"), b = folder_.path("b");
  EXPECT_EQ(photos(a), 3U);
  EXPECT_EQ(photos(a + ";" + b), 5U);
  EXPECT_EQ(cached(), 2);
  EXPECT_EQ(photos(b + ";" + a), 5U);
  EXPECT_EQ(photos(folder_.path("[ab]")), 5U);
  EXPECT_EQ(cached(), 2) << "the same photos";
  write_photos(folder_.path("b/2023"), 1, 24);  // in place of one of them
  EXPECT_EQ(photos(a + ";" + b), 5U);
  EXPECT_EQ(cached(), 3);
}

TEST_F(SeveralFolders, MayBeEmptyButAreNamed) {
  EXPECT_EQ(photos(folder_.path("empty") + ";" + folder_.path("a") + ";/no/such*"), 3U);
  ASSERT_EQ(warnings_.size(), 2U);
  EXPECT_NE(warnings_[0].find("'" + folder_.path("empty") + "'"), std::string::npos);
  EXPECT_NE(warnings_[1].find("'/no/such*'"), std::string::npos) << warnings_[1];
  std::string many = folder_.path("a");
  for (int i = 0; i < 300; ++i) many += ";/no/such" + std::to_string(i);
  EXPECT_EQ(photos(many), 3U);
  ASSERT_EQ(warnings_.size(), 6U);
  EXPECT_NE(warnings_.back().find("300 entries"), std::string::npos) << warnings_.back();
}

TEST_F(SeveralFolders, MayBeMixedWithVideos) {
  SKIP_WITHOUT_VIDEO();
  write_video(folder_.path("v1.avi"), 7);
  write_video(folder_.path("v2.avi"), 4);
  std::ofstream(folder_.path("v3.avi")) << "no video";
  EXPECT_EQ(photos(folder_.path("v*.avi") + ";" + folder_.path("a")), 14U);
  ASSERT_EQ(warnings_.size(), 1U);
  EXPECT_NE(warnings_[0].find("v3.avi"), std::string::npos) << warnings_[0];
  // Together they have no more photos than one.
  write_video(folder_.path("v1.avi"), 600, 16, 16);
  const auto two =
      mosaic_gst::open_location(folder_.path("v[12].avi"), 32, {}, never, [](int, int) {});
  EXPECT_EQ(two.source->count(), mosaic_gst::kMaxVideoPhotos / 2 + 4);
  EXPECT_NE(two.source->name(0).find("v1.avi"), std::string::npos);
  EXPECT_NE(two.source->name(515).find("v2.avi"), std::string::npos) << two.source->name(515);
  EXPECT_EQ(two.source->decode(515).width, 48);
}

}  // namespace
