// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/candidates/candidate_source.h"

#include <utility>

#include "mosaic/candidates/budgeted_candidates.h"
#include "mosaic/candidates/exact_candidates.h"

namespace mosaic {

std::unique_ptr<CandidateSource> make_candidate_source(
    int cells, std::shared_ptr<const PoolOnDevice> pool,
    const std::shared_ptr<mt::Executor>& executor, size_t max_distances) {
  if (executor->unified())
    return std::make_unique<BudgetedCandidates>(cells, std::move(pool), executor, max_distances);
  return std::make_unique<ExactCandidates>(cells, std::move(pool), executor, max_distances);
}

}  // namespace mosaic
