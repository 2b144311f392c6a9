// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>

#include "cuda/executor.h"
#include "cuda/matching/rough_nearest.h"
#include "mosaic/analysis/analysis.h"
#include "mosaic/candidates/candidate_lists.h"
#include "mosaic/candidates/candidate_source.h"
#include "mosaic/candidates/search_plan.h"
#include "mosaic/pool/pool_on_device.h"

namespace mosaic {

/// Decides which cells have rough lists, and makes them. A rough list has some tens of tiles: those
/// whose cost plus price in the last assignment is estimated to be least (see mt::RoughNearest). It
/// takes a fraction of the time of an exact list. For executors whose memory the host can access.
class RoughLists {
 public:
  /// @param blocks see mt::RoughTiles
  RoughLists(int cells, std::shared_ptr<const PoolOnDevice> pool,
             const std::shared_ptr<mt::Executor>& executor, int blocks);

  /// Decides which cells get a new list in this frame, and which of these lists are exact.
  /// @param changed       [cells]: not 0 where the cell changed
  /// @param search_budget null: all lists that are new or rough become exact
  void plan(const uint8_t* changed, const SearchBudget* search_budget, const mt::SceneState* scene,
            const mt::CostScale& scale);
  /// Searches for the tiles of this frame's rough lists until the time is up, beginning with the
  /// cell where the last search ended. Cells that are not reached get an empty list, and are
  /// searched in the next frame.
  /// @param kept       [mt::kKeptScenes]: scales of scenes that may return
  /// @param near_limit see mt::RoughTiles
  /// @param farthest   see mt::RoughTiles; written for the searched cells at a scene cut or scene
  ///                   return
  void search(mt::Executor& executor, const FrameAnalysis& analysis, const mt::SceneState* scene,
              const mt::CostScale* kept, int64_t* near_limit, int32_t* farthest);
  /// Writes the rough lists that search() found or, if the cost scale changed, all rough lists.
  void list(mt::Executor& executor, const FrameAnalysis& analysis, const mt::SceneState* scene,
            CandidateLists& lists);
  /// Records how long the exact lists of this frame took, for the next plan().
  void record_exact(SearchPlan::Time time) { plan_.record_exact(exact_count_, time); }

  const uint8_t* exact() const { return exact_.data(); }  ///< [cells]: a new, exact list
  const uint8_t* rough() const { return rough_.data(); }  ///< [cells]: a rough list, new or not
  bool any() const { return rough_count_ > 0; }
  bool any_searched() const { return search_count_ > 0; }
  bool updated(int cell) const { return exact_[cell] || search_[cell]; }  ///< in this frame
  bool priced() const { return priced_; }  ///< see CandidateLists::priced()
  /// [cells], see CandidateLists::priced_bound(); 0 for rough lists of earlier frames, as prices
  /// have changed since.
  const int32_t* priced_bounds() const { return priced_bound_.data(); }

 private:
  using Clock = std::chrono::steady_clock;
  void set_prices(const SearchBudget& search_budget, const mt::CostScale& scale);
  void clear_list(int cell);
  void forget_farthest(const mt::SceneState& scene, const mt::CostScale* kept, int32_t* farthest);
  mt::RoughTiles found(int64_t* near_limit, int32_t* farthest);

  std::shared_ptr<const PoolOnDevice> pool_;
  int cells_, blocks_;
  SearchPlan plan_;
  mt::Buffer<uint8_t> search_, exact_, rough_;  ///< [cells]: a new rough list; see exact(), rough()
  int search_count_ = 0, exact_count_ = 0, rough_count_ = 0;
  bool priced_ = false;
  int64_t priced_factor_ = 0;
  Clock::time_point deadline_;  ///< when the lists are to be ready
  /// What search() and list() took, for all cells.
  Clock::duration search_time_{}, listing_time_{};
  int first_ = 0;  ///< where the next search begins
  mt::DeviceBuffer<int16_t> sketches_;
  mt::Buffer<float> price_, price_steps_;
  mt::DeviceBuffer<int64_t> keys_;
  mt::DeviceBuffer<int32_t> threshold_hints_;
  mt::Buffer<int32_t> count_, distance_bound_, priced_distance_bound_, priced_bound_;
};

}  // namespace mosaic
