// SPDX-License-Identifier: LGPL-2.1-or-later
/// A frame whose cells are reranked, and mosaicraft's rule in plain loops.
#pragma once

#include <algorithm>
#include <random>
#include <set>
#include <span>
#include <vector>

#include "cpu/cpu_executor.h"
#include "kernels/all/kernels.h"
#include "mosaic/candidates/candidate_source.h"
#include "mosaic/placement/reranking.h"
#include "tests/kernels/matching/plain_similarity.h"
#include "tests/mosaic/frames.h"

namespace test {

using mosaic::Continuation;
using mosaic::Occupancy;
using mosaic::Reranking;

/// Analyses frames, makes their candidate lists and reranks.
struct RerankFixture {
  RerankFixture()
      : executor(mt::make_cpu_executor(2)),
        grid(mosaic::choose_grid(320, 180, 320, 180, 20, "1")),
        pool(procedural_pool(*executor, 20, 20)),
        on_device(std::make_shared<mosaic::PoolOnDevice>(pool, executor)),
        picture(320, 180, executor),
        analysis(grid, executor),
        source(grid.cells(), on_device, executor),
        lists(source.lists()),
        rerank(grid, on_device, executor) {}

  void enqueue(const RgbFrame& frame) {
    RgbFrame f = frame;
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
  std::vector<uint8_t> cell_gray(int cell) const {
    const uint8_t* rgb = analysis.on_device().pixels + size_t(cell) * 3 * 400;
    std::vector<uint8_t> gray(400);
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

/// [cells]: the tiles that each considers.
using Considered = std::vector<std::vector<int32_t>>;

inline Considered nearest_tiles(const RerankFixture& f, int nearest) {
  Considered all(f.grid.cells());
  for (int cell = 0; cell < f.grid.cells(); ++cell) {
    const int32_t* first = f.lists.nearest_on_device() + size_t(cell) * mt::kRerankNearest;
    all[cell].assign(first, first + nearest);
  }
  return all;
}

/// mosaicraft's rule, computed cell by cell in double precision.
inline std::vector<int32_t> rerank_plainly(const RerankFixture& f, std::vector<int32_t> tile,
                                           const Reranking::Settings& settings,
                                           const Considered& considered) {
  const Occupancy::Rules& r = settings.rules;
  const auto allowed = [&](int cell, int t) {
    const int unit = t % r.uses.units;
    if (unit == tile[cell] % r.uses.units) return true;
    const auto counts = [&](int32_t other) { return other % r.uses.units == unit; };
    if (std::count_if(tile.begin(), tile.end(), counts) >= r.uses.most) return false;
    for (int other = 0; r.uses.most > 1 && other < f.grid.cells(); ++other) {
      const int across = std::abs(cell % r.columns - other % r.columns);
      const int down = std::abs(cell / r.columns - other / r.columns);
      const bool near = unsigned(std::max(across, down)) <= r.radius && other != cell;
      if (near && tile[other] % r.photos == t % r.photos) return false;
    }
    return true;
  };
  for (int cell = 0; cell < f.grid.cells(); ++cell) {
    const std::vector<uint8_t> x = f.cell_gray(cell);
    const auto gray = [&](int t) { return f.pool->grays().data() + size_t(t) * 400; };
    std::vector<std::pair<double, int>> ranks{
        {-plain_correlation(x.data(), gray(tile[cell]), 400), tile[cell]}};
    for (const int32_t t : considered[cell]) {
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

}  // namespace test
