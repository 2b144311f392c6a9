// SPDX-License-Identifier: LGPL-2.1-or-later
// Compares distances, the choice of the nearest tiles and costs with a plain sort.
#include "kernels/matching/candidates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "cpu/cpu_executor.h"
#include "executor/executor.h"
#include "kernels/features/cell_features.h"
#include "kernels/matching/coarse_distance.h"

namespace {

struct Case {
  int cells, tiles, wanted;
  bool alike;     ///< most tiles have duplicates
  int kinds = 0;  ///< unless 0, the number of different tiles
};

/// For memory that kernels load in aligned vectors.
template <class T>
struct Aligned {
  using value_type = T;
  static constexpr std::align_val_t kAlignment{mt::kSharedAlignment};
  T* allocate(size_t n) { return static_cast<T*>(operator new(n * sizeof(T), kAlignment)); }
  void deallocate(T* p, size_t) { operator delete(p, kAlignment); }
  bool operator==(const Aligned&) const = default;
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
  fill(d.tiles, d.tile_stats, c.tiles, c.kinds ? c.kinds : c.alike ? std::max(1, c.tiles / 7) : 0);
  return d;
}

using Ranked = std::vector<std::pair<int64_t, int>>;  // distance or cost, tile

struct Results;

/// Coarse features of cells and tiles.
struct Coarse {
  Coarse(const Case& c, const Data& d, mt::Executor& executor)
      : tile_count(c.tiles),
        cells(size_t(c.cells) * mt::kFeatureStride),
        tiles(size_t(mt::CoarseTiles::blocks(c.tiles)) * mt::kProductColumns * mt::kFeatureStride),
        cell_norms(c.cells),
        tile_norms(size_t(mt::CoarseTiles::blocks(c.tiles)) * mt::kProductColumns) {
    const std::vector<uint8_t> all(c.cells, 1);
    executor.launch(
        mt::CoarseCells{
            {all.data(), nullptr}, d.cells.features.data(), cells.data(), cell_norms.data()},
        c.cells);
    executor.launch(mt::CoarseTiles{d.tiles.features.data(), c.tiles, columns(), tile_norms.data()},
                    mt::CoarseTiles::blocks(c.tiles));
  }
  int16_t* columns() { return tiles.data(); }
  mt::CoarseDistance distance(const uint8_t* changed, int first, int rows, Results& to);

  int tile_count;
  std::vector<int16_t> cells;
  std::vector<int16_t, Aligned<int16_t>> tiles;
  std::vector<uint32_t> cell_norms, tile_norms;
};

/// Everything that the kernels write for all cells of a case.
struct Results {
  Results(const Case& c, const Data& d, uint32_t hint = 0);

