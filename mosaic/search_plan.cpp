// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/search_plan.h"

#include <algorithm>

namespace mosaic {
namespace {

constexpr int kTelling = 32;  // cells: fewer say more of how work is begun than of how it goes
constexpr double kNewest = 0.25;

}  // namespace

SearchPlan::Share SearchPlan::share(int changed, int left, Time budget) const {
  const auto time = static_cast<double>(budget.count());
  if ((changed + left) * exact_ <= time) return {true, left};
  // What is seen first, then what a scene that stands still makes better frame by frame.
  const double rest = time - changed * rough_;
  return {false, static_cast<int>(std::clamp(rest / exact_, 0.0, static_cast<double>(left)))};
}

void SearchPlan::average(int cells, Time time, double& of) {
  if (cells < kTelling) return;
  const double now = static_cast<double>(time.count()) / cells;
  of += kNewest * (now - of);
}

}  // namespace mosaic
