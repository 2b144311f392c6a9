// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/candidates/weighted_costs.h"

#include <algorithm>
#include <cmath>

namespace mosaic {
namespace {

constexpr int kWeightBits = 16;

/// Lowers a weighted bound on the sum of a cost and a price, so that it holds in spite of rounding:
/// the cost and the price are each rounded by less than 4, the greatest weight.
int32_t rounded_down(int32_t bound) {
  constexpr int32_t kRounding = 8;
  return bound == INT32_MAX ? bound : std::max(0, bound - kRounding);
}

}  // namespace

int32_t cost_weight(double saliency) {
  const auto weight = static_cast<int32_t>(std::lround(saliency * (1 << kWeightBits)));
  return std::clamp(weight, 1, 4 << kWeightBits);
}

double saliency_of_weight(int32_t weight) {
  return static_cast<double>(weight) / (1 << kWeightBits);
}

int32_t weighted_cost(int32_t cost, int32_t weight) {
  if (cost == INT32_MAX) return cost;
  return static_cast<int32_t>(int64_t{cost} * weight >> kWeightBits);
}

void WeightedCosts::update(mt::WorkerPool& workers, const CandidateLists& candidates,
                           const Saliency& saliency, bool update_all) {
  listed_ = candidates.listed();
  cost_.resize(weight_.size() * listed_);
  unchanged_.assign(weight_.size(), !update_all);
  for (const int cell : candidates.updated()) unchanged_[cell] = 0;
  for (int cell = 0; cell < cells(); ++cell) {
    const int32_t before = weight_[cell];
    if (update_all || saliency.replaced(cell)) {
      unchanged_[cell] = 0;
      weight_[cell] = cost_weight(saliency.weight(cell));
    }
    // The prices were computed with the last frame's saliency weight. The smaller of the two
    // weights keeps the bound valid.
    const int32_t weight = candidates.priced() ? std::min(before, weight_[cell]) : weight_[cell];
    const int32_t bound = candidates.priced_bound(cell);
    priced_bound_[cell] = bound < 0 ? bound : rounded_down(weighted_cost(bound, weight));
  }
  workers.run(cells(), 64, [&](int, int begin, int end) {
    for (int cell = begin; cell < end; ++cell) {
      if (unchanged_[cell]) continue;
      int32_t* to = cost_.data() + static_cast<size_t>(cell) * listed_;
      const int32_t* from = candidates.costs(cell);
      for (int i = 0; i < listed_; ++i) to[i] = weighted_cost(from[i], weight_[cell]);
      bound_[cell] = weighted_cost(candidates.bound(cell), weight_[cell]);
    }
  });
}

void WeightedCosts::describe(const CandidateLists& candidates, AssignmentProblem& problem) const {
  problem.rows = cells();
  problem.columns = candidates.tile_count();
  problem.listed = listed_;
  problem.column = candidates.tiles(0);
  problem.cost = cost_.data();
  problem.bound = bound_.data();
  problem.priced_bound = candidates.any_rough() ? priced_bound_.data() : nullptr;
}

}  // namespace mosaic
