// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "cuda/worker_pool.h"
#include "mosaic/analysis.h"
#include "mosaic/assignment.h"
#include "mosaic/candidate_lists.h"
#include "mosaic/outlook.h"
#include "mosaic/weighted_costs.h"

namespace mosaic {

/// Costs of a frame with what its tiles cost later on (see Outlook), as the assignment gets them.
class AheadCosts {
 public:
  /// @param costs of the frame that `outlook` has turned to
  void update(mt::WorkerPool& workers, const FrameAnalysis& analysis,
              const CandidateLists& candidates, const WeightedCosts& costs, const Outlook& outlook);

  /// What all tiles cost. @param costs [tiles] of the frame itself, changed in place
  static void add_later(const Outlook& outlook, int cell, int32_t* costs, int tiles);

  /// Lists and bounds of a problem; they stay where they are until the next update().
  void describe(AssignmentProblem& problem) const;

 private:
  struct Scratch {
    std::vector<uint64_t> keys;   ///< of cost and tile
    std::vector<uint8_t> judged;  ///< [tiles]: whether the outlook knows it for the cell
  };
  void merge(const FrameAnalysis& analysis, const CandidateLists& candidates,
             const WeightedCosts& costs, const Outlook& outlook, int cell, Scratch& scratch);

  int listed_ = 0;
  std::vector<int32_t> tile_, cost_, bound_;  ///< [cells][listed], the same, [cells]
  std::vector<Scratch> scratch_;              ///< of each worker
};

}  // namespace mosaic
