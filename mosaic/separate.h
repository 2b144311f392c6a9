// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "mosaic/assignment.h"

namespace mosaic {

/// Moves cells off a photo that stands within `radius` cells (the greater of the column and the row
/// distance) of them already, when tiles may be used more than once. Every such cell takes the
/// cheapest listed column that fits: capacity left and no photo of its own nearby; where there is
/// none, it stays. Cells in order of index, those that kept what they hold (problem.held) after the
/// others; what a cell holds is tried first, so that the outcome does not change without need.
/// Deterministic.
/// @param column  [rows of the problem] the assignment, changed in place
/// @param grid_columns, grid_rows  the rows of the problem are the cells, row by row
/// @param photos  column c shows photo c % photos
/// @return the cost added, prices not counted
int64_t separate_twins(const AssignmentProblem& problem, int grid_columns, int grid_rows,
                       int photos, unsigned radius, std::vector<int32_t>& column);

}  // namespace mosaic
