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
                                 size_t max_distances, int indexed_tiles)
    : pool_(std::move(pool)),
      executor_(executor),
      lists_(cells, pool_, executor),
      blocks_(mt::CoarseTiles::blocks(lists_.tile_count())),
      batch_(static_cast<int>(std::clamp<size_t>(max_distances / lists_.tile_count(), 1, cells))),
      limits_(executor, cells),
      kept_scales_(executor, mt::kKeptScenes) {
  const bool indexed = lists_.tile_count() >= indexed_tiles;
  lists_.set_by_price(!indexed && keeps_all_distances());
  if (executor->unified() && indexed) {
    const mt::FineFeatures tiles{pool_->host().features().data(), pool_->host().residuals().data()};
    nearest_.emplace(cells, std::min(lists_.tile_count(), mt::Candidates::kNearest),
                     pool_->host().index(executor->workers()), tiles);
    lists_.set_nearest(&*nearest_);
    farthest_ = mt::DeviceBuffer<int32_t>(executor, 1);
    batch_ = cells;
    return;
  }
  farthest_ = mt::DeviceBuffer<int32_t>(executor, cells);
  const auto columns = static_cast<size_t>(blocks_) * mt::kProductColumns;
  tiles_ = mt::DeviceBuffer<int16_t>(executor, columns * mt::kFeatureStride);
  coarse_ = mt::DeviceBuffer<int16_t>(executor, static_cast<size_t>(cells) * mt::kFeatureStride);
  tile_norms_ = mt::DeviceBuffer<uint32_t>(executor, columns);
  norms_ = mt::DeviceBuffer<uint32_t>(executor, cells);
  distances_ =
      mt::DeviceBuffer<uint32_t>(executor, static_cast<size_t>(batch_) * lists_.tile_count());
  coarse_farthest_ = mt::DeviceBuffer<uint32_t>(executor, static_cast<size_t>(cells) * blocks_);
  farthest_limit_ = mt::DeviceBuffer<uint32_t>(executor, 1);
  if (executor->unified() && keeps_all_distances()) lists_.set_coarse(distances_.data());
  executor->launch(mt::CoarseTiles{.features = pool_->features().features,
                                   .tile_count = lists_.tile_count(),
                                   .columns = tiles_.data(),
                                   .norms = tile_norms_.data()},
                   blocks_);
}

void CandidateSource::enqueue(FrameAnalysis& analysis, const mt::SceneState* scene) {
  if (nearest_)
    find_with_index(analysis);
  else
    compute_distances(analysis);
  rescale(scene);
  make_lists(analysis);
}

/// On a CPU a launch has finished when it returns, so that its results can be read.
void CandidateSource::find_with_index(const FrameAnalysis& analysis) {
  const auto& cells = analysis.on_device();
  nearest_->update(cells.features, cells.changed, executor_->workers());
  farthest_.data()[0] = nearest_->farthest(cells.features, executor_->workers());
}

void CandidateSource::compute_distances(const FrameAnalysis& analysis) {
  const mt::CellChoice choice{analysis.on_device().changed, nullptr};
  executor_->launch(mt::CoarseCells{.choice = choice,
                                    .features = analysis.on_device().features.features,
                                    .coarse = coarse_.data(),
                                    .norms = norms_.data()},
                    lists_.cells());
  for (int first = 0; first < lists_.cells(); first += batch_)
    compute_distances_of_batch(choice, first);
  find_farthest(analysis);
}

void CandidateSource::find_farthest(const FrameAnalysis& analysis) {
  executor_->launch(mt::FarthestLimit{.coarse = coarse_farthest_.data(),
                                      .cells = lists_.cells(),
                                      .blocks = blocks_,
                                      .limit = farthest_limit_.data()},
                    1);
  executor_->launch(mt::Farthest{.coarse = coarse_farthest_.data(),
                                 .limit = farthest_limit_.data(),
                                 .cells = analysis.on_device().features,
                                 .tiles = pool_->features(),
                                 .tile_count = lists_.tile_count(),
                                 .farthest = farthest_.data()},
                    lists_.cells());
}

void CandidateSource::rescale(const mt::SceneState* scene) {
  executor_->launch(mt::Rescale{.farthest = farthest_.data(),
                                .count = static_cast<int32_t>(farthest_.size()),
                                .scene = scene,
                                .scale = lists_.scale().device(),
                                .kept = kept_scales_.data()},
                    1);
  lists_.scale().fetch(*executor_);
}

void CandidateSource::make_lists(FrameAnalysis& analysis) {
  const mt::CellChoice choice{analysis.on_device().changed, lists_.scale().device()};
  for (int first = 0; first < lists_.cells(); first += batch_) {
    if (!keeps_all_distances()) compute_distances_of_batch(choice, first);
    make_lists_of_batch(analysis, choice, first);
  }
  analysis.fetch_features();
}

void CandidateSource::compute_distances_of_batch(const mt::CellChoice& choice, int first) {
  const mt::CoarseDistance distance{.choice = choice,
                                    .first = first,
                                    .rows = rows(first),
                                    .cells = coarse_.data(),
                                    .cell_norms = norms_.data(),
                                    .tiles = tiles_.data(),
                                    .tile_norms = tile_norms_.data(),
                                    .tile_count = lists_.tile_count(),
                                    .distances = distances_.data(),
                                    .farthest = coarse_farthest_.data()};
  executor_->launch(distance, distance.count());
}

void CandidateSource::make_lists_of_batch(const FrameAnalysis& analysis,
                                          const mt::CellChoice& choice, int first) {
  const CandidateLists::Memory to = lists_.memory();
  mt::Candidates candidates{};
  candidates.choice = choice;
  candidates.first = first;
  candidates.coarse = nearest_ ? nullptr : distances_.data();
  candidates.found = nearest_ ? nearest_->tiles() : nullptr;
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
  executor_->launch(candidates, rows(first));
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
