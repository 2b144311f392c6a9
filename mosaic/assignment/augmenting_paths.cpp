// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/assignment/augmenting_paths.h"

#include <algorithm>

namespace mosaic::solver {
namespace {

/// In place of a row: the column was reached through the slack node.
constexpr int kSlack = -2;
/// Entries of a list that a search reads at a time.
constexpr int kChunk = 32;

}  // namespace

void AugmentingPaths::run(std::span<const int32_t> unassigned) {
  unassigned_rows_ = static_cast<int64_t>(unassigned.size());
  total_deficit_ = 0;
  for (int j = 0; j < costs_.columns(); ++j) total_deficit_ += deficit(j);
  if (unassigned.empty() && total_deficit_ == 0) return;
  prepare();
  for (const int row : unassigned)
    if (!search(row)) return;
  while (total_deficit_ > 0)
    if (!search(kSlack)) return;
}

void AugmentingPaths::prepare() {
  const size_t rows = costs_.rows(), columns = costs_.columns();
  distance_.assign(columns, kInfinity);
  from_cost_.resize(columns);
  from_.resize(columns);
  row_distance_.resize(rows);
  position_.resize(rows);
}

/// How many rows the column must win to keep its dual.
int64_t AugmentingPaths::deficit(int column) const {
  return duals_.column[column] < 0 ? matching_.room(column) : 0;
}

void AugmentingPaths::push(int64_t distance, int32_t id) {
  heap_.push_back({distance, id});
  std::push_heap(heap_.begin(), heap_.end());
}

AugmentingPaths::Event AugmentingPaths::pop() {
  const Event nearest = heap_.front();
  std::pop_heap(heap_.begin(), heap_.end());
  heap_.pop_back();
  return nearest;
}

/// Notes that the column can be reached from the row at this distance.
void AugmentingPaths::relax(int row, int column, int64_t distance, int64_t cost) {
  if (distance >= distance_[column] || distance >= end_distance_) return;
  if (distance_[column] == kInfinity) reached_.push_back(column);
  distance_[column] = distance;
  from_[column] = row;
  from_cost_[column] = cost;
  // Columns without a deficit get only rows that those with one do not need.
  const bool may_end = duals_.column[column] < 0 || unassigned_rows_ > total_deficit_;
  if (matching_.has_room(column) && may_end) {
    end_distance_ = distance;
    end_ = column;
  } else {
    push(distance, column);
  }
}

void AugmentingPaths::enter_row(int row, int64_t distance) {
  row_distance_[row] = distance;
  position_[row] = 0;
  const int own = costs_.held(row);
  if (own != kNone) {
    const int64_t cost = costs_.held_cost(row);
    relax(row, own, distance - duals_.row[row] + cost - duals_.column[own], cost);
  }
  read_list(row);
}

/// Reads the next entries of a row's list; the rest follows when it is the nearest in the heap.
void AugmentingPaths::read_list(int row) {
  const int64_t base = row_distance_[row] - duals_.row[row];
  int k = position_[row];
  if (k == costs_.list(row).size) {
    const int64_t read = costs_.list(row).bound;
    if (read == kInfinity) return;
    costs_.extend(row, duals_.column);
    const CostList& list = costs_.list(row);
    // Of a longer list by cost, what costs less has been read. A priced list has another order than
    // the one before it; columns that were reached from that are not reached any nearer.
    k = list.priced() ? 0
                      : static_cast<int>(std::lower_bound(list.cost, list.cost + list.size, read) -
                                         list.cost);
  }
  const CostList list = costs_.list(row);
  const int64_t base_of_keys = base + costs_.shift(list);
  for (const int end = std::min(list.size, k + kChunk); k < end; ++k) {
    if (base_of_keys + list.key[k] >= end_distance_) return;
    const int column = list.column[k];
    relax(row, column, base + list.cost[k] - duals_.column[column], list.cost[k]);
  }
  position_[row] = k;
  const int64_t rest = base_of_keys + (k < list.size ? list.key[k] : list.bound);
  if ((k < list.size || list.bound != kInfinity) && rest < end_distance_) push(rest, ~row);
}

void AugmentingPaths::enter_slack(int64_t distance, int from) {
  slack_distance_ = distance;
  slack_from_ = from;
  for (int j = 0; j < costs_.columns(); ++j)
    if (matching_.used(j) > 0 || duals_.column[j] < 0)
      relax(kSlack, j, distance - duals_.column[j], 0);
}

/// The column's distance is final: goes on to the rows that have it, and to the slack node.
void AugmentingPaths::visit(int column, int64_t distance) {
  if (matching_.has_room(column) && slack_distance_ == kInfinity) enter_slack(distance, column);
  if (matching_.used(column) == 0) return;
  settled_.push_back(column);
  for (int row = matching_.first_row(column); row != kNone; row = matching_.next_row(row))
    enter_row(row, distance);
}

/// Finds the shortest path and assigns along it.
/// @param root an unassigned row, or kSlack
/// @return false when the deadline passed; nothing has changed then
bool AugmentingPaths::search(int root) {
  heap_.clear();
  reached_.clear();
  settled_.clear();
  end_distance_ = slack_distance_ = kInfinity;
  end_ = slack_from_ = kNone;
  root == kSlack ? enter_slack(0, kNone) : enter_row(root, 0);
  while (!heap_.empty() && heap_.front().distance < end_distance_ && !deadline_.check()) {
    const Event e = pop();
    if (e.id < 0) {
      read_list(~e.id);
    } else if (distance_[e.id] == e.distance) {
      visit(e.id, e.distance);
    }
  }
  const bool finished = !deadline_.passed();
  if (finished) augment(root);
  for (const int column : reached_) distance_[column] = kInfinity;
  return finished;
}

void AugmentingPaths::augment(int root) {
  for (const int column : settled_) {
    const int64_t change = end_distance_ - distance_[column];
    duals_.column[column] -= change;
    for (int row = matching_.first_row(column); row != kNone; row = matching_.next_row(row))
      duals_.row[row] += change;
  }
  if (root != kSlack) {
    duals_.row[root] += end_distance_;
    --unassigned_rows_;
  }
  total_deficit_ -= duals_.column[end_] < 0;
  reassign_path();
  if (slack_distance_ < end_distance_) shift_duals(end_distance_ - slack_distance_);
}

/// From the end of the path backwards, gives each row on it the column after it.
void AugmentingPaths::reassign_path() {
  for (int column = end_;;) {
    if (from_[column] == kSlack) {
      if (slack_from_ == kNone) return;
      column = slack_from_;
    }
    const int row = from_[column], old = matching_.column(row);
    if (old != kNone) matching_.release(row);
    matching_.assign(row, column, from_cost_[column]);
    if (old == kNone) return;
    column = old;
  }
}

/// The slack node was nearer than the path's end, so its potential changed: shifts all duals so
/// that the potential is 0 again.
void AugmentingPaths::shift_duals(int64_t change) {
  for (int64_t& u : duals_.row) u -= change;
  costs_.prices_fell(change);
  total_deficit_ = 0;
  for (int j = 0; j < costs_.columns(); ++j) {
    int64_t& v = duals_.column[j];
    v = std::min<int64_t>(0, v + change);
    total_deficit_ += deficit(j);
  }
}

}  // namespace mosaic::solver
