// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/assignment/completion.h"

namespace mosaic::solver {

void Completion::run() {
  next_ = 0;
  const int rows = costs_.rows();
  for (int row = 0; row < rows && !time_.deadline().check(); ++row)
    if (matching_.column(row) == kNone) take_any(row);
  if (!time_.deadline().passed()) return;
  for (int row = 0; row < rows; ++row)
    if (matching_.column(row) == kNone) take_held(row);
  for (int row = 0; row < rows; ++row)
    if (matching_.column(row) == kNone) take_known(row);
  for (int row = 0; row < rows; ++row) {
    if (matching_.column(row) != kNone) continue;
    costs_.problem().single&& time_.over() ? take_next(row) : take_any(row);
  }
}

void Completion::consider(int column, int64_t cost, Found& found) const {
  if (cost < found.cost && matching_.has_room(column)) found = {column, cost};
}

/// Of the columns with room, the cheapest that is listed or held.
Completion::Found Completion::cheapest_known(int row) const {
  Found found;
  if (costs_.held(row) != kNone) consider(costs_.held(row), costs_.held_cost(row), found);
  const CostList list = costs_.list(row);
  for (int k = 0; k < list.size; ++k) {
    if (!list.priced() && list.cost[k] >= found.cost) break;  // costs ascend
    consider(list.column[k], list.cost[k], found);
  }
  return found;
}

void Completion::take_known(int row) {
  const Found found = cheapest_known(row);
  if (found.column != kNone) matching_.assign(row, found.column, found.cost);
}

void Completion::take_held(int row) {
  const int held = costs_.held(row);
  if (held != kNone && matching_.has_room(held)) matching_.assign(row, held, costs_.held_cost(row));
}

/// Assigns the cheapest column with room.
void Completion::take_any(int row) {
  Found found = cheapest_known(row);
  const CostList& list = costs_.list(row);
  if (found.column == kNone || list.priced() || list.bound < found.cost) {
    const int32_t* all = costs_.all(row);
    for (int j = 0; j < costs_.columns(); ++j) consider(j, all[j], found);
  }
  matching_.assign(row, found.column, found.cost);
}

/// Assigns a column with room, whichever comes next.
void Completion::take_next(int row) {
  while (!matching_.has_room(next_)) next_ = next_ + 1 < costs_.columns() ? next_ + 1 : 0;
  const bool held = next_ == costs_.held(row);
  matching_.assign(row, next_, held ? costs_.held_cost(row) : costs_.problem().single(row, next_));
}

}  // namespace mosaic::solver
