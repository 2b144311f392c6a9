// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/candidates/tile_costs.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "kernels/matching/candidates.h"

namespace mosaic {
namespace {

// The Oklab term is less than the cost of a distance.
static_assert(4 * 2 * mt::kMaxCost + kMaxPriceRead < INT32_MAX);

/// The wanted-th lowest sum of a unit.
/// @param tiles, costs  [count]: of at least so many units; tiles ascend
uint32_t lowest_sum(int wanted, const ColumnPrices& prices, const int32_t* tiles, int count,
                    const int32_t* costs) {
  thread_local std::vector<uint32_t> sum_of, sums;  // [units]: UINT32_MAX between calls
  thread_local std::vector<int32_t> found;          // units
  sum_of.resize(std::max<size_t>(sum_of.size(), prices.units), UINT32_MAX);
  found.clear();
  int first = 0;  // the tile of unit 0 that precedes: divisions would take most of the time
  for (int i = 0; i < count; ++i) {
    while (tiles[i] - first >= prices.units) first += prices.units;
    const int32_t unit = tiles[i] - first;
    const auto sum = static_cast<uint32_t>(costs[i] + prices.of_unit(unit));
    if (sum_of[unit] == UINT32_MAX) found.push_back(unit);
    sum_of[unit] = std::min(sum_of[unit], sum);
  }
  sums.clear();
  for (const int32_t unit : found) sums.push_back(std::exchange(sum_of[unit], UINT32_MAX));
  std::nth_element(sums.begin(), sums.begin() + wanted - 1, sums.end());
  return sums[wanted - 1];
}

}  // namespace

void TileCosts::read_costs(const CostBlock& block) const {
  candidates_.read_costs(analysis_, block);
  for (size_t i = 0; i < block.rows.size(); ++i) {
    const int32_t weight = weighted_.weight()[block.rows[i]];
    int32_t* costs = block.of_row(i);
    for (int t = block.begin; t < block.end; ++t) costs[t] = weighted_cost(costs[t], weight);
  }
}

void TileCosts::weigh(int cell, int count, int32_t* costs) const {
  const int32_t weight = weighted_.weight()[cell];
  for (int i = 0; i < count; ++i) costs[i] = weighted_cost(costs[i], weight);
}

int TileCosts::read_cheapest(int cell, int wanted, const ColumnPrices& prices, int32_t* tiles,
                             int32_t* costs) const {
  if (prices.price || prices.units < candidates_.tile_count())
    return read_lowest_sums(cell, wanted, prices, tiles, costs);
  // The order of the weighted costs is the same.
  const int n = candidates_.read_cheapest(analysis_, cell, wanted, tiles, costs);
  weigh(cell, n, costs);
  return n;
}

mt::CoarseCost TileCosts::coarse_cost(int cell) const {
  const double saliency = saliency_of_weight(weighted_.weight()[cell]);
  const double of_distance = std::ldexp(static_cast<double>(candidates_.factor()), -mt::kScaleBits);
  return {.scale = static_cast<float>(saliency * of_distance),
          .most = static_cast<float>(saliency * mt::kMaxCost)};
}

/// Coarse distances give lower bounds of the sums. Of as many units as are wanted, those with the
/// lowest bounds, the exact sums tell how high a tile's bound may be for the tile to matter.
int TileCosts::read_lowest_sums(int cell, int wanted, const ColumnPrices& prices, int32_t* tiles,
                                int32_t* costs) const {
  const int n = candidates_.tile_count(), units = prices.units;
  thread_local std::vector<uint32_t> bounds, of_units;
  thread_local std::vector<int32_t> none;  // prices
  bounds.resize(std::max<size_t>(bounds.size(), n));
  of_units.resize(bounds.size());
  none.resize(std::max<size_t>(none.size(), units));
  for (int first = 0; first < n; first += units)
    mt::least_sums(candidates_.coarse(cell) + first, units, coarse_cost(cell),
                   prices.price ? prices.price : none.data(), bounds.data() + first);
  std::copy_n(bounds.begin(), units, of_units.begin());
  for (int first = units; first < n; first += units)
    for (int unit = 0; unit < units; ++unit)
      of_units[unit] = std::min(of_units[unit], bounds[first + unit]);
  uint32_t most = mt::value_limit(of_units.data(), units, wanted);
  for (;;) {
    const int count = mt::indices_up_to(bounds.data(), n, most, tiles);
    candidates_.read_costs_of(analysis_, cell, tiles, count, costs);
    weigh(cell, count, costs);
    const uint32_t enough = lowest_sum(wanted, prices, tiles, count, costs);
    if (enough <= most) return count;
    most = enough;
  }
}

void TileCosts::read_unit_costs(const CostBlock& block, int units) const {
  for (size_t i = 0; i < block.rows.size(); ++i)
    read_unit_costs(block.rows[i], block.begin, block.end, units, block.of_row(i) + block.begin);
}

/// Most tiles need not be compared exactly: of each unit that with the lowest bound, and of the
/// others those whose bound is below its cost.
/// @param costs  [end - begin], written
void TileCosts::read_unit_costs(int cell, int begin, int end, int units, int32_t* costs) const {
  const int n = end - begin, variants = candidates_.tile_count() / units;
  thread_local std::vector<uint32_t> bounds;  // [variants][n]
  thread_local std::vector<int32_t> none;     // prices
  thread_local std::vector<int32_t> likely, others, other_costs;
  bounds.resize(std::max(bounds.size(), static_cast<size_t>(variants) * n));
  none.resize(std::max<size_t>(none.size(), n));
  likely.resize(std::max<size_t>(likely.size(), n));
  others.clear();
  for (int v = 0; v < variants; ++v)
    mt::least_sums(candidates_.coarse(cell) + v * units + begin, n, coarse_cost(cell), none.data(),
                   &bounds[static_cast<size_t>(v) * n]);
  const auto bound = [&](int v, int i) { return bounds[static_cast<size_t>(v) * n + i]; };
  for (int i = 0; i < n; ++i) {
    int least = 0;
    for (int v = 1; v < variants; ++v)
      if (bound(v, i) < bound(least, i)) least = v;
    likely[i] = least * units + begin + i;
  }
  candidates_.read_costs_of(analysis_, cell, likely.data(), n, costs);
  weigh(cell, n, costs);
  for (int v = 0; v < variants; ++v)
    for (int i = 0; i < n; ++i) {
      const int tile = v * units + begin + i;
      if (bound(v, i) < static_cast<uint32_t>(costs[i]) && tile != likely[i])
        others.push_back(tile);
    }
  const int count = static_cast<int>(others.size());
  other_costs.resize(others.size());
  candidates_.read_costs_of(analysis_, cell, others.data(), count, other_costs.data());
  weigh(cell, count, other_costs.data());
  for (int k = 0; k < count; ++k) {
    int32_t& cost = costs[others[k] % units - begin];
    cost = std::min(cost, other_costs[k]);
  }
}

}  // namespace mosaic
