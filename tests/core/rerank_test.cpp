// SPDX-License-Identifier: LGPL-2.1-or-later
// The rerank against its definition in double precision: scores, the choice, and whole grids.
#include "mosaic/rerank.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <set>

#include "cuda/kernels.h"
#include "tests/core/frames.h"

namespace {

using mosaic::Occupancy;
using mosaic::Rerank;
using Bytes = std::vector<uint8_t>;

/// Structural similarity as scikit-image has it, by its definition.
double plain_ssim(const uint8_t* a, const uint8_t* b, int side) {
  double sum = 0;
  for (int top = 0; top + 7 <= side; ++top)
    for (int left = 0; left + 7 <= side; ++left) {
      double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
      for (int i = 0; i < 49; ++i) {
        const int at = (top + i / 7) * side + left + i % 7;
        x += a[at] / 49.0;
        y += b[at] / 49.0;
        xx += a[at] * a[at] / 49.0;
        yy += b[at] * b[at] / 49.0;
        xy += a[at] * b[at] / 49.0;
      }
      const double sample = 49.0 / 48.0, c1 = 0.01 * 255 * 0.01 * 255, c2 = 0.03 * 255 * 0.03 * 255;
      sum += (2 * x * y + c1) * (2 * sample * (xy - x * y) + c2) /
             ((x * x + y * y + c1) * (sample * (xx - x * x + yy - y * y) + c2));
    }
  return sum / ((side - 6) * (side - 6));
}

double plain_correlation(const uint8_t* a, const uint8_t* b, int n) {
  double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  for (int i = 0; i < n; ++i) {
    x += a[i];
    y += b[i];
  }
  x /= n;
  y /= n;
  for (int i = 0; i < n; ++i) {
    xx += (a[i] - x) * (a[i] - x);
    yy += (b[i] - y) * (b[i] - y);
    xy += (a[i] - x) * (b[i] - y);
  }
  return xy / n / ((std::sqrt(xx / n) + 1e-8) * (std::sqrt(yy / n) + 1e-8));
}

/// Noise, flat, hard edges, checks, ramps, and mixtures with the first.
std::vector<Bytes> pictures(int side) {
  std::mt19937 random(side);
  std::vector<Bytes> all;
  const auto add = [&](auto value) {
    Bytes& p = all.emplace_back(side * side);
    for (int i = 0; i < side * side; ++i)
      p[i] = static_cast<uint8_t>(std::clamp<int>(value(i % side, i / side), 0, 255));
  };
  add([&](int, int) { return random() % 256; });
  for (int v : {0, 1, 128, 255}) add([=](int, int) { return v; });
  add([=](int x, int) { return x < side / 2 ? 0 : 255; });
  add([=](int x, int) { return x < side / 2 ? 255 : 0; });
  add([=](int x, int y) { return (x + y) % 2 * 255; });
  add([=](int x, int y) { return (x + y + 1) % 2 * 255; });
  add([=](int x, int y) { return 200 * x / side + 50 * y / side; });
  add([=](int x, int) { return x == 0 ? 255 : 0; });
  const Bytes first = all[0];
  for (int share : {10, 128, 250})
    add([&](int x, int y) {
      return (first[y * side + x] * share + static_cast<int>(random() % 256) * (256 - share)) >> 8;
    });
  return all;
}

class Scores : public testing::TestWithParam<int> {};

// As cells every picture is grey in R, G and B, whose luma is that grey.
TEST_P(Scores, AreThoseOfTheDefinition) {
  const int side = GetParam(), area = side * side;
  const std::vector<Bytes> all = pictures(side);
  const int count = static_cast<int>(all.size());
  Bytes cells, grays;
  std::vector<mt::RerankEntry> entries;
  std::vector<int32_t> nearest(size_t(count) * mt::kRerankNearest, -1);
  for (int i = 0; i < count; ++i) {
    for (int c = 0; c < 3; ++c) cells.insert(cells.end(), all[i].begin(), all[i].end());
    grays.insert(grays.end(), all[i].begin(), all[i].end());
    entries.push_back({i, (i + 3) % count});
    for (int k = 0; k < count; ++k) nearest[i * mt::kRerankNearest + k] = (i + k) % count;
  }
  std::vector<double> expected;  // [count][count]
  for (int i = 0; i < count * count; ++i)
    expected.push_back(plain_ssim(all[i / count].data(), all[i % count].data(), side));
  for (int wanted : {1, 8, count, mt::kRerankNearest})
    for (mt::SimdLevel level : {mt::SimdLevel::kV2, mt::SimdLevel::kV3, mt::SimdLevel::kV4}) {
      std::vector<mt::RerankScore> scores(size_t(count) * (1 + wanted), {-1, -1, -1, -2, 0});
      Bytes gray(cells.size() / 3);
      mt::make_cpu_executor(1, level)->launch(
          mt::Rerank{entries.data(), cells.data(), grays.data(), side, nearest.data(), wanted,
                     gray.data(), scores.data()},
          count);
      EXPECT_EQ(grays, gray);
      for (int i = 0; i < count; ++i)
        for (int k = 0; k <= wanted; ++k) {
          const mt::RerankScore& s = scores[size_t(i) * (1 + wanted) + k];
          const int tile = k ? nearest[i * mt::kRerankNearest + k - 1] : entries[i].tile;
          ASSERT_EQ(tile, s.tile);
          if (tile < 0) {
            ASSERT_EQ(0, s.ssim | s.covariance | s.variance);
            continue;
          }
          const uint8_t *x = all[i].data(), *y = all[tile].data();
          const double windows = double(side - 6) * (side - 6);
          ASSERT_NEAR(expected[i * count + tile], s.ssim / windows / (1 << mt::kSsimBits), 1e-6)
              << "picture " << i << " and " << tile;
          int64_t sx = 0, sy = 0, syy = 0, sxy = 0;
          for (int p = 0; p < area; ++p) {
            sx += x[p];
            sy += y[p];
            syy += y[p] * y[p];
            sxy += x[p] * y[p];
          }
          ASSERT_EQ(area * syy - sy * sy, s.variance);
          ASSERT_EQ(area * sxy - sx * sy, s.covariance);
        }
    }
}
INSTANTIATE_TEST_SUITE_P(Sides, Scores, testing::Values(8, 9, 24, 41, 60, 256));

mt::RerankScore score(int tile, int64_t ssim, int64_t covariance) {
  return {ssim, covariance, 10000, tile, 0};
}

TEST(ChooseAlike, TakesTheMostAlikeOfTheFiveThatCorrelateBest) {
  const auto any = [](int32_t) { return true; };
  // The own tile, then by distance. Tile 16 is the most alike, but sixth by correlation.
  std::vector<mt::RerankScore> s = {score(10, 50, 90), score(11, 40, 95), score(12, 60, 80),
                                    score(13, 70, 70), score(14, 70, 75), score(15, 10, 99),
                                    score(16, 99, 69)};
  EXPECT_EQ(14, mosaic::choose_alike(s, 100, any)) << "of two alike the one that correlates better";
  EXPECT_EQ(16, mosaic::choose_alike(s, 100, [](int32_t t) { return t != 15 && t != 13; }));
  EXPECT_EQ(12, mosaic::choose_alike(s, 100, [](int32_t t) { return t < 13; }));
  EXPECT_EQ(10, mosaic::choose_alike(s, 100, [](int32_t t) { return t == 11; }));
  s[0].ssim = 70;
  EXPECT_EQ(10, mosaic::choose_alike(s, 100, [](int32_t t) { return t < 15; })) << "no better";
  s = {score(10, 50, 0), score(11, 1, 0),  score(12, 1, 0),
       score(13, 1, 0),  score(14, 60, 0), score(15, 90, 0)};
  EXPECT_EQ(14, mosaic::choose_alike(s, 100, any)) << "nothing correlates: by distance";
  s = {score(10, 50, 5), score(10, 60, 5), score(-1, 0, 0), score(12, 49, 4)};
  EXPECT_EQ(10, mosaic::choose_alike(s, 100, any));
}

/// A frame with its lists, and a rerank.
struct Fixture {
  Fixture()
      : executor(mt::make_cpu_executor(2)),
        grid(mosaic::choose_grid(320, 180, 320, 180, 20, "1")),
        pool(test::procedural_pool(*executor, 20, 20)),
        on_device(std::make_shared<mosaic::PoolOnDevice>(pool, executor)),
        picture(320, 180, executor),
        analysis(grid, executor),
        lists(grid.cells(), on_device, executor),
        rerank(grid, on_device, executor) {}

