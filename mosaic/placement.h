// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cuda/executor.h"
#include "mosaic/ahead_costs.h"
#include "mosaic/assignment.h"
#include "mosaic/candidate_lists.h"
#include "mosaic/grid.h"
#include "mosaic/motion_field.h"
#include "mosaic/outlook.h"
#include "mosaic/pool_on_device.h"
#include "mosaic/price.h"
#include "mosaic/rerank.h"
#include "mosaic/saliency.h"
#include "mosaic/weighted_costs.h"

namespace mosaic {

/// The fewest uses of each tile that cover `cells`, or what the user allows.
/// Throws Error (kSettings) when `max_tile_uses` is not 0 and too few.
int tile_capacity(int cells, const Pool& pool, unsigned max_tile_uses);

/// What the placement of one frame came to.
struct PlacementResult {
  double mean_cost = 0;  ///< of the chosen tiles, prices not counted, 1 = the farthest tile
  double gap = 0;        ///< certified, see Assignment::gap
  double extra = 0;      ///< what keeping twins apart and the rerank added, relative to the cost
  int reranked = 0;      ///< cells that the rerank looked at
};

/// Which tile stands in which cell, from frame to frame: the assignment that costs least, where a
/// cell that changes its tile pays a price, and on top of it the rerank.
class Placement {
 public:
  struct Settings {
    double beta = 0.3;
    unsigned dedup_radius = 4;
    Effort effort = Effort::kExact;
    int swap_rounds = 0;  ///< see swap_neighbours
    int rerank = 0;       ///< see Rerank::Settings::nearest
    PriceCurve price;     ///< of a change, for beta = 0.3
    AheadPrice ahead;     ///< of one where the frames to come are known
    /// When the tiles are to be chosen, the rerank not counted.
    std::optional<AssignmentSolver::Clock::time_point> deadline;
  };

  Placement(const Grid& grid, std::shared_ptr<const PoolOnDevice> pool, int capacity,
            const std::shared_ptr<mt::Executor>& executor);

  /// How much of the time for a frame's tiles their lists may take.
  AssignmentSolver::Clock::duration time_to_list(AssignmentSolver::Clock::duration budget) const;

  /// Chooses the tiles of a frame. Waits for the executor if cells are reranked.
  /// @param keep    the tiles of the last frame are held on to
  /// @param outlook what the frames to come say, turned to this one here; null: nothing is known
  PlacementResult update(mt::Executor& executor, const FrameAnalysis& analysis,
                         const CandidateLists& candidates, const Saliency& saliency, bool keep,
                         const Settings& settings, Outlook* outlook = nullptr);

  /// In the next update() cells hold on to the tiles that came with their content, rather than to
  /// their own. @param field [cells]
  void carry(std::span<const CellOrigin> field);

  /// Takes the tiles of a frame that somebody else chose. @param tiles [cells]
  void take(std::span<const int32_t> tiles);

  /// What a tile costs a cell in this frame, saliency counted. @return 2^mt::kCostBits is the
  /// farthest tile of a cell of mean saliency
  int32_t cost(const FrameAnalysis& analysis, const CandidateLists& candidates, int cell,
               int tile) const {
    return costs_.cost(analysis, candidates, cell, tile);
  }

  /// What lists made in haste count by, see Haste; until the next update().
  std::span<const int64_t> prices() const { return prices_; }
  std::span<const int32_t> weights() const { return costs_.weight(); }

  /// Keeps what lasts from frame to frame, and goes on from that in the next update().
  /// @param scene 1..mt::kKeptScenes
  void keep(int scene);
  void recall(int scene);

  const std::vector<int32_t>& tiles() const { return rerank_.tiles(); }  ///< [cells]
  /// [cells]: of those tiles, with saliency; 0 where somebody else chose them.
  const std::vector<int32_t>& costs() const { return shown_cost_; }

 private:
  using Clock = AssignmentSolver::Clock;
  void hold(mt::WorkerPool& workers, const FrameAnalysis& analysis,
            const CandidateLists& candidates, bool keep, const Settings& settings);
  void look_ahead(mt::WorkerPool& workers, const FrameAnalysis& analysis,
                  const CandidateLists& candidates, const Settings& settings, Outlook& outlook);
  void remember(const FrameAnalysis& analysis);
  std::optional<int64_t> assign(const FrameAnalysis& analysis, const CandidateLists& candidates,
                                const Settings& settings, const Outlook* outlook,
                                PlacementResult& result);
  void price_tiles(const FrameAnalysis& analysis, const CandidateLists& candidates,
                   const Outlook* outlook, const Assignment& solved);
  void reserve(Clock::duration past);
  void sum_up(const FrameAnalysis& analysis, const CandidateLists& candidates,
              std::optional<int64_t> before_twins, PlacementResult& result);

  Grid grid_;
  std::shared_ptr<const PoolOnDevice> pool_;
  int capacity_;
  AssignmentSolver solver_;
  Clock::time_point aim_;  ///< when the last limited solve was to end
  /// How far past its deadline a solve and what follows went of late; at first a guess.
  Clock::duration reserve_ = std::chrono::milliseconds(2);
  Rerank rerank_;
  WeightedCosts costs_;
  AheadCosts ahead_;  ///< used where the frames to come are known
  std::vector<int32_t> held_, held_cost_, discount_;
  std::vector<int64_t> prices_;  ///< [tiles]: column duals of the last assignment
  std::vector<int32_t> rgb_;     ///< [cells][3]: the source's sums when assigned_ was set
  std::vector<int32_t> assigned_, own_cost_, shown_cost_;
  std::vector<int32_t> from_, carried_tile_, carried_rgb_;  ///< of carry()
  int64_t assigned_cost_ = 0;  ///< of the last frame, all cells, prices not counted
  struct Kept {
    std::vector<int32_t> assigned, rgb;
    int64_t assigned_cost;
  };
  std::array<Kept, mt::kKeptScenes> kept_;
};

}  // namespace mosaic
