// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/pool/pool.h"
#include "cpu/cpu_executor.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>

#include "kernels/math/brightness.h"
#include "mosaic/analysis/analysis.h"
#include "mosaic/photos/photo_cut.h"
#include "mosaic/photos/resize_part.h"
#include "tests/mosaic/photos/photo_files.h"
#include "tests/mosaic/pool/pool_sources.h"

namespace mosaic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

PoolOptions uncached(int side, mt::PixelSize draw_size, bool augment = true,
                     int color_variants = 0) {
  return {side, draw_size, augment, std::string(), color_variants};
}

Error error_of(const PhotoSource& source, const PoolOptions& options,
               const std::atomic<bool>& cancelled = false) {
  try {
    Load load(source, options, 2, cancelled);
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "the load succeeded";
  return {Error::Kind::kNotFound, ""};
}

/// A photo in one variant at side x side, by definition.
std::vector<uint8_t> tile(const Photo& photo, int side, const mt::TileVariants& variants, int v) {
  const auto variant = static_cast<int>(variants.augmentation(v));
  std::vector<uint8_t> plain(size_t{3} * side * side);
  resize_part(photo, shown_part(photo), side, plain.data());
  std::vector<uint8_t> out = plain;
  for (int row = 0; row < 3 * side; ++row)
    for (int x = 0; x < side; ++x) {
      uint8_t& v = out[row * side + x];
      // Products of two floats are exact in double; rounding them to float is the float product.
      const auto scaled = [&](float gain) {
        const double product = static_cast<double>(v) * static_cast<double>(gain);
        return static_cast<uint8_t>(std::min(static_cast<float>(product), 255.0f));
      };
      if (variant == 1) v = plain[row * side + side - 1 - x];
      if (variant == 2) v = scaled(1.10f);
      if (variant == 3) v = scaled(0.90f);
    }
  if (const mt::HueRotation* turn = variants.rotation(v))
    for (int i = 0, n = side * side; i < n; ++i) {
      const mt::Triple rgb =
          mt::rotate_hue(&mt::tables(), *turn, out[i], out[n + i], out[2 * n + i]);
      for (int c = 0; c < 3; ++c) out[c * n + i] = static_cast<uint8_t>(rgb.v[c]);
    }
  return out;
}

TEST(Pool, RefusesPhotosThatDoNotFitIntoMemoryBeforeDecodingAny) {
  const NoiseSource source(100000);
  const Error error = error_of(source, uncached(8, 16384));
  EXPECT_EQ(error.kind(), Error::Kind::kSettings);
  EXPECT_THAT(error.what(), HasSubstr("100000 photos drawn at 16384x16384 pixels"));
  EXPECT_THAT(error.what(), HasSubstr("80531.0 GB"));  // gigabytes
  EXPECT_THAT(error.hint(), HasSubstr("fewer photos"));
  EXPECT_EQ(source.decoded, 0);
}

/// Compares the pixels, features and statistics of every tile with ones computed separately.
void expect_prepared_from(const Pool& pool, const PhotoSource& source,
                          const std::vector<int>& kept) {
  ASSERT_EQ(pool.photos(), static_cast<int>(kept.size()));
  ASSERT_EQ(pool.tiles(), pool.photos() * pool.variants());
  const auto executor = mt::make_cpu_executor(1);
  const size_t draw_bytes = size_t{3} * pool.draw_size().width * pool.draw_size().height;
  ASSERT_EQ(pool.pixels().size(), pool.photos() * draw_bytes);
  ASSERT_EQ(pool.features().size(), size_t(pool.tiles()) * mt::kFeatureStride);
  ASSERT_EQ(pool.stats().size(), size_t(pool.tiles()));
  const size_t gray_bytes = size_t(pool.side()) * pool.side();
  ASSERT_EQ(pool.grays().size(), pool.tiles() * gray_bytes);
  for (int p = 0; p < pool.photos(); ++p) {
    const Photo photo = source.decode(kept[p]);
    EXPECT_EQ(pool.name(p), source.name(kept[p]));
    std::vector<uint8_t> drawn(draw_bytes);
    resize_part(photo, shown_part(photo), pool.draw_size(), drawn.data());
    ASSERT_TRUE(std::equal(drawn.begin(), drawn.end(), pool.pixels().begin() + p * draw_bytes));
    for (int v = 0; v < pool.variants(); ++v) {
      const std::vector<uint8_t> seen = tile(photo, pool.side(), pool.tile_variants(), v);
      alignas(64) int16_t features[mt::kFeatureStride] = {}, residuals[mt::kFeatureStride] = {};
      mt::CellStats stats{};
      describe_tiles(*executor, seen.data(), 1, pool.side(), features, residuals, &stats);
      const size_t t = size_t(v) * pool.photos() + p;
      const size_t at = t * mt::kFeatureStride;
      ASSERT_EQ(std::memcmp(features, &pool.features()[at], sizeof features), 0)
          << "photo " << p << ", variant " << v;
      ASSERT_EQ(std::memcmp(residuals, &pool.residuals()[at], sizeof residuals), 0)
          << "photo " << p << ", variant " << v;
      ASSERT_EQ(std::memcmp(&stats, &pool.stats()[t], sizeof stats), 0);
      // BT.601 in double precision: the kernels' integers differ by their rounding at most.
      for (size_t i = 0; i < gray_bytes; ++i)
        ASSERT_NEAR(
            0.299 * seen[i] + 0.587 * seen[gray_bytes + i] + 0.114 * seen[2 * gray_bytes + i],
            pool.grays()[t * gray_bytes + i], 0.52);
    }
  }
}

TEST(GainTables, MatchNumpy) {
  uint8_t brighter[256], darker[256];
  mt::fill_gain_tables(brighter, darker);
  // FNV-1a of np.clip(np.arange(256).astype(np.float32) * gain, 0, 255).astype(np.uint8).
  const auto hash = [](const uint8_t* table) {
    uint64_t h = 0xcbf29ce484222325u;
    for (int v = 0; v < 256; ++v) h = (h ^ table[v]) * 0x100000001b3u;
    return h;
  };
  EXPECT_EQ(hash(brighter), 0x756932b23fc2aac5u);
  EXPECT_EQ(hash(darker), 0x5c3f002889fe23bfu);
  EXPECT_EQ(brighter[10], 11);
  EXPECT_EQ(brighter[232], 255);
  EXPECT_EQ(darker[255], 229);
}

TEST(Pool, HasTheVariantsOfAllPhotosInOrder) {
  const NoiseSource source(9);
  const Load load(source, uncached(24, 24));
  EXPECT_EQ(load.pool->variants(), mt::kVariants);
  EXPECT_EQ(load.pool->skipped(), 0);
  EXPECT_TRUE(load.warnings.empty());
  expect_prepared_from(*load.pool, source, {0, 1, 2, 3, 4, 5, 6, 7, 8});
}

TEST(Pool, SupportsADrawSizeOtherThanTheCellSize) {
  const NoiseSource source(5);
  expect_prepared_from(*Load(source, uncached(8, 33)).pool, source, {0, 1, 2, 3, 4});
  expect_prepared_from(*Load(source, uncached(17, 1)).pool, source, {0, 1, 2, 3, 4});
}

TEST(Pool, HasOneTilePerPhotoWithoutVariants) {
  const NoiseSource source(5);
  const Load load(source, uncached(12, 12, false));
  EXPECT_EQ(load.pool->variants(), 1);
  expect_prepared_from(*load.pool, source, {0, 1, 2, 3, 4});
}

TEST(Pool, RotatesHuesAfterAugmentation) {
  const NoiseSource source(7, {2});
  for (const auto& [augment, hues] : {std::pair(true, 3), std::pair(false, 12)}) {
    const Load load(source, uncached(10, 12, augment, hues));
    EXPECT_EQ(load.pool->variants(), (augment ? 4 : 1) * (1 + hues));
    expect_prepared_from(*load.pool, source, {0, 1, 3, 4, 5, 6});
  }
  EXPECT_EQ(error_of(source, uncached(10, 10, true, 13)).kind(), Error::Kind::kSettings);
  EXPECT_EQ(error_of(source, uncached(10, 10, true, -1)).kind(), Error::Kind::kSettings);
}

TEST(Pool, SkipsAndReportsBrokenPhotosInOrder) {
  const NoiseSource source(12, {0, 5, 6, 11});
  for (const mt::PixelSize& draw_size : {mt::PixelSize(16), {20}, {16, 23}, {40, 16}}) {
    const Load load(source, uncached(16, draw_size));
    EXPECT_EQ(load.pool->skipped(), 4);
    EXPECT_THAT(load.warnings, ElementsAre("noise-0 is broken", "noise-5 is broken",
                                           "noise-6 is broken", "noise-11 is broken"));
    expect_prepared_from(*load.pool, source, {1, 2, 3, 4, 7, 8, 9, 10});
  }
}

TEST(Pool, AcceptsASinglePhoto) {
  const NoiseSource one(1), last(3, {0, 1});
  expect_prepared_from(*Load(one, uncached(10, 10)).pool, one, {0});
  expect_prepared_from(*Load(last, uncached(10, 10)).pool, last, {2});
}

TEST(Pool, ExplainsWhyThereIsNoPhoto) {
  const Error error = error_of(NoiseSource(3, {0, 1, 2}), uncached(10, 10));
  EXPECT_EQ(error.kind(), Error::Kind::kRead);
  EXPECT_THAT(error.what(), HasSubstr("noise-0 is broken"));
  EXPECT_THAT(error.what(), HasSubstr("3"));
  EXPECT_EQ(error_of(NoiseSource(0), uncached(10, 10)).kind(), Error::Kind::kRead);
}

TEST(Pool, RejectsSizesOutOfRange) {
  for (const auto& [side, draw_size] : {std::pair<int, mt::PixelSize>{7, 7},
                                        {257, 40},
                                        {40, 0},
                                        {40, 16385},
                                        {40, {40, 0}},
                                        {40, {16385, 40}}})
    EXPECT_EQ(error_of(NoiseSource(1), uncached(side, draw_size)).kind(), Error::Kind::kSettings);
}

TEST(Pool, LoadsMorePhotosThanOneChunk) {
  // A chunk is 4096 photos where they are small; both chunks have gaps.
  std::set<int> broken = {3, 100, 4095, 4096, 4110};
  const NoiseSource source(4120, broken, 9, 8);
  std::vector<int> kept;
  for (int i = 0; i < source.count(); ++i)
    if (!broken.count(i)) kept.push_back(i);
  const Load load(source, uncached(8, 9));
  EXPECT_EQ(load.warnings.size(), broken.size());
  expect_prepared_from(*load.pool, source, kept);
}

TEST(Pool, DoesNotDependOnThreads) {
  const NoiseSource source(60, {7, 20});
  const Load one(source, uncached(24, 30), 1);
  for (int threads : {2, 7}) expect_same(*one.pool, *Load(source, uncached(24, 30), threads).pool);
}

TEST(Pool, ProgressIncreasesToTheTotal) {
  const NoiseSource source(300, {4});
  for (int threads : {1, 3}) {
    const Load load(source, uncached(8, 8), threads);
    ASSERT_FALSE(load.done.empty());
    EXPECT_TRUE(std::is_sorted(load.done.begin(), load.done.end()));
    EXPECT_EQ(load.done.back(), 300);
    // Only the calling thread reports progress; with more threads, some reports may be left out.
    if (threads == 1) {
      EXPECT_GT(load.done.size(), 299u);
    }
  }
}

TEST(Pool, CancellingStopsDecoding) {
  NoiseSource source(1000);
  source.cancel_at = 20;
  EXPECT_EQ(error_of(source, uncached(8, 8), source.cancelled).kind(), Error::Kind::kCancelled);
  EXPECT_LE(source.decoded, 22);  // each worker may still be decoding one photo
  source.decoded = 0;
  EXPECT_EQ(error_of(source, uncached(8, 8), source.cancelled).kind(), Error::Kind::kCancelled);
  EXPECT_EQ(source.decoded, 0);
}

TEST(Pool, LoadsAFolderOfMixedFormats) {
  TempFolder folder;
  write_bytes(folder / "1.png", encode("png", 20, 20, noise_pixel));
  write_bytes(folder / "2.jpg", {'n', 'o', '\n'});
  write_bytes(folder / "3.bmp", encode("bmp", 31, 17, noise_pixel));
  write_bytes(folder / "4.gif", {});
  write_bytes(folder / "5.tif", encode("tiff", 8, 9, noise_pixel));
  const std::atomic<bool> cancelled{false};
  const auto source = open_photo_folder(folder.path(), cancelled);
  const Load load(*source, uncached(12, 12));
  expect_prepared_from(*load.pool, *source, {0, 2, 4});
  EXPECT_THAT(load.warnings, ElementsAre(HasSubstr("2.jpg"), HasSubstr("4.gif")));
}

}  // namespace
}  // namespace mosaic
