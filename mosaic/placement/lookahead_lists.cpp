// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/placement/lookahead_lists.h"

#include <algorithm>

namespace mosaic {
namespace {

uint64_t key(int64_t cost, int32_t tile) {
  return static_cast<uint64_t>(cost) << 32 | static_cast<uint32_t>(tile);
}

}  // namespace

/// Makes the list of a cell: the cheapest tiles, later costs included, of those in the frame's own
/// list and those that the lookahead considers.
void LookaheadLists::merge(const TileCosts& costs, const LookaheadCosts& lookahead, int cell,
                           Scratch& scratch) {
  auto& [keys, known] = scratch;
  const auto tiles = lookahead.tiles(cell), now = lookahead.costs(cell),
             later = lookahead.later_costs(cell);
  const int64_t others = lookahead.later_cost_of_others(cell);
  keys.clear();
  for (size_t i = 0; i < tiles.size(); ++i) {
    known[tiles[i]] = 1;
    keys.push_back(key(int64_t{now[i]} + later[i], tiles[i]));
  }
  const int32_t* listed = costs.candidates().tiles(cell);
  const int32_t* cost = costs.weighted().costs(cell);
  for (int i = 0; i < listed_; ++i)
    if (!known[listed[i]]) keys.push_back(key(cost[i] + others, listed[i]));
  for (const int32_t tile : tiles) known[tile] = 0;

  int64_t bound = costs.weighted().bound(cell);
  if (bound != INT32_MAX) bound += others;
  if (keys.size() > static_cast<size_t>(listed_)) {
    std::nth_element(keys.begin(), keys.begin() + listed_, keys.end());
    bound = std::min(bound, static_cast<int64_t>(keys[listed_] >> 32));
    keys.resize(listed_);
  }
  std::sort(keys.begin(), keys.end());
  for (int i = 0; i < listed_; ++i) {
    tile_[static_cast<size_t>(cell) * listed_ + i] = static_cast<int32_t>(keys[i]);
    cost_[static_cast<size_t>(cell) * listed_ + i] = static_cast<int32_t>(keys[i] >> 32);
  }
  bound_[cell] = static_cast<int32_t>(std::min<int64_t>(bound, INT32_MAX));
}

void LookaheadLists::update(mt::WorkerPool& workers, const TileCosts& costs,
                            const LookaheadCosts& lookahead) {
  const int cells = costs.weighted().cells();
  listed_ = costs.candidates().listed();
  tile_.resize(static_cast<size_t>(cells) * listed_);
  cost_.resize(tile_.size());
  bound_.resize(cells);
  scratch_.resize(std::max<size_t>(scratch_.size(), workers.threads()));
  for (Scratch& s : scratch_) s.known.resize(costs.candidates().tile_count());
  workers.run(cells, 16, [&](int worker, int first, int end) {
    for (int cell = first; cell < end; ++cell) merge(costs, lookahead, cell, scratch_[worker]);
  });
}

void LookaheadLists::add_later_costs(const LookaheadCosts& lookahead, const CostBlock& block) {
  for (size_t i = 0; i < block.rows.size(); ++i) {
    const int cell = block.rows[i];
    int32_t* costs = block.of_row(i);
    const int32_t others = lookahead.later_cost_of_others(cell);
    for (int t = block.begin; t < block.end; ++t) costs[t] += others;
    const auto known = lookahead.tiles(cell), later = lookahead.later_costs(cell);
    for (size_t k = 0; k < known.size(); ++k)
      if (known[k] >= block.begin && known[k] < block.end) costs[known[k]] += later[k] - others;
  }
}

void LookaheadLists::describe(AssignmentProblem& problem) const {
  problem.column = tile_.data();
  problem.cost = cost_.data();
  problem.bound = bound_.data();
}

}  // namespace mosaic
