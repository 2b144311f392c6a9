// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Shortest augmenting paths: the exact half of the assignment solver. Private to it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "mosaic/assignment_state.h"

namespace mosaic::lap {

/// Dijkstra's algorithm over reduced costs c - u - v, from a row without a column to a column with
/// room; a column without room leads on to the rows that have it. The auction may also leave
/// columns that have a price but no row (capacity 1 only). Each of them must win a row or lose its
/// price, so paths end at them first, and for that they may pass the hub: the node that all
/// columns drain into in the minimum cost flow. It is entered from an unused column without a
/// price, and left to any used column j at the distance -v_j: the one takes a row in, the other
/// lets one go.
class AugmentingPaths {
 public:
  explicit AugmentingPaths(State& state) : s(state) {}

  /// Gives every row of the queue a column and every priced column its rows, or stops when time
  /// runs out (State::late). Rough rows that no path leads from to a column with room are left
  /// without one.
  void run() {
    prepare();
    for (const int row : s.queue)
      if (!search(row)) return;
    while (missing > 0)
      if (!search(kHub)) return;
  }

 private:
  /// Stands where a row would: the column was reached through the hub.
  static constexpr int kHub = -2;
  /// The distance of columns from which no path ends: it is never improved on.
  static constexpr int64_t kClosed = INT64_MIN;
  /// Entries of a list that a search reads at a time.
  static constexpr int kChunk = 32;

  struct Event {
    int64_t distance;
    int32_t id;                             ///< a column, or ~row whose list goes on
    bool operator<(const Event& o) const {  // for a heap with the nearest on top
      return distance != o.distance ? distance > o.distance : id > o.id;
    }
  };

  void prepare() {
    const size_t rows = s.p->rows, columns = s.p->columns;
    distance.assign(columns, kNever);
    from_cost.resize(columns);
    from.resize(columns);
    row_distance.resize(rows);
    position.resize(rows);
    waiting = static_cast<int64_t>(s.queue.size());
    missing = 0;
    for (int j = 0; j < s.p->columns; ++j) missing += lacks(j);
  }

  /// Rows without which the column may not have its price.
  int64_t lacks(int column) const {
    return s.out.column_dual[column] < 0 ? s.p->capacity - s.used[column] : 0;
  }

  void push(int64_t d, int32_t id) {
    heap.push_back({d, id});
    std::push_heap(heap.begin(), heap.end());
  }

  void relax(int row, int column, int64_t d, int64_t cost) {
    if (d >= distance[column] || d >= best) return;
    if (distance[column] == kNever) touched.push_back(column);
    distance[column] = d;
    from[column] = row;
    from_cost[column] = cost;
    if (s.has_room(column) && (s.out.column_dual[column] < 0 || waiting > missing)) {
      best = d;
      sink = column;
    } else {
      push(d, column);
    }
  }

  void enter_row(int row, int64_t d) {
    row_distance[row] = d;
    position[row] = 0;
    const int own = s.held(row);
    if (own != kNone) {
      const int64_t cost = s.discounted(row);
      relax(row, own, d - s.out.row_dual[row] + cost - s.out.column_dual[own], cost);
    }
    read_list(row);
  }

  /// Reads the next stretch of a row's list, and comes back for the rest when it is the nearest.
  void read_list(int row) {
    const int64_t base = row_distance[row] - s.out.row_dual[row];
    int k = position[row];
    if (k == s.edges[row].size) {
      if (s.edges[row].bound == kNever) return;
      const int64_t seen = s.edges[row].bound;  // everything below it
      s.widen(row);
      const Edges& e = s.edges[row];
      k = static_cast<int>(std::lower_bound(e.cost, e.cost + e.size, seen) - e.cost);
    }
    const Edges e = s.edges[row];
    for (const int end = std::min(e.size, k + kChunk); k < end; ++k) {
      if (base + e.cost[k] >= best) return;
      const int j = e.column[k];
      relax(row, j, base + e.cost[k] - s.out.column_dual[j], e.cost[k]);
    }
    position[row] = k;
    const int64_t rest = k < e.size ? e.cost[k] : e.bound;
    if (rest != kNever && base + rest < best) push(base + rest, ~row);
  }

