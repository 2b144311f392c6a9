// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Bidding: the fast half of the assignment solver. Private to it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "mosaic/assignment_state.h"

namespace mosaic::lap {

/// Rows bid for columns (Bertsekas, "The auction algorithm", 1988); a column that serves several
/// rows is that many objects that are all the same (Bertsekas and Castanon, "The auction algorithm
/// for the transportation problem", 1989): it is as dear as the lowest bid among its rows, that row
/// is the one who is outbid, and a bidder compares with other columns only.
class Auction {
 public:
  explicit Auction(State& state) : s(state) {}

  void reset() {
    slots.resize(std::max<size_t>(slots.size(), s.p->columns));
    for (std::vector<Slot>& of_column : slots) of_column.clear();
  }

  /// All rows are without a column and in the queue.
  void everyone_bids() {
    s.queue.resize(s.p->rows);
    for (int i = 0; i < s.p->rows; ++i) s.queue[i] = i;
  }

  /// Rows of the queue bid until all have a column, `limit` bids are made or time is out; who is
  /// left stays in the queue, and so do rough rows for which everything is too dear. Row duals are
  /// left feasible, and with an increment of zero every row that has a column is tight unless it
  /// was loose before.
  void run(int64_t increment, int64_t limit) {
    const int64_t patience = kPatience * s.p->rows;
    std::vector<int32_t>& queue = s.queue;
    size_t head = 0;
    int64_t bids = 0;
    for (; head < queue.size() && bids < limit && !s.out_of_time(); ++bids) {
      if (increment > 0 && bids % patience == patience - 1) increment *= 2;
      bid(queue[head++], increment);
    }
    queue.erase(queue.begin(), queue.begin() + static_cast<ptrdiff_t>(head));
    queue.insert(queue.end(), stuck.begin(), stuck.end());
    stuck.clear();
    for (int i = 0; i < s.p->rows; ++i)
      if (s.out.column[i] != kNone)
        s.out.row_dual[i] = std::max(s.out.row_dual[i], price_paid(i) - increment);
  }

  /// Takes prices back by so much and all columns away. The duals stay feasible.
  void start_over(int64_t change) {
    for (int i = 0; i < s.p->rows; ++i) {
      if (s.out.column[i] != kNone) s.detach(i);
      s.out.row_dual[i] -= change;
    }
    for (std::vector<Slot>& of_column : slots) of_column.clear();
    for (int64_t& v : s.out.column_dual) v = std::min<int64_t>(0, v + change);
    everyone_bids();
  }

  /// Parts the pairs that increments left short of tight; the other rows' bids become what they
  /// would be without.
  void part_loose() {
    for (int j = 0; j < s.p->columns; ++j) {
      kept.clear();
      for (Slot slot : slots[j]) {
        if (slot.indifferent < -s.out.column_dual[j] && !tighten(slot)) continue;
        s.out.row_dual[slot.row] = price_paid(slot.row);
        slot.price = slot.indifferent;
        kept.push_back(slot);
      }
      slots[j].swap(kept);
      std::make_heap(slots[j].begin(), slots[j].end());
    }
  }

 private:
  /// Bids a row after which the increment doubles: ends wars over prices far above the mean.
  static constexpr int64_t kPatience = 64;

  /// A row that has a column, and its bid for it: what it could be asked before it prefers another.
  struct Slot {
    int64_t price;
    int64_t indifferent;  ///< the price at which it would as soon have another column
    int32_t row;
    bool operator<(const Slot& o) const {  // for a heap with the lowest on top
      return price != o.price ? price > o.price : row > o.row;
    }
  };

  int64_t price_paid(int row) const {
    return s.row_cost[row] - s.out.column_dual[s.out.column[row]];
  }

  void push(int column, Slot slot) {
    slots[column].push_back(slot);
    std::push_heap(slots[column].begin(), slots[column].end());
  }

  /// Looks anew whether a row is tight; parts it if not.
  bool tighten(Slot& slot) {
    const int row = slot.row, column = s.out.column[row];
    const Choice c = s.choose(row);
    s.out.row_dual[row] = c.first;
    if (price_paid(row) > c.first) {
      s.detach(row);
      s.queue.push_back(row);
      return false;
    }
    const bool second_matters = column == c.first_column && c.second < kNever;
    slot.indifferent = (second_matters ? c.second : c.first) - s.row_cost[row];
    return true;
  }

  void bid(int row, int64_t increment) {
    Choice c = s.choose(row);
    int column = c.first_column;
    if (c.second == kNever) c.second = c.first;  // the one column there is
    if (s.rough(row) && c.first > s.rough_limit) {
      s.out.row_dual[row] = s.rough_limit;
      return stuck.push_back(row);
    }
    s.out.row_dual[row] = c.first;
    if (increment == 0 && c.second == c.first && !s.has_room(column)) {
      // A bid that raises nothing would go to and fro for ever.
      if (c.second_column == kNone || !s.has_room(c.second_column)) return stuck.push_back(row);
      column = c.second_column;
    }
    const int64_t cost = c.first + s.out.column_dual[column];  // both cost the same if it is second
    if (!s.has_room(column)) {
      const int32_t outbid = slots[column].front().row;
      std::pop_heap(slots[column].begin(), slots[column].end());
      slots[column].pop_back();
      s.detach(outbid);
      s.queue.push_back(outbid);
    }
    // A raise of the increment is enough: where preference alone raises as much, the row stays
    // tight.
    push(column, {std::max(c.second, c.first + increment) - cost, c.second - cost, row});
    s.attach(row, column, cost);
    if (!s.has_room(column)) s.out.column_dual[column] = -slots[column].front().price;
  }

  State& s;
  std::vector<std::vector<Slot>> slots;  ///< [columns] a heap of the rows that have it
  std::vector<int32_t> stuck;            ///< rows whose bid would raise nothing, or too much
  std::vector<Slot> kept;
};

}  // namespace mosaic::lap
