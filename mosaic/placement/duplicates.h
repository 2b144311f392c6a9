// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "mosaic/assignment/assignment.h"

namespace mosaic {

/// Where tiles may be used more than once: gives another column to each cell whose photo also
/// appears within `radius` cells (the greater of the column and the row distance). The cell gets
/// its held column if that fits, so that tiles do not change needlessly, or else the cheapest
/// listed column that fits: one with capacity left whose photo does not appear nearby. If there is
/// none, the cell keeps its column. Cells are visited in order of index, those that kept their held
/// column (problem.held) after the others. Deterministic.
/// @param column  [rows of the problem] the assignment, changed in place
/// @param grid_columns, grid_rows  the rows of the problem are the cells, row by row
/// @param photos  column c shows photo c % photos
/// @return the cost added, switching prices not counted. Throws mt::Cancelled as the problem says
int64_t separate_duplicates(const AssignmentProblem& problem, int grid_columns, int grid_rows,
                            int photos, unsigned radius, std::vector<int32_t>& column);

}  // namespace mosaic
