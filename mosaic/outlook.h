// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cuda/worker_pool.h"
#include "mosaic/analysis.h"
#include "mosaic/assignment.h"
#include "mosaic/candidate_lists.h"
#include "mosaic/pool_on_device.h"
#include "mosaic/saliency.h"
#include "mosaic/weighted_costs.h"

namespace mosaic {

/// What a change of tile costs where the frames to come are known, as shares of what a tile costs
/// on the mean in the frame's best assignment, for beta = 0.3.
struct AheadPrice {
  double any = 1;
  double quiet = 3.5;  ///< on top, where the cell's mean colour moves less than a visible step
};

/// What the frames to come make of a cell's tiles: how much dearer than the best course through
/// them it is to begin with one. A tile that fits for a moment is dear, one that will fit is not.
/// See docs/algorithm.md.
class Outlook {
 public:
  /// @param capacity see tile_capacity; @param frames to look ahead, at least 1
  Outlook(int cells, std::shared_ptr<const PoolOnDevice> pool, int capacity, int frames);

  /// Takes in the next frame, looked at and collected, its features fetched. No more of them than
  /// `frames` beyond the one that turn() went to.
  /// @param begins   a scene, or goes on with one that was gone
  /// @param deadline of the frame's own assignment, see AssignmentSolver::solve
  void foresee(mt::WorkerPool& workers, const FrameAnalysis& analysis,
               const CandidateLists& candidates, const Saliency& saliency, bool begins,
               std::optional<AssignmentSolver::Clock::time_point> deadline = std::nullopt);
  /// How many frames are known beyond the one that turn() went to.
  int ahead() const { return static_cast<int>(known_ - now_) - 1; }
  int frames() const { return frames_; }

  /// Goes on to the next frame of those known, of which there is one.
  /// @param held [cells] tiles of the frame before, or -1
  void turn(mt::WorkerPool& workers, std::span<const int32_t> held, double beta,
            const AheadPrice& price);

  /// In the frame that turn() went to, what it costs a cell to change its tile.
  int32_t price(int cell) const { return price_[cell]; }
  /// What tiles cost a cell later on: those of tiles(cell), in later(cell), and any other.
  std::span<const int32_t> tiles(int cell) const { return cells_[cell].judged; }
  std::span<const int32_t> later(int cell) const { return cells_[cell].later; }
  int32_t later_of_others(int cell) const { return others_[cell]; }
  int32_t later(int cell, int32_t tile) const;

  /// Forgets every frame.
  void forget();

 private:
  /// What a frame's costs are made of.
  struct Foreseen {
    std::vector<int16_t> features, remainders;  ///< [cells][mt::kFeatureStride]
    std::vector<std::array<int32_t, 3>> oklab;  ///< [cells], see mt::CellStats
    std::vector<int64_t> near_limit;            ///< [cells]
    std::vector<int32_t> weight;                ///< [cells]
    std::vector<uint8_t> quiet;                 ///< [cells]
    int64_t factor = 0;
    int64_t scene = 0;  ///< the number of its first frame
    /// Of its best assignment: what each tile is worth to others, and the mean cost of one.
    std::vector<int64_t> dual;  ///< [tiles], <= 0
    double unit = 0;
  };
  /// The tiles that are considered for a cell.
  struct Cell {
    std::vector<int32_t> tile;
    std::vector<int64_t> until;  ///< the last frame that named it
    std::vector<int64_t> from;   ///< the first frame whose cost is known
    std::vector<int32_t> cost;   ///< [tiles][slots]
    /// Of turn(): the tiles whose costs are known from its frame on, see tiles() and later().
    std::vector<int32_t> judged, later;
  };
  struct Scratch {
    std::vector<const int32_t*> cost;  ///< [judged][slots]
    std::vector<int64_t> worth;        ///< [judged]
  };

  Foreseen& frame(int64_t number) { return frame_[number % slots_]; }
  const Foreseen& frame(int64_t number) const { return frame_[number % slots_]; }
  void note(const FrameAnalysis& analysis, const CandidateLists& candidates, bool begins);
  void solve(const FrameAnalysis& analysis, const CandidateLists& candidates,
             std::optional<AssignmentSolver::Clock::time_point> deadline);
  void name_tiles(const CandidateLists& candidates, int cell);
  void name(int cell, int32_t tile, int64_t from, int64_t until);
  int32_t cost(int64_t number, int cell, int32_t tile) const;
  void drop(Cell& cell, int32_t held) const;
  void judge(int cell, int64_t last, double unit, const AheadPrice& price, Scratch& scratch);

  std::shared_ptr<const PoolOnDevice> pool_;
  int capacity_, frames_, slots_;
  WeightedCosts costs_;  ///< of the newest frame
  AssignmentSolver solver_;
  std::vector<int32_t> best_;  ///< [cells]: tiles of the newest frame
  std::vector<Foreseen> frame_;
  std::vector<Cell> cells_;
  std::vector<int32_t> price_, others_;  ///< [cells]
  std::vector<Scratch> scratch_;         ///< of each worker
  int64_t known_ = 0;                    ///< frames
  int64_t now_ = -1;
};

}  // namespace mosaic
