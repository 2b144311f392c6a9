// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/candidates/tile_costs.h"

namespace mosaic {

void TileCosts::all_costs(int cell, int32_t* costs) const {
  const int tiles = candidates_.tile_count();
  const int32_t weight = weighted_.weight()[cell];
  candidates_.all_costs(analysis_, cell, costs);
  for (int t = 0; t < tiles; ++t) costs[t] = weighted_cost(costs[t], weight);
}

}  // namespace mosaic
