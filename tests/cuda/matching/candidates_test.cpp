// SPDX-License-Identifier: LGPL-2.1-or-later
// Compares distances, the choice of the nearest tiles and costs with a plain sort.
#include "cuda/matching/candidates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "cuda/executor.h"
#include "cuda/features/cell_features.h"
#include "cuda/matching/distance.h"

namespace {

struct Case {
  int cells, tiles, wanted;
  bool alike;  ///< most tiles have duplicates
};

struct Vectors {
  std::vector<int16_t> features, residuals;
  mt::FineFeatures parts() const { return {features.data(), residuals.data()}; }
};

int64_t fine(const Vectors& v, int i, int k) {
  const size_t at = size_t(i) * mt::kFeatureStride + k;
  return mt::fine_feature(v.features[at], v.residuals[at]);
}

struct Data {
  Vectors cells, tiles;
  std::vector<mt::CellStats> cell_stats, tile_stats;
};

Data make(const Case& c) {
  std::mt19937 random(c.tiles);
  Data d;
  const auto fill = [&](Vectors& v, std::vector<mt::CellStats>& s, int n, int duplicates) {
    v.features.resize(size_t(n) * mt::kFeatureStride);
    v.residuals.resize(v.features.size());
    s.resize(n);
    for (int i = 0; i < n; ++i) {
      std::mt19937 own(duplicates ? i % duplicates : random());
      for (int k = 0; k < mt::kFeatures; ++k) {
        v.features[size_t(i) * mt::kFeatureStride + k] = static_cast<int16_t>(own() % 6000);
        v.residuals[size_t(i) * mt::kFeatureStride + k] =
            static_cast<int16_t>(static_cast<int>(own() % 1025) - 512);
      }
      for (int32_t& mean : s[i].oklab) mean = static_cast<int32_t>(own() % 60000);
    }
  };
  fill(d.cells, d.cell_stats, c.cells, 0);
  fill(d.tiles, d.tile_stats, c.tiles, c.alike ? std::max(1, c.tiles / 7) : 0);
  return d;
}

using Ranked = std::vector<std::pair<int64_t, int>>;  // distance or cost, tile

/// Everything that the kernels write for all cells of a case.
struct Results {
  Results(const Case& c, const Data& d);

