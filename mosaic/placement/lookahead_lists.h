// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "executor/worker_pool.h"
#include "mosaic/assignment/assignment.h"
#include "mosaic/candidates/tile_costs.h"
#include "mosaic/placement/lookahead_costs.h"

namespace mosaic {

/// The candidate lists of an assignment with a lookahead: to the costs in the frame, those in the
/// frames to come (see LookaheadCosts) are added.
class LookaheadLists {
 public:
  /// @param costs of the frame that `lookahead` has advanced to
  void update(mt::WorkerPool& workers, const TileCosts& costs, const LookaheadCosts& lookahead);

  /// Adds the later costs. @param block  of cells and tiles: costs of the frame itself, changed in
  /// place
  static void add_later_costs(const LookaheadCosts& lookahead, const CostBlock& block);

  /// Sets the lists and bounds of a problem. They stay valid until the next update().
  void describe(AssignmentProblem& problem) const;

 private:
  struct Scratch {
    std::vector<uint64_t> keys;  ///< of cost and tile
    std::vector<uint8_t> known;  ///< [tiles]: whether the lookahead has its later cost for the cell
  };
  void merge(const TileCosts& costs, const LookaheadCosts& lookahead, int cell, Scratch& scratch);

  int listed_ = 0;
  std::vector<int32_t> tile_, cost_, bound_;  ///< [cells][listed], [cells][listed], [cells]
  std::vector<Scratch> scratch_;              ///< of each worker
};

}  // namespace mosaic
