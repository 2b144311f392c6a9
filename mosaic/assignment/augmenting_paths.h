// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Shortest augmenting paths. Private to the assignment solver.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mosaic/assignment/cost_rows.h"
#include "mosaic/assignment/deadline.h"
#include "mosaic/assignment/duals.h"
#include "mosaic/assignment/matching.h"

namespace mosaic::solver {

/// Completes a matching of tight pairs to an optimal one, by Dijkstra's algorithm over the reduced
/// costs, cost - row dual - column dual. Paths lead from an unassigned row to a column with room;
/// from a column without room they go on to the rows that have it (Jonker and Volgenant, Computing
/// 38, 1987).
///
/// The auction may also leave columns that have room and a dual below 0. Each of them must win rows
/// or raise its dual to 0 (complementary slackness), so paths end at them first. For that they may
/// pass the slack node: in the minimum cost flow, the node that takes up unused capacity. A path
/// enters it from a column that has room and a dual of 0, which gains a row. The path leaves it, at
/// the distance -dual, to any column that has rows, and gives one up, or has a dual below 0.
class AugmentingPaths {
 public:
  AugmentingPaths(CostRows& costs, Matching& matching, Duals& duals, Deadline& deadline)
      : costs_(costs), matching_(matching), duals_(duals), deadline_(deadline) {}

  /// Assigns these rows, then assigns rows to columns with a dual below 0 until each is full or
  /// its dual is 0.
  /// Stops when the deadline passes; the duals are feasible then, too.
  void run(std::span<const int32_t> unassigned);

 private:
  struct Event {
    int64_t distance;
    int32_t id;                             ///< a column; or ~row: the rest of its list is next
    bool operator<(const Event& o) const {  // for a heap with the nearest on top
      return distance != o.distance ? distance > o.distance : id > o.id;
    }
  };

  void prepare();
  int64_t deficit(int column) const;
  void push(int64_t distance, int32_t id);
  Event pop();
  void relax(int row, int column, int64_t distance, int64_t cost);
  void enter_row(int row, int64_t distance);
  void read_list(int row);
  void enter_slack(int64_t distance, int from);
  void visit(int column, int64_t distance);
  bool search(int root);
  void augment(int root);
  void reassign_path();
  void shift_duals(int64_t change);

  CostRows& costs_;
  Matching& matching_;
  Duals& duals_;
  Deadline& deadline_;
  int64_t total_deficit_ = 0;    ///< of all columns
  int64_t unassigned_rows_ = 0;  ///< that no path was found for yet
  // The state of the search from one root:
  std::vector<int64_t> distance_;      ///< [columns]
  std::vector<int64_t> from_cost_;     ///< [columns]: of the pair with the row in from_
  std::vector<int32_t> from_;          ///< [columns]: the row before it on the path, or kSlack
  std::vector<int64_t> row_distance_;  ///< [rows]
  std::vector<int32_t> position_;      ///< [rows]: how far the list has been read
  std::vector<Event> heap_;            ///< what to visit, nearest first
  std::vector<int32_t> reached_;       ///< columns with a distance
  std::vector<int32_t> settled_;       ///< columns with rows whose distance is final
  int64_t end_distance_ = 0;           ///< of the nearest end of a path so far
  int end_ = kNone;                    ///< that column
  int64_t slack_distance_ = 0;         ///< of the slack node
  int slack_from_ = kNone;             ///< the column before the slack node
};

}  // namespace mosaic::solver
