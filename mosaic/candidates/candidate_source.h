// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "cuda/executor.h"
#include "cuda/frame/scene_change.h"
#include "mosaic/analysis/analysis.h"
#include "mosaic/candidates/candidate_lists.h"
#include "mosaic/pool/pool_on_device.h"

namespace mosaic {

/// How much time a frame's candidate lists may take, and what the search for rough lists needs.
struct SearchBudget {
  std::chrono::nanoseconds budget;   ///< for the lists of all cells
  std::span<const int64_t> prices;   ///< [tiles], <= 0: the last assignment's column duals
  std::span<const int32_t> weights;  ///< [cells]: the last assignment's, see cost_weight()
};

/// Makes the candidate lists of one stream of frames.
class CandidateSource {
 public:
  virtual ~CandidateSource() = default;

  /// Launches the kernels that make the lists of the cells that changed, or of all cells when the
  /// cost scale changes.
  /// @param scene  at a scene cut, the cost scale is set from this frame
  /// @param budget null: all lists are exact; else a source that can make rough lists makes some,
  ///               to keep within the budget
  virtual void enqueue(mt::Executor& executor, FrameAnalysis& analysis, const mt::SceneState* scene,
                       const SearchBudget* budget) = 0;
  void enqueue(mt::Executor& executor, FrameAnalysis& analysis, const mt::SceneState* scene) {
    enqueue(executor, analysis, scene, nullptr);
  }

  /// Brings lists() up to date with what enqueue() launched, once the executor has finished that
  /// and `analysis` has been read back.
  virtual void read_back(const FrameAnalysis& analysis) = 0;

  virtual const CandidateLists& lists() const = 0;
};

/// The default number of coarse distances in memory at once. If those of all cells do not fit, each
/// is computed twice.
inline constexpr size_t kMaxDistances = size_t{64} << 20;

/// The source for an executor: one that keeps to a budget if the host can access the executor's
/// memory, else one whose lists are always exact.
std::unique_ptr<CandidateSource> make_candidate_source(
    int cells, std::shared_ptr<const PoolOnDevice> pool,
    const std::shared_ptr<mt::Executor>& executor, size_t max_distances = kMaxDistances);

}  // namespace mosaic
