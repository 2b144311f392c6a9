// SPDX-License-Identifier: LGPL-2.1-or-later
#include "bench/quality.h"

#include <algorithm>
#include <cstdio>

#include "kernels/matching/cost_scale.h"
#include "mosaic/placement/price.h"

namespace bench {

Quality::Quality(const Setup& setup, Clip& clip)
    : source_(setup, clip, true), best_(source_.placement()) {
  no_price_.price = {0, 0, 1, 0, 0, 1};
}

double Quality::sum_of_costs(const std::vector<int32_t>& tiles) const {
  double sum = 0;
  for (size_t cell = 0; cell < tiles.size(); ++cell)
    sum += source_.cost(static_cast<int>(cell), tiles[cell]);
  return sum;
}

void Quality::add(const std::vector<int32_t>& tiles) {
  if (!source_.next()) return;
  best_.begin_frame({mosaic::Continuation::kCut});
  best_.update(source_.analysis(), source_.candidates(), source_.saliency(), no_price_);
  const double cost = sum_of_costs(tiles), optimum = sum_of_costs(best_.tiles());
  ++frames_;
  cost_ += cost / (static_cast<double>(tiles.size()) * (1 << mt::kCostBits));
  if (!source_.keyframe()) {
    ++continued_;
    excess_ += cost / optimum - 1;
    for (size_t cell = 0; cell < tiles.size(); ++cell) {
      if (tiles[cell] == last_[cell]) continue;
      ++changed_;
      unexplained_ += source_.analysis().moved(static_cast<int>(cell)) < mosaic::kVisibleStep;
    }
  }
  last_ = tiles;
}

void Quality::print() const {
  const double frames = std::max(1, continued_);
  const double cells = static_cast<double>(last_.size()) * frames;
  std::printf(
      "by exact costs: mean cost %.5f; without %d scene cuts: %.1f %% above the optimum, churn "
      "%.2f %%, unexplained %.2f %%\n\n",
      cost_ / std::max(1, frames_), frames_ - continued_, 100 * excess_ / frames,
      100 * static_cast<double>(changed_) / cells, 100 * static_cast<double>(unexplained_) / cells);
}

}  // namespace bench
