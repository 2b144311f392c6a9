// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/candidates/tile_costs.h"
#include "cpu/cpu_executor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "mosaic/assignment/assignment.h"
#include "mosaic/engine/analysis_stages.h"
#include "tests/mosaic/frames.h"

namespace {

constexpr int kWidth = 160, kHeight = 96, kSide = 16;
constexpr int kCells = kWidth / kSide * (kHeight / kSide);

/// The costs of one frame.
struct Frame {
  Frame()
      : executor(mt::make_cpu_executor(2)),
        pool(std::make_shared<mosaic::PoolOnDevice>(
            test::procedural_pool(*executor, kSide, kSide, false), executor)),
        analysis(mosaic::choose_grid(kWidth, kHeight, kWidth, kHeight, kSide, "1"), pool, kCells,
                 executor),
        weighted(kCells) {
    analysis.enqueue(test::moving_disc(kWidth, kHeight, 5).view(), {});
    analysis.list({});
    executor->wait();
    analysis.read_back({});
    const mosaic::AnalysedFrame& frame = analysis.frame();
    weighted.update(executor->workers(), *frame.candidates, *frame.saliency, true);
  }

  mosaic::TileCosts costs() const {
    return {*analysis.frame().cells, *analysis.frame().candidates, weighted};
  }

  std::shared_ptr<mt::Executor> executor;
  std::shared_ptr<const mosaic::PoolOnDevice> pool;
  mosaic::AnalysisStages analysis;
  mosaic::WeightedCosts weighted;
};

/// Prices as an auction makes them: none, of few units, of all, of all but one so high that nobody
/// can pay.
std::vector<std::vector<int32_t>> all_prices(int units, std::mt19937& random) {
  std::vector<std::vector<int32_t>> all(4, std::vector<int32_t>(units));
  for (int32_t& price : all[1])
    price = random() % 8 ? 0 : static_cast<int32_t>(random() % (1 << 24));
  for (int32_t& price : all[2]) price = static_cast<int32_t>(random() % (1 << 28));
  for (int32_t& price : all[3]) price = mosaic::kMaxPriceRead;
  all[3][7] = 0;
  return all;
}

/// Checks what AssignmentProblem::read_cheapest requires.
/// @param row  the costs of all tiles
/// @return how many tiles were read
int check_lowest_sums(const mosaic::TileCosts& costs, int cell, const std::vector<int32_t>& row,
                      int wanted, const mosaic::ColumnPrices& prices) {
  const int tiles = static_cast<int>(row.size());
  std::vector<int32_t> tile(tiles + mosaic::kReadMargin), cost(tile.size());
  const int n = costs.read_cheapest(cell, wanted, prices, tile.data(), cost.data());
  const auto sum = [&](int t) { return int64_t{row[t]} + prices.of_unit(t % prices.units); };
  std::vector<int64_t> of_units(prices.units, INT64_MAX);
  for (int t = 0; t < tiles; ++t) {
    int64_t& least = of_units[t % prices.units];
    least = std::min(least, sum(t));
  }
  std::vector<int64_t> sorted = of_units;
  std::sort(sorted.begin(), sorted.end());
  const int64_t last = sorted[wanted - 1];
  std::vector<bool> read(tiles);
  for (int i = 0; i < n; ++i) {
    EXPECT_TRUE(i == 0 || tile[i - 1] < tile[i]);
    EXPECT_EQ(row[tile[i]], cost[i]);
    read[tile[i]] = true;
  }
  // All tiles, so that there are also as many units as are wanted.
  for (int t = 0; t < tiles; ++t) EXPECT_TRUE(read[t] || sum(t) > last) << t;
  return n;
}

TEST(TileCosts, ReadTheLowestSumsOfCostAndPrice) {
  Frame f;
  const mosaic::TileCosts costs = f.costs();
  ASSERT_TRUE(costs.candidates().reads_cheapest() && costs.candidates().by_price());
  const int tiles = f.pool->host().tiles();
  std::mt19937 random(3);
  std::vector<int32_t> row(tiles);
  int64_t read = 0, all = 0;
  for (const int units : {tiles, tiles / 4})
    for (const std::vector<int32_t>& price : all_prices(units, random))
      for (int cell = 0; cell < kCells; ++cell) {
        costs.read_costs(mosaic::whole_row(cell, tiles, row.data()));
        check_lowest_sums(costs, cell, row, 65, {nullptr, units});
        for (const int wanted : {1, 65, units / 2, units}) {
          const int n = check_lowest_sums(costs, cell, row, wanted, {price.data(), units});
          ASSERT_FALSE(testing::Test::HasFailure()) << wanted << " of " << units;
          if (wanted == 65) {
            read += n;
            all += tiles;
          }
        }
      }
  EXPECT_LT(read, all / 2) << "few tiles are read";
}

TEST(TileCosts, ReadTheLeastCostOfEachUnit) {
  Frame f;
  const mosaic::TileCosts costs = f.costs();
  const int tiles = f.pool->host().tiles();
  std::vector<int32_t> row(tiles), cells(kCells);
  std::iota(cells.begin(), cells.end(), 0);
  for (const int units : {tiles, tiles / 2, tiles / 4})
    for (const auto& [begin, end] : {std::pair{0, units}, {0, 1}, {5, 70}, {units - 33, units}}) {
      std::vector<int32_t> read(size_t{kCells} * units, -1);
      costs.read_unit_costs(
          {.rows = cells, .begin = begin, .end = end, .costs = read.data(), .stride = units},
          units);
      for (int cell = 0; cell < kCells; ++cell) {
        costs.read_costs(mosaic::whole_row(cell, tiles, row.data()));
        for (int unit = 0; unit < units; ++unit) {
          int32_t least = unit < begin || unit >= end ? -1 : INT32_MAX;
          for (int t = unit; t < tiles; t += units) least = std::min(least, row[t]);
          ASSERT_EQ(least, read[static_cast<size_t>(cell) * units + unit]) << cell << " " << unit;
        }
      }
    }
}

}  // namespace
