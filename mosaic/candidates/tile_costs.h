// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

#include "executor/host_distances.h"
#include "mosaic/analysis/analysis.h"
#include "mosaic/assignment/assignment.h"
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
  /// As AssignmentProblem::read_cheapest; only where CandidateLists::reads_cheapest(), and with
  /// prices, or units of several tiles, only where CandidateLists::by_price().
  int read_cheapest(int cell, int wanted, const ColumnPrices& prices, int32_t* tiles,
                    int32_t* costs) const;
  /// As AssignmentProblem::read_unit_costs; only where CandidateLists::reads_cheapest() and
  /// by_price().
  void read_unit_costs(const CostBlock& block, int units) const;

  const AnalysedCells& analysis() const { return analysis_; }
  const CandidateLists& candidates() const { return candidates_; }
  const WeightedCosts& weighted() const { return weighted_; }

 private:
  int read_lowest_sums(int cell, int wanted, const ColumnPrices& prices, int32_t* tiles,
                       int32_t* costs) const;
  mt::CoarseCost coarse_cost(int cell) const;
  void read_unit_costs(int cell, int begin, int end, int units, int32_t* costs) const;
  void weigh(int cell, int count, int32_t* costs) const;

  const AnalysedCells& analysis_;
  const CandidateLists& candidates_;
  const WeightedCosts& weighted_;
};

}  // namespace mosaic
