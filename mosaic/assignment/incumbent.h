// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The best answer found so far in a solve. Private to the assignment solver.
#pragma once

#include <cstdint>
#include <utility>

#include "mosaic/assignment/assignment.h"
#include "mosaic/assignment/cost_rows.h"
#include "mosaic/assignment/duals.h"
#include "mosaic/assignment/matching.h"

namespace mosaic::solver {

/// The cheapest complete assignment and the highest lower bound; they need not belong together.
class Incumbent {
 public:
  /// Forgets both.
  void clear();

  /// Keeps the assignment if it costs less than the one that is kept.
  /// @param matching complete
  void offer(const CostRows& costs, const Matching& matching);
  /// Keeps the duals if they give a higher bound.
  void offer(const CostRows& costs, const Duals& duals);

  /// Replaces what is kept by these, which are optimal.
  /// @param duals values are unspecified afterwards
  void set_optimal(const CostRows& costs, const Matching& matching, Duals& duals);

  /// Exchanges what is kept with `answer`, whose `full_rows` is then not valid.
  void swap(Assignment& answer) { std::swap(best_, answer); }

 private:
  void set(const CostRows& costs, const Matching& matching, int64_t cost);

  Assignment best_;  ///< parts that are empty have not been found
};

}  // namespace mosaic::solver
