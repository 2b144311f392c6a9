// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/assignment/auction.h"

#include <algorithm>

namespace mosaic::solver {
namespace {

/// Bids per row after which the increment doubles: this ends price wars far above the mean dual.
constexpr int64_t kBidsBeforeDoubling = 64;

/// Lists that are extended at once. The search can be late by the time that this takes.
constexpr size_t kExtendedAtOnce = 8;
/// Rows in the queue that are looked at for that.
constexpr size_t kLookedAt = 64;

}  // namespace

void Auction::start() {
  bids_.resize(std::max<size_t>(bids_.size(), costs_.columns()));
  for (std::vector<Bid>& of_column : bids_) of_column.clear();
  deferred_.clear();  // a solve that was cancelled may have left some
  all_bid();
}

void Auction::all_bid() {
  unassigned_.resize(costs_.rows());
  for (int row = 0; row < costs_.rows(); ++row) unassigned_[row] = row;
}

void Auction::run(int64_t increment, int64_t most) {
  const int64_t doubling = kBidsBeforeDoubling * costs_.rows();
  int64_t bids = 0;
  for (next_ = 0; next_ < unassigned_.size() && bids < most && !deadline_.check(); ++bids) {
    if (increment > 0 && bids % doubling == doubling - 1) increment *= 2;
    bid(unassigned_[next_++], increment);
  }
  unassigned_.erase(unassigned_.begin(), unassigned_.begin() + static_cast<ptrdiff_t>(next_));
  unassigned_.insert(unassigned_.end(), deferred_.begin(), deferred_.end());
  deferred_.clear();
  for (int row = 0; row < costs_.rows(); ++row)
    if (matching_.column(row) != kNone)
      duals_.row[row] = std::max(duals_.row[row], reduced_cost(row) - increment);
}

void Auction::restart(int64_t by) {
  for (int row = 0; row < costs_.rows(); ++row) {
    if (matching_.column(row) != kNone) matching_.release(row);
    duals_.row[row] -= by;
  }
  for (std::vector<Bid>& of_column : bids_) of_column.clear();
  for (int64_t& v : duals_.column) v = std::min<int64_t>(0, v + by);
  costs_.prices_fell(by);
  all_bid();
}

void Auction::release_loose() {
  for (int column = 0; column < costs_.columns(); ++column) {
    kept_.clear();
    for (Bid bid : bids_[column]) {
      if (bid.indifferent < -duals_.column[column] && !tighten(bid)) continue;
      duals_.row[bid.row] = reduced_cost(bid.row);
      bid.price = bid.indifferent;
      kept_.push_back(bid);
    }
    bids_[column].swap(kept_);
    std::make_heap(bids_[column].begin(), bids_[column].end());
  }
}

/// Computes a row's dual and bid anew; releases the row if its pair is not tight.
/// @return whether the pair is tight
bool Auction::tighten(Bid& bid) {
  const int row = bid.row;
  const TwoLowest found = costs_.two_lowest(row, duals_.column);
  duals_.row[row] = found.first;
  if (reduced_cost(row) > found.first) {
    matching_.release(row);
    unassigned_.push_back(row);
    return false;
  }
  const bool has_first = matching_.column(row) == found.first_column;
  const int64_t other = has_first && found.second < kInfinity ? found.second : found.first;
  bid.indifferent = other - matching_.cost(row);
  return true;
}

/// Takes the column from the row with the lowest bid.
inline void Auction::outbid(int column) {
  const int32_t row = bids_[column].front().row;
  std::pop_heap(bids_[column].begin(), bids_[column].end());
  bids_[column].pop_back();
  matching_.release(row);
  unassigned_.push_back(row);
}

inline void Auction::add_bid(int column, const Bid& bid) {
  bids_[column].push_back(bid);
  std::push_heap(bids_[column].begin(), bids_[column].end());
}

/// Extends the row's list and others that will have to be extended before their rows can bid, as
/// the prices on which that depends only rise.
void Auction::extend_lists(int row) {
  uncertain_.assign(1, row);
  const size_t end = std::min(unassigned_.size(), next_ + kLookedAt);
  for (size_t i = next_; i < end && uncertain_.size() < kExtendedAtOnce; ++i)
    if (!costs_.two_lowest(unassigned_[i], duals_.column, false).certain())
      uncertain_.push_back(unassigned_[i]);
  costs_.extend(uncertain_, duals_.column);
}

void Auction::bid(int row, int64_t increment) {
  TwoLowest found = costs_.two_lowest(row, duals_.column, false);
  while (!found.certain()) {
    extend_lists(row);
    found = costs_.two_lowest(row, duals_.column, false);
  }
  int column = found.first_column;
  if (found.second == kInfinity) found.second = found.first;  // there is no other column
  duals_.row[row] = found.first;
  if (increment == 0 && found.second == found.first && !matching_.has_room(column)) {
    // A bid that raises no price could be answered by another such bid, without end.
    if (found.second_column == kNone || !matching_.has_room(found.second_column)) {
      deferred_.push_back(row);
      return;
    }
    column = found.second_column;
  }
  // If `column` is the second, its reduced cost is the same.
  const int64_t cost = found.first + duals_.column[column];
  if (!matching_.has_room(column)) outbid(column);
  // If preferring this column to the second raises the price by at least an increment, nothing is
  // added and the pair stays tight.
  add_bid(column,
          {std::max(found.second, found.first + increment) - cost, found.second - cost, row});
  matching_.assign(row, column, cost);
  if (!matching_.has_room(column)) duals_.column[column] = -bids_[column].front().price;
}

}  // namespace mosaic::solver
