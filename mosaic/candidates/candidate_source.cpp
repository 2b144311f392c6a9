// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/candidates/candidate_source.h"

#include <algorithm>
#include <numeric>

#include "kernels/features/cell_stats.h"
#include "kernels/matching/candidates.h"
#include "kernels/matching/coarse_distance.h"

namespace mosaic {

CandidateSource::CandidateSource(int cells, std::shared_ptr<const PoolOnDevice> pool,
                                 const std::shared_ptr<mt::Executor>& executor,
                                 size_t max_distances)
    : pool_(std::move(pool)),
      lists_(cells, pool_, executor),
      blocks_(mt::CoarseTiles::blocks(lists_.tile_count())),
      batch_(static_cast<int>(std::clamp<size_t>(max_distances / lists_.tile_count(), 1, cells))),
      tiles_(executor, static_cast<size_t>(blocks_) * mt::kProductColumns * mt::kFeatureStride),
      coarse_(executor, static_cast<size_t>(cells) * mt::kFeatureStride),
      tile_norms_(executor, static_cast<size_t>(blocks_) * mt::kProductColumns),
      norms_(executor, cells),
      distances_(executor, static_cast<size_t>(batch_) * lists_.tile_count()),
      coarse_farthest_(executor, static_cast<size_t>(cells) * blocks_),
      farthest_limit_(executor, 1),
      limits_(executor, cells),
      farthest_(executor, cells),
      kept_scales_(executor, mt::kKeptScenes) {
  if (executor->unified() && keeps_all_distances()) lists_.set_coarse(distances_.data());
  executor->launch(mt::CoarseTiles{pool_->features().features, lists_.tile_count(), tiles_.data(),
                                   tile_norms_.data()},
                   blocks_);
}

void CandidateSource::enqueue(mt::Executor& executor, FrameAnalysis& analysis,
                              const mt::SceneState* scene) {
  compute_distances(executor, analysis);
  rescale(executor, scene);
  make_lists(executor, analysis);
}

void CandidateSource::compute_distances(mt::Executor& executor, const FrameAnalysis& analysis) {
  const mt::CellChoice choice{analysis.on_device().changed, nullptr};
  executor.launch(mt::CoarseCells{choice, analysis.on_device().features.features, coarse_.data(),
                                  norms_.data()},
                  lists_.cells());
  for (int first = 0; first < lists_.cells(); first += batch_)
    compute_distances_of_batch(executor, choice, first);
  find_farthest(executor, analysis);
}

void CandidateSource::find_farthest(mt::Executor& executor, const FrameAnalysis& analysis) {
  executor.launch(
      mt::FarthestLimit{coarse_farthest_.data(), lists_.cells(), blocks_, farthest_limit_.data()},
      1);
  executor.launch(
      mt::Farthest{coarse_farthest_.data(), farthest_limit_.data(), analysis.on_device().features,
                   pool_->features(), lists_.tile_count(), farthest_.data()},
      lists_.cells());
}

void CandidateSource::rescale(mt::Executor& executor, const mt::SceneState* scene) {
  executor.launch(mt::Rescale{farthest_.data(), static_cast<int32_t>(farthest_.size()), scene,
                              lists_.scale().device(), kept_scales_.data()},
                  1);
  lists_.scale().fetch(executor);
}

void CandidateSource::make_lists(mt::Executor& executor, FrameAnalysis& analysis) {
  const mt::CellChoice choice{analysis.on_device().changed, lists_.scale().device()};
  for (int first = 0; first < lists_.cells(); first += batch_) {
    if (!keeps_all_distances()) compute_distances_of_batch(executor, choice, first);
    make_lists_of_batch(executor, analysis, choice, first);
  }
  analysis.fetch_features(executor);
}

void CandidateSource::compute_distances_of_batch(mt::Executor& executor,
                                                 const mt::CellChoice& choice, int first) {
  const mt::CoarseDistance distance{choice,
                                    first,
                                    rows(first),
                                    coarse_.data(),
                                    norms_.data(),
                                    tiles_.data(),
                                    tile_norms_.data(),
                                    lists_.tile_count(),
                                    distances_.data(),
                                    coarse_farthest_.data()};
  executor.launch(distance, distance.count());
}

void CandidateSource::make_lists_of_batch(mt::Executor& executor, const FrameAnalysis& analysis,
                                          const mt::CellChoice& choice, int first) {
  const CandidateLists::Memory to = lists_.memory();
  mt::Candidates candidates{};
  candidates.choice = choice;
  candidates.first = first;
  candidates.coarse = distances_.data();
  candidates.features = analysis.on_device().features;
  candidates.tile_features = pool_->features();
  candidates.tile_count = lists_.tile_count();
  candidates.wanted = lists_.listed();
  candidates.cells = analysis.on_device().stats;
  candidates.tiles = pool_->stats();
  candidates.limits = limits_.data();
  candidates.tile = to.tile;
  candidates.cost = to.cost;
  candidates.bound = to.bound;
  candidates.near_limit = to.near_limit;
  candidates.nearest = to.nearest;
  executor.launch(candidates, rows(first));
}

void CandidateSource::read_back(const FrameAnalysis& analysis) {
  lists_.read_scale_back();
  if (!lists_.scale()[0].changed) {
    lists_.updated() = analysis.changed();
    return;
  }
  lists_.updated().resize(lists_.cells());
  std::iota(lists_.updated().begin(), lists_.updated().end(), 0);
}

}  // namespace mosaic
