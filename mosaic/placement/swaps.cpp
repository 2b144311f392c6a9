// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/placement/swaps.h"

#include <utility>

namespace mosaic {

int64_t swap_neighbours(int grid_columns, int grid_rows, int rounds,
                        const std::function<int64_t(int row, int column)>& cost,
                        std::vector<int32_t>& column, const mt::Cancellation& cancellation) {
  static constexpr int kSteps[][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {-1, -1}};
  int64_t saved = 0;
  bool better = true;
  for (int round = 0; round < rounds && better; ++round) {
    better = false;
    for (int a = 0; a < grid_columns * grid_rows; ++a) {
      cancellation.check();
      for (const auto& [right, down] : kSteps) {
        const int x = a % grid_columns + right, y = a / grid_columns + down;
        if (x < 0 || x >= grid_columns || y < 0 || y >= grid_rows) continue;
        const int b = y * grid_columns + x;
        if (column[a] == column[b]) continue;
        const int64_t gain =
            cost(a, column[a]) + cost(b, column[b]) - cost(a, column[b]) - cost(b, column[a]);
        if (gain <= 0) continue;
        std::swap(column[a], column[b]);
        saved += gain;
        better = true;
      }
    }
  }
  return saved;
}

}  // namespace mosaic
