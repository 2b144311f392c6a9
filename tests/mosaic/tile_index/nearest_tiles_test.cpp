// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/tile_index/nearest_tiles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <random>

#include "cpu/cpu_executor.h"
#include "executor/host_distances.h"
#include "mosaic/analysis/analysis.h"

namespace mosaic {
namespace {

constexpr int kSide = 16, kPixels = kSide * kSide;

/// Pictures, and their features.
struct Pictures {
  explicit Pictures(int count)
      : pixels(size_t{3} * kPixels * count),
        features(static_cast<size_t>(count) * mt::kFeatureStride),
        residuals(features.size()),
        stats(count) {}

  /// A gradient between two colours, with some noise. @param like a picture that it resembles, -1:
  /// none
  void draw(int at, std::mt19937& random, int like = -1) {
    const auto number = [&](int below) { return static_cast<int>(random() % below); };
    for (int c = 0; c < 3; ++c) {
      uint8_t* out = &pixels[(size_t{3} * at + c) * kPixels];
      const int from = number(256), to = number(256), noise = 1 + number(60);
      const uint8_t* near = like < 0 ? nullptr : &pixels[(size_t{3} * like + c) * kPixels];
      for (int i = 0; i < kPixels; ++i) {
        const int value = near ? near[i] : from + (to - from) * (i % kSide) / kSide + number(noise);
        out[i] = static_cast<uint8_t>(std::clamp(value + (near ? number(9) - 4 : 0), 0, 255));
      }
    }
  }

  void describe(int first, int count) {
    const auto executor = mt::make_cpu_executor(1);
    const size_t at = static_cast<size_t>(first) * mt::kFeatureStride;
    describe_tiles(*executor, &pixels[size_t{3} * kPixels * first], count, kSide, &features[at],
                   &residuals[at], &stats[first]);
  }

  mt::FineFeatures at() const { return {features.data(), residuals.data()}; }

  std::vector<uint8_t> pixels;
  std::vector<int16_t> features, residuals;
  std::vector<mt::CellStats> stats;
};

class Nearest : public testing::TestWithParam<int> {
 protected:
  static constexpr int kCells = 40;

  Nearest() : tiles_(GetParam()), cells_(kCells + 1), changed_(kCells, 1) {
    for (int t = 0; t < GetParam(); ++t) tiles_.draw(t, random_, t % 3 == 2 ? t - 1 : -1);
    tiles_.describe(0, GetParam());
    for (int c = 0; c < kCells; ++c) cells_.draw(c, random_);
    cells_.describe(0, kCells);
  }

  /// Of a cell and all tiles, ascending.
  std::vector<std::pair<int32_t, int32_t>> distances(int cell) const {
    std::vector<std::pair<int32_t, int32_t>> all;
    for (int t = 0; t < GetParam(); ++t)
      all.emplace_back(mt::host_feature_distance(cells_.at().at(cell), tiles_.at().at(t)), t);
    std::sort(all.begin(), all.end());
    return all;
  }

  void expect_nearest(const NearestTiles& found, int wanted) const {
    for (int cell = 0; cell < kCells; ++cell) {
      const auto all = distances(cell);
      std::vector<int32_t> expected;
      for (int i = 0; i < wanted; ++i) expected.push_back(all[i].second);
      std::sort(expected.begin(), expected.end());
      const int32_t* first = found.tiles() + static_cast<size_t>(cell) * wanted;
      ASSERT_EQ(std::vector<int32_t>(first, first + wanted), expected) << "cell " << cell;
    }
  }

  void expect_farthest(NearestTiles& found) {
    int32_t most = 0;
    for (int cell = 0; cell < kCells; ++cell) most = std::max(most, distances(cell).back().first);
    EXPECT_EQ(found.farthest(cells_.at(), workers_), most);
  }

