// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "executor/cancellation.h"

namespace mosaic {

/// Lets neighbouring cells exchange their columns wherever that costs less: mosaicraft's greedy
/// improvement. A round goes through all cells by index and compares each with its neighbours to
/// the right, below, to the left, above, below right and above left. It ends when a round changes
/// nothing, or after `rounds`. After an exact assignment there is nothing to gain by it.
/// @param cost   of a column for a row, any number; rows are the cells of the grid, row by row
/// @param column [rows], changed in place
/// @return by how much the sum of costs fell. Throws mt::Cancelled
int64_t swap_neighbours(int grid_columns, int grid_rows, int rounds,
                        const std::function<int64_t(int row, int column)>& cost,
                        std::vector<int32_t>& column, const mt::Cancellation& cancellation = {});

}  // namespace mosaic
