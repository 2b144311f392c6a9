// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The auction. Private to the assignment solver.
#pragma once

#include <cstdint>
#include <vector>

#include "mosaic/assignment/cost_rows.h"
#include "mosaic/assignment/deadline.h"
#include "mosaic/assignment/duals.h"
#include "mosaic/assignment/matching.h"

namespace mosaic::solver {

/// Rows bid for columns (Bertsekas, "The auction algorithm", Annals of Operations Research 14,
/// 1988). A column that serves several rows counts as several identical objects (Bertsekas and
/// Castanon, "The auction algorithm for the transportation problem", ibid. 20, 1989): its price is
/// the lowest bid among its rows, the row of that bid is outbid first, and a bidder compares the
/// column with other columns only.
///
/// The duals stay feasible. With an increment of 0 this is the augmenting row reduction of Jonker
/// and Volgenant (Computing 38, 1987): each assigned pair is tight, row dual + column dual = cost.
class Auction {
 public:
  Auction(CostRows& costs, Matching& matching, Duals& duals, Deadline& deadline)
      : costs_(costs), matching_(matching), duals_(duals), deadline_(deadline) {}

  /// Begins an auction in which every row is to bid. Expects an empty matching.
  void start();

  /// Unassigned rows bid until all have a column, `most` bids are made or the deadline passes.
  /// With an increment of 0, rows whose two cheapest columns cost the same and have no room stay
  /// unassigned.
  /// @param increment what a bid raises a price by at least; a complete assignment then costs
  ///                  at most rows * increment more than the optimum. If 0, a pair is tight unless
  ///                  it was assigned with another increment.
  void run(int64_t increment, int64_t most);

  /// Empties the matching and lowers all prices by `by`; every row is to bid again.
  void restart(int64_t by);

  /// Releases the rows whose pairs are not tight, because of an increment, and lowers the bids of
  /// the others to what they would be without an increment.
  void release_loose();

  const std::vector<int32_t>& unassigned() const { return unassigned_; }

 private:
  /// The bid with which a row got its column.
  struct Bid {
    int64_t price;        ///< that it bid: `indifferent`, or more due to an increment
    int64_t indifferent;  ///< the price at which another column is as good for the row
    int32_t row;
    bool operator<(const Bid& o) const {  // for a heap with the lowest on top
      return price != o.price ? price > o.price : row > o.row;
    }
  };

  /// The reduced cost of the row's pair.
  int64_t reduced_cost(int row) const {
    return matching_.cost(row) - duals_.column[matching_.column(row)];
  }
  void all_bid();
  void bid(int row, int64_t increment);
  void extend_lists(int row);
  void outbid(int column);
  void add_bid(int column, const Bid& bid);
  bool tighten(Bid& bid);

  CostRows& costs_;
  Matching& matching_;
  Duals& duals_;
  Deadline& deadline_;
  std::vector<int32_t> unassigned_;     ///< rows that are to bid, in this order
  size_t next_ = 0;                     ///< of unassigned_, the row that bids next
  std::vector<int32_t> uncertain_;      ///< scratch of extend_lists()
  std::vector<int32_t> deferred_;       ///< rows that cannot win by bidding in this run()
  std::vector<std::vector<Bid>> bids_;  ///< [columns]: a heap of the bids of its rows
  std::vector<Bid> kept_;               ///< scratch of release_loose()
};

}  // namespace mosaic::solver
