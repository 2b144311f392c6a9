// SPDX-License-Identifier: LGPL-2.1-or-later
/// A small assignment problem of tiles in which every cost is known.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include "mosaic/photo_uses/photo_assignment.h"

namespace test {

/// A problem of tiles in which every cost is known.
struct TileProblem {
  TileProblem(int rows_, int photos_, int variants, int listed_, std::mt19937& random)
      : rows(rows_), photos(photos_), tiles(photos * variants), listed(listed_) {
    cost.resize(rows * tiles);
    for (int32_t& c : cost) c = static_cast<int32_t>(random() % 20);  // many are equal
    held.resize(rows);
    for (int32_t& tile : held) tile = static_cast<int32_t>(random() % (tiles + 2)) - 2;
    price.resize(rows);
    for (int32_t& p : price) p = static_cast<int32_t>(random() % 12);
    for (int row = 0; row < rows; ++row) {
      held[row] = std::max(held[row], -1);
      held_cost.push_back(held[row] < 0 ? 0 : at(row, held[row]));
      std::vector<int32_t> order(tiles);
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(),
                       [&](int a, int b) { return at(row, a) < at(row, b); });
      // Some lists leave out tiles that cost less than others that they have; the bound says so.
      const int complete = listed == tiles ? tiles : 1 + static_cast<int>(random() % listed);
      const int left_out = tiles - listed;
      for (int i = 0; i < listed; ++i) {
        const int32_t tile = order[i < complete ? i : i + left_out];
        list.push_back(tile);
        list_cost.push_back(at(row, tile));
      }
      bound.push_back(listed == tiles ? INT32_MAX : at(row, order[complete]));
    }
  }

  int32_t at(int row, int tile) const { return cost[row * tiles + tile]; }
  /// What a row adds to the sum: the tile's cost, and the switching price if it gives up another.
  int64_t priced(int row, int tile) const {
    return at(row, tile) + (held[row] >= 0 && held[row] != tile ? price[row] : 0);
  }

  /// Refers to this object.
  mosaic::AssignmentProblem problem() const {
    mosaic::AssignmentProblem p;
    p.rows = rows;
    p.columns = tiles;
    p.listed = listed;
    p.column = list.data();
    p.cost = list_cost.data();
    p.bound = bound.data();
    p.held = held.data();
    p.held_cost = held_cost.data();
    p.switching_price = price.data();
    p.read_costs = [this](const mosaic::CostBlock& block) {
      for (size_t i = 0; i < block.rows.size(); ++i)
        for (int t = block.begin; t < block.end; ++t) block.of_row(i)[t] = at(block.rows[i], t);
    };
    p.reads_prices = true;
    p.read_cheapest = [this](int row, int wanted, const mosaic::ColumnPrices& prices,
                             int32_t* to_tiles, int32_t* to_costs) {
      const int units = prices.units;
      const auto sum = [&](int t) { return at(row, t) + prices.of_unit(t % units); };
      std::vector<int32_t> of_units(units, INT32_MAX);
      for (int t = 0; t < tiles; ++t) of_units[t % units] = std::min(of_units[t % units], sum(t));
      std::nth_element(of_units.begin(), of_units.begin() + wanted - 1, of_units.end());
      int count = 0;
      for (int t = 0; t < tiles; ++t)
        if (sum(t) <= of_units[wanted - 1]) {
          to_tiles[count] = t;
          to_costs[count++] = at(row, t);
        }
      return count;
    };
    p.single = [this](int row, int tile) { return at(row, tile); };
    return p;
  }

  mosaic::UseLimit uses(int most) const {
    return {.units = groups ? groups->count() : photos,
            .most = most,
            .counted = mosaic::Unit::kPhoto,
            .groups = groups};
  }

  /// The least sum over all assignments of photos and variants, by trying all.
  /// @param left     how often each photo may be used
  /// @param spare how many of each photo's uses may be left at the end, at most; empty: all
  int64_t least(int row, std::vector<int>& left, const std::vector<int>& spare = {}) const {
    if (row == rows) {
      const bool enough =
          std::equal(spare.begin(), spare.end(), left.begin(), std::greater_equal<>());
      return enough ? 0 : INT64_MAX / 4;
    }
    int64_t best = INT64_MAX / 4;
    const mosaic::UseLimit limit = uses(1);
    for (int photo = 0; photo < limit.units; ++photo) {
      if (left[photo] == 0) continue;
      int64_t own = INT64_MAX / 4;
      for (int tile = 0; tile < tiles; ++tile)
        if (limit.unit(tile) == photo) own = std::min(own, priced(row, tile));
      --left[photo];
      best = std::min(best, own + least(row + 1, left, spare));
      ++left[photo];
    }
    return best;
  }

  int rows, photos, tiles, listed;
  std::shared_ptr<const mosaic::PhotoGroups> groups;  ///< photos that count as one; null: none do
  std::vector<int32_t> cost, held, held_cost, price, list, list_cost, bound;
};

}  // namespace test
