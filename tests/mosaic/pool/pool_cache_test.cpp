// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/pool/pool_cache.h"

#include <glib.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <xxhash.h>

#include <chrono>
#include <cstring>
#include <latch>
#include <random>

#include "mosaic/pool/cache_folder.h"
#include "tests/mosaic/photos/photo_files.h"
#include "tests/mosaic/pool/pool_sources.h"

namespace mosaic {
namespace {

namespace fs = std::filesystem;

class Cache : public testing::Test {
 protected:
  PoolOptions options(int side = 16, mt::PixelSize draw_size = 20, bool augment = true,
                      int hues = 0) const {
    return {side, draw_size, augment, folder_ / "cache", hues};
  }

  std::vector<std::string> files() const {
    std::vector<std::string> all;
    if (fs::exists(folder_ / "cache"))
      for (const auto& entry : fs::directory_iterator(folder_ / "cache"))
        all.push_back(entry.path());
    std::sort(all.begin(), all.end());
    return all;
  }

  TempFolder folder_;
  NoiseSource source_{12, {0, 5}};
};

TEST_F(Cache, SecondLoadDecodesNothingAndIsEqual) {
  const Load first(source_, options());
  EXPECT_EQ(source_.decoded, 12);
  ASSERT_EQ(files().size(), 1u);
  const Load second(source_, options());
  EXPECT_EQ(source_.decoded, 12);
  expect_same(*first.pool, *second.pool);
  EXPECT_EQ(second.pool->skipped(), 2);
  EXPECT_EQ(second.warnings, first.warnings);
  EXPECT_THAT(second.done, testing::ElementsAre(12));
  EXPECT_EQ(files().size(), 1u);
  // The kernels rely on this alignment.
  EXPECT_EQ(reinterpret_cast<uintptr_t>(second.pool->features().data()) % 64, 0u);
}

TEST_F(Cache, KeepsRotatedHues) {
  const Load first(source_, options(16, 20, true, 2));
  const Load second(source_, options(16, 20, true, 2));
  EXPECT_EQ(source_.decoded, 12);
  EXPECT_EQ(second.pool->variants(), 12);
  expect_same(*first.pool, *second.pool);
}

TEST_F(Cache, APoolOutlivesItsFile) {
  const Load first(source_, options());
  const Load second(source_, options());
  ASSERT_EQ(source_.decoded, 12) << "the second is that of the file";
  fs::remove_all(folder_ / "cache");
  expect_same(*first.pool, *second.pool);
}

TEST_F(Cache, APoolOutlivesATruncationOfItsFile) {
  const Load first(source_, options(16, 64));
  const Load second(source_, options(16, 64));
  ASSERT_EQ(source_.decoded, 12) << "the second is that of the file";
  fs::resize_file(files().at(0), 0);
  expect_same(*first.pool, *second.pool);
}

TEST_F(Cache, PathDependsOnEveryInputOfThePool) {
  const auto path = [&](const PoolOptions& o, uint64_t analysis = 1) {
    return PoolCache(source_, o, analysis).path();
  };
  std::set<std::string> paths = {path(options()),
                                 path(options(17)),
                                 path(options(16, 21)),
                                 path(options(16, {20, 21})),
                                 path(options(16, {21, 20})),
                                 path(options(16, 20, false)),
                                 path(options(), 2),
                                 path(options(16, 20, true, 1))};
  source_.version = "2";
  paths.insert(path(options()));
  EXPECT_EQ(paths.size(), 9u);
  EXPECT_EQ(paths.count(path(options())), 1u);
  const NoiseSource more(13, {0, 5});
  EXPECT_EQ(paths.count(PoolCache(more, options(), 1).path()), 0u);
}

TEST_F(Cache, DecodesAgainAfterAPhotoChanged) {
  const Load first(source_, options());
  source_.version = "2";
  const Load second(source_, options());
  EXPECT_EQ(source_.decoded, 24);
}

TEST_F(Cache, ReplacesDamagedFiles) {
  const Load first(source_, options());
  const std::string path = files().at(0);
  const Bytes good = read_bytes(path);
  std::vector<Bytes> damaged = {{}, {'x'}, Bytes(200, 0xff), Bytes(good.size(), 0)};
  for (size_t at = 0; at < good.size(); at = at * 5 / 4 + 1) {  // denser towards the header
    damaged.push_back(good);
    damaged.back()[at] ^= 0x10;
  }
  damaged.push_back(good);
  damaged.back().back() ^= 1;
  for (size_t length : {size_t{8}, size_t{63}, size_t{64}, good.size() / 2, good.size() - 1})
    damaged.emplace_back(good.begin(), good.begin() + static_cast<ptrdiff_t>(length));
  damaged.push_back(good);
  damaged.back().push_back(0);
  for (size_t i = 0; i < damaged.size(); ++i) {
    SCOPED_TRACE("damage " + std::to_string(i));
    fs::remove(path);
    write_bytes(path, damaged[i]);
    const int before = source_.decoded;
    const Load load(source_, options());
    EXPECT_EQ(source_.decoded, before + 12);
    expect_same(*first.pool, *load.pool);
    EXPECT_EQ(read_bytes(path), good);
  }
}

/// Updates the checksum of a changed file: bytes 8..15, over all that follows.
void sign(Bytes& file) {
  const XXH128_hash_t hash = XXH3_128bits(file.data() + 16, file.size() - 16);
  const uint64_t sum = hash.low64 ^ hash.high64;
  std::memcpy(file.data() + 8, &sum, sizeof sum);
}

TEST_F(Cache, UsesTheBytesOfTheFile) {
  const Load first(source_, options());
  const std::string path = files().at(0);
  Bytes file = read_bytes(path);
  const auto pixels = first.pool->pixels();
  const auto at = std::search(file.begin(), file.end(), pixels.begin(), pixels.end());
  ASSERT_NE(at, file.end());
  at[7] ^= 0xff;  // only the cache file has this value
  sign(file);
  fs::remove(path);
  write_bytes(path, file);
  const Load second(source_, options());
  EXPECT_EQ(second.pool->pixels()[7], pixels[7] ^ 0xff);
  EXPECT_EQ(read_bytes(path), file) << "it is not written anew";
}

TEST_F(Cache, RejectsNumbersThatNoTileHasDespiteAValidChecksum) {
  const Load first(source_, options());
  const std::string path = files().at(0);
  const Bytes good = read_bytes(path);
  const auto spoil = [&](const auto& part) {
    const auto* begin = reinterpret_cast<const uint8_t*>(part.data());
    Bytes file = good;
    const auto at = std::search(file.begin(), file.end(), begin, begin + part.size_bytes());
    ASSERT_NE(at, file.end());
    std::mt19937 random(1);
    std::generate_n(at, part.size_bytes(), [&] { return static_cast<uint8_t>(random()); });
    sign(file);
    write_bytes(path, file);
    const int before = source_.decoded;
    expect_same(*first.pool, *Load(source_, options()).pool);
    EXPECT_EQ(source_.decoded, before + 12) << "the file was used";
  };
  spoil(first.pool->features());
  spoil(first.pool->residuals());
  spoil(first.pool->stats());
}

/// What the cache stores of a pool of source_; the pool must outlive it.
PoolData data_of(const Pool& pool) {
  PoolData data;
  data.side = pool.side();
  data.draw_size = pool.draw_size();
  data.variants = pool.tile_variants();
  for (int i = 0; i < pool.photos(); ++i) data.names.push_back(pool.name(i));
  data.skipped = {{0, "first"}, {5, "second"}};
  data.pixels = pool.pixels();
  data.features = pool.features();
  data.residuals = pool.residuals();
  data.stats = pool.stats();
  data.grays = pool.grays();
  return data;
}

TEST_F(Cache, RejectsWrongCountsDespiteAValidChecksum) {
  const Load load(source_, {16, 20, true, std::string()});
  const PoolData storage = data_of(*load.pool);
  const PoolCache cache(source_, options(), 7);
  cache.store(storage);
  ASSERT_NE(cache.load(), nullptr);
  const Bytes good = read_bytes(cache.path());

  Bytes bytes = good;
  sign(bytes);
  ASSERT_EQ(bytes, good);
  for (size_t word = 16; word < 64; word += 4)
    for (uint8_t value : {0x00, 0x01, 0x7f, 0xff}) {
      bytes = good;
      std::memset(bytes.data() + word, value, 4);
      if (bytes == good) continue;
      sign(bytes);
      write_bytes(cache.path(), bytes);
      EXPECT_EQ(cache.load(), nullptr) << "word " << word << ", value " << int{value};
    }
  for (const auto& [at, value] : {std::pair{64, 9},
                                  {64, 5},
                                  {68, 0},
                                  {68, 12},
                                  {71, 0xff},
                                  {128 + 12, 'x'}}) {  // the indices, the end of the texts
    bytes = good;
    bytes[at] = static_cast<uint8_t>(value);
    sign(bytes);
    write_bytes(cache.path(), bytes);
    EXPECT_EQ(cache.load(), nullptr) << "byte " << at;
  }
  for (ptrdiff_t length : {std::ssize(good) - 64, std::ssize(good) / 2, ptrdiff_t{64}}) {
    bytes.assign(good.begin(), good.begin() + length);
    sign(bytes);
    write_bytes(cache.path(), bytes);
    EXPECT_EQ(cache.load(), nullptr) << length << " bytes of " << good.size();
  }
}

TEST_F(Cache, IsNeitherReadNorWrittenWhenCancelled) {
  const Load load(source_, {16, 20, true, std::string()});
  const PoolData storage = data_of(*load.pool);
  const std::atomic<bool> cancelled{true};
  const PoolCache stopped(source_, options(), 7, mt::Cancellation(cancelled));
  EXPECT_THROW(stopped.store(storage), mt::Cancelled);
  EXPECT_TRUE(files().empty());
  PoolCache(source_, options(), 7).store(storage);
  EXPECT_EQ(files().size(), 1U);
  EXPECT_THROW(stopped.load(), mt::Cancelled);
}

TEST_F(Cache, IgnoresSpecialFilesAtItsPath) {
  const Load first(source_, options());
  const std::string path = files().at(0);
  fs::remove(path);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  expect_same(*first.pool, *Load(source_, options()).pool);
  fs::remove(path);
  fs::create_directory(path);
  expect_same(*first.pool, *Load(source_, options()).pool);
}

TEST_F(Cache, LoadsDespiteAnUnwritableFolder) {
  write_bytes(folder_ / "cache", {'f', 'i', 'l', 'e'});  // unwritable even for root
  const Load load(source_, options());
  EXPECT_EQ(load.pool->photos(), 10);
  EXPECT_EQ(load.pool->cache_error(), g_strerror(ENOTDIR)) << "it is told";
}

TEST_F(Cache, StoresNothingIfDisabledOrNotRepeatable) {
  PoolOptions none = options();
  none.cache_location = "";
  EXPECT_EQ(PoolCache(source_, none, 1).path(), "");
  const Load first(source_, none);
  source_.prints = false;  // the source cannot tell whether a photo changed
  const Load second(source_, options());
  EXPECT_EQ(source_.decoded, 24);
  source_.prints = true;
  source_.no_memory = true;  // the next load may have enough memory
  EXPECT_THROW(Load(source_, options()), Error);
  EXPECT_TRUE(files().empty());
}

TEST_F(Cache, DefaultsToTheUsersCacheFolder) {
  PoolOptions unnamed = options();
  unnamed.cache_location.reset();
  EXPECT_EQ(fs::path(PoolCache(source_, unnamed, 1).path()).parent_path(),
            std::string(g_get_user_cache_dir()) + "/mosaictemporal");
}

TEST_F(Cache, RemovesTheLeastRecentlyUsedFiles) {
  const auto set_age = [](const std::string& path, int hours) {
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(hours));
  };
  std::vector<std::string> paths;
  const int files_made = static_cast<int>(kMaxCacheFiles);
  for (int i = 0; i < files_made; ++i) {
    source_.version = std::to_string(i);
    const Load load(source_, options(8, 8, false));
    paths.push_back(PoolCache(source_, options(8, 8, false), 0).path());
    for (const std::string& file : files())
      if (fs::last_write_time(file) > fs::file_time_type::clock::now() - std::chrono::minutes(30)) {
        paths.back() = file;
        set_age(file, files_made - i + 1);
      }
  }
  write_bytes(folder_ / "cache/someone-elses.pool", {1});
  write_bytes(folder_ / "cache/mosaictemporal-0.pool.tmp-abcdef", {1});
  set_age(folder_ / "cache/someone-elses.pool", 1000);
  set_age(folder_ / "cache/mosaictemporal-0.pool.tmp-abcdef", 1000);
  source_.version = "0";  // the oldest is used again
  const Load used(source_, options(8, 8, false));
  source_.version = "new";
  const Load added(source_, options(8, 8, false));
  EXPECT_EQ(files().size(), kMaxCacheFiles + 1);  // plus someone-elses.pool
  EXPECT_TRUE(fs::exists(paths[0]));
  EXPECT_FALSE(fs::exists(paths[1]));
  EXPECT_TRUE(fs::exists(paths[2]));
  EXPECT_TRUE(fs::exists(folder_ / "cache/someone-elses.pool"));
  EXPECT_FALSE(fs::exists(folder_ / "cache/mosaictemporal-0.pool.tmp-abcdef"));
}

TEST_F(Cache, LimitsTheTotalSizeButKeepsTheNewestFile) {
  const Load first(source_, options());
  const std::string path = files().at(0);
  fs::resize_file(path, kMaxCacheBytes);  // sparse
  source_.version = "2";
  const Load second(source_, options());
  EXPECT_FALSE(fs::exists(path));
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(Cache, AllowsConcurrentLoads) {
  const Load alone(source_, {16, 20, true, std::string()});
  constexpr int kLoads = 4;
  for (int round = 0; round < 5; ++round) {
    fs::remove_all(folder_ / "cache");
    std::latch start(kLoads);
    std::vector<std::shared_ptr<const Pool>> pools(kLoads);
    {
      std::vector<std::jthread> threads;
      for (auto& pool : pools)
        threads.emplace_back([&] {
          start.arrive_and_wait();
          pool = Load(source_, options()).pool;
        });
    }
    for (const auto& pool : pools) expect_same(*alone.pool, *pool);
    EXPECT_EQ(files().size(), 1u);
    const int decoded = source_.decoded;
    expect_same(*alone.pool, *Load(source_, options()).pool);
    EXPECT_EQ(source_.decoded, decoded) << "the file that is left can be read";
  }
}

}  // namespace
}  // namespace mosaic
