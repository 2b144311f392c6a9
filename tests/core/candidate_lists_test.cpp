// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/candidate_lists.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cuda/kernels.h"
#include "tests/core/frames.h"

namespace {

using mosaic::CandidateLists;
using mosaic::FrameAnalysis;

/// A frame, analysed, with its lists.
struct Fixture {
  explicit Fixture(int cell = 20)
      : executor(mt::make_cpu_executor(2)),
        grid(mosaic::choose_grid(320, 180, 320, 180, cell, "1")),
        pool(test::procedural_pool(*executor, cell, cell)),
        picture(320, 180, executor),
        analysis(grid, executor),
        lists(grid.cells(), std::make_shared<mosaic::PoolOnDevice>(pool, executor), executor) {}

  void look(int frame, bool exact) { look(test::moving_disc(320, 180, frame), exact); }
  void look(test::RgbFrame f, bool exact) {
    executor->launch(mt::Unpack{f.view(), picture.planes(), nullptr}, 180);
    analysis.look(*executor, picture.planes(), false);
    scene.cut = exact;
    lists.look(*executor, analysis, &scene);
    executor->wait();
    analysis.collect();
    lists.collect(analysis);
  }

  std::shared_ptr<mt::Executor> executor;
  mosaic::Grid grid;
  std::shared_ptr<const mosaic::Pool> pool;
  mosaic::Picture picture;
  mt::SceneState scene{};
  FrameAnalysis analysis;
  CandidateLists lists;
};

// The solver's certificate rests on this: a list tells the same costs as the whole row, and its
// bound holds for every tile that is not in it.
TEST(CandidateLists, AgreeWithTheWholeRow) {
  Fixture f;
  for (int frame = 0; frame < 3; ++frame) {
    f.look(frame, frame == 0);
    std::vector<int32_t> row(f.pool->tiles());
    for (int cell = 0; cell < f.grid.cells(); ++cell) {
      f.lists.all_costs(f.analysis, cell, row.data());
      std::vector<bool> listed(row.size());
      for (int i = 0; i < f.lists.listed(); ++i) {
        const int tile = f.lists.tiles(cell)[i];
        ASSERT_FALSE(listed[tile]);
        listed[tile] = true;
        ASSERT_EQ(row[tile], f.lists.costs(cell)[i]);
        ASSERT_EQ(row[tile], f.lists.cost(f.analysis, cell, tile));
      }
      for (size_t t = 0; t < row.size(); ++t)
        if (!listed[t]) {
          ASSERT_GE(row[t], f.lists.bound(cell)) << cell << " " << t;
        }
    }
  }
}

TEST(CandidateLists, AreMadeAnewOnlyForCellsThatChanged) {
  Fixture f;
  f.look(0, true);
  EXPECT_EQ(static_cast<size_t>(f.grid.cells()), f.lists.updated().size());
  f.look(0, false);
  EXPECT_TRUE(f.lists.updated().empty());
  f.look(1, false);
  EXPECT_FALSE(f.lists.updated().empty());
  EXPECT_EQ(f.analysis.changed(), f.lists.updated());
}

TEST(CandidateLists, AChangeOfScaleReachesEveryCell) {
  Fixture f;
  test::RgbFrame frame(320, 180);
  std::fill(frame.pixels.begin(), frame.pixels.end(), 128);
  f.look(frame, true);
  // Half the picture turns white, which is farther from black than grey is from anything.
  std::fill(frame.pixels.begin(), frame.pixels.begin() + frame.pixels.size() / 2, 255);
  f.look(frame, false);
  EXPECT_LT(f.analysis.changed().size(), static_cast<size_t>(f.grid.cells()));
  EXPECT_EQ(static_cast<size_t>(f.grid.cells()), f.lists.updated().size());
}

}  // namespace
