// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/assignment/anytime.h"

namespace mosaic::solver {

void Anytime::begin() {
  incumbent_.clear();
  if (!time_.deadline().is_set()) return;
  time_.begin();
  if (costs_.every_row_holds()) offer_held();
}

/// Every row keeps what it holds, if the columns have room for that.
void Anytime::offer_held() {
  int row = 0;
  for (; row < costs_.rows() && matching_.has_room(costs_.held(row)); ++row)
    matching_.assign(row, costs_.held(row), costs_.held_cost(row));
  if (row == costs_.rows()) incumbent_.offer(costs_, matching_);
  while (row-- > 0) matching_.release(row);
}

void Anytime::keep_round(bool complete) {
  if (complete) incumbent_.offer(costs_, matching_);
  incumbent_.offer(costs_, duals_);
}

void Anytime::finish(const std::vector<int64_t>& last_dual) {
  completion_.run();
  time_.begin_bound();
  incumbent_.offer(costs_, matching_);
  raise_row_duals();
  incumbent_.offer(costs_, duals_);
  try_last_duals(last_dual);
  time_.end();
}

/// Sets the row duals as high as the column duals and the lists allow.
void Anytime::raise_row_duals() {
  for (int row = 0; row < costs_.rows(); ++row) duals_.row[row] = costs_.lowest(row, duals_.column);
}

/// If the time ran out, the column duals of the last answer of the same scene may give a better
/// bound. Starting the search from them does not pay: an auction only raises prices, and some must
/// fall when the picture has changed.
void Anytime::try_last_duals(const std::vector<int64_t>& last_dual) {
  const bool same_scene =
      last_dual.size() == static_cast<size_t>(costs_.columns()) && costs_.every_row_holds();
  if (!time_.deadline().passed() || !same_scene) return;
  costs_.forget_prices();
  duals_.column = last_dual;
  raise_row_duals();
  incumbent_.offer(costs_, duals_);
}

}  // namespace mosaic::solver
