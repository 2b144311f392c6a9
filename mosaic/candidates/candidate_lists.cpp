// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/candidates/candidate_lists.h"

#include "cuda/matching/candidates.h"
#include "cuda/run/host_distances.h"

namespace mosaic {
namespace {

// A longer list makes the solver ask for a whole row less often, a shorter one is built faster.
constexpr int kListed = 128;

}  // namespace

CandidateLists::CandidateLists(int cells, std::shared_ptr<const PoolOnDevice> pool,
                               const std::shared_ptr<mt::Executor>& executor)
    : pool_(std::move(pool)),
      cells_(cells),
      tiles_(pool_->host().tiles()),
      listed_(std::min(tiles_, kListed)),
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

void CandidateLists::all_costs(const AnalysedCells& analysis, int cell, int32_t* out) const {
  const Pool& pool = pool_->host();
  const int64_t factor = factor_, near_limit = near_limit_[cell];
  const int32_t* oklab = analysis.stats()[cell].oklab;
  const mt::CellStats* stats = pool.stats().data();
  mt::feature_distances(analysis.features().at(cell),
                        {pool.features().data(), pool.residuals().data()}, tiles_, out);
  for (int t = 0; t < tiles_; ++t)
    out[t] = mt::tile_cost(mt::distance_key(out[t], t), factor, near_limit, oklab, stats);
}

}  // namespace mosaic
