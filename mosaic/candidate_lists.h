// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cuda/cost_scale.h"
#include "cuda/executor.h"
#include "mosaic/analysis.h"
#include "mosaic/pool_on_device.h"
#include "mosaic/rough_lists.h"

namespace mosaic {

/// For each cell the tiles that are nearest to it and what they cost, mosaicraft's cost without the
/// saliency: squared distance of features over the farthest of the frame, plus 0.2 x the distance
/// in Oklab for the nearest 100; times 2^mt::kCostBits.
///
/// The farthest distance, on which every cost hangs, is kept until it has moved by an eighth.
class CandidateLists {
 public:
  /// @param most_distances that are in memory at once; where that is not all of a frame's, they are
  ///                       computed twice, and whole rows on the host
  CandidateLists(int cells, std::shared_ptr<const PoolOnDevice> pool,
                 const std::shared_ptr<mt::Executor>& executor,
                 size_t most_distances = size_t{64} << 20);

  /// Has the lists made of the cells that changed, or of all when costs change their scale.
  /// @param scene at its cuts the scale is that of the very frame
  /// @param haste not null: where the host reaches the executor's memory, cells for which there is
  ///              no time get short lists of tiles that may be worth their price
  void look(mt::Executor& executor, FrameAnalysis& analysis, const mt::SceneState* scene,
            const Haste* haste = nullptr);
  /// Takes in what look() made, once that has been waited for and `analysis` has collected.
  void collect(const FrameAnalysis& analysis);

  /// The cells whose lists the last frame made, ascending.
  const std::vector<int32_t>& updated() const { return updated_; }

  int tile_count() const { return tiles_; }
  int listed() const { return listed_; }  ///< tiles in each list, where it is not rough
  const int32_t* tiles(int cell) const { return tile_.data() + size_t(cell) * listed_; }
  const int32_t* costs(int cell) const { return cost_.data() + size_t(cell) * listed_; }
  /// No tile outside the list costs less; INT32_MAX when there is none.
  int32_t bound(int cell) const { return bound_[cell]; }

  /// Whether there are rough lists: some tiles of all, which end where costs are INT32_MAX.
  bool any_rough() const { return rough_ && rough_->any(); }
  bool rough(int cell) const { return any_rough() && rough_->rough()[cell]; }
  /// No tile outside a rough list costs less, its price counted; -1 of others.
  int32_t priced_bound(int cell) const { return any_rough() ? rough_->priced_bound(cell) : -1; }
  /// Whether Haste::prices counted; they do not at cuts and where a scene returns.
  bool priced() const { return any_rough() && rough_->priced(); }

  /// What kernels read: [cells][mt::kRerankNearest] tiles, see mt::Candidates.
  const int32_t* nearest_on_device() const { return nearest_.data(); }

  /// What mt::tile_cost takes: the scale of costs, and [cells].
  int64_t factor() const { return scale_[0].factor; }
  std::span<const int64_t> near_limits() const { return {near_limit_.data(), near_limit_.size()}; }

  /// What one tile costs a cell.
  int32_t cost(const FrameAnalysis& analysis, int cell, int tile) const;
  /// What every tile costs a cell. @param costs [tiles]
  void all_costs(const FrameAnalysis& analysis, int cell, int32_t* costs) const;

 private:
  void plan(const FrameAnalysis& analysis, const mt::SceneState* scene, const Haste* haste);
  mt::CellChoice choice(const FrameAnalysis& analysis, const mt::CostScale* scale) const;
  void measure(mt::Executor& executor, const FrameAnalysis& analysis, int first,
               const mt::CostScale* scale);
  void rank(mt::Executor& executor, const FrameAnalysis& analysis, int first);
  void rank_roughly(mt::Executor& executor, const FrameAnalysis& analysis,
                    const mt::SceneState* scene);
  int rows(int first) const { return std::min(batch_, cells_ - first); }
  bool all_kept() const { return batch_ == cells_; }
  const int32_t* kept_distances() const;
  int32_t distance(const FrameAnalysis& analysis, int cell, int tile) const;

  std::shared_ptr<const PoolOnDevice> pool_;
  int cells_, tiles_, listed_;
  int batch_;  ///< cells whose distances are in memory at once; all of them: they are kept
  mt::DeviceBuffer<int32_t> distances_, farthest_;
  mt::Buffer<int32_t> host_distances_;  ///< where the host reaches them no other way
  mt::Mirror<mt::CostScale> scale_;
  mt::DeviceBuffer<mt::CostScale> kept_scales_;  ///< of scenes that may return
  mt::Buffer<int32_t> tile_, cost_, bound_;
  mt::DeviceBuffer<int32_t> nearest_;
  mt::Buffer<int64_t> near_limit_;
  std::vector<int32_t> updated_;
  std::optional<RoughLists> rough_;  ///< where the host reaches all memory
  bool planned_ = false;             ///< whether it said in this frame which lists are made
};

}  // namespace mosaic
