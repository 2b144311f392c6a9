// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/candidate_lists.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "cuda/kernels.h"

namespace mosaic {
namespace {

// More make the solver ask for a whole row less often, fewer make the lists quicker to build.
constexpr int kListed = 128;

// Distances that are in memory at once.
constexpr size_t kDistances = size_t{16} << 20;

}  // namespace

CandidateLists::CandidateLists(int cells, std::shared_ptr<const Pool> pool,
                               const std::shared_ptr<mt::Executor>& executor)
    : pool_(std::move(pool)),
      cells_(cells),
      tiles_(pool_->tiles()),
      listed_(std::min(tiles_, kListed)),
      batch_(static_cast<int>(std::clamp<size_t>(kDistances / tiles_, 1, cells))),
      list_(executor, cells),
      distances_(executor, static_cast<size_t>(batch_) * tiles_),
      block_farthest_(executor, static_cast<size_t>(batch_) *
                                    ((tiles_ + mt::Distance::kTiles - 1) / mt::Distance::kTiles)),
      tile_(executor, static_cast<size_t>(cells) * listed_),
      cost_(executor, tile_.size()),
      bound_(executor, cells),
      near_limit_(executor, cells),
      farthest_(cells) {
  updated_.reserve(cells);
}

void CandidateLists::update(mt::Executor& executor, const FrameAnalysis& analysis, bool exact) {
  updated_ = analysis.changed();
  for (int first = 0; first < static_cast<int>(updated_.size()); first += batch_)
    measure(executor, analysis, first, std::min<int>(batch_, updated_.size() - first));
  const bool measured = static_cast<int>(updated_.size()) <= batch_;
  bool all = false;
  if (rescale(exact) && static_cast<int>(updated_.size()) < cells_) {
    updated_.resize(cells_);
    std::iota(updated_.begin(), updated_.end(), 0);
    all = true;
  }
  for (int first = 0; first < static_cast<int>(updated_.size()); first += batch_) {
    const int rows = std::min<int>(batch_, updated_.size() - first);
    if (all || !measured) measure(executor, analysis, first, rows);
    rank(executor, analysis, rows);
  }
}

void CandidateLists::measure(mt::Executor& executor, const FrameAnalysis& analysis, int first,
                             int rows) {
  std::copy_n(updated_.begin() + first, rows, list_.data());
  in_memory_ = rows;
  mt::Distance distance{list_.data(),
                        rows,
                        analysis.features(),
                        pool_->features().data(),
                        tiles_,
                        distances_.data(),
                        block_farthest_.data()};
  executor.launch(distance, distance.count());
  executor.wait();
  const int blocks = distance.tile_blocks();
  for (int r = 0; r < rows; ++r) {
    const int32_t* row = block_farthest_.data() + static_cast<size_t>(r) * blocks;
    farthest_[list_[r]] = *std::max_element(row, row + blocks);
  }
}

void CandidateLists::rank(mt::Executor& executor, const FrameAnalysis& analysis, int rows) {
  mt::Candidates candidates{};
  candidates.list = list_.data();
  candidates.distances = distances_.data();
  candidates.tile_count = tiles_;
  candidates.wanted = listed_;
  candidates.factor = factor_;
  candidates.cells = analysis.stats().data();
  candidates.tiles = pool_->stats().data();
  candidates.tile = tile_.data();
  candidates.cost = cost_.data();
  candidates.bound = bound_.data();
  candidates.near_limit = near_limit_.data();
  executor.launch(candidates, rows);
  executor.wait();
}

/// Returns whether the scale changed.
bool CandidateLists::rescale(bool exact) {
  const int64_t farthest = std::max(1, *std::max_element(farthest_.begin(), farthest_.end()));
  const bool keep = exact ? farthest == scale_ : std::abs(farthest - scale_) <= scale_ / 8;
  if (keep) return false;
  scale_ = farthest;
  factor_ = (int64_t{1} << (mt::kCostBits + mt::kScaleBits)) / scale_;
  return true;
}

int32_t CandidateLists::cost(const FrameAnalysis& analysis, int cell, int tile) const {
  const int16_t* features = analysis.features() + static_cast<size_t>(cell) * mt::kFeatureStride;
  const int16_t* of_tile =
      pool_->features().data() + static_cast<size_t>(tile) * mt::kFeatureStride;
  const int64_t key = mt::distance_key(mt::feature_distance(features, of_tile), tile);
  return mt::tile_cost(key, factor_, near_limit_[cell], analysis.stats()[cell].oklab,
                       pool_->stats().data());
}

void CandidateLists::all_costs(const FrameAnalysis& analysis, int cell, int32_t* out) const {
  const int32_t* end = list_.data() + in_memory_;
  const int32_t* at = std::lower_bound(list_.data(), end, cell);
  if (at == end || *at != cell) {
    for (int t = 0; t < tiles_; ++t) out[t] = cost(analysis, cell, t);
    return;
  }
  const int32_t* distance = distances_.data() + (at - list_.data()) * tiles_;
  for (int t = 0; t < tiles_; ++t)
    out[t] = mt::tile_cost(mt::distance_key(distance[t], t), factor_, near_limit_[cell],
                           analysis.stats()[cell].oklab, pool_->stats().data());
}

}  // namespace mosaic
