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

/// Memory for the tiles of a cell, kept by each thread.
struct CellMemory {
  std::vector<uint32_t> bounds, of_units;
  std::vector<int32_t> none;               // prices: all 0, never written
  std::vector<uint32_t> sum_of, sums;      // [units]: sum_of is UINT32_MAX between calls
  std::vector<int32_t> found;              // units
  std::vector<int32_t> likely;             // tiles
  std::vector<int32_t> others, of_others;  // tiles and their costs
};
CellMemory& cell_memory() {
  thread_local CellMemory memory;
  return memory;
}

template <class T>
T* room(std::vector<T>& memory, size_t count) {
  if (memory.size() < count) memory.resize(count);
  return memory.data();
}

/// The wanted-th lowest sum of a unit.
/// @param tiles, costs  [count]: of at least so many units; tiles ascend
uint32_t lowest_sum(int wanted, const ColumnPrices& prices, const int32_t* tiles, int count,
                    const int32_t* costs) {
  CellMemory& memory = cell_memory();
  if (memory.sum_of.size() < static_cast<size_t>(prices.units))
    memory.sum_of.resize(prices.units, UINT32_MAX);
  uint32_t *const sum_of = memory.sum_of.data(), *const sums = room(memory.sums, prices.units);
  int32_t* const found = room(memory.found, prices.units);
  int units = 0;
  int first = 0;  // the tile of unit 0 that precedes: divisions would take most of the time
  for (int i = 0; i < count; ++i) {
    while (tiles[i] - first >= prices.units) first += prices.units;
    const int32_t unit = tiles[i] - first;
    const auto sum = static_cast<uint32_t>(costs[i] + prices.of_unit(unit));
    if (sum_of[unit] == UINT32_MAX) found[units++] = unit;
    sum_of[unit] = std::min(sum_of[unit], sum);
  }
  for (int i = 0; i < units; ++i) sums[i] = std::exchange(sum_of[found[i]], UINT32_MAX);
  std::nth_element(sums, sums + wanted - 1, sums + units);
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
  CellMemory& memory = cell_memory();
  uint32_t *const bounds = room(memory.bounds, n), *const of_units = room(memory.of_units, units);
  const int32_t* const price = prices.price ? prices.price : room(memory.none, units);
  for (int first = 0; first < n; first += units)
    mt::least_sums(candidates_.coarse(cell) + first, units, coarse_cost(cell), price,
                   bounds + first);
  std::copy_n(bounds, units, of_units);
  for (int first = units; first < n; first += units)
    for (int unit = 0; unit < units; ++unit)
      of_units[unit] = std::min(of_units[unit], bounds[first + unit]);
  uint32_t most = mt::value_limit(of_units, units, wanted);
  for (;;) {
    const int count = mt::indices_up_to(bounds, n, most, tiles);
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

/// Only these tiles are compared exactly: of each unit that with the lowest bound, and of the
/// others those whose bound is below its cost.
/// @param costs  [end - begin], written
void TileCosts::read_unit_costs(int cell, int begin, int end, int units, int32_t* costs) const {
  const int n = end - begin, variants = candidates_.tile_count() / units;
  CellMemory& memory = cell_memory();
  uint32_t* const bounds = room(memory.bounds, static_cast<size_t>(variants) * n);
  const int32_t* const price = room(memory.none, n);
  for (int v = 0; v < variants; ++v)
    mt::least_sums(candidates_.coarse(cell) + v * units + begin, n, coarse_cost(cell), price,
                   bounds + v * n);
  int32_t* const likely = room(memory.likely, n);
  for (int i = 0; i < n; ++i) {
    int least = 0;
    for (int v = 1; v < variants; ++v)
      if (bounds[v * n + i] < bounds[least * n + i]) least = v;
    likely[i] = least * units + begin + i;
  }
  candidates_.read_costs_of(analysis_, cell, likely, n, costs);
  weigh(cell, n, costs);
  int32_t* const others = room(memory.others, static_cast<size_t>(variants) * n);
  int count = 0;
  for (int v = 0; v < variants; ++v)
    for (int i = 0; i < n; ++i) {
      others[count] = v * units + begin + i;
      count += bounds[v * n + i] < static_cast<uint32_t>(costs[i]) && others[count] != likely[i];
    }
  int32_t* const of_others = room(memory.of_others, count);
  candidates_.read_costs_of(analysis_, cell, others, count, of_others);
  weigh(cell, count, of_others);
  for (int k = 0; k < count; ++k) {
    int32_t& cost = costs[others[k] % units - begin];
    cost = std::min(cost, of_others[k]);
  }
}

}  // namespace mosaic
