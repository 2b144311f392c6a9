// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Duals that hardly depend on how the search went. Private to the assignment solver.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "mosaic/assignment/cost_rows.h"
#include "mosaic/assignment/duals.h"
#include "mosaic/assignment/matching.h"

namespace mosaic::solver {

/// An optimal assignment has many optimal duals: prices can often fall or rise together without any
/// row preferring another column. Which of them a search ends with depends on the order of its
/// bids. The lowest prices of all are optimal together, and so are the highest (Shapley and Shubik,
/// "The assignment game I: the core", International Journal of Game Theory 1, 1971); this class
/// finds both, as shortest paths over the slacks of pairs, and takes the middle.
class CentralDuals {
 public:
  CentralDuals(const CostRows& costs, const Matching& matching, Duals& duals)
      : costs_(costs), matching_(matching), duals_(duals) {}

  /// Replaces the duals of an optimal matching. Prices rise no further than the lists' bounds on
  /// the costs of unlisted columns show to be possible, so the highest ones may be missed where
  /// lists are short; the duals are optimal all the same.
  void take_middle();

 private:
  /// limit[to] may be at most limit[from] + slack.
  struct Edge {
    int32_t from, to;
    int64_t slack;
  };

  template <class Visit>
  void for_each_slack(int row, const Visit& visit) const;
  void find_falls();
  void find_rises();
  void sort_edges();
  void shorten(std::vector<int64_t>& limit);

  const CostRows& costs_;
  const Matching& matching_;
  Duals& duals_;
  std::vector<int64_t> fall_, rise_;  ///< [columns]: how far each price can fall and rise
  std::vector<Edge> edges_;
  std::vector<int32_t> order_;                     ///< [edges]: by Edge::from
  std::vector<int32_t> first_;                     ///< [columns + 1]: where those of one begin
  std::vector<std::pair<int64_t, int32_t>> heap_;  ///< limits and their columns, lowest on top
};

}  // namespace mosaic::solver
