// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/assignment/central_duals.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace mosaic::solver {
namespace {

/// No price rises further. Where all columns are full, prices could rise together for ever.
constexpr int64_t kMostRise = 1 << 28;

}  // namespace

void CentralDuals::take_middle() {
  find_falls();
  find_rises();
  for (int j = 0; j < costs_.columns(); ++j) {
    const int64_t price = -duals_.column[j];
    // Rounded down, two prices differ by no more than the limit on their difference.
    duals_.column[j] = -((price - fall_[j] + price + rise_[j]) / 2);
  }
  for (int i = 0; i < costs_.rows(); ++i)
    duals_.row[i] = matching_.cost(i) - duals_.column[matching_.column(i)];
}

/// Calls visit(column, slack) for every column that the row lists or holds, except its own: the
/// row's own column is better by `slack`. (In an optimal matching, the row dual is the reduced cost
/// of the row's own column.)
template <class Visit>
void CentralDuals::for_each_slack(int row, const Visit& visit) const {
  const int own = matching_.column(row), held = costs_.held(row);
  const auto call = [&](int column, int64_t cost) {
    if (column != own) visit(column, cost - duals_.column[column] - duals_.row[row]);
  };
  if (held != kNone) call(held, costs_.held_cost(row));
  const CostList& list = costs_.list(row);
  for (int k = 0; k < list.size; ++k) call(list.column[k], list.cost[k]);
}

/// A price can fall to 0, but rows of other columns must not prefer the column then, unless the
/// prices of theirs fall, too. Unlisted columns do not matter: they cost at least the list's bound,
/// and no row's reduced cost is above that.
void CentralDuals::find_falls() {
  fall_.resize(costs_.columns());
  for (int j = 0; j < costs_.columns(); ++j) fall_[j] = -duals_.column[j];
  edges_.clear();
  for (int i = 0; i < costs_.rows(); ++i)
    for_each_slack(i, [&](int column, int64_t slack) {
      if (slack < fall_[column]) edges_.push_back({matching_.column(i), column, slack});
    });
  shorten(fall_);
}

/// The price of a column with room stays 0. Another one can rise until a row that has the column
/// would prefer one whose price does not rise as much.
void CentralDuals::find_rises() {
  rise_.resize(costs_.columns());
  for (int j = 0; j < costs_.columns(); ++j) rise_[j] = matching_.has_room(j) ? 0 : kMostRise;
  edges_.clear();
  for (int i = 0; i < costs_.rows(); ++i) {
    const int own = matching_.column(i);
    int64_t& rise = rise_[own];
    rise = std::min(rise, costs_.list(i).bound - duals_.row[i]);
    for_each_slack(i, [&](int column, int64_t slack) {
      if (slack >= rise) return;
      if (matching_.has_room(column))
        rise = slack;
      else
        edges_.push_back({column, own, slack});
    });
  }
  shorten(rise_);
}

/// Sets `first_` and `order_`, by counting.
void CentralDuals::sort_edges() {
  const int columns = costs_.columns(), count = static_cast<int>(edges_.size());
  first_.assign(columns + 1, 0);
  for (const Edge& edge : edges_) ++first_[edge.from];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  order_.resize(count);
  for (int e = count - 1; e >= 0; --e) order_[--first_[edges_[e].from]] = e;
}

/// Lowers limits until every edge is met: Dijkstra's algorithm from all columns at once.
void CentralDuals::shorten(std::vector<int64_t>& limit) {
  sort_edges();
  heap_.clear();
  for (int j = 0; j < costs_.columns(); ++j)
    if (first_[j] < first_[j + 1]) heap_.push_back({limit[j], j});
  std::make_heap(heap_.begin(), heap_.end(), std::greater<>());
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    const auto [distance, column] = heap_.back();
    heap_.pop_back();
    if (distance != limit[column]) continue;
    for (int k = first_[column]; k < first_[column + 1]; ++k) {
      const Edge& edge = edges_[order_[k]];
      if (distance + edge.slack >= limit[edge.to]) continue;
      limit[edge.to] = distance + edge.slack;
      heap_.push_back({limit[edge.to], edge.to});
      std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
    }
  }
}

}  // namespace mosaic::solver
