// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cuda/executor.h"
#include "mosaic/assignment.h"
#include "mosaic/candidate_lists.h"
#include "mosaic/grid.h"
#include "mosaic/pool.h"
#include "mosaic/saliency.h"

namespace mosaic {

/// The fewest uses of each tile that cover `cells`, or what the user allows.
/// Throws Error (kSettings) when `max_tile_uses` is not 0 and too few.
int tile_capacity(int cells, const Pool& pool, unsigned max_tile_uses);

/// What the assignment of one frame came to.
struct PlacementResult {
  double mean_cost = 0;  ///< of the chosen tiles, prices not counted, 1 = the farthest tile
  double gap = 0;        ///< certified, see Assignment::gap
  double extra = 0;      ///< what keeping twins apart added, relative to the cost
};

/// Which tile stands in which cell, from frame to frame: the assignment that costs least, where a
/// cell that changes its tile pays a price.
class Placement {
 public:
  struct Settings {
    double beta = 0.3;
    unsigned dedup_radius = 4;
    Effort effort = Effort::kExact;
    std::optional<AssignmentSolver::Clock::time_point> deadline;
  };

  Placement(const Grid& grid, std::shared_ptr<const Pool> pool, int capacity);

  /// Chooses the tiles of a frame. @param keep the tiles of the last frame are held on to
  PlacementResult update(mt::WorkerPool& workers, const FrameAnalysis& analysis,
                         const CandidateLists& candidates, const Saliency& saliency, bool keep,
                         const Settings& settings);

  /// Takes the tiles of a frame that somebody else chose. @param tiles [cells]
  void take(std::span<const int32_t> tiles);

  const std::vector<int32_t>& tiles() const { return tile_; }            ///< [cells]
  const std::vector<int32_t>& last_tiles() const { return last_tile_; }  ///< [cells], -1: none

 private:
  void weigh(mt::WorkerPool& workers, const CandidateLists& candidates, const Saliency& saliency,
             bool all);
  void hold(const FrameAnalysis& analysis, const CandidateLists& candidates, bool keep,
            double beta);
  int32_t weighted(int cell, int32_t cost) const;

  Grid grid_;
  std::shared_ptr<const Pool> pool_;
  int capacity_;
  AssignmentSolver solver_;
  std::vector<int32_t> weight_;        ///< [cells], saliency times 2^8
  std::vector<int32_t> cost_, bound_;  ///< [cells][listed], [cells]: with saliency
  std::vector<int32_t> held_, held_cost_, discount_;
  std::vector<int32_t> tile_, last_tile_;
  std::vector<uint8_t> unchanged_;  ///< [cells] costs are those of the last frame
  int64_t chosen_cost_ = 0;         ///< of the last frame, all cells, prices not counted
};

}  // namespace mosaic
