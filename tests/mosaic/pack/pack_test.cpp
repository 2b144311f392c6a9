// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/pack/pack.h"

#include <gmock/gmock.h>

#include <fstream>

#include "mosaic/base/error.h"
#include "mosaic/pack/pack_writer.h"
#include "tests/mosaic/photos/photo_files.h"

namespace mosaic::pack {
namespace {

/// A photo with levels of noise; `jpegs` of them are taken for JPEG.
PackedPhoto photo_of(int number, int jpegs) {
  PackedPhoto photo{"folder/" + std::to_string(number) + ".jpg", uint64_t(number) << 40, {}};
  for (size_t level = 0; level < kRawSides.size() + jpegs; ++level) {
    const size_t size =
        level < kRawSides.size() ? raw_bytes(kRawSides[level]) : 10 + number + level;
    for (size_t i = 0; i < size; ++i)
      photo.levels[level].push_back(static_cast<uint8_t>(
          noise_pixel(static_cast<uint32_t>(i), number, static_cast<uint32_t>(level))));
  }
  return photo;
}

constexpr int kPhotos = 70;  // more than one chunk

Hash write(const std::string& path, int photos = kPhotos) {
  PackWriter writer(path, {}, 0);
  for (int i = 0; i < photos; ++i) writer.add(photo_of(i, i % 5));
  return writer.finish();
}

std::string error_of(const std::string& path, Pack::End end = Pack::End::kRequired) {
  try {
    const Pack pack(path, end);
    for (int i = 0; i < pack.count(); ++i)
      for (int level = 0; level < pack.levels(i); ++level) pack.level(i, level);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(Pack, HoldsWhatWasWritten) {
  const TempFolder folder;
  const std::string path = folder / "a.mospack";
  const Hash hash = write(path);
  const Pack pack(path);
  ASSERT_EQ(pack.count(), kPhotos);
  EXPECT_EQ(pack.hash(), hash);
  for (int i = 0; i < kPhotos; ++i) {
    const PackedPhoto photo = photo_of(i, i % 5);
    EXPECT_EQ(pack.name(i), photo.name);
    EXPECT_EQ(pack.source(i), photo.source);
    ASSERT_EQ(pack.levels(i), 3 + i % 5);
    for (int level = 0; level < pack.levels(i); ++level)
      EXPECT_EQ(pack.level(i, level), photo.levels[level]) << i << ", " << level;
  }
  EXPECT_FALSE(std::filesystem::exists(PackWriter::part_of(path)));
}

TEST(Pack, HasTheShapeOfItsPhotos) {
  const TempFolder folder;
  const std::string path = folder / "a.mospack";
  const auto made = [&](Shape shape) {
    PackWriter writer(path, shape, 0);
    writer.add(photo_of(1, 2));
    return writer.finish();
  };
  const Hash square = made({});
  EXPECT_EQ(Pack(path).shape(), (Shape{1, 1}));
  const Hash wide = made({3, 2});
  EXPECT_EQ(Pack(path).shape(), (Shape{3, 2}));
  EXPECT_EQ(Pack(path).hash(), wide);
  EXPECT_NE(wide, square);
  EXPECT_NE(made({2, 3}), wide);
  EXPECT_EQ(made({}), square);
}

TEST(Pack, AnImpossibleShapeIsRefused) {
  const TempFolder folder;
  const std::string path = folder / "a.mospack";
  write(path);
  std::fstream(path, std::ios::in | std::ios::out | std::ios::binary).seekp(12).put(3);
  EXPECT_NE(error_of(path).find("damaged"), std::string::npos) << error_of(path);
}

TEST(Pack, HashDependsOnNamesAndLevelsAlone) {
  const TempFolder folder;
  const std::string path = folder / "a.mospack";
  const auto hash_of_one = [&](const PackedPhoto& photo) {
    PackWriter writer(path, {}, 0);
    writer.add(photo);
    return writer.finish();
  };
  PackedPhoto photo = photo_of(1, 2);
  const Hash hash = hash_of_one(photo);
  photo.source = 7;
  EXPECT_EQ(hash_of_one(photo), hash);
  photo.levels[4].back() ^= 1;
  EXPECT_NE(hash_of_one(photo), hash);
  photo = photo_of(1, 2);
  photo.name = "x";
  EXPECT_NE(hash_of_one(photo), hash);
  EXPECT_THAT(hash.text(), testing::MatchesRegex("[0-9a-f]{32}"));
}

TEST(Pack, IsRefusedWhereverItIsCutOff) {
  const TempFolder folder;
  const std::string path = folder / "a.mospack", cut = folder / "cut.mospack";
  write(path, 3);
  const Bytes whole = read_bytes(path);
  for (size_t size = 0; size < whole.size(); size += size < 600 ? 1 : 997) {
    write_bytes(cut, Bytes(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size)));
    EXPECT_THAT(error_of(cut), testing::HasSubstr("cannot read the pack '" + cut + "'")) << size;
  }
  Bytes longer = whole;
  longer.push_back(0);
  write_bytes(cut, longer);
  EXPECT_NE(error_of(cut), "");
}

TEST(Pack, IsRefusedWithAnyWrongByte) {
  const TempFolder folder;
  const std::string path = folder / "a.mospack", wrong = folder / "wrong.mospack";
  write(path, 2);
  const Bytes whole = read_bytes(path);
  for (size_t at = 0; at < whole.size(); at += at < 600 || at > whole.size() - 60 ? 1 : 499) {
    Bytes bytes = whole;
    bytes[at] ^= 0x41;
    write_bytes(wrong, bytes);
    EXPECT_NE(error_of(wrong), "") << at;
  }
}

TEST(Pack, IsAnErrorWhenItIsCutOffWhileItIsOpen) {
  const TempFolder folder;
  const std::string path = folder / "a.mospack";
  write(path);
  const Pack pack(path);
  std::filesystem::resize_file(path, 5000);
  EXPECT_THROW(pack.level(kPhotos - 1, 0), Error);
}

TEST(Pack, SaysWhatIsWrong) {
  const TempFolder folder;
  EXPECT_THAT(error_of(folder / "none.mospack"), testing::HasSubstr("cannot open the pack"));
  EXPECT_THAT(error_of(folder.path()), testing::HasSubstr("cannot open the pack"));
  const std::string path = folder / "a.mospack";
  write_bytes(path, Bytes(1000, 'x'));
  EXPECT_THAT(error_of(path), testing::HasSubstr("it is no pack"));
  write(path, 1);
  Bytes bytes = read_bytes(path);
  bytes[8] = 9;
  write_bytes(path, bytes);
  EXPECT_THAT(error_of(path), testing::HasSubstr("it is of version 9"));
}

TEST(Pack, WithoutItsEndIsReadAsFarAsItIsWhole) {
  const TempFolder folder;
  const std::string path = folder / "a.mospack";
  write(path);
  const Bytes whole = read_bytes(path);
  const size_t end = Pack(path).end_of_chunks();
  EXPECT_EQ(end, whole.size() - kEndBytes);
  write_bytes(path, Bytes(whole.begin(), whole.end() - static_cast<ptrdiff_t>(kEndBytes) - 1));
  const Pack pack(path, Pack::End::kMayBeMissing);
  EXPECT_EQ(pack.count(), kMostInChunk);
  EXPECT_LT(pack.end_of_chunks(), end);
}

}  // namespace
}  // namespace mosaic::pack
