// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/candidate_lists.h"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "cuda/kernels.h"

namespace mosaic {
namespace {

// More make the solver ask for a whole row less often, fewer make the lists quicker to build.
constexpr int kListed = 128;

}  // namespace

CandidateLists::CandidateLists(int cells, std::shared_ptr<const PoolOnDevice> pool,
                               const std::shared_ptr<mt::Executor>& executor, size_t most_distances)
    : pool_(std::move(pool)),
      cells_(cells),
      tiles_(pool_->host().tiles()),
      listed_(std::min(tiles_, kListed)),
      batch_(static_cast<int>(std::clamp<size_t>(most_distances / tiles_, 1, cells))),
      distances_(executor, static_cast<size_t>(batch_) * tiles_),
      farthest_(executor, static_cast<size_t>(cells) * mt::Distance::tile_blocks(tiles_)),
      host_distances_(executor, all_kept() && !executor->unified() ? distances_.size() : 0),
      scale_(executor, 1),
      kept_scales_(executor, mt::kKeptScenes),
      tile_(executor, static_cast<size_t>(cells) * listed_),
      cost_(executor, tile_.size()),
      bound_(executor, cells),
      nearest_(executor, static_cast<size_t>(cells) * mt::kRerankNearest),
      near_limit_(executor, cells) {
  updated_.reserve(cells);
  if (executor->unified())
    rough_.emplace(cells, pool_, executor, mt::Distance::tile_blocks(tiles_));
}

/// Where there is haste, or was until now, decides which lists are made and how.
void CandidateLists::plan(const FrameAnalysis& analysis, const mt::SceneState* scene,
                          const Haste* haste) {
  planned_ = rough_ && (haste || any_rough());
  if (planned_) rough_->plan(analysis.on_device().changed, haste, scene, scale_[0]);
}

mt::CellChoice CandidateLists::choice(const FrameAnalysis& analysis,
                                      const mt::CostScale* scale) const {
  if (!planned_) return {analysis.on_device().changed, scale};
  return {rough_->exact(), scale, rough_->rough()};
}

void CandidateLists::look(mt::Executor& executor, FrameAnalysis& analysis,
                          const mt::SceneState* scene, const Haste* haste) {
  using Clock = std::chrono::steady_clock;
  plan(analysis, scene, haste);
  const Clock::time_point begin = Clock::now();
  for (int first = 0; first < cells_; first += batch_) measure(executor, analysis, first, nullptr);
  const Clock::duration measuring = Clock::now() - begin;
  const bool searching = planned_ && rough_->any_searched();
  if (searching)
    rough_->search(executor, analysis, scene, kept_scales_.data(), near_limit_.data(),
                   farthest_.data());
  executor.launch(mt::Rescale{farthest_.data(), static_cast<int32_t>(farthest_.size()), scene,
                              scale_.device(), kept_scales_.data()},
                  1);
  scale_.fetch(executor);
  const Clock::time_point rank_begin = Clock::now();
  for (int first = 0; first < cells_; first += batch_) {
    if (!all_kept()) measure(executor, analysis, first, scale_.device());
    rank(executor, analysis, first);
  }
  if (planned_) rough_->took_exactly(measuring + (Clock::now() - rank_begin));
  if (searching || (any_rough() && scale_[0].changed)) rank_roughly(executor, analysis, scene);
  if (!all_kept()) analysis.fetch_features(executor);
}

void CandidateLists::collect(const FrameAnalysis& analysis) {
  if (scale_[0].changed) {
    updated_.resize(cells_);
    std::iota(updated_.begin(), updated_.end(), 0);
  } else if (planned_) {
    updated_.clear();
    for (int cell = 0; cell < cells_; ++cell)
      if (rough_->updated(cell)) updated_.push_back(cell);
  } else {
    updated_ = analysis.changed();
  }
}

void CandidateLists::measure(mt::Executor& executor, const FrameAnalysis& analysis, int first,
                             const mt::CostScale* scale) {
  const mt::Distance distance{
      choice(analysis, scale), first,  rows(first),       analysis.on_device().features,
      pool_->features(),       tiles_, distances_.data(), farthest_.data()};
  executor.launch(distance, distance.count());
}

void CandidateLists::rank(mt::Executor& executor, const FrameAnalysis& analysis, int first) {
  mt::Candidates candidates{};
  candidates.choice = choice(analysis, scale_.device());
  candidates.first = first;
  candidates.distances = distances_.data();
  candidates.distances_out = host_distances_.data();
  candidates.tile_count = tiles_;
  candidates.wanted = listed_;
  candidates.cells = analysis.on_device().stats;
  candidates.tiles = pool_->stats();
  candidates.tile = tile_.data();
  candidates.cost = cost_.data();
  candidates.bound = bound_.data();
  candidates.near_limit = near_limit_.data();
  candidates.nearest = nearest_.data();
  executor.launch(candidates, rows(first));
}

void CandidateLists::rank_roughly(mt::Executor& executor, const FrameAnalysis& analysis,
                                  const mt::SceneState* scene) {
  mt::RoughCandidates candidates{};
  candidates.found.near_limit = near_limit_.data();
  candidates.scale = scale_.device();
  candidates.wanted = listed_;
  candidates.tile = tile_.data();
  candidates.cost = cost_.data();
  candidates.bound = bound_.data();
  candidates.nearest = nearest_.data();
  rough_->list(executor, analysis, scene, scale_[0].changed, candidates);
}

/// [cells][tiles], but of rough lists; null where not all are kept.
const int32_t* CandidateLists::kept_distances() const {
  if (!all_kept()) return nullptr;
  return host_distances_.size() ? host_distances_.data() : distances_.data();
}

int32_t CandidateLists::distance(const FrameAnalysis& analysis, int cell, int tile) const {
  if (const int32_t* kept = kept_distances(); kept && !rough(cell))
    return kept[static_cast<size_t>(cell) * tiles_ + tile];
  const Pool& pool = pool_->host();
  const mt::FineFeatures tiles{pool.features().data(), pool.remainders().data()};
  return mt::feature_distance(analysis.features().at(cell), tiles.at(tile));
}

int32_t CandidateLists::cost(const FrameAnalysis& analysis, int cell, int tile) const {
  return mt::tile_cost(mt::distance_key(distance(analysis, cell, tile), tile), scale_[0].factor,
                       near_limit_[cell], analysis.stats()[cell].oklab,
                       pool_->host().stats().data());
}

void CandidateLists::all_costs(const FrameAnalysis& analysis, int cell, int32_t* out) const {
  const int64_t factor = scale_[0].factor, near_limit = near_limit_[cell];
  const int32_t* oklab = analysis.stats()[cell].oklab;
  const mt::CellStats* stats = pool_->host().stats().data();
  for (int t = 0; t < tiles_; ++t)
    out[t] = mt::tile_cost(mt::distance_key(distance(analysis, cell, t), t), factor, near_limit,
                           oklab, stats);
}

}  // namespace mosaic
