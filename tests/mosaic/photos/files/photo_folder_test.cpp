// SPDX-License-Identifier: LGPL-2.1-or-later
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "mosaic/base/error.h"
#include "mosaic/photos/photo.h"
#include "tests/mosaic/photos/photo_files.h"

namespace mosaic {
namespace {

namespace fs = std::filesystem;

const std::atomic<bool> never{false};

std::unique_ptr<PhotoSource> open(const std::string& path) {
  return open_photo_folder(path, never);
}

std::vector<std::string> names(const PhotoSource& source, const std::string& below) {
  std::vector<std::string> all;
  for (int i = 0; i < source.count(); ++i) all.push_back(source.name(i).substr(below.size() + 1));
  return all;
}

Error::Kind error_of(const std::string& path) {
  try {
    open(path);
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
    return error.kind();
  }
  ADD_FAILURE() << path << " was opened";
  return Error::Kind::kSettings;
}

class Folder : public testing::Test {
 protected:
  TempFolder folder_;
};

TEST_F(Folder, ListsImagesRecursivelyInOrderOfPath) {
  fs::create_directories(folder_ / "b/deep/deeper");
  fs::create_directories(folder_ / ".thumbnails");
  for (const char* name :
       {"z.JPG", "a.jpeg", "b/c.Png", "b/deep/deeper/x.tif", "b.webp", "é.TIFF", "m.bmp", "n.gif",
        "notes.txt", "jpg", "a.jpg.part", ".hidden.jpg", ".thumbnails/t.jpg"})
    write_bytes(folder_ / name, {1});
  const auto source = open(folder_.path());
  EXPECT_THAT(names(*source, folder_.path()),
              testing::ElementsAre("a.jpeg", "b.webp", "b/c.Png", "b/deep/deeper/x.tif", "m.bmp",
                                   "n.gif", "z.JPG", "é.TIFF"));
  EXPECT_EQ(open(folder_.path() + "//")->name(0), source->name(0));
}

TEST_F(Folder, AcceptsASingleFile) {
  write_bytes(folder_ / "one.png", encode("png", 5, 4, noise_pixel));
  const auto source = open(folder_ / "one.png");
  ASSERT_EQ(source->count(), 1);
  EXPECT_EQ(source->name(0), folder_ / "one.png");
  EXPECT_EQ(source->decode(0).width, 5);
}

TEST_F(Folder, FollowsLinksToFilesButNotToFolders) {
  fs::create_directories(folder_ / "photos/sub");
  fs::create_directories(folder_ / "elsewhere");
  write_bytes(folder_ / "photos/sub/a.jpg", {1});
  write_bytes(folder_ / "elsewhere/b.jpg", {1});
  fs::create_directory_symlink(folder_ / "photos", folder_ / "photos/sub/up");
  fs::create_directory_symlink(".", folder_ / "photos/self");
  fs::create_directory_symlink(folder_ / "elsewhere", folder_ / "photos/link");
  fs::create_symlink(folder_ / "elsewhere/b.jpg", folder_ / "photos/c.jpg");
  fs::create_symlink("nowhere.jpg", folder_ / "photos/dangling.jpg");
  fs::create_symlink("nowhere", folder_ / "photos/dangling");
  const auto source = open(folder_ / "photos");
  EXPECT_THAT(names(*source, folder_ / "photos"),
              testing::ElementsAre("c.jpg", "dangling.jpg", "sub/a.jpg"));
  EXPECT_EQ(source->links(), 3);
  EXPECT_THROW(source->decode(1), Error);
  // The folder itself may be a link.
  EXPECT_EQ(open(folder_ / "photos/link")->count(), 1);
}

TEST_F(Folder, LeavesOutPreviewsAndDeletedFiles) {
  for (const char* path : {"a", "@eaDir/b.jpg", "Thumbs", "#recycle", "sub/thumbs", ".cache"}) {
    fs::create_directories(folder_ / path);
    write_bytes(folder_ / (std::string(path) + "/c.jpg"), {1});
  }
  write_bytes(folder_ / "thumbs.jpg", {1});
  EXPECT_THAT(names(*open(folder_.path()), folder_.path()),
              testing::ElementsAre("a/c.jpg", "thumbs.jpg"));
  // A folder that is named is searched.
  EXPECT_EQ(open(folder_ / "Thumbs")->count(), 1);
}

TEST_F(Folder, SaysThatThereAreOnlyLinks) {
  fs::create_directories(folder_ / "photos");
  fs::create_directories(folder_ / "links");
  write_bytes(folder_ / "photos/a.jpg", {1});
  for (const auto& [link, text] : {std::pair{"1", "only a symbolic link to a folder, which is not"},
                                   {"2", "only 2 symbolic links to folders, which are not"}}) {
    fs::create_directory_symlink(folder_ / "photos", folder_ / "links/" + link);
    try {
      open(folder_ / "links");
      ADD_FAILURE() << "there is nothing to read";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(text));
    }
  }
  write_bytes(folder_ / "links/a.dng", {1});
  try {
    open(folder_ / "links");
    ADD_FAILURE() << "there is nothing to read";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("only 1 DNG file and 2 symbolic links"));
  }
}

