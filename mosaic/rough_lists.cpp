// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/rough_lists.h"

#include <algorithm>
#include <cmath>

#include "mosaic/weighted_costs.h"

namespace mosaic {
namespace {

constexpr int kSlice = 128;  // cells that are searched for between two looks at the clock

}  // namespace

RoughLists::RoughLists(int cells, std::shared_ptr<const PoolOnDevice> pool,
                       const std::shared_ptr<mt::Executor>& executor, int blocks)
    : pool_(std::move(pool)),
      cells_(cells),
      blocks_(blocks),
      search_(executor, cells),
      exact_(executor, cells),
      rough_(executor, cells),
      sketches_(executor, static_cast<size_t>(pool_->host().tiles()) * mt::kSketch),
      price_(executor, pool_->host().tiles()),
      unit_(executor, cells),
      keys_(executor, static_cast<size_t>(cells) * mt::RoughTiles::kMost),
      ends_(executor, size_t{2} * cells),
      count_(executor, cells),
      beyond_(executor, cells),
      priced_beyond_(executor, cells),
      priced_bound_(executor, cells) {
  const int tiles = pool_->host().tiles();
  executor->launch(
      mt::SketchTiles{executor->tables(), pool_->features().features, sketches_.data(), tiles},
      tiles);
}

void RoughLists::plan(const uint8_t* changed, const Haste* haste, const mt::SceneState* scene,
                      const mt::CostScale& scale) {
  int changes = 0, left = 0;
  for (int cell = 0; cell < cells_; ++cell) {
    // A cell that was passed over is as one that has changed.
    search_[cell] = changed[cell] || (rough_[cell] && count_[cell] == 0);
    changes += search_[cell];
    left += rough_[cell] && !search_[cell];
  }
  SearchPlan::Share share{true, left};
  if (haste) share = plan_.share(changes, left, haste->budget);
  exact_count_ = search_count_ = rough_count_ = 0;
  for (int cell = 0; cell < cells_; ++cell) {
    const bool waits = rough_[cell] && !search_[cell];
    exact_[cell] = search_[cell] ? share.changed_exactly : waits && share.left_exactly-- > 0;
    rough_[cell] = (search_[cell] || waits) && !exact_[cell];
    search_[cell] = search_[cell] && rough_[cell];
    exact_count_ += exact_[cell];
    search_count_ += search_[cell];
    rough_count_ += rough_[cell];
  }
  priced_ = any() && !scene->cut && !scene->returned;
  if (search_count_ == 0) return;
  until_ = Clock::now() + haste->budget;
  take_prices(*haste, scale);
}

/// Prices are of costs times saliencies as they were then.
void RoughLists::take_prices(const Haste& haste, const mt::CostScale& scale) {
  priced_factor_ = scale.factor;
  std::transform(haste.prices.begin(), haste.prices.end(), price_.begin(),
                 [](int64_t price) { return static_cast<float>(-price); });
  constexpr double kGapDistance = (1 << mt::kGapBits) / double{mt::kSketchSquare};
  constexpr double kBelow = 1 - 1e-6;  // a few steps of a float
  for (int cell = 0; cell < cells_; ++cell) {
    const double cost = cost_of_weight(haste.weights[cell]) * static_cast<double>(scale.factor) /
                        static_cast<double>(int64_t{1} << mt::kScaleBits);  // of a distance of 1
    unit_[cell] = cost > 0 ? static_cast<float>(kBelow / (cost * kGapDistance)) : 0;
  }
}

mt::RoughTiles RoughLists::found(int64_t* near_limit, int32_t* farthest) {
  return {keys_.data(), count_.data(), beyond_.data(), priced_beyond_.data(),
          near_limit,   ends_.data(),  farthest,       blocks_};
}

void RoughLists::search(mt::Executor& executor, const FrameAnalysis& analysis,
                        const mt::SceneState* scene, const mt::CostScale* kept, int64_t* near_limit,
                        int32_t* farthest) {
  const Clock::time_point begin = Clock::now();
  const int tiles = pool_->host().tiles();
  mt::RoughNearest nearest{};
  nearest.rough = search_.data();
  nearest.first = first_;
  nearest.cell_count = cells_;
  nearest.tables = executor.tables();
  nearest.cells = analysis.on_device().features;
  nearest.tiles = pool_->features();
  nearest.sketches = {sketches_.data(), tiles};
  nearest.tile_count = tiles;
  nearest.price = price_.data();
  nearest.unit = unit_.data();
  nearest.scene = scene;
  nearest.out = found(near_limit, farthest);
  int done = 0;
  do {
    const int slice = std::min(kSlice, cells_ - done);
    executor.launch(nearest, slice);
    nearest.first = (nearest.first + slice) % cells_;
    done += slice;
  } while (done < cells_ && Clock::now() < until_ - listing_);
  first_ = nearest.first;
  for (int i = done; i < cells_; ++i) pass_over((first_ + i - done) % cells_);
  forget_farthest(*scene, kept, farthest);
  searching_ = (Clock::now() - begin) * cells_ / done;
}

/// A cell that there was no time for: nothing is known of any tile.
void RoughLists::pass_over(int cell) {
  if (!search_[cell]) return;
  count_[cell] = beyond_[cell] = priced_beyond_[cell] = 0;
}

/// A scene's scale is not to come from cells as they were in another: at a cut it comes from those
/// that there was time for, and one that returns has its own until exact lists tell.
void RoughLists::forget_farthest(const mt::SceneState& scene, const mt::CostScale* kept,
                                 int32_t* farthest) {
  if (!scene.cut && !scene.returned) return;
  const int64_t known = scene.returned ? kept[scene.returned - 1].farthest : 0;
  for (int cell = 0; cell < cells_; ++cell) {
    if (!search_[cell] || (scene.cut && count_[cell] > 0)) continue;
    int32_t* of_cell = farthest + static_cast<size_t>(cell) * blocks_;
    std::fill_n(of_cell, blocks_, 0);
    of_cell[0] = static_cast<int32_t>(known);
  }
}

void RoughLists::list(mt::Executor& executor, const FrameAnalysis& analysis,
                      const mt::SceneState* scene, bool rescaled, mt::RoughCandidates kernel) {
  const Clock::time_point begin = Clock::now();
  kernel.rough = rescaled ? rough_.data() : search_.data();
  kernel.found = found(kernel.found.near_limit, nullptr);
  kernel.priced_factor = priced_factor_;
  kernel.scene = scene;
  kernel.cells = analysis.on_device().stats;
  kernel.tiles = pool_->stats();
  kernel.priced_bound = priced_bound_.data();
  executor.launch(kernel, cells_);
  listing_ = Clock::now() - begin;
  plan_.took_roughly(search_count_, searching_ + listing_);
}

}  // namespace mosaic
