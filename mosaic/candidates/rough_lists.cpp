// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/candidates/rough_lists.h"

#include <algorithm>
#include <cmath>

#include "mosaic/candidates/weighted_costs.h"

namespace mosaic {
namespace {

constexpr int kSlice = 128;  // cells that are searched before the clock is read again

}  // namespace

RoughLists::RoughLists(int cells, std::shared_ptr<const PoolOnDevice> pool,
                       const std::shared_ptr<mt::Executor>& executor, int blocks)
    : pool_(std::move(pool)),
      cells_(cells),
      blocks_(blocks),
      search_(executor, cells),
      exact_(executor, cells),
      rough_(executor, cells),
      sketches_(executor, static_cast<size_t>(pool_->host().tiles()) * mt::kSketchSize),
      price_(executor, pool_->host().tiles()),
      price_steps_(executor, cells),
      keys_(executor, static_cast<size_t>(cells) * mt::RoughTiles::kMax),
      threshold_hints_(executor, size_t{2} * cells),
      count_(executor, cells),
      distance_bound_(executor, cells),
      priced_distance_bound_(executor, cells),
      priced_bound_(executor, cells) {
  const int tiles = pool_->host().tiles();
  executor->launch(
      mt::SketchTiles{&mt::sketch_basis(), pool_->features().features, sketches_.data(), tiles},
      tiles);
}

void RoughLists::plan(const uint8_t* changed, const SearchBudget* search_budget,
                      const mt::SceneState* scene, const mt::CostScale& scale) {
  int changes = 0, left = 0;
  for (int cell = 0; cell < cells_; ++cell) {
    // An empty list is one that the last search did not reach.
    search_[cell] = changed[cell] || (rough_[cell] && count_[cell] == 0);
    changes += search_[cell];
    left += rough_[cell] && !search_[cell];
  }
  SearchPlan::Share share{true, left};
  if (search_budget) share = plan_.share(changes, left, search_budget->budget);
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
  deadline_ = Clock::now() + search_budget->budget;
  set_prices(*search_budget, scale);
}

/// Prepares the prices for the search: their signs, and the factors to the units of the search. The
/// prices are in the units of the last assignment, whose costs were multiplied by saliency weights.
void RoughLists::set_prices(const SearchBudget& search_budget, const mt::CostScale& scale) {
  priced_factor_ = scale.factor;
  std::transform(search_budget.prices.begin(), search_budget.prices.end(), price_.begin(),
                 [](int64_t price) { return static_cast<float>(-price); });
  constexpr double kGapDistance = (1 << mt::kGapBits) / double{mt::kSketchSquare};
  constexpr double kBelow = 1 - 1e-6;  // rounds down by a few steps of a float
  for (int cell = 0; cell < cells_; ++cell) {
    const double cost = saliency_of_weight(search_budget.weights[cell]) *
                        static_cast<double>(scale.factor) /
                        static_cast<double>(int64_t{1} << mt::kScaleBits);  // of a distance of 1
    price_steps_[cell] = cost > 0 ? static_cast<float>(kBelow / (cost * kGapDistance)) : 0;
  }
}

mt::RoughTiles RoughLists::found(int64_t* near_limit, int32_t* farthest) {
  return {keys_.data(),
          count_.data(),
          distance_bound_.data(),
          priced_distance_bound_.data(),
          near_limit,
          threshold_hints_.data(),
          farthest,
          blocks_};
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
  nearest.basis = &mt::sketch_basis();
  nearest.cells = analysis.on_device().features;
  nearest.tiles = pool_->features();
  nearest.sketches = {sketches_.data(), tiles};
  nearest.tile_count = tiles;
  nearest.price = price_.data();
  nearest.price_steps = price_steps_.data();
  nearest.scene = scene;
  nearest.out = found(near_limit, farthest);
  int done = 0;
  do {
    const int slice = std::min(kSlice, cells_ - done);
    executor.launch(nearest, slice);
    nearest.first = (nearest.first + slice) % cells_;
    done += slice;
  } while (done < cells_ && Clock::now() < deadline_ - listing_time_);
  first_ = nearest.first;
  for (int i = done; i < cells_; ++i) clear_list((first_ + i - done) % cells_);
  forget_farthest(*scene, kept, farthest);
  search_time_ = (Clock::now() - begin) * cells_ / done;
}

/// A cell that the search did not reach: its list is empty, and its bounds are 0.
void RoughLists::clear_list(int cell) {
  if (!search_[cell]) return;
  count_[cell] = distance_bound_[cell] = priced_distance_bound_[cell] = 0;
}

/// Removes the largest distances that were found in another scene, so that they do not determine
/// this one's cost scale: at a scene cut the scale comes from the cells that were searched, and a
/// scene that returns keeps its own scale until lists are exact.
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
                      const mt::SceneState* scene, CandidateLists& lists) {
  const bool rescaled = lists.scale()[0].changed;
  if (any_searched() || (any() && rescaled)) {
    const Clock::time_point begin = Clock::now();
    const CandidateLists::Memory to = lists.memory();
    mt::RoughCandidates kernel{};
    kernel.rough = rescaled ? rough_.data() : search_.data();
    kernel.found = found(to.near_limit, nullptr);
    kernel.scale = lists.scale().device();
    kernel.priced_factor = priced_factor_;
    kernel.scene = scene;
    kernel.wanted = lists.listed();
    kernel.cells = analysis.on_device().stats;
    kernel.tiles = pool_->stats();
    kernel.tile = to.tile;
    kernel.cost = to.cost;
    kernel.bound = to.bound;
    kernel.priced_bound = priced_bound_.data();
    kernel.nearest = to.nearest;
    executor.launch(kernel, cells_);
    listing_time_ = Clock::now() - begin;
    plan_.record_rough(search_count_, search_time_ + listing_time_);
  }
  // Bounds of earlier searches include earlier prices, so they no longer hold.
  for (int cell = 0; cell < cells_; ++cell)
    if (!search_[cell]) priced_bound_[cell] = rough_[cell] ? 0 : -1;
}

}  // namespace mosaic
