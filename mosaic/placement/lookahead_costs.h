// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "executor/worker_pool.h"
#include "mosaic/analysis/analysis.h"
#include "mosaic/analysis/saliency.h"
#include "mosaic/assignment/assignment.h"
#include "mosaic/candidates/candidate_lists.h"
#include "mosaic/candidates/tile_costs.h"
#include "mosaic/candidates/weighted_costs.h"
#include "mosaic/photo_uses/photo_assignment.h"
#include "mosaic/photo_uses/uses.h"
#include "mosaic/placement/price.h"
#include "mosaic/pool/pool_on_device.h"

namespace mosaic {

/// What each tile costs a cell in the frames to come: the cost of the cheapest sequence of tiles
/// that begins with it, less that of the cheapest sequence of all. A tile that suits the present
/// frame alone costs much, one that will also suit later frames costs little. See
/// docs/algorithm/assignment.md.
class LookaheadCosts {
 public:
  /// @param frames how many are known beyond the one that is drawn, at least 1
  LookaheadCosts(int cells, std::shared_ptr<const PoolOnDevice> pool, const UseLimit& uses,
                 int frames);

  /// Adds the newest frame, whose results were read back and whose features were fetched. At most
  /// `frames` are added beyond the one that advance() has reached.
  /// @param deadline of the frame's own assignment, see AssignmentSolver::solve
  void add_frame(mt::WorkerPool& workers, const AnalysedCells& analysis,
                 const CandidateLists& candidates, const Saliency& saliency,
                 Continuation continuation,
                 std::optional<AssignmentSolver::Clock::time_point> deadline = std::nullopt);
  int frames() const { return frames_; }

  /// Advances to the next of the frames that were added; there must be one.
  /// @param held   [cells] tiles assigned in the frame before, or -1
  /// @param shown  [cells] tiles that the cells showed instead, or -1; or empty
  /// @param factor see LookaheadPrice::at
  void advance(mt::WorkerPool& workers, std::span<const int32_t> held,
               std::span<const int32_t> shown, double factor, const LookaheadPrice& price);

  /// The switching price of a cell in the frame that advance() has reached.
  int32_t price(int cell) const { return price_[cell]; }
  /// The tiles that are considered for a cell, and their costs in that frame (see TileCosts).
  std::span<const int32_t> tiles(int cell) const { return cells_[cell].known; }
  std::span<const int32_t> costs(int cell) const { return cells_[cell].now; }
  /// Costs in the frames after that one: later_costs(cell) are those of tiles(cell), in the same
  /// order; all other tiles cost later_cost_of_others(cell).
  std::span<const int32_t> later_costs(int cell) const { return cells_[cell].later; }
  int32_t later_cost_of_others(int cell) const { return others_[cell]; }
  int32_t later_cost(int cell, int32_t tile) const;

  /// Forgets every frame.
  void forget();

 private:
  /// What a frame's costs are computed from.
  struct Frame {
    std::vector<int16_t> features, residuals;   ///< [cells][mt::kFeatureStride]
    std::vector<std::array<int32_t, 3>> oklab;  ///< [cells], see mt::CellStats
    std::vector<int64_t> near_limit;            ///< [cells]
    std::vector<int32_t> weight;                ///< [cells]
    std::vector<Movement> movement;             ///< [cells]: speed and region alone
    int64_t factor = 0;
    int64_t scene = 0;  ///< the number of the scene's first frame
    /// Of the frame's best assignment, without switching prices:
    std::vector<int64_t> dual;  ///< [units], <= 0: dual variables
    double mean_cost = 0;       ///< of a tile
  };
  /// The tiles that are considered for a cell.
  struct Cell {
    std::vector<int32_t> tile;
    std::vector<int64_t> until;  ///< the last frame in which it was among the cheapest
    std::vector<int64_t> from;   ///< the first frame whose cost is computed
    std::vector<int32_t> cost;   ///< [tiles][slots]
    /// Set by advance(): the tiles whose costs are computed from its frame on, see tiles(), costs()
    /// and later_costs().
    std::vector<int32_t> known, now, later;
  };
  /// What the switching prices of the frames are computed from.
  struct Prices {
    double unit;    ///< the cost that those of LookaheadPrice are multiples of
    double factor;  ///< see LookaheadPrice::at
    const LookaheadPrice& price;
  };
  struct Scratch {
    std::vector<const int32_t*> cost;  ///< [known][slots]
    std::vector<int64_t> sum;          ///< [known]
  };

  Frame& frame(int64_t number) { return frame_[number % slots_]; }
  const Frame& frame(int64_t number) const { return frame_[number % slots_]; }
  void store(const TileCosts& costs, const Saliency& saliency, bool begins);
  void solve(mt::WorkerPool& workers, const TileCosts& costs,
             std::optional<AssignmentSolver::Clock::time_point> deadline);
  void consider_cheapest(const CandidateLists& candidates, int cell);
  void consider(int cell, int32_t tile, int64_t from, int64_t until);
  int32_t cost(int64_t number, int cell, int32_t tile) const;
  void remove_unused(Cell& cell, int32_t held, int32_t shown) const;
  void compute_later_costs(int cell, int64_t last, const Prices& prices, Scratch& scratch);

  std::shared_ptr<const PoolOnDevice> pool_;
  UseLimit uses_;
  int frames_, slots_;
  WeightedCosts weighted_;  ///< of the newest frame
  PhotoAssignment solver_;
  std::vector<int32_t> best_;  ///< [cells]: tiles of the newest frame's best assignment
  std::vector<Frame> frame_;
  std::vector<Cell> cells_;
  std::vector<int32_t> price_, others_;  ///< [cells]: price(), later_cost_of_others()
  std::vector<Scratch> scratch_;         ///< of each worker
  int64_t known_ = 0;                    ///< frames added
  int64_t now_ = -1;                     ///< the frame that advance() has reached
};

}  // namespace mosaic
