// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "mosaic/candidates/candidate_source.h"

namespace mosaic {

/// Exact lists of all cells, whatever the budget: each cell is compared with every tile, coarsely,
/// and exactly with those that may be among the nearest.
///
/// All costs are relative to the cost scale, the largest distance of a frame. Within a
/// scene the scale is kept until that distance has changed by more than an eighth, so that not all
/// costs change in every frame.
class ExactCandidates final : public CandidateSource {
 public:
  /// @param max_distances see kMaxDistances
  ExactCandidates(int cells, std::shared_ptr<const PoolOnDevice> pool,
                  const std::shared_ptr<mt::Executor>& executor, size_t max_distances);

  void enqueue(mt::Executor& executor, FrameAnalysis& analysis, const mt::SceneState* scene,
               const SearchBudget* budget) override;
  void read_back(const FrameAnalysis& analysis) override;
  const CandidateLists& lists() const override { return lists_; }

  // The steps of enqueue(), in this order, for a source that makes some of the lists itself.
  // Before rescale() that source may write farthest() of its own cells.

  /// Which lists are made: those of cells that changed, but not those that another source makes.
  struct Cells {
    const uint8_t* changed;             ///< [cells]
    const uint8_t* excluded = nullptr;  ///< [cells]: not 0: made by another source
  };
  void compute_distances(mt::Executor& executor, const FrameAnalysis& analysis, const Cells& cells);
  /// Brings the cost scale up to date; the host has it when the executor has finished.
  void rescale(mt::Executor& executor, const mt::SceneState* scene);
  void make_lists(mt::Executor& executor, FrameAnalysis& analysis, const Cells& cells);
  /// Reads the cost scale back. If it changed, sets CandidateLists::updated() to all cells.
  /// @return whether it changed
  bool read_scale_back();

  CandidateLists& lists() { return lists_; }
  /// [cells]: the largest distance of each cell that may have the largest of all; else 0
  int32_t* farthest() { return farthest_.data(); }
  /// [mt::kKeptScenes]: scales of scenes that may return
  const mt::CostScale* kept_scales() const { return kept_scales_.data(); }

 private:
  void find_farthest(mt::Executor& executor, const FrameAnalysis& analysis, const uint8_t* rough);
  void compute_distances_of_batch(mt::Executor& executor, const mt::CellChoice& choice, int first);
  void make_lists_of_batch(mt::Executor& executor, const FrameAnalysis& analysis,
                           const mt::CellChoice& choice, int first);
  int rows(int first) const { return std::min(batch_, lists_.cells() - first); }
  bool keeps_all_distances() const { return batch_ == lists_.cells(); }

  std::shared_ptr<const PoolOnDevice> pool_;
  CandidateLists lists_;
  int blocks_;  ///< of tiles, see mt::CoarseTiles
  int batch_;   ///< cells whose distances are in memory at once; if that is all, distances are kept
  mt::DeviceBuffer<int16_t> tiles_, coarse_;       ///< coarse features
  mt::DeviceBuffer<uint32_t> tile_norms_, norms_;  ///< of coarse features
  mt::DeviceBuffer<uint32_t> distances_, coarse_farthest_, farthest_limit_;
  mt::DeviceBuffer<uint32_t> limits_;  ///< see mt::Candidates::limits
  mt::DeviceBuffer<int32_t> farthest_;
  mt::DeviceBuffer<mt::CostScale> kept_scales_;
};

}  // namespace mosaic
