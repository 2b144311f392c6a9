// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/candidates/tile_costs.h"

namespace mosaic {

void TileCosts::read_costs(const CostBlock& block) const {
  candidates_.read_costs(analysis_, block);
  for (size_t i = 0; i < block.rows.size(); ++i) {
    const int32_t weight = weighted_.weight()[block.rows[i]];
    int32_t* costs = block.of_row(i);
    for (int t = block.begin; t < block.end; ++t) costs[t] = weighted_cost(costs[t], weight);
  }
}

int TileCosts::read_cheapest(int cell, int wanted, int32_t* tiles, int32_t* costs) const {
  const int n = candidates_.read_cheapest(analysis_, cell, wanted, tiles, costs);
  const int32_t weight = weighted_.weight()[cell];
  for (int i = 0; i < n; ++i) costs[i] = weighted_cost(costs[i], weight);
  return n;
}

}  // namespace mosaic