  std::vector<int32_t> distances, copy, farthest, tile, cost, bound, nearest_tiles;
  std::vector<int64_t> near_limit;
  mt::CostScale scale{};
};

Results::Results(const Case& c, const Data& d)
    : distances(size_t(c.cells) * c.tiles),
      copy(distances.size()),
      farthest(size_t(c.cells) * mt::Distance::tile_blocks(c.tiles)),
      tile(size_t(c.cells) * c.wanted),
      cost(tile.size()),
      bound(c.cells),
      nearest_tiles(size_t(c.cells) * mt::kRerankNearest),
      near_limit(c.cells) {
  const auto executor = mt::make_cpu_executor(2);
  const std::vector<uint8_t> changed(c.cells, 1);
  const mt::Distance distance{
      {changed.data(), nullptr}, 0,       c.cells,          d.cells.parts(),
      d.tiles.parts(),           c.tiles, distances.data(), farthest.data()};
  executor->launch(distance, distance.count());
  const mt::SceneState scene{};
  executor->launch(
      mt::Rescale{farthest.data(), static_cast<int32_t>(farthest.size()), &scene, &scale}, 1);
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
}

/// All tiles by their distance to a cell, in 64-bit integers.
Ranked sorted_distances(const Case& c, const Data& d, int cell) {
  Ranked nearest;
  for (int t = 0; t < c.tiles; ++t) {
    int64_t sum = 0;
    for (int k = 0; k < mt::kFeatureStride; ++k) {
      const int64_t diff = fine(d.cells, cell, k) - fine(d.tiles, t, k);
      sum += diff * diff;
    }
    nearest.push_back({sum >> (2 * mt::kFineBits - mt::kDistanceBits), t});
  }
  std::sort(nearest.begin(), nearest.end());
  return nearest;
}

/// The nearest tiles, at most 256, by their cost.
Ranked sorted_costs(const Data& d, int cell, const Ranked& nearest, int64_t factor) {
  Ranked costs;
  for (size_t i = 0; i < std::min<size_t>(nearest.size(), 256); ++i) {
    int64_t value = (nearest[i].first * factor) >> mt::kScaleBits;
    if (i < 100) {
      const int32_t* oklab = d.tile_stats[nearest[i].second].oklab;
      double square = 0;
      for (int k = 0; k < 3; ++k) square += std::pow(d.cell_stats[cell].oklab[k] - oklab[k], 2);
      // Float and double may round differently. So the kernel's cost must equal that of its
      // function oklab_cost(), which must agree with double precision within a tolerance.
      const int32_t term = mt::oklab_cost(d.cell_stats[cell].oklab, oklab);
      EXPECT_NEAR(0.2 * (1 << 24) * std::sqrt(square) / 65536, term, 1.0);
      value += term;
    }
    costs.push_back({value, nearest[i].second});
  }
  std::sort(costs.begin(), costs.end());
  return costs;
}

void expect_cell(const Case& c, const Data& d, const Results& found, int cell, int64_t factor) {
  const Ranked nearest = sorted_distances(c, d, cell);
  for (const auto& [distance, t] : nearest)
    ASSERT_EQ(distance, found.distances[size_t(cell) * c.tiles + t]);
  for (int i = 0; i < mt::kRerankNearest; ++i)
    ASSERT_EQ(i < c.tiles ? nearest[i].second : -1,
              found.nearest_tiles[size_t(cell) * mt::kRerankNearest + i]);
  for (int i = 0; i < c.tiles; ++i)  // only the costs of the nearest 100 have an Oklab term
    ASSERT_EQ(i < 100,
              mt::distance_key(nearest[i].first, nearest[i].second) <= found.near_limit[cell]);
  const Ranked expected = sorted_costs(d, cell, nearest, factor);
  for (int i = 0; i < c.wanted; ++i) {
    ASSERT_EQ(expected[i].first, found.cost[size_t(cell) * c.wanted + i]) << cell << " " << i;
    ASSERT_EQ(expected[i].second, found.tile[size_t(cell) * c.wanted + i]) << cell << " " << i;
  }
  const int near = static_cast<int>(expected.size());
  int64_t least = INT32_MAX;
  if (c.wanted < near) least = expected[c.wanted].first;
  if (near < c.tiles) least = std::min(least, (nearest[near - 1].first * factor) >> mt::kScaleBits);
  ASSERT_EQ(least, found.bound[cell]);
}

class CandidatesCase : public testing::TestWithParam<Case> {};

TEST_P(CandidatesCase, MatchesASort) {
  const Case c = GetParam();
  const Data d = make(c);
  const Results found(c, d);
  const int64_t most = *std::max_element(found.farthest.begin(), found.farthest.end());
  EXPECT_EQ(most, *std::max_element(found.distances.begin(), found.distances.end()));
  const int64_t factor = (int64_t{1} << (mt::kCostBits + mt::kScaleBits)) / most;
  EXPECT_EQ(factor, found.scale.factor);
  EXPECT_EQ(found.distances, found.copy);
  for (int cell = 0; cell < c.cells && !HasFatalFailure(); ++cell)
    expect_cell(c, d, found, cell, factor);
}

INSTANTIATE_TEST_SUITE_P(Cases, CandidatesCase,
                         testing::Values(Case{1, 1, 1, false}, Case{3, 100, 100, false},
                                         Case{9, 257, 1, false}, Case{17, 1000, 256, false},
                                         Case{8, 3676, 256, false}, Case{5, 3000, 200, true},
                                         Case{4, 140, 128, false}, Case{4, 600, 256, true},
                                         Case{2, 5000, 99, true}));

// Distances in batches of cells, some of which did not change.
TEST(Distance, ComputesOnlyTheChangedCellsOfItsRange) {
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

TEST(Rescale, FollowsTheFarthestDistanceAtOnceOnlyAtACut) {
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
  // A scene that returns gets its cost scale back, unless the frame's greatest distance differs
  // from it by more than an eighth.
  EXPECT_EQ(std::pair(int64_t{500}, 1), rescale(500, true, 2));
  EXPECT_EQ(std::pair(int64_t{7000}, 1), rescale(7000, true, 1));
  EXPECT_EQ(std::pair(int64_t{500}, 1), rescale(530, false, 0, 1));
  EXPECT_EQ(std::pair(int64_t{500}, 0), rescale(530, false, 0, 1));
  EXPECT_EQ(std::pair(int64_t{INT32_MAX}, 1), rescale(INT32_MAX - 100, false, 0, 2));
  EXPECT_EQ(std::pair(int64_t{900}, 1), rescale(900, false, 0, 1));
}

TEST(DistanceCost, IsClampedIfTheScaleIsFarTooSmall) {
  const int64_t factor = (int64_t{1} << (mt::kCostBits + mt::kScaleBits)) / 1000;
  EXPECT_EQ(1 << mt::kCostBits, mt::distance_cost(1000, factor) + 1);
  EXPECT_EQ(2 << mt::kCostBits, mt::distance_cost(100000, factor));
}

}  // namespace
