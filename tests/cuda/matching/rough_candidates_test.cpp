// SPDX-License-Identifier: LGPL-2.1-or-later
// Rough lists, compared with a plain sort.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "cuda/executor.h"
#include "cuda/matching/rough_nearest.h"

namespace {

using mt::RoughTiles;

constexpr int kCells = 7, kTiles = 500;
constexpr int32_t kFarthest = 1 << 20, kUntouched = -7;
constexpr int64_t kFactor = (int64_t{1} << (mt::kCostBits + mt::kScaleBits)) / kFarthest;

struct Case {
  int found, wanted;
  int64_t priced_factor = kFactor;
  int cut = 0, returned = 0;
};
void PrintTo(const Case& c, std::ostream* out) {
  *out << c.found << " found, " << c.wanted << " wanted, factor times "
       << static_cast<double>(c.priced_factor) / kFactor << ", cut " << c.cut << ", returned "
       << c.returned;
}

/// Results of a search in random order. There are few different distances, so that many are equal.
struct Found {
  explicit Found(int n)
      : keys(size_t{kCells} * RoughTiles::kMax, -1),
        near_limit(kCells),
        count(kCells, n),
        distance_bound(kCells),
        priced_distance_bound(kCells),
        cells(kCells),
        tiles(kTiles) {
    std::mt19937 random(n);
    const auto grey = [&](mt::CellStats& stats) {  // one of three, so that costs are equal as well
      stats.oklab[0] = static_cast<int32_t>(random() % 3 * 20000);
    };
    std::for_each(cells.begin(), cells.end(), grey);
    std::for_each(tiles.begin(), tiles.end(), grey);
    std::vector<int32_t> ids(kTiles);
    for (int i = 0; i < kTiles; ++i) ids[i] = i;
    for (int cell = 0; cell < kCells; ++cell) {
      std::shuffle(ids.begin(), ids.end(), random);
      for (int i = 0; i < n; ++i)
        key(cell, i) = mt::distance_key(static_cast<int32_t>(1 + random() % 20) << 14, ids[i]);
      near_limit[cell] = cell == 0 ? INT64_MAX : mt::distance_key(cell * 3 << 14, kTiles / 2);
      // From nearer than the tiles found up to INT32_MAX, which says that there are no others.
      distance_bound[cell] = cell == 6 ? INT32_MAX : cell << 16;
      priced_distance_bound[cell] = cell == 6 ? INT32_MAX : (cell << 16) + 5000;
    }
  }
  int64_t& key(int cell, int i) { return keys[size_t(cell) * RoughTiles::kMax + i]; }
  RoughTiles parts() {
    return {keys.data(),
            count.data(),
            distance_bound.data(),
            priced_distance_bound.data(),
            near_limit.data(),
            nullptr,
            nullptr,
            0};
  }

  std::vector<int64_t> keys, near_limit;
  std::vector<int32_t> count, distance_bound, priced_distance_bound;
  std::vector<mt::CellStats> cells, tiles;
};

struct Lists {
  explicit Lists(int wanted_)
      : wanted(wanted_),
        tile(size_t(kCells) * wanted, kUntouched),
        cost(tile),
        bound(kCells, kUntouched),
        priced_bound(bound),
        nearest(size_t{kCells} * mt::kRerankNearest, kUntouched) {}

  void run(Found& found, const Case& c, const std::vector<uint8_t>& rough) {
    const mt::CostScale scale{kFarthest, kFactor, 0, 0};
    const mt::SceneState scene{0, c.cut, 0, c.returned, 0};
    mt::make_cpu_executor(2)->launch(
        mt::RoughCandidates{rough.data(), found.parts(), &scale, c.priced_factor, &scene, wanted,
                            found.cells.data(), found.tiles.data(), tile.data(), cost.data(),
                            bound.data(), priced_bound.data(), nearest.data()},
        kCells);
  }

