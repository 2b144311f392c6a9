// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/pool/tile_ranges.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <vector>

#include "cpu/cpu_executor.h"
#include "executor/executor.h"
#include "mosaic/analysis/analysis.h"

namespace mosaic {
namespace {

constexpr int kSide = 10, kPixels = kSide * kSide;

struct Tiles {
  std::vector<int16_t> features, residuals;
  std::vector<mt::CellStats> stats;

  /// @param pixels [n][3: R, G, B][kPixels]
  explicit Tiles(const std::vector<uint8_t>& pixels) {
    const int n = static_cast<int>(pixels.size() / (3 * kPixels));
    features.resize(size_t{mt::kFeatureStride} * n);
    residuals.resize(features.size());
    stats.resize(n);
    const auto executor = mt::make_cpu_executor(1);
    describe_tiles(*executor, pixels.data(), n, kSide, features.data(), residuals.data(),
                   stats.data());
  }
  bool good() const {
    return are_tile_features(features, residuals) && are_tile_stats(stats, kSide);
  }
};

TEST(TileRanges, ContainEveryColour) {
  std::vector<uint8_t> pixels;
  for (int r = 0; r < 256; r += 15)
    for (int g = 0; g < 256; g += 15)
      for (int b = 0; b < 256; b += 15)
        for (const int value : {r, g, b})
          pixels.insert(pixels.end(), kPixels, static_cast<uint8_t>(value));
  EXPECT_TRUE(Tiles(pixels).good());
}

TEST(TileRanges, ContainNoiseOfEveryContrast) {
  std::mt19937 random(1);
  std::vector<uint8_t> pixels;
  for (int tile = 0; tile < 300; ++tile)
    for (int i = 0; i < 3 * kPixels; ++i) {
      const uint32_t value = random();
      pixels.push_back(static_cast<uint8_t>(tile % 3 == 0   ? value % 2 * 255
                                            : tile % 3 == 1 ? value
                                                            : 100 + value % (tile + 1) / 2));
    }
  EXPECT_TRUE(Tiles(pixels).good());
}

TEST(TileRanges, ExcludeWhatNoTileHas) {
  std::mt19937 random(2);
  std::vector<uint8_t> pixels(3 * kPixels);
  for (uint8_t& value : pixels) value = static_cast<uint8_t>(random());
  const Tiles tile(pixels);
  ASSERT_TRUE(tile.good());
  const auto bad = [&](const std::function<void(Tiles&)>& change) {
    Tiles changed = tile;
    change(changed);
    return !changed.good();
  };
  for (int i = 0; i < mt::kFeatureStride; ++i) {
    EXPECT_TRUE(bad([&](Tiles& t) { t.features[i] = INT16_MAX; })) << i;
    EXPECT_TRUE(bad([&](Tiles& t) { t.features[i] = INT16_MIN; })) << i;
    EXPECT_TRUE(bad([&](Tiles& t) { t.features[i] = -1; })) << i;
    EXPECT_TRUE(bad([&](Tiles& t) { t.residuals[i] = 513; })) << i;
    EXPECT_TRUE(bad([&](Tiles& t) { t.residuals[i] = -513; })) << i;
  }
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(bad([&](Tiles& t) { t.stats[0].rgb[i] = -1; }));
    EXPECT_TRUE(bad([&](Tiles& t) { t.stats[0].lab[i] = INT32_MAX; }));
    EXPECT_TRUE(bad([&](Tiles& t) { t.stats[0].lab_square[i] = INT64_MAX; }));
    EXPECT_TRUE(bad([&](Tiles& t) { t.stats[0].lab_cross[i] = INT64_MIN; }));
    EXPECT_TRUE(bad([&](Tiles& t) { t.stats[0].lab_square[i] /= 2; })) << "a negative variance";
    EXPECT_TRUE(bad([&](Tiles& t) { t.stats[0].lab_cross[i] /= 8; })) << "a covariance too large";
    EXPECT_TRUE(bad([&](Tiles& t) { t.stats[0].oklab[i] = 1 << 20; }));
    EXPECT_TRUE(bad([&](Tiles& t) { t.stats[0].oklab[i] = INT32_MIN; }));
  }
  EXPECT_TRUE(bad([](Tiles& t) { t.stats[0].saturation = 256 * kPixels; }));
}

}  // namespace
}  // namespace mosaic
