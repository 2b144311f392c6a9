// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/pack/make_pack.h"

#include <gmock/gmock.h>

#include <set>

#include "mosaic/base/error.h"
#include "mosaic/pack/pack.h"
#include "mosaic/pack/pack_photos.h"
#include "mosaic/pack/pack_writer.h"
#include "mosaic/photos/photo_cut.h"
#include "mosaic/photos/resize_part.h"
#include "tests/mosaic/photos/photo_files.h"

namespace mosaic::pack {
namespace {

/// Photos of noise, of which some cannot be decoded. Counts how often they are.
struct Photos : PhotoSource {
  int number = 0;
  int side = 100;
  std::set<int> broken;
  std::string version;
  std::atomic<bool>* stop = nullptr;  ///< becomes true at the photo `stop_at`
  int stop_at = -1;
  mutable std::atomic<int> decoded = 0;

  explicit Photos(int count) : number(count) {}
  int count() const override { return number; }
  std::string name(int i) const override { return "/all/photos/" + std::to_string(i) + ".png"; }
  std::string fingerprint(int i) const override { return name(i) + version; }
  Photo decode(int i) const override {
    if (i == stop_at) *stop = true;
    if (broken.contains(i)) throw Error(Error::Kind::kRead, "photo " + std::to_string(i));
    ++decoded;
    Photo photo{side, side + 7, std::vector<uint8_t>(size_t{3} * side * (side + 7))};
    for (size_t at = 0; at < photo.rgb.size(); ++at)
      photo.rgb[at] = static_cast<uint8_t>(noise_pixel(static_cast<uint32_t>(at), i, 0));
    return photo;
  }
};

struct Made {
  PackResult result;
  std::vector<std::string> warnings;
};

Made make(const Photos& photos, const std::string& path, int largest = 128,
          const std::atomic<bool>& cancelled = false) {
  mt::WorkerPool workers(2);
  Made made;
  made.result = make_pack(
      photos, path, {largest, {"/all/photos"}}, workers,
      [&](const std::string& why) { made.warnings.push_back(why); }, [](int, int) {}, cancelled);
  return made;
}

TEST(MakePack, KeepsEveryPhotoInItsOrder) {
  const TempFolder folder;
  Photos photos(70);
  photos.broken = {3, 69};
  const Made made = make(photos, folder / "a.mospack");
  EXPECT_EQ(made.result.photos, 68);
  EXPECT_EQ(made.result.skipped, 2);
  EXPECT_THAT(made.warnings, testing::ElementsAre("photo 3", "photo 69"));
  const Pack pack(folder / "a.mospack");
  ASSERT_EQ(pack.count(), 68);
  EXPECT_EQ(pack.name(0), "0.png");
  EXPECT_EQ(pack.name(3), "4.png");
  EXPECT_EQ(pack.levels(0), 3);  // it has no 128 pixels
  std::vector<uint8_t> planes(raw_bytes(64));
  const Photo photo = photos.decode(4);
  resize_part(photo, shown_part(photo), 64, planes.data());
  const std::vector<uint8_t> level = pack.level(3, 2);
  for (int i = 0; i < 64 * 64; ++i)
    for (int c = 0; c < 3; ++c) ASSERT_EQ(level[3 * i + c], planes[c * 64 * 64 + i]);
}

TEST(MakePack, IsTheSameWithAnyNumberOfThreadsAndInterruptions) {
  const TempFolder folder;
  const std::string whole = folder / "whole.mospack", parts = folder / "parts.mospack";
  Photos photos(200);
  const Hash hash = make(photos, whole).result.hash;
  for (const int stop_at : {10, 100, 199}) {
    std::atomic<bool> stop = false;
    photos.stop = &stop;
    photos.stop_at = stop_at;
    try {
      make(photos, parts, 128, stop);
      ADD_FAILURE() << stop_at;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::kCancelled);
    }
    EXPECT_FALSE(std::filesystem::exists(parts));
    EXPECT_TRUE(std::filesystem::exists(PackWriter::part_of(parts)));
  }
  photos.stop_at = -1;
  photos.decoded = 0;
  const PackResult result = make(photos, parts).result;
  EXPECT_EQ(result.hash, hash);
  EXPECT_EQ(result.photos, 200);
  EXPECT_EQ(result.kept + photos.decoded, 200);
  EXPECT_GT(result.kept, 128);
  EXPECT_EQ(Pack(parts).hash(), hash);
}

TEST(MakePack, GoesOnAfterAnUnfinishedFileThatIsDamaged) {
  const TempFolder folder;
  const std::string path = folder / "a.mospack";
  Photos photos(100);
  std::atomic<bool> stop = false;
  photos.stop = &stop;
  photos.stop_at = 99;
  EXPECT_THROW(make(photos, path, 128, stop), Error);
  photos.stop_at = -1;
  const std::string part = PackWriter::part_of(path);
  Bytes bytes = read_bytes(part);
  bytes[bytes.size() / 2] ^= 1;
  write_bytes(part, bytes);
  EXPECT_EQ(make(photos, path).result.photos, 100);
  const Pack pack(path);
  for (int i = 0; i < 100; ++i)
    for (int level = 0; level < pack.levels(i); ++level) pack.level(i, level);
}

TEST(MakePack, DecodesOnlyWhatIsNew) {
  const TempFolder folder;
  const std::string path = folder / "a.mospack";
  Photos photos(80);
  make(photos, path);
  photos.number = 90;
  photos.decoded = 0;
  const PackResult more = make(photos, path).result;
  EXPECT_EQ(photos.decoded, 10);
  EXPECT_EQ(more.kept, 80);
  EXPECT_EQ(more.photos, 90);
  photos.number = 40;
  photos.decoded = 0;
  EXPECT_EQ(make(photos, path).result.photos, 40);
  EXPECT_EQ(photos.decoded, 0);
  EXPECT_EQ(Pack(path).count(), 40);
  make(photos, path, 64);  // other levels
  EXPECT_EQ(photos.decoded, 40);
  photos.version = " changed";
  photos.decoded = 0;
  make(photos, path, 64);
  EXPECT_EQ(photos.decoded, 40);
}

TEST(MakePack, KeepsTheOlderPackIfItFails) {
  const TempFolder folder;
  const std::string path = folder / "a.mospack";
  Photos photos(5);
  const Hash hash = make(photos, path).result.hash;
  photos.version = " changed";
  photos.broken = {0, 1, 2, 3, 4};
  EXPECT_THROW(make(photos, path), Error);
  EXPECT_EQ(Pack(path).hash(), hash);
  EXPECT_THROW(make(photos, folder / "no folder/a.mospack"), Error);
  photos.broken.clear();
  const std::string film = folder / "film.mospack";
  write_bytes(film, Bytes(100, 'x'));
  EXPECT_THROW(make(photos, film), Error);
  EXPECT_EQ(read_bytes(film), Bytes(100, 'x'));
  EXPECT_THROW(make(photos, folder.path()), Error);
}

TEST(PackPhotos, GivesTheLevelThatSuitsASide) {
  const TempFolder folder;
  const std::string path = folder / "a.mospack";
  Photos photos(2);
  photos.side = 300;
  make(photos, path, 256);
  const std::atomic<bool> cancelled = false;
  for (const auto& [side, level] :
       {std::pair{1, 16}, {16, 16}, {17, 32}, {64, 64}, {65, 128}, {129, 256}, {5000, 256}}) {
    const PackPhotos source(path, side, cancelled);
    ASSERT_EQ(source.count(), 2);
    EXPECT_EQ(source.name(1), path + "/1.png");
    const Photo photo = source.decode(1);
    EXPECT_EQ(photo.width, level) << side;
    EXPECT_EQ(photo.height, level);
    EXPECT_EQ(photo.rgb.size(), raw_bytes(level));
  }
  EXPECT_TRUE(is_pack_name("a/b.MOSPACK"));
  EXPECT_FALSE(is_pack_name(".mospack"));
}

}  // namespace
}  // namespace mosaic::pack
