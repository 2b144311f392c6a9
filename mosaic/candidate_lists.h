// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cuda/executor.h"
#include "mosaic/analysis.h"
#include "mosaic/pool.h"

namespace mosaic {

/// For each cell the tiles that are nearest to it and what they cost, mosaicraft's cost without the
/// saliency: squared distance of features over the farthest of the frame, plus 0.2 x the distance
/// in Oklab for the nearest 100; times 2^mt::kCostBits.
///
/// The farthest distance, on which every cost hangs, is kept until it has moved by an eighth.
class CandidateLists {
 public:
  CandidateLists(int cells, std::shared_ptr<const Pool> pool,
                 const std::shared_ptr<mt::Executor>& executor);

  /// Makes the lists of the cells that changed, or of all when costs change their scale.
  /// @param exact the scale is that of this very frame
  void update(mt::Executor& executor, const FrameAnalysis& analysis, bool exact);

  /// The cells whose lists the last update() made, ascending.
  const std::vector<int32_t>& updated() const { return updated_; }

  int listed() const { return listed_; }  ///< tiles in each list
  const int32_t* tiles(int cell) const { return tile_.data() + size_t(cell) * listed_; }
  const int32_t* costs(int cell) const { return cost_.data() + size_t(cell) * listed_; }
  /// No tile outside the list costs less; INT32_MAX when there is none.
  int32_t bound(int cell) const { return bound_[cell]; }

  /// What one tile costs a cell.
  int32_t cost(const FrameAnalysis& analysis, int cell, int tile) const;
  /// What every tile costs a cell; quickest for the cells that the last update() measured together
  /// at its end. @param costs [tiles]
  void all_costs(const FrameAnalysis& analysis, int cell, int32_t* costs) const;

 private:
  void measure(mt::Executor& executor, const FrameAnalysis& analysis, int first, int rows);
  void rank(mt::Executor& executor, const FrameAnalysis& analysis, int rows);
  bool rescale(bool exact);

  std::shared_ptr<const Pool> pool_;
  int cells_, tiles_, listed_;
  int batch_;  ///< cells whose distances are in memory at once
  mt::Buffer<int32_t> list_, distances_, block_farthest_;
  mt::Buffer<int32_t> tile_, cost_, bound_;
  mt::Buffer<int64_t> near_limit_;
  int in_memory_ = 0;              ///< cells of list_, ascending, whose distances are there
  std::vector<int32_t> farthest_;  ///< [cells]
  std::vector<int32_t> updated_;
  int64_t scale_ = 0;   ///< the farthest distance that costs are relative to
  int64_t factor_ = 0;  ///< see mt::distance_cost
};

}  // namespace mosaic
