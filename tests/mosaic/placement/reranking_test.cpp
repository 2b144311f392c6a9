// SPDX-License-Identifier: LGPL-2.1-or-later
// The rerank, compared with its definition in double precision: one choice, and whole grids.
#include "mosaic/placement/reranking.h"
#include "cpu/cpu_executor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <set>

#include "kernels/all/kernels.h"
#include "mosaic/candidates/candidate_source.h"
#include "tests/kernels/matching/plain_similarity.h"
#include "tests/mosaic/frames.h"

namespace {

using mosaic::Continuation;
using mosaic::Occupancy;
using mosaic::Reranking;
using test::plain_correlation;
using test::plain_ssim;
using Bytes = std::vector<uint8_t>;

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

/// Analyses frames, makes their candidate lists and reranks.
struct Fixture {
  Fixture()
      : executor(mt::make_cpu_executor(2)),
        grid(mosaic::choose_grid(320, 180, 320, 180, 20, "1")),
        pool(test::procedural_pool(*executor, 20, 20)),
        on_device(std::make_shared<mosaic::PoolOnDevice>(pool, executor)),
        picture(320, 180, executor),
        analysis(grid, executor),
        source(grid.cells(), on_device, executor),
        lists(source.lists()),
        rerank(grid, on_device, executor) {}

  void enqueue(const test::RgbFrame& frame) {
    test::RgbFrame f = frame;
    executor->launch(mt::Unpack{f.view(), picture.planes(), nullptr}, 180);
    analysis.enqueue(picture.planes(), false);
    source.enqueue(analysis, &scene);
    executor->wait();
    analysis.read_back();
    source.read_back(analysis);
  }
  /// Assigns `tiles` different tiles, each to about as many cells, in random order.
  std::vector<int32_t> assignment(int tiles, unsigned seed) const {
    std::vector<int32_t> tile(grid.cells());
    for (int i = 0; i < grid.cells(); ++i)
      tile[i] = static_cast<int32_t>(int64_t{i % tiles} * pool->tiles() / tiles);
    std::shuffle(tile.begin(), tile.end(), std::mt19937(seed));
    return tile;
  }
  /// An assignment that gives every other cell one of its nearest tiles, if one is left.
  std::vector<int32_t> likely_assignment() const {
    std::vector<int32_t> tile = assignment(grid.cells(), 1);
    std::set<int32_t> used(tile.begin(), tile.end());
    for (int cell = 0; cell < grid.cells(); cell += 2)
      for (int k = 0; k < 5; ++k) {
        const int32_t t = lists.nearest_on_device()[cell * mt::kRerankNearest + k];
        if (!used.insert(t).second) continue;
        used.erase(tile[cell]);
        tile[cell] = t;
        break;
      }
    return tile;
  }
  /// The same price for every cell; valid until the next call.
  std::span<const int32_t> prices(int32_t each) {
    price.assign(grid.cells(), each);
    return price;
  }
  Occupancy::Rules rules(int capacity, unsigned radius) const {
    return {grid.columns, grid.rows, pool->photos(), {pool->tiles(), capacity}, radius};
  }
  void update(const std::vector<int32_t>& assigned, const Reranking::Settings& settings,
              Continuation continuation = Continuation::kContinues) {
    rerank.begin_frame({continuation});
    const auto cost = [this](int cell, int tile) -> int64_t {
      return lists.cost(analysis, cell, tile);
    };
    rerank.update(analysis, lists, assigned, cost, settings);
  }
  Bytes cell_gray(int cell) const {
    const uint8_t* rgb = analysis.on_device().pixels + size_t(cell) * 3 * 400;
    Bytes gray(400);
    for (int i = 0; i < 400; ++i) gray[i] = static_cast<uint8_t>(mt::planar_gray(rgb, 400, i));
    return gray;
  }

  std::shared_ptr<mt::Executor> executor;
  mosaic::Grid grid;
  std::shared_ptr<const mosaic::Pool> pool;
  std::shared_ptr<const mosaic::PoolOnDevice> on_device;
  mosaic::Picture picture;
  mt::SceneState scene{0, 1, 0, 0, 0};
  mosaic::FrameAnalysis analysis;
  mosaic::CandidateSource source;
  const mosaic::CandidateLists& lists;
  Reranking rerank;
  std::vector<int32_t> price;
};

/// mosaicraft's rule, computed cell by cell in double precision.
std::vector<int32_t> rerank_plainly(const Fixture& f, std::vector<int32_t> tile,
                                    const Reranking::Settings& settings) {
  const Occupancy::Rules& r = settings.rules;
  const auto allowed = [&](int cell, int t) {
    if (std::count(tile.begin(), tile.end(), t) >= r.uses.most) return false;
    for (int other = 0; r.uses.most > 1 && other < f.grid.cells(); ++other) {
      const int across = std::abs(cell % r.columns - other % r.columns);
      const int down = std::abs(cell / r.columns - other / r.columns);
      const bool near = unsigned(std::max(across, down)) <= r.radius && other != cell;
      if (near && tile[other] % r.photos == t % r.photos) return false;
    }
    return true;
  };
  for (int cell = 0; cell < f.grid.cells(); ++cell) {
    const Bytes x = f.cell_gray(cell);
    const auto gray = [&](int t) { return f.pool->grays().data() + size_t(t) * 400; };
    std::vector<std::pair<double, int>> ranks{
        {-plain_correlation(x.data(), gray(tile[cell]), 400), tile[cell]}};
    for (int k = 0; k < settings.nearest; ++k) {
      const int t = f.lists.nearest_on_device()[cell * mt::kRerankNearest + k];
      if (t == tile[cell] || !allowed(cell, t)) continue;
      ranks.push_back({-plain_correlation(x.data(), gray(t), 400), t});
    }
    std::stable_sort(ranks.begin(), ranks.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first - 1e-12; });
    ranks.resize(std::min<size_t>(ranks.size(), 5));
    double best = plain_ssim(x.data(), gray(tile[cell]), 20);
    int chosen = tile[cell];
    for (const auto& [_, t] : ranks) {
      const double s = plain_ssim(x.data(), gray(t), 20);
      if (t == tile[cell] || s <= best + 1e-7) continue;  // mirrored tiles may tie
      best = s;
      chosen = t;
    }
    tile[cell] = chosen;
  }
  return tile;
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
      EXPECT_EQ(rerank_plainly(f, assigned, settings), f.rerank.tiles());
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
    EXPECT_EQ(rerank_plainly(f, assigned, settings), f.rerank.tiles());
    EXPECT_NE(assigned, f.rerank.tiles());
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
