// SPDX-License-Identifier: LGPL-2.1-or-later
// Tiles found with sketches and the bounds on the others, compared with all distances.
#include "cuda/matching/rough_nearest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "cuda/executor.h"
#include "tests/cuda/matching/rough_data.h"
#include "tests/cuda/matching/rough_gap.h"
#include "tests/first_failure.h"

namespace {

using mt::RoughNearest;
using mt::RoughTiles;

constexpr int64_t kUntouched = -7;
constexpr double kGapDistance = (1 << mt::kGapBits) / double{mt::kSketchSquare};
constexpr int kBlocks = 3;

/// A pool, some cells, and memory for the results.
struct Search {
  Search(int cell_count, int tile_count, int different)
      : cells(test::photos(cell_count, 2, cell_count)),
        tiles(test::photos(tile_count, 3, different)),
        planes(test::sketch_planes(tiles)),
        cell_sketches(test::sketches_of(cells)),
        tile_sketches(test::sketches_of(tiles)),
        rough(cell_count, 1),
        price(tile_count),
        price_steps(cell_count, 1.f),
        keys(size_t(cell_count) * RoughTiles::kMax, kUntouched),
        near_limit(cell_count, kUntouched),
        count(cell_count, kUntouched),
        distance_bound(count),
        priced_distance_bound(count),
        threshold_hints(size_t{2} * cell_count),
        farthest(size_t(cell_count) * kBlocks, kUntouched) {}

  RoughTiles found() {
    return {keys.data(),           count.data(),
            distance_bound.data(), priced_distance_bound.data(),
            near_limit.data(),     threshold_hints.data(),
            farthest.data(),       kBlocks};
  }
  /// @param slice number of cells
  void run(int first, int slice) {
    const auto executor = mt::make_cpu_executor(2);
    const RoughNearest kernel{rough.data(),
                              first,
                              cells.size(),
                              &mt::sketch_basis(),
                              cells.parts(),
                              tiles.parts(),
                              {planes.data(), tiles.size()},
                              tiles.size(),
                              price.data(),
                              price_steps.data(),
                              &scene,
                              found()};
    executor->launch(kernel, slice);
  }
  void run() { run(0, cells.size()); }

  bool priced() const { return !scene.cut && !scene.returned; }
  /// The price of a tile for a cell in steps of gaps; price_of(): as a distance.
  int32_t steps(int cell, int tile) const {
    const float p = priced() ? price[tile] * price_steps[cell] : 0.f;
    return p < INT16_MAX ? static_cast<int32_t>(p) : INT16_MAX;
  }
  double price_of(int cell, int tile) const {
    return priced() ? double{price[tile]} * price_steps[cell] * kGapDistance : 0;
  }
  int32_t row(int cell, int tile) const {
    return test::gap(cell_sketches[cell], tile_sketches[tile]) + steps(cell, tile);
  }
  int32_t distance(int cell, int tile) const {
    return mt::feature_distance(cells.at(cell), tiles.at(tile));
  }
  std::vector<int64_t> keys_of(int cell) const {
    const auto from = keys.begin() + int64_t{cell} * RoughTiles::kMax;
    std::vector<int64_t> sorted(from, from + count[cell]);
    std::sort(sorted.begin(), sorted.end());
    return sorted;
  }
  std::set<int> found_by(int cell) const {
    std::set<int> found;
    for (int64_t key : keys_of(cell)) found.insert(static_cast<int32_t>(key));
    return found;
  }
  /// Sets prices about as large as gaps.
  void set_prices() {
    std::mt19937 random(4);
    for (float& p : price) p = random() % 3 ? 0 : static_cast<float>(random() % 4000) / 2;
    for (float& u : price_steps) u = 0.25f + static_cast<float>(random() % 8) / 4;
  }

