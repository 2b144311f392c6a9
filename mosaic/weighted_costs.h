// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "cuda/worker_pool.h"
#include "mosaic/analysis.h"
#include "mosaic/assignment.h"
#include "mosaic/candidate_lists.h"
#include "mosaic/saliency.h"

namespace mosaic {

/// Costs are multiplied by saliencies times 2^16: what is coarser than a cost moves whole rows.
int32_t cost_weight(double saliency);
/// Which saliency that is, about.
double cost_of_weight(int32_t weight);
/// @param cost at most 2^25 and a little, or INT32_MAX, which stays; @return below 2^28
int32_t weighted_cost(int32_t cost, int32_t weight);

/// Candidate lists with saliency, as the assignment gets them. 2^mt::kCostBits is the farthest tile
/// of a cell of mean saliency.
class WeightedCosts {
 public:
  explicit WeightedCosts(int cells) : weight_(cells), bound_(cells), priced_bound_(cells) {}

  /// Takes in a frame: the cells whose lists or weights are new. @param all of them
  void update(mt::WorkerPool& workers, const CandidateLists& candidates, const Saliency& saliency,
              bool all);

  /// What one tile costs a cell in this frame, and what all do. @param costs [tiles]
  int32_t cost(const FrameAnalysis& analysis, const CandidateLists& candidates, int cell,
               int tile) const {
    return weighted_cost(candidates.cost(analysis, cell, tile), weight_[cell]);
  }
  void all_costs(const FrameAnalysis& analysis, const CandidateLists& candidates, int cell,
                 int32_t* costs) const;

  int cells() const { return static_cast<int>(weight_.size()); }
  const std::vector<int32_t>& weight() const { return weight_; }  ///< [cells], see cost_weight()
  /// [listed], of the tiles that the candidates list.
  const int32_t* costs(int cell) const { return cost_.data() + size_t(cell) * listed_; }
  int32_t bound(int cell) const { return bound_[cell]; }
  /// [cells]: not 0 where they are those of the last frame.
  const std::vector<uint8_t>& unchanged() const { return unchanged_; }
  /// Rows, lists and bounds of a problem; they stay where they are until the next update().
  void describe(const CandidateLists& candidates, AssignmentProblem& problem) const;

 private:
  int listed_ = 0;
  std::vector<int32_t> weight_, cost_, bound_;  ///< [cells], [cells][listed], [cells]
  std::vector<int32_t> priced_bound_;           ///< [cells], see AssignmentProblem
  std::vector<uint8_t> unchanged_;
};

}  // namespace mosaic
