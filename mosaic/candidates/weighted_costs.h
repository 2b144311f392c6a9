// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "executor/worker_pool.h"
#include "mosaic/analysis/analysis.h"
#include "mosaic/analysis/saliency.h"
#include "mosaic/assignment/assignment.h"
#include "mosaic/candidates/candidate_lists.h"

namespace mosaic {

/// The integer weight for a saliency, by which costs are multiplied: 2^16 times the saliency, which
/// is clamped to 4. With coarser steps, rounding would shift all costs of a cell noticeably.
int32_t cost_weight(double saliency);
/// The saliency that has this weight, up to rounding.
double saliency_of_weight(int32_t weight);
/// @param cost at most slightly above 2^25; @return below 2^28. INT32_MAX is returned unchanged.
int32_t weighted_cost(int32_t cost, int32_t weight);

/// The costs of candidate lists multiplied by saliency, as the assignment gets them.
/// 2^mt::kCostBits is the cost of the farthest tile in a cell of mean saliency.
class WeightedCosts {
 public:
  explicit WeightedCosts(int cells) : weight_(cells), bound_(cells) {}

  /// Updates the cells whose lists or weights are new in this frame, or all cells.
  void update(mt::WorkerPool& workers, const CandidateLists& candidates, const Saliency& saliency,
              bool update_all);

  int cells() const { return static_cast<int>(weight_.size()); }
  const std::vector<int32_t>& weight() const { return weight_; }  ///< [cells], see cost_weight()
  /// [listed]: of the tiles in the cell's candidate list.
  const int32_t* costs(int cell) const { return cost_.data() + size_t(cell) * listed_; }
  int32_t bound(int cell) const { return bound_[cell]; }
  /// [cells]: not 0 where costs and bound are those of the last frame.
  const std::vector<uint8_t>& unchanged() const { return unchanged_; }
  /// Sets the rows, lists and bounds of a problem, which stay valid until the next update().
  void describe(const CandidateLists& candidates, AssignmentProblem& problem) const;

 private:
  int listed_ = 0;
  std::vector<int32_t> weight_, cost_, bound_;  ///< [cells], [cells][listed], [cells]
  std::vector<uint8_t> unchanged_;
};

}  // namespace mosaic
