// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "executor/executor.h"
#include "kernels/frame/scene_change.h"
#include "kernels/matching/candidates.h"
#include "kernels/matching/cost_scale.h"
#include "mosaic/analysis/analysis.h"
#include "mosaic/candidates/candidate_lists.h"
#include "mosaic/pool/pool_on_device.h"
#include "mosaic/tile_index/nearest_tiles.h"

namespace mosaic {

/// The default number of coarse distances in memory at once: those of 8,160 cells and 10,000 tiles
/// fit. If those of all cells do not, each is computed twice.
inline constexpr size_t kMaxDistances = size_t{96} << 20;

/// From so many tiles on, a CPU finds the nearest ones with an index, and no executor's
/// CandidateLists::by_price() is true.
inline constexpr int kIndexedTiles = 20000;

/// Makes the candidate lists of one stream of frames: compares each cell coarsely with every tile,
/// or searches an index, and compares it exactly with those that may be among the nearest.
///
/// All costs are relative to the cost scale, the largest distance of a frame. Within a
/// scene the scale is kept until that distance has changed by more than an eighth, so that not all
/// costs change in every frame.
class CandidateSource {
 public:
  /// @param max_distances see kMaxDistances
  /// @param indexed_tiles see kIndexedTiles
  CandidateSource(int cells, std::shared_ptr<const PoolOnDevice> pool,
                  const std::shared_ptr<mt::Executor>& executor,
                  size_t max_distances = kMaxDistances, int indexed_tiles = kIndexedTiles);

  /// Launches the kernels that make the lists of the cells that changed, or of all cells when the
  /// cost scale changes.
  /// @param scene  at a scene cut, the cost scale is set from this frame
  void enqueue(FrameAnalysis& analysis, const mt::SceneState* scene);

  /// Brings lists() up to date with what enqueue() launched, once the executor has finished that
  /// and `analysis` has been read back.
  void read_back(const FrameAnalysis& analysis);

  const CandidateLists& lists() const { return lists_; }

 private:
  void find_with_index(const FrameAnalysis& analysis);
  void compute_distances(const FrameAnalysis& analysis);
  void find_farthest(const FrameAnalysis& analysis);
  void rescale(const mt::SceneState* scene);
  void make_lists(FrameAnalysis& analysis);
  void compute_distances_of_batch(const mt::CellChoice& choice, int first);
  void make_lists_of_batch(const FrameAnalysis& analysis, const mt::CellChoice& choice, int first);
  int rows(int first) const { return std::min(batch_, lists_.cells() - first); }
  bool keeps_all_distances() const { return batch_ == lists_.cells(); }

  std::shared_ptr<const PoolOnDevice> pool_;
  std::shared_ptr<mt::Executor> executor_;
  CandidateLists lists_;
  std::optional<NearestTiles> nearest_;  ///< instead of coarse features and distances
  int blocks_;                           ///< of tiles, see mt::CoarseTiles
  int batch_;  ///< cells whose distances are in memory at once; if that is all, distances are kept
  mt::DeviceBuffer<int16_t> tiles_, coarse_;       ///< coarse features
  mt::DeviceBuffer<uint32_t> tile_norms_, norms_;  ///< of coarse features
  mt::DeviceBuffer<uint32_t> distances_, coarse_farthest_, farthest_limit_;
  mt::DeviceBuffer<uint32_t> limits_;  ///< see mt::Candidates::limits
  mt::DeviceBuffer<int32_t> farthest_;
  mt::DeviceBuffer<mt::CostScale> kept_scales_;
};

}  // namespace mosaic
