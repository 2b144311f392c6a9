// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/candidates/weighted_costs.h"

#include <algorithm>
#include <cmath>

namespace mosaic {
namespace {

constexpr int kWeightBits = 16;

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
    if (update_all || saliency.replaced(cell)) {
      unchanged_[cell] = 0;
      weight_[cell] = cost_weight(saliency.weight(cell));
    }
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
}

}  // namespace mosaic