  void look(const test::RgbFrame& frame) {
    test::RgbFrame f = frame;
    executor->launch(mt::Unpack{f.view(), picture.planes(), nullptr}, 180);
    analysis.look(*executor, picture.planes(), false);
    lists.look(*executor, analysis, &scene);
    executor->wait();
    analysis.collect();
    lists.collect(analysis);
  }
  /// Each of `tiles` tiles to as many cells, in some order.
  std::vector<int32_t> assignment(int tiles, unsigned seed) const {
    std::vector<int32_t> tile(grid.cells());
    for (int i = 0; i < grid.cells(); ++i)
      tile[i] = static_cast<int32_t>(int64_t{i % tiles} * pool->tiles() / tiles);
    std::shuffle(tile.begin(), tile.end(), std::mt19937(seed));
    return tile;
  }
  /// Half of the cells with one of the tiles nearest to them, as an assignment has them.
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
  /// The same of every cell, until the next call.
  std::span<const int32_t> prices(int32_t each) {
    price.assign(grid.cells(), each);
    return price;
  }
  Occupancy::Rules rules(int capacity, unsigned radius) const {
    return {grid.columns, grid.rows, pool->tiles(), pool->photos(), capacity, radius};
  }
  void update(const std::vector<int32_t>& assigned, const Rerank::Settings& settings) {
    const auto cost = [this](int cell, int tile) -> int64_t {
      return lists.cost(analysis, cell, tile);
    };
    rerank.update(*executor, analysis, lists, assigned, cost, settings);
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
  mosaic::CandidateLists lists;
  Rerank rerank;
  std::vector<int32_t> price;
};

/// mosaicraft's rule, cell by cell, with everything worked out for it in double precision.
std::vector<int32_t> rerank_plainly(const Fixture& f, std::vector<int32_t> tile,
                                    const Rerank::Settings& settings) {
  const Occupancy::Rules& r = settings.rules;
  const auto allowed = [&](int cell, int t) {
    if (std::count(tile.begin(), tile.end(), t) >= r.capacity) return false;
    for (int other = 0; r.capacity > 1 && other < f.grid.cells(); ++other) {
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
      if (t == tile[cell] || s <= best + 1e-7) continue;  // a mirrored tile may be as alike
      best = s;
      chosen = t;
    }
    tile[cell] = chosen;
  }
  return tile;
}

TEST(Rerank, ReplacesTilesAsTheRuleSays) {
  Fixture f;
  for (const test::RgbFrame& frame :
       {test::moving_disc(320, 180, 0), test::noise(320, 180, 3), test::moving_disc(320, 180, 7)}) {
    f.look(frame);
    for (int nearest : {25, 6, 1}) {
      const std::vector<int32_t> assigned = f.likely_assignment();
      const Rerank::Settings settings{nearest, false, f.prices(0), f.rules(1, 3)};
      f.update(assigned, settings);
      EXPECT_EQ(rerank_plainly(f, assigned, settings), f.rerank.tiles());
      EXPECT_EQ(f.grid.cells(), f.rerank.looked_at());
      if (nearest == 25) {
        EXPECT_NE(assigned, f.rerank.tiles());
      }
    }
  }
}

TEST(Rerank, KeepsTwinsApartWhereTilesAreUsedMoreThanOnce) {
  Fixture f;
  f.look(test::moving_disc(320, 180, 0));
  for (const auto& [capacity, radius] : {std::pair(2, 0U), {3, 1U}, {4, 5U}, {200, 2U}}) {
    const std::vector<int32_t> assigned = f.assignment(f.grid.cells() / std::min(capacity, 4), 5);
    const Rerank::Settings settings{25, false, f.prices(0), f.rules(capacity, radius)};
    f.update(assigned, settings);
    EXPECT_EQ(rerank_plainly(f, assigned, settings), f.rerank.tiles());
    EXPECT_NE(assigned, f.rerank.tiles());
  }
}

TEST(Rerank, OffItShowsTheAssignment) {
  Fixture f;
  f.look(test::moving_disc(320, 180, 0));
  const std::vector<int32_t> assigned = f.likely_assignment();
  for (int nearest : {0, 25, 0}) {
    f.update(assigned, {nearest, true, f.prices(0), f.rules(1, 0)});
    EXPECT_EQ(nearest == 0, assigned == f.rerank.tiles());
    EXPECT_EQ(nearest == 0 ? 0 : f.grid.cells(), f.rerank.looked_at());
  }
}

TEST(Rerank, LooksOnlyAtCellsWhoseAssignmentChanged) {
  Fixture f;
  f.look(test::moving_disc(320, 180, 0));
  std::vector<int32_t> assigned = f.likely_assignment();
  f.update(assigned, {25, false, f.prices(0), f.rules(1, 0)});
  const std::vector<int32_t> shown = f.rerank.tiles();
  f.update(assigned, {25, true, f.prices(0), f.rules(1, 0)});
  EXPECT_EQ(0, f.rerank.looked_at());
  EXPECT_EQ(shown, f.rerank.tiles());
  // Two tiles that nobody shows: two cells, and no other.
  std::set<int32_t> used(shown.begin(), shown.end());
  used.insert(assigned.begin(), assigned.end());
  int32_t spare = 0;
  for (int cell : {20, 77}) {
    while (!used.insert(spare).second) ++spare;
    assigned[cell] = spare;
  }
  f.update(assigned, {25, true, f.prices(0), f.rules(1, 0)});
  EXPECT_EQ(2, f.rerank.looked_at());
  for (int cell = 0; cell < f.grid.cells(); ++cell)
    if (cell != 20 && cell != 77) {
      EXPECT_EQ(shown[cell], f.rerank.tiles()[cell]);
    }
}

// A chain: who loses its tile goes back to its own, which may have gone to another, and so on.
TEST(Rerank, GivesBackWhatTheAssignmentNeeds) {
  Fixture f;
  f.look(test::moving_disc(320, 180, 0));
  std::vector<int32_t> assigned = f.likely_assignment();
  for (unsigned seed = 0; seed < 20; ++seed) {
    f.update(assigned, {25, seed > 0, f.prices(INT32_MAX), f.rules(1, 0)});
    std::vector<int32_t> shown = f.rerank.tiles();
    std::sort(shown.begin(), shown.end());
    EXPECT_EQ(shown.end(), std::adjacent_find(shown.begin(), shown.end())) << "used twice";
    // Some cells get what others show.
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

// Two cells want a tile: the one that took it keeps it, if what it left is good enough for the
// other.
TEST(Rerank, LeavesATileToTheCellThatShowsIt) {
  for (const int32_t price : {INT32_MAX, 0}) {
    Fixture f;
    f.look(test::moving_disc(320, 180, 0));
    std::vector<int32_t> assigned = f.likely_assignment();
    f.update(assigned, {25, false, f.prices(0), f.rules(1, 0)});
    const std::vector<int32_t> before = f.rerank.tiles();
    const std::set<int32_t> owned(assigned.begin(), assigned.end());
    const auto took = [&](int cell) { return !owned.count(before[cell]); };
    int taker = 0;
    while (!took(taker)) ++taker;
    const int asker = taker + 40;
    // What the taker left suits nobody else.
    const auto cost = [&](int cell, int tile) -> int64_t {
      return cell != taker && tile == assigned[taker] ? 1 << 28 : 1000;
    };
    assigned[asker] = before[taker];
    f.rerank.update(*f.executor, f.analysis, f.lists, assigned, cost,
                    {25, true, f.prices(price), f.rules(1, 0)});
    const std::vector<int32_t>& now = f.rerank.tiles();
    EXPECT_EQ(now[taker] == before[taker], price > 0);
    EXPECT_EQ(f.rerank.looked_at(), price > 0 ? 1 : 2);
    EXPECT_EQ(std::count(now.begin(), now.end(), before[taker]), 1);
    for (int cell = 0; cell < f.grid.cells(); ++cell)
      if (cell != taker && cell != asker) {
        EXPECT_EQ(before[cell], now[cell]);
      }
  }
}

TEST(Rerank, LooksAgainWhenATileHasBecomeTooDear) {
  Fixture f;
  f.look(test::moving_disc(320, 180, 0));
  const std::vector<int32_t> assigned = f.likely_assignment();
  f.update(assigned, {25, false, f.prices(0), f.rules(1, 0)});
  const std::vector<int32_t> taken = f.rerank.tiles();
  ASSERT_NE(assigned, taken);
  int64_t dearer = 1000;
  const auto cost = [&](int cell, int tile) -> int64_t {
    return f.lists.cost(f.analysis, cell, tile) + (tile == assigned[cell] ? 0 : dearer);
  };
  f.rerank.update(*f.executor, f.analysis, f.lists, assigned, cost,
                  {25, true, f.prices(2000), f.rules(1, 0)});
  EXPECT_EQ(0, f.rerank.looked_at()) << "within the price";
  dearer = int64_t{1} << 30;
  f.rerank.update(*f.executor, f.analysis, f.lists, assigned, cost,
                  {25, true, f.prices(2000), f.rules(1, 0)});
  int differ = 0;
  for (int i = 0; i < f.grid.cells(); ++i) differ += assigned[i] != taken[i];
  EXPECT_EQ(differ, f.rerank.looked_at());
  f.rerank.update(*f.executor, f.analysis, f.lists, assigned, cost,
                  {25, true, f.prices(2000), f.rules(1, 0)});
  EXPECT_EQ(0, f.rerank.looked_at()) << "looked at once, and taken at that cost";
}

}  // namespace
