// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/placement/rerank.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace mosaic {
namespace {

constexpr int kByCorrelation = 5;  // tiles that go on to the second stage

}  // namespace

// mosaicraft adds 1e-8 to standard deviations, so that those of flat tiles are not 0.
double correlation(const mt::RerankScore& score, int pixels) {
  return static_cast<double>(score.covariance) /
         (std::sqrt(static_cast<double>(score.variance)) + pixels * 1e-8);
}

int32_t most_similar_tile(std::span<const mt::RerankScore> scores, int pixels,
                          const std::function<bool(int32_t tile)>& fits) {
  struct Rank {
    double correlation;
    int index;
    bool operator<(const Rank& other) const {
      return correlation != other.correlation ? correlation > other.correlation
                                              : index < other.index;
    }
  };
  std::array<Rank, 1 + mt::kRerankNearest> ranks;
  const int count = static_cast<int>(scores.size());
  for (int i = 0; i < count; ++i) ranks[i] = {correlation(scores[i], pixels), i};
  std::sort(ranks.begin(), ranks.begin() + count);
  int best = 0, taken = 0;
  for (int k = 0; k < count && taken < kByCorrelation; ++k) {
    const int i = ranks[k].index;
    const int32_t tile = scores[i].tile;
    if (i > 0 && (tile < 0 || tile == scores[0].tile || !fits(tile))) continue;
    ++taken;
    if (scores[i].ssim > scores[best].ssim) best = i;
  }
  return scores[best].tile;
}

Rerank::Rerank(const Grid& grid, std::shared_ptr<const PoolOnDevice> pool,
               const std::shared_ptr<mt::Executor>& executor)
    : grid_(grid),
      pool_(std::move(pool)),
      state_{0, std::vector<int32_t>(grid.cells(), -1), std::vector<int32_t>(grid.cells(), -1),
             std::vector<int64_t>(grid.cells())},
      kept_(state_),
      to_rerank_(grid.cells()),
      gray_(executor, static_cast<size_t>(grid.cells()) * grid.side * grid.side),
      entry_(executor, grid.cells()),
      score_(executor, static_cast<size_t>(grid.cells()) * (1 + mt::kRerankNearest)),
      taken_(executor, pool_->host().tiles()) {
  moved_ = state_;
}

void Rerank::move_tiles(std::span<const int32_t> from) {
  moved_.nearest = state_.nearest;
  for (int cell = 0; cell < grid_.cells(); ++cell) {
    const int32_t source = from[cell];
    moved_.tile[cell] = source < 0 ? -1 : state_.tile[source];
    moved_.assigned[cell] = source < 0 ? -1 : state_.assigned[source];
    moved_.extra_cost[cell] = source < 0 ? 0 : state_.extra_cost[source];
  }
  std::swap(state_, moved_);
}

/// Returns cells to their assigned tiles where they may not keep the tiles that they show.
void Rerank::return_to_assignment(const std::vector<int32_t>& assigned, const Cost& cost,
                                  const Settings& settings) {
  const bool all = keyframe_ || settings.nearest != state_.nearest;
  for (int cell = 0; cell < grid_.cells(); ++cell) {
    const int32_t own = assigned[cell], shown = state_.tile[cell];
    to_rerank_[cell] = all || own != state_.assigned[cell] ||
                       (own != shown && cost(cell, shown) - cost(cell, own) >
                                            state_.extra_cost[cell] + settings.price[cell]);
    if (to_rerank_[cell]) state_.tile[cell] = own;
  }
  state_.assigned = assigned;
  state_.nearest = settings.nearest;
  occupancy_.reset(settings.rules, state_.tile);
  resolve_conflicts(assigned, cost, settings);
}

/// Resolves conflicts between a cell that got a tile by the rerank and the cell that the same tile
/// is assigned to.
void Rerank::resolve_conflicts(const std::vector<int32_t>& assigned, const Cost& cost,
                               const Settings& settings) {
  owner_.assign(settings.rules.tiles, -1);
  for (int cell = 0; cell < grid_.cells(); ++cell) owner_[assigned[cell]] = cell;
  // A cell that returns to its assigned tile may find that yet another cell shows it, and so on: at
  // the latest this ends when all cells show their assigned tiles.
  for (bool again = true; again;) {
    again = false;
    for (int cell = 0; cell < grid_.cells(); ++cell) {
      const int32_t own = assigned[cell], shown = state_.tile[cell];
      if (shown == own || !occupancy_.violates_rules(cell)) continue;
      const int owner = owner_[shown];
      if (!keyframe_ && settings.rules.capacity == 1 && to_rerank_[owner] && !to_rerank_[cell] &&
          occupancy_.fits(owner, own)) {
        // The owner takes the other cell's assigned tile instead, if that adds no more to the cost
        // than the other cell's switching price.
        const int64_t added = cost(owner, own) - cost(owner, shown);
        if (added <= settings.price[cell]) {
          occupancy_.replace(owner, own);
          state_.extra_cost[owner] = std::max<int64_t>(0, added);
          continue;
        }
      }
      occupancy_.replace(cell, own);
      to_rerank_[cell] = again = true;
    }
  }
}

/// Marks the tiles that no cell can take: cells that are not reranked keep them.
void Rerank::find_taken(int capacity) {
  uses_.assign(taken_.size(), 0);
  for (int cell = 0; cell < grid_.cells(); ++cell) uses_[state_.tile[cell]] += !to_rerank_[cell];
  for (size_t tile = 0; tile < taken_.size(); ++tile) taken_[tile] = uses_[tile] >= capacity;
}

void Rerank::score(mt::Executor& executor, const AnalysedCells& analysis,
                   const CandidateLists& candidates) {
  mt::Rerank rerank{};
  rerank.entries = entry_.data();
  rerank.pixels = analysis.pixels_on_device();
  rerank.grays = pool_->grays();
  rerank.side = grid_.side;
  rerank.nearest = candidates.nearest_on_device();
  rerank.wanted = state_.nearest;
  rerank.gray = gray_.data();
  rerank.scores = score_.data();
  rerank.taken = taken_.data();
  executor.launch(rerank, count_);
  executor.wait();
}

void Rerank::set_tiles(std::span<const int32_t> tiles) {
  state_.tile.assign(tiles.begin(), tiles.end());
  state_.assigned = state_.tile;
  count_ = 0;
}

void Rerank::update(mt::Executor& executor, const AnalysedCells& analysis,
                    const CandidateLists& candidates, const std::vector<int32_t>& assigned,
                    const Cost& cost, const Settings& settings) {
  return_to_assignment(assigned, cost, settings);
  count_ = 0;
  if (state_.nearest == 0) return;
  for (int cell = 0; cell < grid_.cells(); ++cell)
    if (to_rerank_[cell]) entry_[count_++] = {cell, state_.tile[cell]};
  if (count_ == 0) return;
  find_taken(settings.rules.capacity);
  score(executor, analysis, candidates);
  const size_t each = 1 + state_.nearest;
  for (int i = 0; i < count_; ++i) {
    const int cell = entry_[i].cell;
    const auto fits = [this, cell](int32_t tile) { return occupancy_.fits(cell, tile); };
    const int32_t chosen =
        most_similar_tile({score_.data() + i * each, each}, grid_.side * grid_.side, fits);
    if (chosen == state_.tile[cell]) continue;
    state_.extra_cost[cell] = std::max<int64_t>(0, cost(cell, chosen) - cost(cell, assigned[cell]));
    occupancy_.replace(cell, chosen);
  }
}

}  // namespace mosaic
