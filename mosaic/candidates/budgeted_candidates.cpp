// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/candidates/budgeted_candidates.h"

#include <chrono>

#include "cuda/matching/rough_nearest.h"

namespace mosaic {

BudgetedCandidates::BudgetedCandidates(int cells, const std::shared_ptr<const PoolOnDevice>& pool,
                                       const std::shared_ptr<mt::Executor>& executor,
                                       size_t max_distances)
    : exact_(cells, pool, executor, max_distances), rough_(cells, pool, executor, 1) {}

void BudgetedCandidates::enqueue(mt::Executor& executor, FrameAnalysis& analysis,
                                 const mt::SceneState* scene, const SearchBudget* budget) {
  both_ = budget || rough_.any();
  if (!both_) return exact_.enqueue(executor, analysis, scene, nullptr);
  enqueue_both(executor, analysis, scene, budget);
  exact_.lists().set_rough(
      rough_.any() ? CandidateLists::Rough{rough_.rough(), rough_.priced_bounds(), rough_.priced()}
                   : CandidateLists::Rough{});
}

void BudgetedCandidates::enqueue_both(mt::Executor& executor, FrameAnalysis& analysis,
                                      const mt::SceneState* scene, const SearchBudget* budget) {
  using Clock = std::chrono::steady_clock;
  CandidateLists& lists = exact_.lists();
  rough_.plan(analysis.on_device().changed, budget, scene, lists.scale()[0]);
  const ExactCandidates::Cells cells{rough_.exact(), rough_.rough()};
  const Clock::time_point begin = Clock::now();
  exact_.compute_distances(executor, analysis, cells);
  const Clock::duration distance_time = Clock::now() - begin;
  if (rough_.any_searched())
    rough_.search(executor, analysis, scene, exact_.kept_scales(), lists.memory().near_limit,
                  exact_.farthest());
  exact_.rescale(executor, scene);
  const Clock::time_point lists_begin = Clock::now();
  exact_.make_lists(executor, analysis, cells);
  rough_.record_exact(distance_time + (Clock::now() - lists_begin));
  rough_.list(executor, analysis, scene, lists);
}

void BudgetedCandidates::read_back(const FrameAnalysis& analysis) {
  if (!both_) return exact_.read_back(analysis);
  if (exact_.read_scale_back()) return;
  CandidateLists& lists = exact_.lists();
  lists.updated().clear();
  for (int cell = 0; cell < lists.cells(); ++cell)
    if (rough_.updated(cell)) lists.updated().push_back(cell);
}

}  // namespace mosaic
