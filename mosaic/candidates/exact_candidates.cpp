// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/candidates/exact_candidates.h"

#include <algorithm>
#include <numeric>

#include "cuda/features/cell_stats.h"
#include "cuda/matching/candidates.h"
#include "cuda/matching/distance.h"

namespace mosaic {

ExactCandidates::ExactCandidates(int cells, std::shared_ptr<const PoolOnDevice> pool,
                                 const std::shared_ptr<mt::Executor>& executor,
                                 size_t max_distances)
    : pool_(std::move(pool)),
      lists_(cells, pool_, executor),
      blocks_(mt::Distance::tile_blocks(lists_.tile_count())),
      batch_(static_cast<int>(std::clamp<size_t>(max_distances / lists_.tile_count(), 1, cells))),
      distances_(executor, static_cast<size_t>(batch_) * lists_.tile_count()),
      farthest_(executor, static_cast<size_t>(cells) * blocks_),
      host_distances_(executor,
                      keeps_all_distances() && !executor->unified() ? distances_.size() : 0),
      kept_scales_(executor, mt::kKeptScenes) {
  if (keeps_all_distances())
    lists_.set_distances(host_distances_.size() ? host_distances_.data() : distances_.data());
}

void ExactCandidates::enqueue(mt::Executor& executor, FrameAnalysis& analysis,
                              const mt::SceneState* scene, const SearchBudget*) {
  const Cells cells{analysis.on_device().changed};
  compute_distances(executor, analysis, cells);
  rescale(executor, scene);
  make_lists(executor, analysis, cells);
}

void ExactCandidates::compute_distances(mt::Executor& executor, const FrameAnalysis& analysis,
                                        const Cells& cells) {
  const mt::CellChoice choice{cells.changed, nullptr, cells.excluded};
  for (int first = 0; first < lists_.cells(); first += batch_)
    compute_distances_of_batch(executor, analysis, choice, first);
}

void ExactCandidates::rescale(mt::Executor& executor, const mt::SceneState* scene) {
  executor.launch(mt::Rescale{farthest_.data(), static_cast<int32_t>(farthest_.size()), scene,
                              lists_.scale().device(), kept_scales_.data()},
                  1);
  lists_.scale().fetch(executor);
}

void ExactCandidates::make_lists(mt::Executor& executor, FrameAnalysis& analysis,
                                 const Cells& cells) {
  const mt::CellChoice choice{cells.changed, lists_.scale().device(), cells.excluded};
  for (int first = 0; first < lists_.cells(); first += batch_) {
    if (!keeps_all_distances()) compute_distances_of_batch(executor, analysis, choice, first);
    make_lists_of_batch(executor, analysis, choice, first);
  }
  if (!keeps_all_distances()) analysis.fetch_features(executor);
}

void ExactCandidates::compute_distances_of_batch(mt::Executor& executor,
                                                 const FrameAnalysis& analysis,
                                                 const mt::CellChoice& choice, int first) {
  const mt::Distance distance{choice,
                              first,
                              rows(first),
                              analysis.on_device().features,
                              pool_->features(),
                              lists_.tile_count(),
                              distances_.data(),
                              farthest_.data()};
  executor.launch(distance, distance.count());
}

void ExactCandidates::make_lists_of_batch(mt::Executor& executor, const FrameAnalysis& analysis,
                                          const mt::CellChoice& choice, int first) {
  const CandidateLists::Memory to = lists_.memory();
  mt::Candidates candidates{};
  candidates.choice = choice;
  candidates.first = first;
  candidates.distances = distances_.data();
  candidates.distances_out = host_distances_.data();
  candidates.tile_count = lists_.tile_count();
  candidates.wanted = lists_.listed();
  candidates.cells = analysis.on_device().stats;
  candidates.tiles = pool_->stats();
  candidates.tile = to.tile;
  candidates.cost = to.cost;
  candidates.bound = to.bound;
  candidates.near_limit = to.near_limit;
  candidates.nearest = to.nearest;
  executor.launch(candidates, rows(first));
}

bool ExactCandidates::read_scale_back() {
  lists_.read_scale_back();
  if (!lists_.scale()[0].changed) return false;
  lists_.updated().resize(lists_.cells());
  std::iota(lists_.updated().begin(), lists_.updated().end(), 0);
  return true;
}

void ExactCandidates::read_back(const FrameAnalysis& analysis) {
  if (!read_scale_back()) lists_.updated() = analysis.changed();
}

}  // namespace mosaic
