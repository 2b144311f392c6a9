// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

#include "mosaic/analysis/analysis.h"
#include "mosaic/candidates/candidate_lists.h"
#include "mosaic/candidates/weighted_costs.h"

namespace mosaic {

/// What tiles cost the cells of one frame, multiplied by the cells' saliency. 2^mt::kCostBits is
/// the cost of the farthest tile in a cell of mean saliency.
///
/// Only refers to the analysis, lists and weights, which belong to the same frame and must outlive
/// this object.
class TileCosts {
 public:
  TileCosts(const AnalysedCells& analysis, const CandidateLists& candidates,
            const WeightedCosts& weighted)
      : analysis_(analysis), candidates_(candidates), weighted_(weighted) {}

  int32_t cost(int cell, int tile) const {
    return weighted_cost(candidates_.cost(analysis_, cell, tile), weighted_.weight()[cell]);
  }
  /// Reads the costs of tiles. @param block  rows: cells; columns: tiles
  void read_costs(const CostBlock& block) const;
  /// As CandidateLists::read_cheapest(), with these costs, whose order is the same.
  int read_cheapest(int cell, int wanted, int32_t* tiles, int32_t* costs) const;

  const AnalysedCells& analysis() const { return analysis_; }
  const CandidateLists& candidates() const { return candidates_; }
  const WeightedCosts& weighted() const { return weighted_; }

 private:
  const AnalysedCells& analysis_;
  const CandidateLists& candidates_;
  const WeightedCosts& weighted_;
};

}  // namespace mosaic
