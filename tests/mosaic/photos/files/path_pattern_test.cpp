// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photos/files/path_pattern.h"

#include <gmock/gmock.h>

#include "mosaic/base/error.h"
#include "tests/mosaic/photos/photo_files.h"

namespace mosaic {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

const std::atomic<bool> never{false};

class Pattern : public testing::Test {
 protected:
  Pattern() {
    for (const char* name : {"a/2022", "a/2023", "b/2023", "c", ".hidden/2023", "d [x]/2023"})
      fs::create_directories(folder_ / name);
    for (const char* name : {"a/2023/1.jpg", "b/2023/2.jpg", "b/2023/.3.jpg", "file.jpg", "d*.jpg"})
      write_bytes(folder_ / name, {1});
  }
  /// The matches, relative to the folder.
  std::vector<std::string> match(const std::string& pattern) {
    std::vector<std::string> below;
    const MatchingPaths found = match_paths(folder_ / pattern, never);
    for (const std::string& path : found.paths)
      below.push_back(path.substr(folder_.path().size() + 1));
    links_ = found.links;
    return below;
  }
  TempFolder folder_;
  int links_ = 0;
};

TEST_F(Pattern, MatchesNamesAsTheShellDoes) {
  EXPECT_THAT(match("*/2023"), ElementsAre("a/2023", "b/2023", "d [x]/2023"));
  EXPECT_THAT(match("?/20*"), ElementsAre("a/2022", "a/2023", "b/2023"));
  EXPECT_THAT(match("[bc]"), ElementsAre("b", "c"));
  EXPECT_THAT(match("*/*/*.jpg"), ElementsAre("a/2023/1.jpg", "b/2023/2.jpg"));
  EXPECT_THAT(match("*.jpg"), ElementsAre("d*.jpg", "file.jpg"));
  EXPECT_THAT(match("*2023"), IsEmpty()) << "a star matches no slash";
  EXPECT_THAT(match("file.jpg/*"), IsEmpty()) << "not a folder";
  EXPECT_THAT(match("no/*"), IsEmpty());
  EXPECT_THAT(match("*/no"), IsEmpty());
  EXPECT_THAT(match("a/*/"), ElementsAre("a/2022/", "a/2023/"));
}

TEST_F(Pattern, IsANameWherePartsOfItExist) {
  EXPECT_THAT(match("d [x]/*"), ElementsAre("d [x]/2023"));
  EXPECT_THAT(match("d*.jpg"), ElementsAre("d*.jpg"));
  EXPECT_THAT(match("\\?*"), IsEmpty()) << "escaped: a name that begins with ?";
  EXPECT_THAT(match("d\\**"), ElementsAre("d*.jpg"));
}

TEST_F(Pattern, LeavesOutFoldersOfPreviewsUnlessTheyAreNamed) {
  fs::create_directories(folder_ / "@eaDir/2023");
  EXPECT_THAT(match("*/2023"), ElementsAre("a/2023", "b/2023", "d [x]/2023"));
  EXPECT_THAT(match("@ea*/2023"), ElementsAre("@eaDir/2023"));
  EXPECT_THAT(match(".hid*/2023"), ElementsAre(".hidden/2023"));
}

TEST_F(Pattern, FollowsNoLinksToFolders) {
  const TempFolder elsewhere;
  fs::create_directories(elsewhere / "2023");
  fs::create_directory_symlink(elsewhere.path(), folder_ / "link");
  fs::create_directory_symlink(elsewhere / "2023", folder_ / "c/2023");
  fs::create_symlink(folder_ / "file.jpg", folder_ / "c/linked.jpg");
  EXPECT_THAT(match("*/2023"), ElementsAre("a/2023", "b/2023", "d [x]/2023"));
  EXPECT_EQ(links_, 2);
  EXPECT_THAT(match("c/*.jpg"), ElementsAre("c/linked.jpg")) << "links to files are followed";
  EXPECT_THAT(match("link/*"), ElementsAre("link/2023")) << "named by the user";
  EXPECT_EQ(links_, 0);
}

TEST_F(Pattern, IsRelativeToTheWorkingDirectory) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_.path());
  const MatchingPaths found = match_paths("?/2023", never);
  fs::current_path(before);
  EXPECT_THAT(found.paths, ElementsAre("a/2023", "b/2023"));
}

Error::Kind error_of(const std::string& pattern, const std::atomic<bool>& cancelled) {
  try {
    match_paths(pattern, cancelled);
  } catch (const Error& error) {
    EXPECT_LT(std::string(error.what()).size(), 200U);
    return error.kind();
  }
  ADD_FAILURE() << pattern.substr(0, 100) << " was accepted";
  return Error::Kind::kWrite;
}

TEST_F(Pattern, IsNotSearchedForWhenCancelled) {
  const std::atomic<bool> cancelled = true;
  EXPECT_EQ(error_of(folder_ / "*", cancelled), Error::Kind::kCancelled);
}

TEST_F(Pattern, IsNoLongerThanAPath) {
  EXPECT_EQ(error_of(std::string(100000, '*'), never), Error::Kind::kSettings);
}

}  // namespace
}  // namespace mosaic
