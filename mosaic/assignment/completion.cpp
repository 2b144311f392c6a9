// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/assignment/completion.h"

namespace mosaic::lap {
namespace {

/// Columns that sample() tries for a row.
constexpr int kSamples = 24;

}  // namespace

void Completion::run() {
  next_sample_ = 0;
  const int rows = costs_.rows();
  for (int row = 0; row < rows && !time_.deadline().check(); ++row)
    if (matching_.column(row) == kNone) costs_.rough(row) ? take_known(row) : take_any(row);
  if (!time_.deadline().passed() && !costs_.any_rough()) return;
  for (int row = 0; row < rows; ++row)
    if (matching_.column(row) == kNone) take_held(row);
  for (int row = 0; row < rows; ++row)
    if (matching_.column(row) == kNone) take_known(row);
  for (int row = 0; row < rows; ++row) {
    if (matching_.column(row) != kNone) continue;
    const bool over = time_.over();
    if (costs_.problem().single && (costs_.rough(row) || over))
      sample(row, over ? 1 : kSamples);
    else
      take_any(row);
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
  for (int k = 0; k < list.size && list.cost[k] < found.cost; ++k)
    consider(list.column[k], list.cost[k], found);
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
  if (found.column == kNone || costs_.list(row).bound < found.cost) {
    const int32_t* all = costs_.all(row);
    for (int j = 0; j < costs_.columns(); ++j) consider(j, all[j], found);
  }
  matching_.assign(row, found.column, found.cost);
}

/// Assigns the cheapest of at most `most` columns with room, different columns for each row.
void Completion::sample(int row, int most) {
  Found found;
  const int columns = costs_.columns();
  for (int samples = 0, steps = 0; samples < most && steps < columns; ++steps) {
    const int j = next_sample_;
    next_sample_ = next_sample_ + 1 < columns ? next_sample_ + 1 : 0;
    if (!matching_.has_room(j)) continue;
    ++samples;
    const bool held = j == costs_.held(row);
    consider(j, held ? costs_.held_cost(row) : costs_.problem().single(row, j), found);
  }
  matching_.assign(row, found.column, found.cost);
}

}  // namespace mosaic::lap
