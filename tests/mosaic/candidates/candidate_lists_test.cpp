// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/candidates/candidate_lists.h"
#include "cpu/cpu_executor.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/all/kernels.h"
#include "kernels/matching/candidates.h"
#include "mosaic/assignment/assignment.h"
#include "mosaic/candidates/candidate_source.h"
#include "tests/first_failure.h"
#include "tests/mosaic/frames.h"

namespace {

using mosaic::CandidateLists;
using mosaic::FrameAnalysis;

/// Analyses frames and makes their candidate lists.
struct Fixture {
  explicit Fixture(int cell = 20)
      : executor(mt::make_cpu_executor(2)),
        grid(mosaic::choose_grid(320, 180, 320, 180, cell, "1")),
        pool(test::procedural_pool(*executor, cell, cell)),
        picture(320, 180, executor),
        analysis(grid, executor),
        source(grid.cells(), std::make_shared<mosaic::PoolOnDevice>(pool, executor), executor),
        lists(source.lists()) {}

  void enqueue(int frame, bool exact) { enqueue(test::moving_disc(320, 180, frame), exact); }
  void enqueue(test::RgbFrame f, bool exact) {
    executor->launch(mt::Unpack{f.view(), picture.planes(), nullptr}, 180);
    analysis.enqueue(picture.planes(), false);
    scene.cut = exact;
    source.enqueue(analysis, &scene);
    executor->wait();
    analysis.read_back();
    source.read_back(analysis);
  }

