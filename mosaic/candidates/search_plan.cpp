// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/candidates/search_plan.h"

#include <algorithm>

namespace mosaic {
namespace {

constexpr int kFewest = 32;       // cells: with fewer, the fixed cost of a launch dominates
constexpr double kNewest = 0.25;  // weight of the last frame in the average

}  // namespace

SearchPlan::Share SearchPlan::share(int changed, int left, Time budget) const {
  const auto time = static_cast<double>(budget.count());
  if ((changed + left) * exact_ <= time) return {true, left};
  // Rough lists for all that changed come first; the rest of the time makes older lists exact.
  const double rest = time - changed * rough_;
  return {false, static_cast<int>(std::clamp(rest / exact_, 0.0, static_cast<double>(left)))};
}

void SearchPlan::average(int cells, Time time, double& of) {
  if (cells < kFewest) return;
  const double now = static_cast<double>(time.count()) / cells;
  of += kNewest * (now - of);
}

}  // namespace mosaic
