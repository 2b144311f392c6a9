// SPDX-License-Identifier: LGPL-2.1-or-later
// The rerank, compared with its definition in double precision: one choice, and whole grids.
#include "mosaic/placement/reranking.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <set>

#include "tests/mosaic/placement/plain_rerank.h"

namespace {

using mosaic::Continuation;
using mosaic::Occupancy;
using mosaic::Reranking;
using test::Considered;
using test::nearest_tiles;
using test::rerank_plainly;
using Fixture = test::RerankFixture;

mt::RerankScore score(int tile, int64_t ssim, int64_t covariance) {
  return {ssim, covariance, 10000, tile, 0};
}

int32_t most_similar(const std::vector<mt::RerankScore>& scores, const mosaic::Fits& fits) {
  return mosaic::most_similar_tile(scores, mosaic::rank(scores, 100), fits);
}

TEST(MostSimilarTile, IsTheMostSimilarOfTheFiveBestCorrelated) {
  const auto any = [](int32_t) { return true; };
  // The cell's own tile, then others by distance. Tile 16 is the most alike, but sixth by
  // correlation.
  std::vector<mt::RerankScore> s = {score(10, 50, 90), score(11, 40, 95), score(12, 60, 80),
                                    score(13, 70, 70), score(14, 70, 75), score(15, 10, 99),
                                    score(16, 99, 69)};
  EXPECT_EQ(14, most_similar(s, any)) << "of two alike the one that correlates better";
  EXPECT_EQ(16, most_similar(s, [](int32_t t) { return t != 15 && t != 13; }));
  EXPECT_EQ(12, most_similar(s, [](int32_t t) { return t < 13; }));
  EXPECT_EQ(10, most_similar(s, [](int32_t t) { return t == 11; }));
  s[0].ssim = 70;
  EXPECT_EQ(10, most_similar(s, [](int32_t t) { return t < 15; })) << "no better";
  s = {score(10, 50, 0), score(11, 1, 0),  score(12, 1, 0),
       score(13, 1, 0),  score(14, 60, 0), score(15, 90, 0)};
  EXPECT_EQ(14, most_similar(s, any)) << "nothing correlates: by distance";
  s = {score(10, 50, 5), score(10, 60, 5), score(-1, 0, 0), score(12, 49, 4)};
  EXPECT_EQ(10, most_similar(s, any));
}

TEST(Reranking, MatchesNaiveImplementation) {
  Fixture f;
  for (const test::RgbFrame& frame :
       {test::moving_disc(320, 180, 0), test::noise(320, 180, 3), test::moving_disc(320, 180, 7)}) {
    f.enqueue(frame);
    for (int nearest : {25, 6, 1}) {
      const std::vector<int32_t> assigned = f.likely_assignment();
      const Reranking::Settings settings{nearest, f.prices(0), f.rules(1, 3)};
      f.update(assigned, settings, Continuation::kStart);
      EXPECT_EQ(rerank_plainly(f, assigned, settings, nearest_tiles(f, settings.nearest)),
                f.rerank.tiles());
      EXPECT_EQ(f.grid.cells(), f.rerank.reranked());
      if (nearest == 25) {
        EXPECT_NE(assigned, f.rerank.tiles());
      }
    }
  }
}

TEST(Reranking, KeepsDuplicatesApartIfTilesAreReused) {
  Fixture f;
  f.enqueue(test::moving_disc(320, 180, 0));
  for (const auto& [capacity, radius] : {std::pair(2, 0U), {3, 1U}, {4, 5U}, {200, 2U}}) {
    const std::vector<int32_t> assigned = f.assignment(f.grid.cells() / std::min(capacity, 4), 5);
    const Reranking::Settings settings{25, f.prices(0), f.rules(capacity, radius)};
    f.update(assigned, settings, Continuation::kStart);
    EXPECT_EQ(rerank_plainly(f, assigned, settings, nearest_tiles(f, settings.nearest)),
              f.rerank.tiles());
    EXPECT_NE(assigned, f.rerank.tiles());
  }
}

/// Assigns photos as Placement does, without switching prices.
struct Photos {
  Photos(const Fixture& f, int most) : uses{f.pool->photos(), most, mosaic::Unit::kPhoto} {
    for (int cell = 0; cell < f.grid.cells(); ++cell) bound.push_back(f.lists.bound(cell));
    problem.rows = f.grid.cells();
    problem.columns = f.pool->tiles();
    problem.listed = f.lists.listed();
    problem.column = f.lists.tiles(0);
    problem.cost = f.lists.costs(0);
    problem.bound = bound.data();
    problem.read_costs = [&f](const mosaic::CostBlock& block) {
      f.lists.read_costs(f.analysis, block);
    };
    problem.single = [&f](int cell, int tile) { return f.lists.cost(f.analysis, cell, tile); };
    assigned = solver.solve(problem, uses).column;
  }

