// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/pool/prepared_photos.h"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <thread>

#include "tests/mosaic/photos/photo_files.h"
#include "tests/mosaic/pool/pool_sources.h"

namespace mosaic {
namespace {

namespace fs = std::filesystem;

constexpr int kPhotos = 40;
constexpr size_t kHeader = 32, kRecord = 24 + 3 * 20 * 20 + 3 * 16 * 16;  // bytes

/// Photos of noise that say that they are files, some of which were changed.
class Files : public NoiseSource {
 public:
  Files() : NoiseSource(kPhotos, {3, 11}) {}
  bool is_file(int index) const override { return are_files && index != no_file; }
  std::string fingerprint(int index) const override {
    return NoiseSource::fingerprint(index) + (changed.count(index) ? " changed" : "");
  }
  std::set<int> changed;
  bool are_files = true;
  int no_file = -1;
};

class PreparedPhotosTest : public testing::Test {
 protected:
  PoolOptions options(mt::PixelSize draw_size = 20) const {
    PoolOptions all;
    all.side = 16;
    all.draw_size = draw_size;
    all.cache_location = folder_ / "cache";
    return all;
  }

  std::vector<std::string> files(const std::string& suffix) const {
    std::vector<std::string> found;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_ / "cache", error))
      if (entry.path().native().ends_with(suffix)) found.push_back(entry.path());
    return found;
  }

  std::string file() const {
    const std::vector<std::string> found = files(".photos");
    EXPECT_EQ(found.size(), 1u);
    return found.at(0);
  }

  /// The number of photos that a load decodes when there is no whole pool. Its tiles must be those
  /// of a load without a cache.
  int decoded_by_load(mt::PixelSize draw_size = 20) {
    for (const std::string& pool : files(".pool")) fs::remove(pool);
    source_.decoded = 0;
    const Load load(source_, options(draw_size));
    const int decoded = source_.decoded;
    PoolOptions uncached = options(draw_size);
    uncached.cache_location = "";
    const Load expected(source_, uncached);
    EXPECT_EQ(bytes_of(load.pool->pixels()), bytes_of(expected.pool->pixels()));
    EXPECT_EQ(bytes_of(load.pool->features()), bytes_of(expected.pool->features()));
    EXPECT_EQ(load.warnings, expected.warnings);
    return decoded;
  }

  TempFolder folder_;
  Files source_;
};

constexpr int kBroken = 2;  // of the photos; they are decoded in vain each time

TEST_F(PreparedPhotosTest, AreNotDecodedAgain) {
  EXPECT_EQ(decoded_by_load(), kPhotos);
  EXPECT_EQ(fs::file_size(file()), kHeader + (kPhotos - kBroken) * kRecord);
  EXPECT_EQ(decoded_by_load(), kBroken);
  EXPECT_EQ(fs::file_size(file()), kHeader + (kPhotos - kBroken) * kRecord);
}

TEST_F(PreparedPhotosTest, OutliveALoadThatIsInterrupted) {
  source_.cancel_at = 30;
  EXPECT_THROW(Load(source_, options(), 2, source_.cancelled), Error);
  source_.cancel_at = 0;
  source_.cancelled = false;
  // The one that was interrupted may have lost what each of its workers was doing.
  const int left = decoded_by_load();
  EXPECT_GE(left, kPhotos - 30);
  EXPECT_LE(left, kPhotos - 30 + kBroken + 2);
}

TEST_F(PreparedPhotosTest, ThatChangedAreDecodedAlone) {
  decoded_by_load();
  source_.changed = {7};
  EXPECT_EQ(decoded_by_load(), kBroken + 1);
  source_.changed = {};
  EXPECT_EQ(decoded_by_load(), kBroken) << "its record is still there";
}

TEST_F(PreparedPhotosTest, AreKeptForEachSize) {
  decoded_by_load(20);
  EXPECT_EQ(decoded_by_load(24), kPhotos);
  EXPECT_EQ(files(".photos").size(), 2u);
  EXPECT_EQ(decoded_by_load(20), kBroken);
  EXPECT_EQ(decoded_by_load(24), kBroken);
}

TEST_F(PreparedPhotosTest, SurviveHalfARecord) {
  decoded_by_load();
  fs::resize_file(file(), kHeader + 10 * kRecord + kRecord / 2);
  EXPECT_EQ(decoded_by_load(), kPhotos - 10);
  EXPECT_EQ(fs::file_size(file()), kHeader + (kPhotos - kBroken) * kRecord);
  EXPECT_EQ(decoded_by_load(), kBroken);
}

TEST_F(PreparedPhotosTest, AreCheckedBeforeTheyAreUsed) {
  decoded_by_load();
  Bytes bytes = read_bytes(file());
  bytes[kHeader + 5 * kRecord + 2] ^= 1;         // a key
  bytes[kHeader + 9 * kRecord + 20] ^= 1;        // a checksum
  bytes[kHeader + 12 * kRecord + 24 + 77] ^= 1;  // a pixel
  write_bytes(file(), bytes);
  EXPECT_EQ(decoded_by_load(), kBroken + 3);
  EXPECT_EQ(decoded_by_load(), kBroken);
}

TEST_F(PreparedPhotosTest, BeginAnewInPlaceOfAnythingElse) {
  decoded_by_load();
  const std::string path = file();
  for (const Bytes& bytes : {Bytes{}, Bytes{1}, Bytes(5000, 7)}) {
    write_bytes(path, bytes);
    EXPECT_EQ(decoded_by_load(), kPhotos);
    EXPECT_EQ(decoded_by_load(), kBroken);
  }
  fs::resize_file(path, (uint64_t{2} << 30) + 1);  // more than the cache may hold
  EXPECT_EQ(decoded_by_load(), kPhotos);
  EXPECT_EQ(fs::file_size(path), kHeader + (kPhotos - kBroken) * kRecord);
  fs::remove(path);
  fs::create_directory(path);
  EXPECT_EQ(decoded_by_load(), kPhotos);
}

TEST_F(PreparedPhotosTest, AreSharedByLoadsAtTheSameTime) {
  Files other;
  std::jthread second([&] { const Load load(other, options()); });
  const Load first(source_, options());
  second.join();
  EXPECT_EQ(decoded_by_load(), kBroken);
  EXPECT_EQ((fs::file_size(file()) - kHeader) % kRecord, 0u);
}

TEST_F(PreparedPhotosTest, ComeFromFilesWithAFingerprint) {
  source_.no_file = 4;
  decoded_by_load();
  EXPECT_EQ(decoded_by_load(), kBroken + 1);
  const TempFolder before;
  fs::rename(folder_ / "cache", before / "cache");
  source_.are_files = false;
  EXPECT_EQ(decoded_by_load(), kPhotos);
  EXPECT_EQ(files(".photos").size(), 0u);
  source_.are_files = true;
  source_.prints = false;
  EXPECT_EQ(decoded_by_load(), kPhotos);
}

/// While it exists, no file may become larger.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int) = std::signal(SIGXFSZ, SIG_IGN);
};

TEST_F(PreparedPhotosTest, EndWithAWholeRecordOnAFullDisk) {
  {
    const FullDisk disk(kHeader + 6 * kRecord + kRecord / 2);
    EXPECT_EQ(decoded_by_load(), kPhotos);
    EXPECT_EQ(fs::file_size(file()), kHeader + 6 * kRecord);
  }
  EXPECT_EQ(decoded_by_load(), kPhotos - 6);
  EXPECT_EQ(decoded_by_load(), kBroken);
}

}  // namespace
}  // namespace mosaic
