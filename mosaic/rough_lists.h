// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>

#include "cuda/executor.h"
#include "cuda/rough_nearest.h"
#include "mosaic/analysis.h"
#include "mosaic/pool_on_device.h"
#include "mosaic/search_plan.h"

namespace mosaic {

/// What there is to know where the tiles of a frame are to be listed in little time.
struct Haste {
  SearchPlan::Time budget;           ///< for the lists
  std::span<const int64_t> prices;   ///< [tiles], <= 0: column duals of the last frame
  std::span<const int32_t> weights;  ///< [cells]: of its saliency, see cost_weight
};

/// The cells of which only a few tiles are listed, for want of time: those that may be worth their
/// price (see mt::RoughNearest). For executors whose memory the host reaches.
class RoughLists {
 public:
  /// @param blocks see mt::RoughTiles
  RoughLists(int cells, std::shared_ptr<const PoolOnDevice> pool,
             const std::shared_ptr<mt::Executor>& executor, int blocks);

  /// Decides whose tiles are searched for how in this frame. @param haste null: all exactly
  void plan(const uint8_t* changed, const Haste* haste, const mt::SceneState* scene,
            const mt::CostScale& scale);
  /// Searches, each time from where it stopped the last time, until time is out.
  /// @param kept     [mt::kKeptScenes]: scales of scenes that may return
  /// @param farthest see mt::RoughTiles; of the cells searched, where a scene begins or returns
  void search(mt::Executor& executor, const FrameAnalysis& analysis, const mt::SceneState* scene,
              const mt::CostScale* kept, int64_t* near_limit, int32_t* farthest);
  /// @param rescaled whether costs have changed their scale
  /// @param kernel   what search() does not know is there already
  void list(mt::Executor& executor, const FrameAnalysis& analysis, const mt::SceneState* scene,
            bool rescaled, mt::RoughCandidates kernel);
  /// Takes note of what the exact searches of this frame took.
  void took_exactly(SearchPlan::Time time) { plan_.took_exactly(exact_count_, time); }

  const uint8_t* exact() const { return exact_.data(); }  ///< [cells]: listed so in this frame
  const uint8_t* rough() const { return rough_.data(); }  ///< [cells]: listed so in this or before
  bool any() const { return rough_count_ > 0; }
  bool any_searched() const { return search_count_ > 0; }
  bool updated(int cell) const { return exact_[cell] || search_[cell]; }  ///< in this frame
  bool priced() const { return priced_; }  ///< whether prices counted
  /// What no tile that is not listed costs less than, its price counted: nothing where prices have
  /// changed since; -1 where all is known.
  int32_t priced_bound(int cell) const {
    if (!rough_[cell]) return -1;
    return search_[cell] ? priced_bound_[cell] : 0;
  }

 private:
  using Clock = std::chrono::steady_clock;
  void take_prices(const Haste& haste, const mt::CostScale& scale);
  void pass_over(int cell);
  void forget_farthest(const mt::SceneState& scene, const mt::CostScale* kept, int32_t* farthest);
  mt::RoughTiles found(int64_t* near_limit, int32_t* farthest);

  std::shared_ptr<const PoolOnDevice> pool_;
  int cells_, blocks_;
  SearchPlan plan_;
  mt::Buffer<uint8_t> search_, exact_, rough_;  ///< searched for roughly in this frame
  int search_count_ = 0, exact_count_ = 0, rough_count_ = 0;
  bool priced_ = false;
  int64_t priced_factor_ = 0;
  Clock::time_point until_;                  ///< when the lists are to be there
  Clock::duration searching_{}, listing_{};  ///< what both take for all cells
  int first_ = 0;                            ///< where the next search begins
  mt::DeviceBuffer<int16_t> sketches_;
  mt::Buffer<float> price_, unit_;
  mt::DeviceBuffer<int64_t> keys_;
  mt::DeviceBuffer<int32_t> ends_;
  mt::Buffer<int32_t> count_, beyond_, priced_beyond_, priced_bound_;
};

}  // namespace mosaic