  void expect_read(const NearestTiles& found, int wanted) const {
    std::vector<int32_t> tile(GetParam());
    std::vector<uint32_t> distance(GetParam());
    for (int cell = 0; cell < kCells; cell += 7) {
      const auto all = distances(cell);
      const int count = found.read(cells_.at(), cell, wanted, tile.data(), distance.data());
      ASSERT_GE(count, wanted);
      ASSERT_TRUE(std::is_sorted(tile.begin(), tile.begin() + count));
      std::vector<std::pair<int32_t, int32_t>> read;
      for (int i = 0; i < count; ++i) read.emplace_back(distance[i], tile[i]);
      std::sort(read.begin(), read.end());
      ASSERT_TRUE(std::equal(read.begin(), read.end(), all.begin())) << "the nearest ones";
      if (count < GetParam()) {
        ASSERT_GT(all[count].first, read.back().first) << "all equally near ones";
      }
    }
  }

  mt::WorkerPool workers_{2};
  std::mt19937 random_{1};
  Pictures tiles_, cells_;
  std::vector<uint8_t> changed_;
};

TEST_P(Nearest, AreThoseOfComparingAll) {
  const int wanted = std::min(GetParam(), 160);
  const auto index = std::make_shared<TileIndex>(tiles_.at(), GetParam(), workers_);
  NearestTiles found(kCells, wanted, index, tiles_.at());
  mt::WorkerPool alone(1);
  NearestTiles again(kCells, wanted, index, tiles_.at());
  for (int frame = 0; frame < 6; ++frame) {
    // Nothing moves, all move a little, some a little, some much.
    for (int cell = 0; cell < kCells && frame > 1; ++cell) {
      changed_[cell] = frame == 2 || cell % 3 == 0;
      if (changed_[cell]) cells_.draw(cell, random_, frame < 4 ? cell : -1);
    }
    if (frame == 1) std::fill(changed_.begin(), changed_.end(), uint8_t{0});
    cells_.describe(0, kCells);
    found.update(cells_.at(), changed_.data(), workers_);
    again.update(cells_.at(), changed_.data(), alone);
    expect_nearest(found, wanted);
    expect_nearest(again, wanted);
    expect_farthest(found);
  }
  for (const int read : {1, wanted, GetParam() / 2 + 1, GetParam()}) expect_read(found, read);
}

INSTANTIATE_TEST_SUITE_P(Tiles, Nearest,
                         testing::Values(1, 2, 64, 65, 161, 1024, 1025, 4000, 17500),
                         testing::PrintToStringParamName());

TEST_P(Nearest, AreFoundAfterACancelledUpdate) {
  const int wanted = std::min(GetParam(), 160);
  NearestTiles found(kCells, wanted, std::make_shared<TileIndex>(tiles_.at(), GetParam(), workers_),
                     tiles_.at());
  found.update(cells_.at(), changed_.data(), workers_);
  for (int cell = 0; cell < kCells; ++cell) cells_.draw(cell, random_);
  cells_.describe(0, kCells);
  std::atomic<bool> cancelled = true;
  workers_.set_cancellation(mt::Cancellation(cancelled));
  EXPECT_THROW(found.update(cells_.at(), changed_.data(), workers_), mt::Cancelled);
  workers_.set_cancellation({});
  found.update(cells_.at(), changed_.data(), workers_);
  expect_nearest(found, wanted);
}

TEST(TileIndex, FindsNearDuplicates) {
  // Two thousand copies of one picture: equally near, the first ones are found.
  std::mt19937 random(2);
  Pictures tiles(2100), cells(1);
  for (int t = 0; t < 100; ++t) tiles.draw(t, random);
  for (int t = 100; t < 2100; ++t)
    std::copy_n(tiles.pixels.begin(), 3 * kPixels, tiles.pixels.begin() + size_t{3} * kPixels * t);
  tiles.describe(0, 2100);
  std::copy_n(tiles.pixels.begin(), 3 * kPixels, cells.pixels.begin());
  cells.describe(0, 1);
  mt::WorkerPool workers(2);
  NearestTiles found(1, 160, std::make_shared<TileIndex>(tiles.at(), 2100, workers), tiles.at());
  const uint8_t changed = 1;
  found.update(cells.at(), &changed, workers);
  EXPECT_EQ(found.tiles()[0], 0);
  for (int i = 1; i < 160; ++i) EXPECT_EQ(found.tiles()[i], 99 + i);
}

}  // namespace
}  // namespace mosaic
