// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "executor/executor.h"
#include "kernels/matching/cost_scale.h"
#include "mosaic/analysis/analysis.h"
#include "mosaic/assignment/cost_block.h"
#include "mosaic/pool/pool_on_device.h"
#include "mosaic/tile_index/nearest_tiles.h"

namespace mosaic {

/// Tiles in a list, if there are so many. A longer list makes the solver ask for a whole row less
/// often, a shorter one is built faster.
inline constexpr int kListedTiles = 128;

/// The candidate list of each cell: tiles and their costs. A cost is mosaicraft's without the
/// saliency: the squared distance of the features divided by the largest of the frame, plus, for
/// the nearest 100 tiles, 0.2 x the distance in Oklab; all multiplied by 2^mt::kCostBits.
///
/// A list has the listed() tiles that cost least. A CandidateSource makes these lists; all other
/// code only reads them.
class CandidateLists {
 public:
  CandidateLists(int cells, std::shared_ptr<const PoolOnDevice> pool,
                 const std::shared_ptr<mt::Executor>& executor);

  // For the source, which writes the lists.

  /// Where kernels write the lists: arrays over all cells, as in mt::Candidates.
  struct Memory {
    int32_t *tile, *cost, *bound, *nearest;
    int64_t* near_limit;
  };
  Memory memory() {
    return {tile_.data(), cost_.data(), bound_.data(), nearest_.data(), near_limit_.data()};
  }
  mt::Mirror<mt::CostScale>& scale() { return scale_; }
  std::vector<int32_t>& updated() { return updated_; }
  /// Makes read_cheapest() possible.
  /// @param distances  [cells][tiles]: mt::CoarseDistance::distances, in memory that the host can
  /// read
  void set_coarse(const uint32_t* distances) { coarse_ = distances; }
  /// Updates factor() from the scale. To be called once the executor has finished.
  void read_scale_back() { factor_ = scale_[0].factor; }

  /// Sets by_price().
  void set_by_price(bool on) { by_price_ = on; }
  /// Makes read_cheapest() possible where there is an index.
  void set_nearest(const NearestTiles* nearest) { nearest_tiles_ = nearest; }

  /// Becomes a copy of other lists.
  void copy(const CandidateLists& from);

  // For all other code, which reads them.

  /// The cells whose lists the last frame made, ascending.
  const std::vector<int32_t>& updated() const { return updated_; }

  int cells() const { return cells_; }
  int tile_count() const { return tiles_; }
  int listed() const { return listed_; }  ///< tiles in each list
  const int32_t* tiles(int cell) const { return tile_.data() + size_t(cell) * listed_; }
  const int32_t* costs(int cell) const { return cost_.data() + size_t(cell) * listed_; }
  /// No tile outside the list costs less than this; INT32_MAX if all tiles are listed.
  int32_t bound(int cell) const { return bound_[cell]; }

  /// For kernels: [cells][mt::kRerankNearest] tiles, see mt::Candidates::nearest.
  const int32_t* nearest_on_device() const { return nearest_.data(); }

  /// Arguments of mt::tile_cost(): the factor of the cost scale, and the near limits [cells].
  int64_t factor() const { return factor_; }
  std::span<const int64_t> near_limits() const { return {near_limit_.data(), near_limit_.size()}; }

  /// What one tile costs a cell.
  int32_t cost(const AnalysedCells& analysis, int cell, int tile) const;
  /// Reads the costs of tiles. @param block  rows: cells; columns: tiles
  void read_costs(const AnalysedCells& analysis, const CostBlock& block) const;
  bool reads_cheapest() const { return coarse_ || nearest_tiles_; }
  /// See AssignmentProblem::by_price. Where an executor may have an index, which knows no prices,
  /// or does not keep all coarse distances, it is false for every executor: otherwise they could
  /// give different answers, where several are optimal.
  bool by_price() const { return by_price_; }
  /// As AssignmentProblem::read_cheapest, without prices; only where reads_cheapest().
  int read_cheapest(const AnalysedCells& analysis, int cell, int wanted, int32_t* tiles,
                    int32_t* costs) const;
  /// The costs of the tiles in a list. @param tiles, costs  [count]
  void read_costs_of(const AnalysedCells& analysis, int cell, const int32_t* tiles, int count,
                     int32_t* costs) const;
  /// [tiles]: mt::CoarseDistance::distances; only where reads_cheapest() and by_price().
  const uint32_t* coarse(int cell) const { return coarse_ + static_cast<size_t>(cell) * tiles_; }

 private:
  int32_t distance(const AnalysedCells& analysis, int cell, int tile) const;
  void turn_to_costs(const AnalysedCells& analysis, int cell, const int32_t* tiles, int count,
                     int32_t* distances) const;

  std::shared_ptr<const PoolOnDevice> pool_;
  int cells_, tiles_, listed_;
  mt::Mirror<mt::CostScale> scale_;
  mt::Buffer<int32_t> tile_, cost_, bound_;
  mt::Buffer<int32_t> nearest_;
  mt::Buffer<int64_t> near_limit_;
  int64_t factor_ = 0;
  std::vector<int32_t> updated_;
  bool by_price_ = false;
  const uint32_t* coarse_ = nullptr;             ///< see set_coarse()
  const NearestTiles* nearest_tiles_ = nullptr;  ///< see set_nearest()
};

}  // namespace mosaic
