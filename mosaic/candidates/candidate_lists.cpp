// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/candidates/candidate_lists.h"

#include <array>

#include "executor/host_distances.h"
#include "kernels/matching/candidates.h"
#include "mosaic/assignment/assignment.h"

namespace mosaic {
CandidateLists::CandidateLists(int cells, std::shared_ptr<const PoolOnDevice> pool,
                               const std::shared_ptr<mt::Executor>& executor)
    : pool_(std::move(pool)),
      cells_(cells),
      tiles_(pool_->host().tiles()),
      listed_(std::min(tiles_, kListedTiles)),
      scale_(executor, 1),
      tile_(executor, static_cast<size_t>(cells) * listed_),
      cost_(executor, tile_.size()),
      bound_(executor, cells),
      nearest_(executor, static_cast<size_t>(cells) * mt::kRerankNearest),
      near_limit_(executor, cells) {
  updated_.reserve(cells);
}

void CandidateLists::copy(const CandidateLists& from) {
  std::copy(from.tile_.begin(), from.tile_.end(), tile_.begin());
  std::copy(from.cost_.begin(), from.cost_.end(), cost_.begin());
  std::copy(from.bound_.begin(), from.bound_.end(), bound_.begin());
  std::copy(from.nearest_.begin(), from.nearest_.end(), nearest_.begin());
  std::copy(from.near_limit_.begin(), from.near_limit_.end(), near_limit_.begin());
  factor_ = from.factor_;
  by_price_ = from.by_price_;
  updated_ = from.updated_;
}

int32_t CandidateLists::distance(const AnalysedCells& analysis, int cell, int tile) const {
  const Pool& pool = pool_->host();
  const mt::FineFeatures tiles{pool.features().data(), pool.residuals().data()};
  return mt::host_feature_distance(analysis.features().at(cell), tiles.at(tile));
}

int32_t CandidateLists::cost(const AnalysedCells& analysis, int cell, int tile) const {
  return mt::tile_cost(mt::distance_key(distance(analysis, cell, tile), tile), factor_,
                       near_limit_[cell], analysis.stats()[cell].oklab,
                       pool_->host().stats().data());
}

void CandidateLists::read_costs(const AnalysedCells& analysis, const CostBlock& block) const {
  const Pool& pool = pool_->host();
  const mt::FineFeatures tiles{pool.features().data(), pool.residuals().data()};
  const mt::CellStats* stats = pool.stats().data();
  std::array<mt::FineFeatures, mt::kCellsTogether> features;
  for (size_t first = 0; first < block.rows.size(); first += features.size()) {
    const size_t n = std::min(features.size(), block.rows.size() - first);
    for (size_t i = 0; i < n; ++i) features[i] = analysis.features().at(block.rows[first + i]);
    mt::feature_distances(features.data(), static_cast<int>(n), tiles.at(block.begin),
                          block.end - block.begin, block.of_row(first) + block.begin, block.stride);
  }
  for (size_t i = 0; i < block.rows.size(); ++i) {
    const int64_t factor = factor_, near_limit = near_limit_[block.rows[i]];
    const int32_t* oklab = analysis.stats()[block.rows[i]].oklab;
    int32_t* out = block.of_row(i);
    for (int t = block.begin; t < block.end; ++t)
      out[t] = mt::tile_cost(mt::distance_key(out[t], t), factor, near_limit, oklab, stats);
  }
}

int CandidateLists::read_cheapest(const AnalysedCells& analysis, int cell, int wanted,
                                  int32_t* tiles, int32_t* costs) const {
  const Pool& pool = pool_->host();
  static_assert(mt::kFindMargin <= kReadMargin);
  // Only the mt::kOklabNearest nearest tiles can cost more than farther ones do.
  const int need = std::min(wanted + mt::kOklabNearest, tiles_);
  auto* distance = reinterpret_cast<uint32_t*>(costs);
  const int n = nearest_tiles_
                    ? nearest_tiles_->read(analysis.features(), cell, need, tiles, distance)
                    : mt::near_tiles(analysis.features().at(cell),
                                     coarse_ + static_cast<size_t>(cell) * tiles_,
                                     {pool.features().data(), pool.residuals().data()}, tiles_,
                                     need, tiles, distance);
  turn_to_costs(analysis, cell, tiles, n, costs);
  return n;
}

void CandidateLists::read_costs_of(const AnalysedCells& analysis, int cell, const int32_t* tiles,
                                   int count, int32_t* costs) const {
  const Pool& pool = pool_->host();
  mt::listed_distances(analysis.features().at(cell),
                       {pool.features().data(), pool.residuals().data()}, tiles, count,
                       reinterpret_cast<uint32_t*>(costs));
  turn_to_costs(analysis, cell, tiles, count, costs);
}

void CandidateLists::turn_to_costs(const AnalysedCells& analysis, int cell, const int32_t* tiles,
                                   int count, int32_t* distances) const {
  const mt::CellStats* stats = pool_->host().stats().data();
  const int32_t* oklab = analysis.stats()[cell].oklab;
  for (int i = 0; i < count; ++i)
    distances[i] = mt::tile_cost(mt::distance_key(distances[i], tiles[i]), factor_,
                                 near_limit_[cell], oklab, stats);
}

}  // namespace mosaic
