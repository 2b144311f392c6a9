// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <memory>

#include "mosaic/candidates/candidate_source.h"
#include "mosaic/candidates/exact_candidates.h"
#include "mosaic/candidates/rough_lists.h"

namespace mosaic {

/// Makes exact lists as far as the budget allows, and rough lists for the other cells that changed.
/// Rough lists become exact in later frames as time allows. Without a budget all lists are exact.
/// For executors whose memory the host can access and whose launches have finished on return.
class BudgetedCandidates final : public CandidateSource {
 public:
  /// @param max_distances see kMaxDistances
  BudgetedCandidates(int cells, const std::shared_ptr<const PoolOnDevice>& pool,
                     const std::shared_ptr<mt::Executor>& executor, size_t max_distances);

  void enqueue(mt::Executor& executor, FrameAnalysis& analysis, const mt::SceneState* scene,
               const SearchBudget* budget) override;
  void read_back(const FrameAnalysis& analysis) override;
  const CandidateLists& lists() const override { return exact_.lists(); }

 private:
  void enqueue_both(mt::Executor& executor, FrameAnalysis& analysis, const mt::SceneState* scene,
                    const SearchBudget* budget);

  ExactCandidates exact_;
  RoughLists rough_;
  bool both_ = false;  ///< whether rough_ took part in this frame
};

}  // namespace mosaic