  test::FeatureVectors cells, tiles;
  std::vector<int16_t> planes;
  std::vector<mt::Sketch> cell_sketches, tile_sketches;
  std::vector<uint8_t> rough;
  std::vector<float> price, price_steps;
  mt::SceneState scene{};
  std::vector<int64_t> keys, near_limit;
  std::vector<int32_t> count, distance_bound, priced_distance_bound, threshold_hints, farthest;
};

/// Expects correct keys of different tiles, and the smallest sums of gap and price in each chunk.
void expect_found(const Search& s, int cell) {
  const std::set<int> found = s.found_by(cell);
  ASSERT_EQ(s.count[cell], static_cast<int>(found.size()));
  for (int64_t key : s.keys_of(cell)) {
    const auto tile = static_cast<int32_t>(key);
    ASSERT_TRUE(tile >= 0 && tile < s.tiles.size());
    ASSERT_EQ(mt::distance_key(s.distance(cell, tile), tile), key);
  }
  // The range of the smallest Threshold::limit of all chunks.
  int32_t low = UINT16_MAX, high = UINT16_MAX;
  for (int first = 0; first < s.tiles.size(); first += RoughNearest::kChunk) {
    const int n = std::min(RoughNearest::kChunk, s.tiles.size() - first);
    const int least = std::max(1, RoughNearest::kWanted * n / s.tiles.size());
    const int most = least + least / 4 + 1;
    int count = 0;
    std::pair<int32_t, int> last{-1, -1}, next{UINT16_MAX, -1};
    for (int t = first; t < first + n; ++t) {
      const std::pair<int32_t, int> row{s.row(cell, t), t};
      if (found.count(t)) {
        ++count;
        last = std::max(last, row);
      } else {
        next = std::min(next, row);
      }
    }
    ASSERT_LT(last, next);
    if (n <= most) {
      ASSERT_EQ(n, count);
      continue;
    }
    ASSERT_GE(count, least);
    ASSERT_LE(count, most);
    low = std::min(low, last.first);
    high = std::min(high, next.first);
  }
  if (high == UINT16_MAX) {
    ASSERT_EQ(INT32_MAX, s.priced_distance_bound[cell]);
    ASSERT_EQ(INT32_MAX, s.distance_bound[cell]);
    return;
  }
  ASSERT_GE(s.priced_distance_bound[cell], mt::distance_lower_bound(low));
  ASSERT_LE(s.priced_distance_bound[cell], mt::distance_lower_bound(high));
  if (s.priced()) return;
  ASSERT_EQ(s.priced_distance_bound[cell], s.distance_bound[cell]);
}

void expect_bounds(const Search& s, int cell) {
  const std::set<int> found = s.found_by(cell);
  test::FirstFailure wrong;
  for (int t = 0; t < s.tiles.size(); ++t) {
    if (found.count(t)) continue;
    const int32_t distance = s.distance(cell, t);
    wrong.check(s.distance_bound[cell] <= distance &&
                    s.priced_distance_bound[cell] <= distance + s.price_of(cell, t),
                [&] {
                  return test::text_of("tile", t, "distance", distance, "price",
                                       s.price_of(cell, t), "bounds", s.distance_bound[cell],
                                       s.priced_distance_bound[cell]);
                });
  }
  ASSERT_TRUE(wrong.none());
}

/// The limit lies near the 100th nearest tile. A pool of 100 tiles or fewer has no limit.
void expect_near_limit(const Search& s, int cell) {
  const int n = s.tiles.size();
  if (n <= mt::kOklabNearest) {
    ASSERT_EQ(INT64_MAX, s.near_limit[cell]);
    return;
  }
  std::vector<int32_t> distances;
  int near = 0;
  for (int t = 0; t < n; ++t) {
    distances.push_back(s.distance(cell, t));
    near += mt::distance_key(distances.back(), t) <= s.near_limit[cell];
  }
  std::sort(distances.begin(), distances.end());
  const int32_t far = distances[std::min(n, 200) - 1];
  ASSERT_GE(near, 50);
  ASSERT_LE(near, std::upper_bound(distances.begin(), distances.end(), far) - distances.begin());
}

/// The largest distance is estimated at a cut only, and written for the first block.
void expect_farthest(const Search& s, int cell) {
  int32_t most = 0;
  for (int t = 0; t < s.tiles.size(); ++t) most = std::max(most, s.distance(cell, t));
  const int32_t* written = s.farthest.data() + size_t(cell) * kBlocks;
  if (!s.scene.cut) {
    for (int i = 0; i < kBlocks; ++i) ASSERT_EQ(kUntouched, written[i]);
    return;
  }
  ASSERT_NEAR(most, written[0], 0.1 * most);
  for (int i = 1; i < kBlocks; ++i) ASSERT_EQ(0, written[i]);
}

struct Case {
  int tiles, different;
  bool prices;
  int cut = 0, returned = 0;
};
void PrintTo(const Case& c, std::ostream* out) {
  *out << c.tiles << " tiles, " << c.different << " different, prices " << c.prices << ", cut "
       << c.cut << ", returned " << c.returned;
}

class RoughNearestCase : public testing::TestWithParam<Case> {};

TEST_P(RoughNearestCase, MatchesAnExhaustiveSearch) {
  const Case c = GetParam();
  Search s(8, c.tiles, c.different);
  if (c.prices) s.set_prices();
  s.scene.cut = c.cut;
  s.scene.returned = c.returned;
  for (const char* time : {"without a hint", "with one"}) {
    s.run();
    for (int cell = 0; cell < s.cells.size(); ++cell) {
      SCOPED_TRACE(std::string(time) + ", cell " + std::to_string(cell));
      expect_found(s, cell);
      expect_bounds(s, cell);
      expect_near_limit(s, cell);
      expect_farthest(s, cell);
      if (HasFatalFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Cases, RoughNearestCase,
    testing::Values(Case{1, 1, true}, Case{30, 30, true}, Case{61, 61, true}, Case{62, 62, true},
                    Case{100, 100, false}, Case{101, 101, true}, Case{300, 300, true},
                    Case{3676, 3676, true}, Case{3676, 3676, false}, Case{3676, 3676, true, 1},
                    Case{3676, 3676, true, 0, 1}, Case{3676, 5, true}, Case{3676, 1, false},
                    Case{4096, 4096, true}, Case{4097, 4097, true}, Case{9000, 9000, true},
                    Case{9000, 9000, false, 1}, Case{9000, 900, true}));

TEST(RoughNearest, FindsTheNearestTileWithoutPrices) {
  Search s(20, 3676, 3676);
  s.run();
  for (int cell = 0; cell < s.cells.size(); ++cell) {
    std::vector<int64_t> nearest;
    for (int t = 0; t < s.tiles.size(); ++t)
      nearest.push_back(mt::distance_key(s.distance(cell, t), t));
    std::sort(nearest.begin(), nearest.end());
    EXPECT_EQ(nearest[0], s.keys_of(cell)[0]) << cell;
  }
}

TEST(RoughNearest, SkipsTilesOfHighPriceUnlessOfAnotherScene) {
  Search s(4, 3676, 3676);
  s.run();
  const std::set<int> wanted = s.found_by(2);
  const std::vector<int64_t> free = s.keys_of(2);
  for (int t : wanted) s.price[t] = 1e9f;
  s.run();
  for (int t : s.found_by(2)) EXPECT_EQ(0u, wanted.count(t)) << t;
  EXPECT_EQ(0, s.distance_bound[2]);  // nothing is known of the distances of tiles with high prices
  EXPECT_GT(s.priced_distance_bound[2], 0);
  for (mt::SceneState other : {mt::SceneState{0, 1, 0, 0, 0}, mt::SceneState{0, 0, 0, 1, 0}}) {
    s.scene = other;
    s.threshold_hints.assign(s.threshold_hints.size(), 0);
    s.run();
    EXPECT_EQ(free, s.keys_of(2));
  }
}

// The search ends even if every price exceeds the range of the sums.
TEST(RoughNearest, EndsIfAllPricesAreHigh) {
  Search s(3, 500, 500);
  s.price.assign(s.price.size(), 1e30f);
  for (const char* time : {"without a hint", "with one"}) {
    s.run();
    for (int cell = 0; cell < s.cells.size(); ++cell) {
      SCOPED_TRACE(time);
      expect_found(s, cell);
      expect_bounds(s, cell);
    }
  }
}

TEST(RoughNearest, ProcessesTheRoughCellsOfItsSlice) {
  constexpr int kCells = 12;
  const auto done = [&](int first, int slice) {
    Search s(kCells, 200, 200);
    for (int cell : {1, 4, 9}) s.rough[cell] = 0;
    s.scene.cut = 1;
    s.run(first, slice);
    std::set<int> cells;
    for (int cell = 0; cell < kCells; ++cell) {
      const bool touched = s.count[cell] != kUntouched;
      if (touched) cells.insert(cell);
      EXPECT_EQ(touched, s.keys[size_t(cell) * RoughTiles::kMax] != kUntouched);
      EXPECT_EQ(touched, s.distance_bound[cell] != kUntouched);
      EXPECT_EQ(touched, s.priced_distance_bound[cell] != kUntouched);
      EXPECT_EQ(touched, s.near_limit[cell] != kUntouched);
      EXPECT_EQ(touched, s.farthest[size_t(cell) * kBlocks] != kUntouched);
      EXPECT_EQ(touched, s.threshold_hints[2 * size_t(cell)] != 0);
      EXPECT_EQ(touched, s.threshold_hints[2 * size_t(cell) + 1] != 0);
    }
    return cells;
  };
  EXPECT_EQ((std::set{0, 2, 3, 5, 6, 7, 8, 10, 11}), done(0, kCells));
  EXPECT_EQ((std::set{3, 5, 6}), done(3, 4));
  EXPECT_EQ((std::set{0, 2, 10, 11}), done(9, 6));
}

}  // namespace