  int wanted;
  std::vector<int32_t> tile, cost, bound, priced_bound, nearest;
};

/// All tiles that were found, with their costs, the cheapest first.
std::vector<std::pair<int32_t, int32_t>> sorted(Found& found, int cell) {
  std::vector<std::pair<int32_t, int32_t>> all;
  for (int i = 0; i < found.count[cell]; ++i) {
    const int64_t key = found.key(cell, i);
    const auto tile = static_cast<int32_t>(key), distance = static_cast<int32_t>(key >> 32);
    int64_t cost = distance * kFactor >> mt::kScaleBits;
    if (key <= found.near_limit[cell])
      cost += mt::oklab_cost(found.cells[cell].oklab, found.tiles[tile].oklab);
    all.push_back({static_cast<int32_t>(cost), tile});
  }
  std::sort(all.begin(), all.end());
  return all;
}

int32_t cost_beyond(int32_t distance, int64_t factor) {
  if (distance == INT32_MAX) return INT32_MAX;
  return static_cast<int32_t>(
      std::min<int64_t>(distance * factor >> mt::kScaleBits, 2 << mt::kCostBits));
}

class RoughCandidatesCase : public testing::TestWithParam<Case> {};

TEST_P(RoughCandidatesCase, ListsTheCheapestAndBoundsTheRest) {
  const Case c = GetParam();
  Found found(c.found);
  Lists lists(c.wanted);
  lists.run(found, c, std::vector<uint8_t>(kCells, 1));
  // Bounds that include prices use the scale of the prices, except at a cut and where a scene
  // returns: prices do not count there.
  const bool prices = !c.cut && !c.returned;
  const int64_t least = prices ? std::min(c.priced_factor, kFactor) : kFactor;
  for (int cell = 0; cell < kCells; ++cell) {
    SCOPED_TRACE(cell);
    const auto expected = sorted(found, cell);
    const int n = static_cast<int>(expected.size());
    for (int i = 0; i < c.wanted; ++i) {
      const size_t at = size_t(cell) * c.wanted + i;
      ASSERT_EQ(i < n ? expected[i].second : -1, lists.tile[at]) << i;
      ASSERT_EQ(i < n ? expected[i].first : INT32_MAX, lists.cost[at]) << i;
    }
    for (int i = 0; i < mt::kRerankNearest; ++i)
      ASSERT_EQ(i < n ? expected[i].second : -1,
                lists.nearest[size_t(cell) * mt::kRerankNearest + i]);
    const int32_t next = c.wanted < n ? expected[c.wanted].first : INT32_MAX;
    ASSERT_EQ(std::min(next, cost_beyond(found.distance_bound[cell], kFactor)), lists.bound[cell]);
    ASSERT_EQ(std::min(next, cost_beyond(found.priced_distance_bound[cell], least)),
              lists.priced_bound[cell]);
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, RoughCandidatesCase,
                         testing::Values(Case{0, 10}, Case{1, 1}, Case{1, 30}, Case{24, 30},
                                         Case{25, 25}, Case{26, 10}, Case{60, 59}, Case{60, 60},
                                         Case{60, 61}, Case{61, 200}, Case{128, 20}, Case{128, 128},
                                         Case{60, 60, kFactor / 2}, Case{60, 60, kFactor * 2},
                                         Case{60, 60, kFactor / 2, 1},
                                         Case{60, 60, kFactor / 2, 0, 2},
                                         Case{60, 30, kFactor / 9}));

TEST(RoughCandidates, SkipsCellsThatAreNotRough) {
  Found found(60);
  Lists lists(50);
  std::vector<uint8_t> rough(kCells);
  rough[2] = rough[5] = 1;
  lists.run(found, {60, 50}, rough);
  const auto touched = [](const std::vector<int32_t>& of, int cell) {
    const size_t size = of.size() / kCells;
    return std::any_of(of.begin() + cell * size, of.begin() + (cell + 1) * size,
                       [](int32_t v) { return v != kUntouched; });
  };
  for (int cell = 0; cell < kCells; ++cell)
    for (const auto* of :
         {&lists.tile, &lists.cost, &lists.bound, &lists.priced_bound, &lists.nearest})
      EXPECT_EQ(rough[cell] != 0, touched(*of, cell)) << cell;
}

}  // namespace
