// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/ahead_costs.h"

#include <algorithm>

namespace mosaic {
namespace {

uint64_t key(int64_t cost, int32_t tile) {
  return static_cast<uint64_t>(cost) << 32 | static_cast<uint32_t>(tile);
}

}  // namespace

/// The cheapest of the tiles that the frame lists or the outlook knows.
void AheadCosts::merge(const FrameAnalysis& analysis, const CandidateLists& candidates,
                       const WeightedCosts& costs, const Outlook& outlook, int cell,
                       Scratch& scratch) {
  auto& [keys, judged] = scratch;
  const auto tiles = outlook.tiles(cell), later = outlook.later(cell);
  const int64_t others = outlook.later_of_others(cell);
  keys.clear();
  for (size_t i = 0; i < tiles.size(); ++i) {
    judged[tiles[i]] = 1;
    const int64_t now = costs.cost(analysis, candidates, cell, tiles[i]);
    keys.push_back(key(now + later[i], tiles[i]));
  }
  const int32_t *listed = candidates.tiles(cell), *cost = costs.costs(cell);
  for (int i = 0; i < listed_; ++i)
    if (!judged[listed[i]]) keys.push_back(key(cost[i] + others, listed[i]));
  for (const int32_t tile : tiles) judged[tile] = 0;

  int64_t bound = costs.bound(cell);
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

void AheadCosts::update(mt::WorkerPool& workers, const FrameAnalysis& analysis,
                        const CandidateLists& candidates, const WeightedCosts& costs,
                        const Outlook& outlook) {
  listed_ = candidates.listed();
  tile_.resize(static_cast<size_t>(costs.cells()) * listed_);
  cost_.resize(tile_.size());
  bound_.resize(costs.cells());
  scratch_.resize(std::max<size_t>(scratch_.size(), workers.threads()));
  for (Scratch& s : scratch_) s.judged.resize(candidates.tile_count());
  workers.run(costs.cells(), 16, [&](int worker, int first, int end) {
    for (int cell = first; cell < end; ++cell)
      merge(analysis, candidates, costs, outlook, cell, scratch_[worker]);
  });
}

void AheadCosts::add_later(const Outlook& outlook, int cell, int32_t* costs, int tiles) {
  const int32_t others = outlook.later_of_others(cell);
  for (int t = 0; t < tiles; ++t) costs[t] += others;
  const auto known = outlook.tiles(cell), later = outlook.later(cell);
  for (size_t i = 0; i < known.size(); ++i) costs[known[i]] += later[i] - others;
}

void AheadCosts::describe(AssignmentProblem& problem) const {
  problem.column = tile_.data();
  problem.cost = cost_.data();
  problem.bound = bound_.data();
}

}  // namespace mosaic
