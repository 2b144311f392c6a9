// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "executor/executor.h"
#include "mosaic/analysis/motion_field.h"
#include "mosaic/analysis/saliency.h"
#include "mosaic/assignment/assignment.h"
#include "mosaic/base/frame_budget.h"
#include "mosaic/base/grid.h"
#include "mosaic/candidates/candidate_lists.h"
#include "mosaic/candidates/tile_costs.h"
#include "mosaic/candidates/weighted_costs.h"
#include "mosaic/photo_uses/least_uses.h"
#include "mosaic/photo_uses/photo_assignment.h"
#include "mosaic/photo_uses/photo_separation.h"
#include "mosaic/photo_uses/turns.h"
#include "mosaic/photo_uses/uses.h"
#include "mosaic/placement/lookahead_costs.h"
#include "mosaic/placement/lookahead_lists.h"
#include "mosaic/placement/price.h"
#include "mosaic/placement/reranking.h"
#include "mosaic/pool/pool_on_device.h"

namespace mosaic {

/// Figures about the placement of one frame.
struct PlacementResult {
  double mean_cost = 0;  ///< of the chosen tiles, without switching prices; 1: the cost scale
  double gap = 0;        ///< proven upper bound, see Assignment::gap
  double extra = 0;      ///< cost added by the separation of duplicates and the rerank, relative
  int reranked = 0;      ///< cells for which the rerank compared pictures
};

/// Chooses the tile that each cell shows, frame after frame: by an assignment of least cost, in
/// which a cell that changes its tile pays a switching price, and then the rerank.
class Placement {
 public:
  struct Settings {
    double beta = 0.3;
    unsigned dedup_radius = 4;
    TurnSettings turns;  ///< not where tiles are counted
    Effort effort = Effort::kExact;
    int swap_rounds = 0;             ///< see swap_neighbours
    int rerank = 0;                  ///< see Reranking::Settings::nearest
    PriceCurve price;                ///< switching prices for beta = 0.3
    LookaheadPrice lookahead_price;  ///< switching prices with a lookahead
    /// Of this frame, after begin_assignment(); null: unlimited. The rerank's time does not count.
    FrameBudget* budget = nullptr;
  };

  Placement(const Grid& grid, std::shared_ptr<const PoolOnDevice> pool, const UseLimit& uses,
            const std::shared_ptr<mt::Executor>& executor);

  /// Begins a frame; update() or set_tiles() comes next. At a keyframe no cell holds a tile.
  void begin_frame(const SceneUpdate& scene);

  /// Chooses the tiles of the frame. Waits for the executor if cells are reranked. Throws
  /// mt::Cancelled as the executor does; the next frame must then be a keyframe.
  /// @param lookahead costs in the frames to come, which advances to this frame here; null: none
  PlacementResult update(const AnalysedCells& analysis, const CandidateLists& candidates,
                         const Saliency& saliency, const Settings& settings,
                         LookaheadCosts* lookahead = nullptr);

  /// Moves held tiles along with the motion of the source: in the next update() a cell holds the
  /// tile of the cell that its content came from. @param field [cells]
  void move_tiles(std::span<const CellOrigin> field);

  /// Shows tiles that were not chosen here. @param tiles [cells]
  void set_tiles(std::span<const int32_t> tiles);

  const std::vector<int32_t>& tiles() const { return rerank_.tiles(); }  ///< [cells]
  int photos_in_time() const { return turns_.in_time(); }                ///< see there
  /// [cells]: of those tiles, see TileCosts; 0 after set_tiles().
  const std::vector<int32_t>& costs() const { return shown_cost_; }

 private:
  using Clock = FrameBudget::Clock;
  void price_held_tiles(const TileCosts& costs, const Saliency& saliency, const Settings& settings);
  void add_lookahead(const TileCosts& costs, const Settings& settings, LookaheadCosts& lookahead);
  void store_colours(const AnalysedCells& analysis);
  int64_t assign(const TileCosts& costs, const Settings& settings, const LookaheadCosts* lookahead,
                 PlacementResult& result);
  int64_t cost_with_changes(const TileCosts& costs, const LookaheadCosts* lookahead) const;
  void ask_for_photos(const TurnSettings& turns);
  void end_turns();
  void separate_photos(const Settings& settings);
  static std::optional<Clock::time_point> repair_deadline(const Settings& settings);
  int64_t price_tiles(const TileCosts& costs, const LookaheadCosts* lookahead,
                      const Assignment& solved);
  Clock::duration rerank(const TileCosts& costs, const Settings& settings,
                         const LookaheadCosts* lookahead);
  void sum_up(const TileCosts& costs, int64_t least, PlacementResult& result);

  Grid grid_;
  std::shared_ptr<const PoolOnDevice> pool_;
  std::shared_ptr<mt::Executor> executor_;
  UseLimit uses_;
  PhotoAssignment solver_;
  LeastUses least_uses_;
  PhotoSeparation separation_;
  Turns turns_;
  std::vector<int32_t> least_;    ///< [photos]: how often the frame uses each at least; empty: 0
  std::vector<int32_t> shown_;    ///< [cells]: photos
  std::vector<uint8_t> is_kept_;  ///< [photos]: by a cell, because it is the photo's turn
  Reranking rerank_;
  WeightedCosts weighted_;
  LookaheadLists lookahead_lists_;
  std::vector<int32_t> held_, held_cost_;  ///< [cells], see AssignmentProblem
  /// [cells]: the price of a change, as the curve says; and what is used instead, see there.
  std::vector<int32_t> price_, switching_price_;
  /// What lasts from frame to frame.
  struct State {
    std::vector<int32_t> tile;  ///< [cells]: of the assignment
    std::vector<int32_t> rgb;   ///< [cells][3]: sums of the source when the tile was assigned
    int64_t cost = 0;           ///< of all cells' tiles, switching prices not counted
  };
  State state_;
  KeptScenes<State> kept_;
  bool keyframe_ = true;                        ///< whether the frame is one
  std::vector<int32_t> own_cost_, shown_cost_;  ///< [cells]: of the tile assigned, of that shown
  std::vector<int32_t> from_, moved_tile_, moved_rgb_;  ///< scratch memory of move_tiles()
};

}  // namespace mosaic