TEST_F(Folder, IsNotSearchedFurtherWhenCancelled) {
  write_bytes(folder_ / "a.jpg", {1});
  const std::atomic<bool> cancelled = true;
  try {
    open_photo_folder(folder_.path(), cancelled);
    ADD_FAILURE() << "the folder was searched";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::kCancelled);
  }
}

TEST_F(Folder, ListsSpecialFilesWithoutOpeningThem) {
  fs::create_directories(folder_ / "folder.jpg");
  write_bytes(folder_ / "folder.jpg/in.jpg", {1});
  ASSERT_EQ(mkfifo((folder_ / "pipe.jpg").c_str(), 0600), 0);
  const auto source = open(folder_.path());
  EXPECT_THAT(names(*source, folder_.path()),
              testing::ElementsAre("folder.jpg/in.jpg", "pipe.jpg"));
  EXPECT_THROW(source->decode(1), Error);
}

TEST_F(Folder, MayBeOneOfSeveral) {
  fs::create_directories(folder_ / "b/deep");
  fs::create_directories(folder_ / "empty");
  for (const char* name : {"b/1.jpg", "b/deep/2.jpg", "a.jpg", "c.png", "c.dng", "d.txt"})
    write_bytes(folder_ / name, {1});
  PhotoFiles files(never);
  files.add(folder_ / "c.png");
  files.add(folder_ / "b");
  EXPECT_THROW(files.add(folder_ / "empty"), Error);
  EXPECT_THROW(files.add(folder_ / "missing"), Error);
  EXPECT_EQ(files.count(), 3U);
  files.add(folder_ / "b/deep");
  files.add_found(folder_ / "a.jpg");
  for (const char* name : {"d.txt", "c.dng", "missing", "empty"}) files.add_found(folder_ / name);
  const auto source = files.open();
  EXPECT_THAT(names(*source, folder_.path()),
              testing::ElementsAre("a.jpg", "b/1.jpg", "b/deep/2.jpg", "c.png"));
  EXPECT_EQ(source->unsupported(), "1 DNG file");
}

TEST_F(Folder, RejectsFoldersWithoutImages) {
  EXPECT_EQ(error_of(folder_ / "missing"), Error::Kind::kNotFound);
  EXPECT_EQ(error_of(folder_.path()), Error::Kind::kNotFound);
  write_bytes(folder_ / "notes.txt", {1});
  EXPECT_EQ(error_of(folder_.path()), Error::Kind::kNotFound);
  EXPECT_EQ(error_of(folder_ / "notes.txt"), Error::Kind::kNotFound);
  EXPECT_EQ(error_of(""), Error::Kind::kNotFound);
}

TEST_F(Folder, CountsPhotosOfUnsupportedFormats) {
  fs::create_directories(folder_ / "sub");
  for (const char* name : {"a.JXL", "sub/b.jxl", "c.dng", "d.txt", "e.mp4", ".f.jxl"})
    write_bytes(folder_ / name, {1});
  try {
    open(folder_.path());
    ADD_FAILURE() << "there is nothing to read";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("only 1 DNG file and 2 JXL files"));
  }
  write_bytes(folder_ / "g.jpg", {1});
  EXPECT_EQ(open(folder_.path())->count(), 1);
  EXPECT_EQ(open(folder_.path())->unsupported(), "1 DNG file and 2 JXL files");
  EXPECT_EQ(open(folder_ / "g.jpg")->unsupported(), "");
}

TEST_F(Folder, FingerprintsDifferBetweenFilesAndVersions) {
  write_bytes(folder_ / "a.jpg", {1, 2});
  write_bytes(folder_ / "b.jpg", {1, 2});
  const auto print = [&] { return open(folder_.path())->fingerprint(0); };
  const std::string first = print();
  EXPECT_EQ(print(), first);
  EXPECT_NE(open(folder_.path())->fingerprint(1), first);
  // A difference of one nanosecond is enough.
  const timespec times[] = {{1000, 5}, {1000, 5}}, later[] = {{1000, 5}, {1000, 6}};
  ASSERT_EQ(utimensat(AT_FDCWD, (folder_ / "a.jpg").c_str(), times, 0), 0);
  const std::string dated = print();
  EXPECT_NE(dated, first);
  ASSERT_EQ(utimensat(AT_FDCWD, (folder_ / "a.jpg").c_str(), later, 0), 0);
  const std::string moved = print();
  EXPECT_NE(moved, dated);
  write_bytes(folder_ / "a.jpg", {1, 2, 3});
  ASSERT_EQ(utimensat(AT_FDCWD, (folder_ / "a.jpg").c_str(), later, 0), 0);
  EXPECT_NE(print(), moved);
}

}  // namespace
}  // namespace mosaic