  std::vector<uint32_t> coarse, coarse_farthest, limits;
  std::vector<int32_t> farthest, tile, cost, bound, nearest_tiles;
  std::vector<int64_t> near_limit;
  mt::CostScale scale{};
};

Results::Results(const Case& c, const Data& d, uint32_t hint)
    : coarse(size_t(c.cells) * c.tiles),
      coarse_farthest(size_t(c.cells) * mt::CoarseTiles::blocks(c.tiles)),
      limits(c.cells, hint),
      farthest(c.cells, -1),
      tile(size_t(c.cells) * c.wanted),
      cost(tile.size()),
      bound(c.cells),
      nearest_tiles(size_t(c.cells) * mt::kRerankNearest),
      near_limit(c.cells) {
  const auto executor = mt::make_cpu_executor(2);
  const std::vector<uint8_t> changed(c.cells, 1);
  Coarse features(c, d, *executor);
  const mt::CoarseDistance distance = features.distance(changed.data(), 0, c.cells, *this);
  executor->launch(distance, distance.count());
  uint32_t limit = 0;
  const int blocks = mt::CoarseTiles::blocks(c.tiles);
  executor->launch(mt::FarthestLimit{coarse_farthest.data(), c.cells, blocks, &limit}, 1);
  executor->launch(mt::Farthest{coarse_farthest.data(), &limit, d.cells.parts(), d.tiles.parts(),
                                c.tiles, farthest.data()},
                   c.cells);
  const mt::SceneState scene{};
  executor->launch(
      mt::Rescale{farthest.data(), static_cast<int32_t>(farthest.size()), &scene, &scale}, 1);
  executor->launch(mt::Candidates{{changed.data(), &scale},
                                  0,
                                  coarse.data(),
                                  d.cells.parts(),
                                  d.tiles.parts(),
                                  c.tiles,
                                  c.wanted,
                                  d.cell_stats.data(),
                                  d.tile_stats.data(),
                                  limits.data(),
                                  tile.data(),
                                  cost.data(),
                                  bound.data(),
                                  near_limit.data(),
                                  nearest_tiles.data()},
                   c.cells);
}

mt::CoarseDistance Coarse::distance(const uint8_t* changed, int first, int rows, Results& to) {
  return {{changed, nullptr},
          first,
          rows,
          cells.data(),
          cell_norms.data(),
          columns(),
          tile_norms.data(),
          tile_count,
          to.coarse.data(),
          to.coarse_farthest.data()};
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

/// The nearest tiles, at most kNearest, by their cost.
Ranked sorted_costs(const Data& d, int cell, const Ranked& nearest, int64_t factor) {
  Ranked costs;
  for (size_t i = 0; i < std::min<size_t>(nearest.size(), mt::Candidates::kNearest); ++i) {
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
  for (const auto& [distance, t] : nearest) {
    // The bound on the error of coarse distances, in their own unit.
    const double exact =
        std::ldexp(static_cast<double>(distance), 2 * mt::kCoarseBits - mt::kDistanceBits);
    const double coarse = found.coarse[size_t(cell) * c.tiles + t];
    ASSERT_LE(std::abs(std::sqrt(exact) - std::sqrt(coarse)), mt::kCoarseError - 2);
  }
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
  int64_t expected = 0;
  for (int cell = 0; cell < c.cells; ++cell)
    expected = std::max(expected, sorted_distances(c, d, cell).back().first);
  EXPECT_EQ(expected, most);
  const int64_t factor = (int64_t{1} << (mt::kCostBits + mt::kScaleBits)) / most;
  EXPECT_EQ(factor, found.scale.factor);
  for (int cell = 0; cell < c.cells && !HasFatalFailure(); ++cell)
    expect_cell(c, d, found, cell, factor);
}

constexpr int kMost = mt::Candidates::kNearest;
INSTANTIATE_TEST_SUITE_P(Cases, CandidatesCase,
                         testing::Values(Case{1, 1, 1, false}, Case{3, 100, 100, false},
                                         Case{9, kMost + 1, 1, false}, Case{17, 1000, kMost, false},
                                         Case{8, 3676, kMost, false}, Case{5, 3000, 150, true},
                                         Case{4, 140, 128, false}, Case{4, 600, kMost, true},
                                         Case{2, 5000, 99, true}, Case{3, 2100, 128, false, 1}));

// Coarse distances of a range of cells, some of which did not change: groups have from no cell to
// all of theirs.
TEST(CoarseDistance, ComputesOnlyTheChangedCellsOfItsRange) {
  const Case c{45, 300, 10, false};
  const Data d = make(c);
  const auto executor = mt::make_cpu_executor(2);
  Coarse features(c, d, *executor);
  std::vector<uint8_t> changed(c.cells);
  for (int cell : {3, 9, 10, 17, 26, 27, 28, 29, 30, 31, 32, 33, 40, 42, 43}) changed[cell] = 1;
  const mt::CostScale same{}, other{1, 1, 1, 0};
  Results whole(c, d);
  const auto run = [&](const mt::CostScale* scale, int first, int rows) {
    Results part(c, d);
    std::fill(part.coarse.begin(), part.coarse.end(), 7);
    std::fill(part.coarse_farthest.begin(), part.coarse_farthest.end(), 7);
    mt::CoarseDistance distance = features.distance(changed.data(), first, rows, part);
    distance.choice.scale = scale;
    executor->launch(distance, distance.count());
    std::vector<int> done;
    const int blocks = mt::CoarseTiles::blocks(c.tiles);
    for (int cell = 0; cell < c.cells; ++cell) {
      const int row = cell - first;
      const bool in_range = row >= 0 && row < rows;
      const uint32_t* found = in_range ? &part.coarse[size_t(row) * c.tiles] : nullptr;
      const uint32_t* farthest = &part.coarse_farthest[size_t(cell) * blocks];
      if (!in_range || *found == 7) {
        EXPECT_TRUE(std::all_of(farthest, farthest + blocks, [](uint32_t v) { return v == 7; }));
        EXPECT_TRUE(!in_range ||
                    std::all_of(found, found + c.tiles, [](uint32_t v) { return v == 7; }));
        continue;
      }
      done.push_back(cell);
      EXPECT_TRUE(std::equal(found, found + c.tiles, &whole.coarse[size_t(cell) * c.tiles]));
      for (int b = 0; b < blocks; ++b)
        EXPECT_EQ(*std::max_element(found + b * mt::kProductColumns,
                                    found + std::min((b + 1) * mt::kProductColumns, c.tiles)),
                  farthest[b]);
    }
    return done;
  };
  EXPECT_EQ((std::vector{9, 10}), run(nullptr, 5, 10));
  EXPECT_EQ((std::vector{9, 10}), run(&same, 5, 10));
  EXPECT_EQ((std::vector{17}), run(&same, 15, 5));
  EXPECT_EQ((std::vector{15, 16, 17, 18, 19}), run(&other, 15, 5));
  EXPECT_EQ((std::vector{26, 27, 28, 29, 30, 31, 32, 33, 40, 42, 43}), run(&same, 18, 27));
}

// The number of steps of the search for a limit is bounded, so it must end well with any hint.
TEST(Candidates, AnyHintGivesTheSameLists) {
  for (const Case c : {Case{6, 3000, 128, false}, Case{6, 3000, 128, true}}) {
    const Data d = make(c);
    const Results expected(c, d);
    for (const uint32_t hint :
         {uint32_t{1}, expected.limits[0], expected.limits[0] - 1, uint32_t{1} << 31, UINT32_MAX}) {
      const Results found(c, d, hint);
      EXPECT_EQ(expected.tile, found.tile) << hint;
      EXPECT_EQ(expected.cost, found.cost) << hint;
      EXPECT_EQ(expected.bound, found.bound) << hint;
    }
  }
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