  void enter_hub(int64_t d, int via) {
    hub_distance = d;
    hub_from = via;
    for (int j = 0; j < s.p->columns; ++j)
      if (s.used[j] > 0 || s.out.column_dual[j] < 0) relax(kHub, j, d - s.out.column_dual[j], 0);
  }

  /// @param root a row without a column, or kHub
  /// @return false when time ran out; nothing has changed then
  bool search(int root) {
    heap.clear();
    touched.clear();
    settled.clear();
    best = hub_distance = kNever;
    sink = hub_from = kNone;
    root == kHub ? enter_hub(0, kNone) : enter_row(root, 0);
    while (!heap.empty() && heap.front().distance < best && !s.out_of_time()) {
      const Event e = heap.front();
      std::pop_heap(heap.begin(), heap.end());
      heap.pop_back();
      if (e.id < 0) {
        read_list(~e.id);
      } else if (distance[e.id] == e.distance) {
        visit(e.id, e.distance);
      }
    }
    if (sink != kNone && !s.late) augment(root);
    // Without an end all that was reached is closed: columns without room, and rough rows that
    // have them and list no others. It stays so, as no path enters it any more. Its prices could
    // only fall further and stay as they are, so the duals of rows outside may come to exceed them.
    const bool closed = sink == kNone && !s.late;
    if (closed) --waiting;
    for (const int j : touched) distance[j] = closed ? kClosed : kNever;
    return !s.late;
  }

  void visit(int column, int64_t d) {
    if (s.has_room(column) && hub_distance == kNever) enter_hub(d, column);
    if (s.used[column] == 0) return;
    settled.push_back(column);
    for (int i = s.first_row[column]; i != kNone; i = s.next_row[i]) enter_row(i, d);
  }

  void augment(int root) {
    for (const int j : settled) {
      const int64_t change = best - distance[j];
      s.out.column_dual[j] -= change;
      for (int i = s.first_row[j]; i != kNone; i = s.next_row[i]) s.out.row_dual[i] += change;
    }
    if (root != kHub) {
      s.out.row_dual[root] += best;
      --waiting;
    }
    missing -= s.out.column_dual[sink] < 0;
    move_rows();
    if (hub_distance < best) level(best - hub_distance);
  }

  /// Gives the rows on the path, from its end on, the column after them.
  void move_rows() {
    for (int j = sink;;) {
      if (from[j] == kHub) {
        if (hub_from == kNone) return;
        j = hub_from;
      }
      const int row = from[j], old = s.out.column[row];
      if (old != kNone) s.detach(row);
      s.attach(row, j, from_cost[j]);
      if (old == kNone) return;
      j = old;
    }
  }

  /// The hub came nearer than the path's end, so its potential changed: moves all so that it is 0.
  void level(int64_t change) {
    for (int64_t& u : s.out.row_dual) u -= change;
    missing = 0;
    for (int j = 0; j < s.p->columns; ++j) {
      int64_t& v = s.out.column_dual[j];
      v = std::min<int64_t>(0, v + change);
      missing += lacks(j);
    }
  }

  State& s;
  std::vector<int64_t> distance, from_cost;  ///< [columns]
  std::vector<int32_t> from;                 ///< [columns] the row before it, or kHub
  std::vector<int64_t> row_distance;         ///< [rows]
  std::vector<int32_t> position;             ///< [rows] how far the list has been read
  std::vector<Event> heap;
  std::vector<int32_t> touched, settled;  ///< columns
  int64_t best = 0;                       ///< distance of the nearest end of a path so far
  int sink = kNone;                       ///< that end
  int64_t hub_distance = 0;
  int hub_from = kNone;  ///< the column before the hub
  int64_t missing = 0;   ///< rows that columns with a price lack
  int64_t waiting = 0;   ///< rows without a column
};

}  // namespace mosaic::lap