  /// Each cell's variants of its photo, and then its cheapest photos that are free.
  Considered considered(const Occupancy& occupancy, int nearest) const {
    Considered all(assigned.size());
    for (size_t cell = 0; cell < assigned.size(); ++cell) {
      const int own = assigned[cell] % uses.units;
      for (int t = own; t < problem.columns; t += uses.units)
        if (t != assigned[cell]) all[cell].push_back(t);
      std::set<int> seen{own};
      for (int k = 0; k < problem.listed; ++k) {
        const size_t at = cell * problem.listed + k;
        if (problem.cost[at] > bound[cell]) break;  // a cheaper tile of the photo may not be listed
        const int t = problem.column[at];
        if (seen.insert(t % uses.units).second && occupancy.fits(static_cast<int>(cell), t))
          all[cell].push_back(t);
      }
      all[cell].resize(std::min<size_t>(all[cell].size(), nearest));
    }
    return all;
  }

  mosaic::UseLimit uses;
  std::vector<int32_t> bound, assigned;
  mosaic::AssignmentProblem problem;
  mosaic::PhotoAssignment solver;
};

TEST(Reranking, ConsidersVariantsAndFreePhotosIfPhotosAreCounted) {
  Fixture f;
  for (const test::RgbFrame& frame : {test::moving_disc(320, 180, 0), test::noise(320, 180, 3)})
    for (const auto& [most, nearest, radius] :
         {std::tuple(1, 25, 4U), std::tuple(2, 25, 2U), std::tuple(3, 5, 1U)}) {
      f.enqueue(frame);
      Photos photos(f, most);
      const Reranking::Settings settings{
          nearest,
          f.prices(0),
          {f.grid.columns, f.grid.rows, f.pool->photos(), photos.uses, radius},
          &photos.solver};
      f.update(photos.assigned, settings, Continuation::kStart);
      std::vector<int32_t> tile = photos.assigned;
      Occupancy occupancy;
      occupancy.reset(settings.rules, tile);
      EXPECT_EQ(rerank_plainly(f, photos.assigned, settings, photos.considered(occupancy, nearest)),
                f.rerank.tiles());
      EXPECT_NE(photos.assigned, f.rerank.tiles());
    }
}

TEST(Reranking, ShowsTheAssignmentWhenOff) {
  Fixture f;
  f.enqueue(test::moving_disc(320, 180, 0));
  const std::vector<int32_t> assigned = f.likely_assignment();
  for (int nearest : {0, 25, 0}) {
    f.update(assigned, {nearest, f.prices(0), f.rules(1, 0)});
    EXPECT_EQ(nearest == 0, assigned == f.rerank.tiles());
    EXPECT_EQ(nearest == 0 ? 0 : f.grid.cells(), f.rerank.reranked());
  }
}

TEST(Reranking, ExaminesOnlyCellsWhoseAssignmentChanged) {
  Fixture f;
  f.enqueue(test::moving_disc(320, 180, 0));
  std::vector<int32_t> assigned = f.likely_assignment();
  f.update(assigned, {25, f.prices(0), f.rules(1, 0)}, Continuation::kStart);
  const std::vector<int32_t> shown = f.rerank.tiles();
  f.update(assigned, {25, f.prices(0), f.rules(1, 0)});
  EXPECT_EQ(0, f.rerank.reranked());
  EXPECT_EQ(shown, f.rerank.tiles());
  // Two cells are assigned tiles that no cell shows: only these two are reranked again.
  std::set<int32_t> used(shown.begin(), shown.end());
  used.insert(assigned.begin(), assigned.end());
  int32_t spare = 0;
  for (int cell : {20, 77}) {
    while (!used.insert(spare).second) ++spare;
    assigned[cell] = spare;
  }
  f.update(assigned, {25, f.prices(0), f.rules(1, 0)});
  EXPECT_EQ(2, f.rerank.reranked());
  for (int cell = 0; cell < f.grid.cells(); ++cell)
    if (cell != 20 && cell != 77) {
      EXPECT_EQ(shown[cell], f.rerank.tiles()[cell]);
    }
}

// A chain: a cell that loses its tile returns to its assigned one, which another cell may show, and
// so on.
TEST(Reranking, ReturnsTilesThatTheAssignmentNeeds) {
  Fixture f;
  f.enqueue(test::moving_disc(320, 180, 0));
  std::vector<int32_t> assigned = f.likely_assignment();
  for (unsigned seed = 0; seed < 20; ++seed) {
    f.update(assigned, {25, f.prices(INT32_MAX), f.rules(1, 0)},
             seed > 0 ? Continuation::kContinues : Continuation::kStart);
    std::vector<int32_t> shown = f.rerank.tiles();
    std::sort(shown.begin(), shown.end());
    EXPECT_EQ(shown.end(), std::adjacent_find(shown.begin(), shown.end())) << "used twice";
    // Some cells are assigned what others show.
    std::mt19937 random(seed);
    std::set<int32_t> used(assigned.begin(), assigned.end());
    int wanted = 0;
    for (const int32_t tile : f.rerank.tiles()) {
      if (used.count(tile) || random() % 4) continue;
      int32_t& own = assigned[random() % assigned.size()];
      used.erase(own);
      used.insert(own = tile);
      ++wanted;
    }
    EXPECT_GT(wanted, 0);
  }
}

// A cell is assigned a tile that another has taken in the rerank. The taker keeps it if the tile
// that it left is cheap enough for the cell.
TEST(Reranking, LetsACellKeepTheTileItTook) {
  for (const int32_t price : {INT32_MAX, 0}) {
    Fixture f;
    f.enqueue(test::moving_disc(320, 180, 0));
    std::vector<int32_t> assigned = f.likely_assignment();
    f.update(assigned, {25, f.prices(0), f.rules(1, 0)}, Continuation::kStart);
    const std::vector<int32_t> before = f.rerank.tiles();
    const std::set<int32_t> owned(assigned.begin(), assigned.end());
    const auto took = [&](int cell) { return !owned.count(before[cell]); };
    int taker = 0;
    while (!took(taker)) ++taker;
    const int asker = taker + 40;
    // The tile that the taker left is costly for all other cells.
    const auto cost = [&](int cell, int tile) -> int64_t {
      return cell != taker && tile == assigned[taker] ? 1 << 28 : 1000;
    };
    assigned[asker] = before[taker];
    f.rerank.begin_frame({});
    f.rerank.update(f.analysis, f.lists, assigned, cost, {25, f.prices(price), f.rules(1, 0)});
    const std::vector<int32_t>& now = f.rerank.tiles();
    EXPECT_EQ(now[taker] == before[taker], price > 0);
    EXPECT_EQ(f.rerank.reranked(), price > 0 ? 1 : 2);
    EXPECT_EQ(std::count(now.begin(), now.end(), before[taker]), 1);
    for (int cell = 0; cell < f.grid.cells(); ++cell)
      if (cell != taker && cell != asker) {
        EXPECT_EQ(before[cell], now[cell]);
      }
  }
}

// A cell is assigned a photo that another, near it, has taken in the rerank. The asker, which shows
// another photo in any case, takes a free one instead if that is cheap enough.
TEST(Reranking, LetsACellKeepThePhotoItTook) {
  for (const int most : {1, 3})
    for (const int32_t price : {5000, 0}) {
      Fixture f;
      f.enqueue(test::moving_disc(320, 180, 0));
      Photos photos(f, most);
      const int units = photos.uses.units;
      const Reranking::Settings settings{
          25,
          f.prices(price),
          {f.grid.columns, f.grid.rows, f.pool->photos(), photos.uses, 2},
          &photos.solver};
      f.update(photos.assigned, settings, Continuation::kStart);
      const std::vector<int32_t> before = f.rerank.tiles();
      const auto photo = [&](int cell) { return before[cell] % units; };
      int taker = 0, asker = 1;
      while (photo(taker) == photos.assigned[taker] % units || asker % f.grid.columns == 0)
        taker = asker++;
      std::vector<int32_t> assigned = photos.assigned;
      assigned[asker] = before[taker];
      const auto cost = [&](int cell, int tile) -> int64_t {
        return cell == asker && tile % units != photo(taker) ? 1000 : 0;
      };
      f.rerank.begin_frame({});
      f.rerank.update(f.analysis, f.lists, assigned, cost, settings);
      const std::vector<int32_t>& now = f.rerank.tiles();
      EXPECT_EQ(now[taker] == before[taker], price > 0) << most;
      EXPECT_EQ(now[asker] % units == photo(taker), price == 0) << most;
      EXPECT_EQ(f.rerank.reranked(), price > 0 ? 1 : 2) << most;
      std::vector<int> uses(units);
      for (const int32_t tile : now) ++uses[tile % units];
      EXPECT_LE(*std::max_element(uses.begin(), uses.end()), most);
    }
}

TEST(Reranking, ExaminesACellAgainWhenItsTileBecomesTooCostly) {
  Fixture f;
  f.enqueue(test::moving_disc(320, 180, 0));
  const std::vector<int32_t> assigned = f.likely_assignment();
  f.update(assigned, {25, f.prices(0), f.rules(1, 0)}, Continuation::kStart);
  const std::vector<int32_t> taken = f.rerank.tiles();
  ASSERT_NE(assigned, taken);
  int64_t added = 1000;
  const auto cost = [&](int cell, int tile) -> int64_t {
    return f.lists.cost(f.analysis, cell, tile) + (tile == assigned[cell] ? 0 : added);
  };
  f.rerank.begin_frame({});
  f.rerank.update(f.analysis, f.lists, assigned, cost, {25, f.prices(2000), f.rules(1, 0)});
  EXPECT_EQ(0, f.rerank.reranked()) << "within the price";
  added = int64_t{1} << 30;
  f.rerank.update(f.analysis, f.lists, assigned, cost, {25, f.prices(2000), f.rules(1, 0)});
  int differ = 0;
  for (int i = 0; i < f.grid.cells(); ++i) differ += assigned[i] != taken[i];
  EXPECT_EQ(differ, f.rerank.reranked());
  f.rerank.update(f.analysis, f.lists, assigned, cost, {25, f.prices(2000), f.rules(1, 0)});
  EXPECT_EQ(0, f.rerank.reranked()) << "reranked once, and taken at that cost";
}

}  // namespace
