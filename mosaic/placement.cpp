// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/placement.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "cuda/candidates.h"
#include "mosaic/error.h"
#include "mosaic/price.h"
#include "mosaic/separate.h"

namespace mosaic {
namespace {

constexpr int kWeightBits = 8;

}  // namespace

int tile_capacity(int cells, const Pool& pool, unsigned max_tile_uses) {
  const int64_t tiles = pool.tiles();
  if (max_tile_uses == 0) return static_cast<int>((cells + tiles - 1) / tiles);
  if (tiles * max_tile_uses < cells)
    throw Error(Error::Kind::kSettings,
                "the pool has " + std::to_string(tiles) + " tiles, used at most " +
                    std::to_string(max_tile_uses) + " times each, but the grid has " +
                    std::to_string(cells) + " cells",
                "Add photos, make the cells larger (tile-size, size), or allow a tile more often "
                "(max-tile-uses).");
  return static_cast<int>(std::min<int64_t>(max_tile_uses, cells));
}

Placement::Placement(const Grid& grid, std::shared_ptr<const Pool> pool, int capacity)
    : grid_(grid),
      pool_(std::move(pool)),
      capacity_(capacity),
      weight_(grid.cells()),
      bound_(grid.cells()),
      held_(grid.cells(), -1),
      held_cost_(grid.cells()),
      discount_(grid.cells()),
      tile_(grid.cells(), -1),
      last_tile_(grid.cells(), -1) {}

int32_t Placement::weighted(int cell, int32_t cost) const {
  if (cost == INT32_MAX) return cost;
  return static_cast<int32_t>(int64_t{cost} * weight_[cell] >> kWeightBits);
}

/// Costs with saliency, for the cells whose lists or weights are new.
void Placement::weigh(mt::WorkerPool& workers, const CandidateLists& candidates,
                      const Saliency& saliency, bool all) {
  const int listed = candidates.listed();
  cost_.resize(static_cast<size_t>(grid_.cells()) * listed);
  unchanged_.assign(grid_.cells(), !all);
  for (int cell : candidates.updated()) unchanged_[cell] = 0;
  for (int cell = 0; cell < grid_.cells(); ++cell) {
    if (!all && !saliency.replaced(cell)) continue;
    unchanged_[cell] = 0;
    // A cost is at most 2^25 and a little, so that 4 times it stays below 2^28.
    weight_[cell] = std::clamp(static_cast<int32_t>(std::lround(saliency.weight(cell) * 256)), 1,
                               4 << kWeightBits);
  }
  workers.run(grid_.cells(), 64, [&](int, int begin, int end) {
    for (int cell = begin; cell < end; ++cell) {
      if (unchanged_[cell]) continue;
      int32_t* to = cost_.data() + static_cast<size_t>(cell) * listed;
      const int32_t* from = candidates.costs(cell);
      for (int i = 0; i < listed; ++i) to[i] = weighted(cell, from[i]);
      bound_[cell] = weighted(cell, candidates.bound(cell));
    }
  });
}

/// What the cells hold, what it costs them now, and what giving it up would.
void Placement::hold(const FrameAnalysis& analysis, const CandidateLists& candidates, bool keep,
                     double beta) {
  const double mean = static_cast<double>(chosen_cost_) / grid_.cells();
  const auto price = static_cast<int32_t>(std::min(price_of_change(mean, beta), 1e8));
  for (int cell = 0; cell < grid_.cells(); ++cell) {
    held_[cell] = keep ? tile_[cell] : -1;
    discount_[cell] = held_[cell] >= 0 ? price : 0;
    held_cost_[cell] =
        held_[cell] >= 0 ? weighted(cell, candidates.cost(analysis, cell, held_[cell])) : 0;
  }
}

PlacementResult Placement::update(mt::WorkerPool& workers, const FrameAnalysis& analysis,
                                  const CandidateLists& candidates, const Saliency& saliency,
                                  bool keep, const Settings& settings) {
  weigh(workers, candidates, saliency, !keep);
  hold(analysis, candidates, keep, settings.beta);

  AssignmentProblem problem;
  problem.rows = grid_.cells();
  problem.columns = pool_->tiles();
  problem.capacity = capacity_;
  problem.listed = candidates.listed();
  problem.column = candidates.tiles(0);
  problem.cost = cost_.data();
  problem.bound = bound_.data();
  problem.held = held_.data();
  problem.held_cost = held_cost_.data();
  problem.discount = discount_.data();
  problem.unchanged = unchanged_.data();
  const auto full_row = [&](int cell, int32_t* costs) {
    candidates.all_costs(analysis, cell, costs);
    for (int t = 0; t < problem.columns; ++t) costs[t] = weighted(cell, costs[t]);
  };
  problem.full_row = std::ref(full_row);  // by reference: nothing is allocated
  const Assignment& solved = solver_.solve(problem, settings.deadline, settings.effort);

  last_tile_.swap(tile_);
  tile_ = solved.column;
  PlacementResult result;
  result.gap = solved.gap();
  int64_t added = 0;
  if (capacity_ > 1)
    added = separate_twins(problem, grid_.columns, grid_.rows, pool_->photos(),
                           settings.dedup_radius, tile_);
  chosen_cost_ = 0;
  for (int cell = 0; cell < grid_.cells(); ++cell)
    chosen_cost_ += weighted(cell, candidates.cost(analysis, cell, tile_[cell]));
  result.extra =
      static_cast<double>(added) / static_cast<double>(std::max<int64_t>(1, chosen_cost_ - added));
  result.mean_cost = static_cast<double>(chosen_cost_) /
                     (static_cast<double>(grid_.cells()) * (1 << mt::kCostBits));
  return result;
}

void Placement::take(std::span<const int32_t> tiles) {
  last_tile_.swap(tile_);
  tile_.assign(tiles.begin(), tiles.end());
}

}  // namespace mosaic