  std::shared_ptr<mt::Executor> executor;
  mosaic::Grid grid;
  std::shared_ptr<const mosaic::Pool> pool;
  mosaic::Picture picture;
  mt::SceneState scene{};
  FrameAnalysis analysis;
  mosaic::CandidateSource source;
  const CandidateLists& lists;
};

// What AssignmentProblem::read_cheapest requires, for all numbers of tiles.
TEST(CandidateLists, ReadTheCheapestCosts) {
  Fixture f;
  f.enqueue(0, true);
  ASSERT_TRUE(f.lists.reads_cheapest());
  const int tiles = f.pool->tiles();
  std::vector<int32_t> row(tiles), tile(tiles + mosaic::kReadMargin), cost(tile.size());
  for (int cell = 0; cell < f.grid.cells(); ++cell) {
    f.lists.read_costs(f.analysis, mosaic::whole_row(cell, tiles, row.data()));
    std::vector<int32_t> sorted = row;
    std::sort(sorted.begin(), sorted.end());
    for (const int wanted : {1, tiles / 8, tiles / 2, tiles}) {
      const int n = f.lists.read_cheapest(f.analysis, cell, wanted, tile.data(), cost.data());
      const int32_t last = sorted[wanted - 1];
      std::vector<bool> read(tiles);
      int no_more = 0;
      for (int i = 0; i < n; ++i) {
        ASSERT_TRUE(i == 0 || tile[i - 1] < tile[i]);
        ASSERT_EQ(row[tile[i]], cost[i]);
        read[tile[i]] = true;
        no_more += cost[i] <= last;
      }
      EXPECT_GE(no_more, wanted);
      for (int t = 0; t < tiles; ++t) ASSERT_TRUE(read[t] || row[t] >= last);
    }
  }
}

// The solver's lower bound relies on this: a list has the same costs as the row of all tiles, and
// its bound holds for every tile that is not in it.
TEST(CandidateLists, MatchTheCostsOfTheWholeRow) {
  Fixture f;
  for (int frame = 0; frame < 3; ++frame) {
    f.enqueue(frame, frame == 0);
    std::vector<int32_t> row(f.pool->tiles());
    for (int cell = 0; cell < f.grid.cells(); ++cell) {
      f.lists.read_costs(f.analysis, mosaic::whole_row(cell, f.pool->tiles(), row.data()));
      std::vector<bool> listed(row.size());
      test::FirstFailure wrong;
      for (int i = 0; i < f.lists.listed(); ++i) {
        const int tile = f.lists.tiles(cell)[i];
        wrong.check(!listed[tile] && row[tile] == f.lists.costs(cell)[i] &&
                        row[tile] == f.lists.cost(f.analysis, cell, tile),
                    [&] { return test::text_of("listed: cell", cell, "tile", tile); });
        listed[tile] = true;
      }
      for (size_t t = 0; t < row.size(); ++t)
        wrong.check(listed[t] || row[t] >= f.lists.bound(cell),
                    [&] { return test::text_of("below the bound: cell", cell, "tile", t); });
      ASSERT_TRUE(wrong.none());
    }
  }
}

// Lists that are found with an index are those of comparing each cell with all tiles.
TEST(CandidateLists, AreTheSameWithAnIndex) {
  Fixture f;
  mosaic::CandidateSource indexed(f.grid.cells(),
                                  std::make_shared<mosaic::PoolOnDevice>(f.pool, f.executor),
                                  f.executor, mosaic::kMaxDistances, 1);
  const CandidateLists& lists = indexed.lists();
  ASSERT_TRUE(lists.reads_cheapest());
  const size_t listed = size_t(f.grid.cells()) * f.lists.listed();
  std::vector<int32_t> tiles(f.pool->tiles() + mosaic::kReadMargin), costs(tiles.size());
  for (const int frame : {0, 0, 1, 2, 9, 30}) {
    f.scene.cut = frame == 0 || frame == 9;
    indexed.enqueue((f.enqueue(frame, f.scene.cut), f.analysis), &f.scene);
    indexed.read_back(f.analysis);
    ASSERT_EQ(lists.factor(), f.lists.factor());
    EXPECT_EQ(lists.updated(), f.lists.updated());
    EXPECT_TRUE(std::equal(lists.tiles(0), lists.tiles(0) + listed, f.lists.tiles(0)));
    EXPECT_TRUE(std::equal(lists.costs(0), lists.costs(0) + listed, f.lists.costs(0)));
    EXPECT_TRUE(std::equal(lists.near_limits().begin(), lists.near_limits().end(),
                           f.lists.near_limits().begin()));
    for (int cell = 0; cell < f.grid.cells(); ++cell) {
      ASSERT_EQ(lists.bound(cell), f.lists.bound(cell));
      for (int i = 0; i < mt::kRerankNearest; ++i) {
        const size_t at = size_t(cell) * mt::kRerankNearest + i;
        ASSERT_EQ(lists.nearest_on_device()[at], f.lists.nearest_on_device()[at]);
      }
    }
    const int n = lists.read_cheapest(f.analysis, 3, 20, tiles.data(), costs.data());
    for (int i = 0; i < n; ++i) ASSERT_EQ(costs[i], f.lists.cost(f.analysis, 3, tiles[i]));
    EXPECT_GE(n, 20);
  }
}

TEST(CandidateLists, AreUpdatedOnlyForChangedCells) {
  Fixture f;
  f.enqueue(0, true);
  EXPECT_EQ(static_cast<size_t>(f.grid.cells()), f.lists.updated().size());
  f.enqueue(0, false);
  EXPECT_TRUE(f.lists.updated().empty());
  f.enqueue(1, false);
  EXPECT_FALSE(f.lists.updated().empty());
  EXPECT_EQ(f.analysis.changed(), f.lists.updated());
}

TEST(CandidateLists, AreUpdatedForAllCellsWhenTheCostScaleChanges) {
  Fixture f;
  test::RgbFrame frame(320, 180);
  std::fill(frame.pixels.begin(), frame.pixels.end(), 128);
  f.enqueue(frame, true);
  // Half the picture turns white. Its greatest distance, that to black, sets a new cost scale.
  std::fill(frame.pixels.begin(), frame.pixels.begin() + frame.pixels.size() / 2, 255);
  f.enqueue(frame, false);
  EXPECT_LT(f.analysis.changed().size(), static_cast<size_t>(f.grid.cells()));
  EXPECT_EQ(static_cast<size_t>(f.grid.cells()), f.lists.updated().size());
}

}  // namespace
