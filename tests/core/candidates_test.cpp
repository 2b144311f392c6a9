// SPDX-License-Identifier: LGPL-2.1-or-later
// Distances, selection and costs against a plain sort.
#include "cuda/candidates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "cuda/cell_features.h"
#include "cuda/distance.h"
#include "cuda/executor.h"

namespace {

struct Case {
  int cells, tiles, wanted;
  bool alike;  ///< most tiles have a twin
};

struct Vectors {
  std::vector<int16_t> features, remainders;
  mt::FineFeatures parts() const { return {features.data(), remainders.data()}; }
};

int64_t fine(const Vectors& v, int i, int k) {
  const size_t at = size_t(i) * mt::kFeatureStride + k;
  return mt::fine_feature(v.features[at], v.remainders[at]);
}

struct Data {
  Vectors cells, tiles;
  std::vector<mt::CellStats> cell_stats, tile_stats;
};

Data make(const Case& c) {
  std::mt19937 random(c.tiles);
  Data d;
  const auto fill = [&](Vectors& v, std::vector<mt::CellStats>& s, int n, int twins) {
    v.features.resize(size_t(n) * mt::kFeatureStride);
    v.remainders.resize(v.features.size());
    s.resize(n);
    for (int i = 0; i < n; ++i) {
      std::mt19937 own(twins ? i % twins : random());
      for (int k = 0; k < mt::kFeatures; ++k) {
        v.features[size_t(i) * mt::kFeatureStride + k] = static_cast<int16_t>(own() % 6000);
        v.remainders[size_t(i) * mt::kFeatureStride + k] =
            static_cast<int16_t>(static_cast<int>(own() % 1025) - 512);
      }
      for (int32_t& mean : s[i].oklab) mean = static_cast<int32_t>(own() % 60000);
    }
  };
  fill(d.cells, d.cell_stats, c.cells, 0);
  fill(d.tiles, d.tile_stats, c.tiles, c.alike ? std::max(1, c.tiles / 7) : 0);
  return d;
}

class CandidatesCase : public testing::TestWithParam<Case> {};

TEST_P(CandidatesCase, ListsAreThoseOfASort) {
  const Case c = GetParam();
  const Data d = make(c);
  const auto executor = mt::make_cpu_executor(2);
  const std::vector<uint8_t> changed(c.cells, 1);
  std::vector<int32_t> distances(size_t(c.cells) * c.tiles), copy(distances.size());
  std::vector<int32_t> farthest(size_t(c.cells) * mt::Distance::tile_blocks(c.tiles));
  const mt::Distance distance{
      {changed.data(), nullptr}, 0,       c.cells,          d.cells.parts(),
      d.tiles.parts(),           c.tiles, distances.data(), farthest.data()};
  executor->launch(distance, distance.count());
  const int64_t most = *std::max_element(farthest.begin(), farthest.end());
  EXPECT_EQ(most, *std::max_element(distances.begin(), distances.end()));
  const mt::SceneState scene{};
  mt::CostScale scale{};
  executor->launch(
      mt::Rescale{farthest.data(), static_cast<int32_t>(farthest.size()), &scene, &scale}, 1);
  const int64_t factor = (int64_t{1} << (mt::kCostBits + mt::kScaleBits)) / most;
  EXPECT_EQ(factor, scale.factor);

  const size_t entries = size_t(c.cells) * c.wanted;
  std::vector<int32_t> tile(entries), cost(entries), bound(c.cells);
  std::vector<int64_t> near_limit(c.cells);
  std::vector<int32_t> nearest_tiles(size_t(c.cells) * mt::kRerankNearest);
  executor->launch(mt::Candidates{{changed.data(), &scale},
                                  0,
                                  distances.data(),
                                  copy.data(),
                                  c.tiles,
                                  c.wanted,
                                  d.cell_stats.data(),
                                  d.tile_stats.data(),
                                  tile.data(),
                                  cost.data(),
                                  bound.data(),
                                  near_limit.data(),
                                  nearest_tiles.data()},
                   c.cells);
  EXPECT_EQ(distances, copy);

  for (int cell = 0; cell < c.cells; ++cell) {
    std::vector<std::pair<int64_t, int>> nearest;
    for (int t = 0; t < c.tiles; ++t) {
      int64_t sum = 0;
      for (int k = 0; k < mt::kFeatureStride; ++k) {
        const int64_t diff = fine(d.cells, cell, k) - fine(d.tiles, t, k);
        sum += diff * diff;
      }
      nearest.push_back({sum >> (2 * mt::kFineBits - mt::kDistanceBits), t});
      ASSERT_EQ(sum >> (2 * mt::kFineBits - mt::kDistanceBits),
                distances[size_t(cell) * c.tiles + t]);
    }
    std::sort(nearest.begin(), nearest.end());
    for (int i = 0; i < mt::kRerankNearest; ++i)
      ASSERT_EQ(i < c.tiles ? nearest[i].second : -1,
                nearest_tiles[size_t(cell) * mt::kRerankNearest + i]);
    const int near = std::min(c.tiles, 256);
    std::vector<std::pair<int64_t, int>> expected;
    for (int i = 0; i < near; ++i) {
      int64_t value = (nearest[i].first * factor) >> mt::kScaleBits;
      if (i < 100) {
        double square = 0;
        for (int k = 0; k < 3; ++k)
          square +=
              std::pow(d.cell_stats[cell].oklab[k] - d.tile_stats[nearest[i].second].oklab[k], 2);
        // Float and double may round to either side: taken from the kernel's own function, and
        // that held against the double.
        const int32_t term =
            mt::oklab_cost(d.cell_stats[cell].oklab, d.tile_stats[nearest[i].second].oklab);
        ASSERT_NEAR(0.2 * (1 << 24) * std::sqrt(square) / 65536, term, 1.0);
        value += term;
      }
      expected.push_back({value, nearest[i].second});
    }
    std::sort(expected.begin(), expected.end());
    for (int i = 0; i < c.wanted; ++i) {
      ASSERT_EQ(expected[i].first, cost[size_t(cell) * c.wanted + i]) << cell << " " << i;
      ASSERT_EQ(expected[i].second, tile[size_t(cell) * c.wanted + i]) << cell << " " << i;
    }
    for (int i = 0; i < c.tiles; ++i)  // the nearest 100 and no other have an Oklab term
      ASSERT_EQ(i < 100, mt::distance_key(nearest[i].first, nearest[i].second) <= near_limit[cell]);
    int64_t least = INT32_MAX;
    if (c.wanted < near) least = expected[c.wanted].first;
    if (near < c.tiles)
      least = std::min(least, (nearest[near - 1].first * factor) >> mt::kScaleBits);
    ASSERT_EQ(least, bound[cell]);
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, CandidatesCase,
                         testing::Values(Case{1, 1, 1, false}, Case{3, 100, 100, false},
                                         Case{9, 257, 1, false}, Case{17, 1000, 256, false},
                                         Case{8, 3676, 256, false}, Case{5, 3000, 200, true},
                                         Case{4, 140, 128, false}, Case{4, 600, 256, true},
                                         Case{2, 5000, 99, true}));

// In batches, and not all of them.
TEST(Distance, TouchesTheChosenCellsOfItsRange) {
  const Case c{20, 300, 10, false};
  const Data d = make(c);
  const auto executor = mt::make_cpu_executor(2);
  std::vector<uint8_t> changed(c.cells);
  for (int cell : {3, 9, 10, 17}) changed[cell] = 1;
  const mt::CostScale same{}, other{1, 1, 1, 0};
  const auto run = [&](const mt::CostScale* scale, int first, int rows) {
    std::vector<int32_t> distances(size_t(rows) * c.tiles, -1), farthest(c.cells * 2, -1);
    const mt::Distance distance{{changed.data(), scale}, first,           rows,
                                d.cells.parts(),         d.tiles.parts(), c.tiles,
                                distances.data(),        farthest.data()};
    executor->launch(distance, distance.count());
    std::vector<int> done;
    for (int row = 0; row < rows; ++row) {
      const bool measured = distances[size_t(row) * c.tiles] >= 0;
      EXPECT_EQ(measured, farthest[(first + row) * 2 + 1] >= 0);
      if (measured) {
        EXPECT_EQ(mt::feature_distance(d.cells.parts().at(first + row), d.tiles.parts()),
                  distances[size_t(row) * c.tiles]);
        done.push_back(first + row);
      }
    }
    return done;
  };
  EXPECT_EQ((std::vector{9, 10}), run(nullptr, 5, 10));
  EXPECT_EQ((std::vector{9, 10}), run(&same, 5, 10));
  EXPECT_EQ((std::vector{17}), run(&same, 15, 5));
  EXPECT_EQ((std::vector{15, 16, 17, 18, 19}), run(&other, 15, 5));
}

TEST(Rescale, FollowsTheFarthestAtOnceOnlyAtACut) {
  mt::CostScale scale{}, scales[mt::kKeptScenes] = {};
  const auto rescale = [&](int32_t farthest, bool cut, int kept = 0, int returned = 0) {
    const int32_t values[] = {0, farthest, farthest / 2};
    const mt::SceneState scene{0, cut, kept, returned, 0};
    mt::make_cpu_executor(1)->launch(mt::Rescale{values, 3, &scene, &scale, scales}, 1);
    EXPECT_EQ((int64_t{1} << (mt::kCostBits + mt::kScaleBits)) / scale.farthest, scale.factor);
    return std::pair(scale.farthest, scale.changed);
  };
  EXPECT_EQ(std::pair(int64_t{1}, 1), rescale(0, true));
  EXPECT_EQ(std::pair(int64_t{8000}, 1), rescale(8000, false));
  EXPECT_EQ(std::pair(int64_t{8000}, 0), rescale(9000, false));
  EXPECT_EQ(std::pair(int64_t{8000}, 0), rescale(7000, false));
  EXPECT_EQ(std::pair(int64_t{9001}, 1), rescale(9001, false));
  EXPECT_EQ(std::pair(int64_t{9002}, 1), rescale(9002, true));
  EXPECT_EQ(std::pair(int64_t{9002}, 0), rescale(9002, true));
  EXPECT_EQ(std::pair(int64_t{INT32_MAX}, 1), rescale(INT32_MAX, true));
  // A scene that returns has its own again, unless the frame has left that by an eighth.
  EXPECT_EQ(std::pair(int64_t{500}, 1), rescale(500, true, 2));
  EXPECT_EQ(std::pair(int64_t{7000}, 1), rescale(7000, true, 1));
  EXPECT_EQ(std::pair(int64_t{500}, 1), rescale(530, false, 0, 1));
  EXPECT_EQ(std::pair(int64_t{500}, 0), rescale(530, false, 0, 1));
  EXPECT_EQ(std::pair(int64_t{INT32_MAX}, 1), rescale(INT32_MAX - 100, false, 0, 2));
  EXPECT_EQ(std::pair(int64_t{900}, 1), rescale(900, false, 0, 1));
}

TEST(DistanceCost, IsCutWhereTheScaleLagsFarBehind) {
  const int64_t factor = (int64_t{1} << (mt::kCostBits + mt::kScaleBits)) / 1000;
  EXPECT_EQ(1 << mt::kCostBits, mt::distance_cost(1000, factor) + 1);
  EXPECT_EQ(2 << mt::kCostBits, mt::distance_cost(100000, factor));
}

}  // namespace
