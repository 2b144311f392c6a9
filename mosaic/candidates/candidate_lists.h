// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cuda/executor.h"
#include "cuda/matching/cost_scale.h"
#include "mosaic/analysis/analysis.h"
#include "mosaic/pool/pool_on_device.h"

namespace mosaic {

/// The candidate list of each cell: tiles and their costs. A cost is mosaicraft's without the
/// saliency: the squared distance of the features divided by the largest of the frame, plus, for
/// the nearest 100 tiles, 0.2 x the distance in Oklab; all multiplied by 2^mt::kCostBits.
///
/// A CandidateSource makes these lists; all other code only reads them. A list is exact or rough.
/// An exact list has the listed() tiles that cost least. A rough list has some tiles, not
/// necessarily the cheapest, and a lower bound on what the others cost.
class CandidateLists {
 public:
  /// What a source knows about its rough lists. There are none if `cells` is null.
  struct Rough {
    const uint8_t* cells = nullptr;         ///< [cells]: not 0 where the list is rough
    const int32_t* priced_bound = nullptr;  ///< [cells]: see priced_bound()
    bool priced = false;                    ///< see priced()
  };

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
  void set_rough(const Rough& rough) { rough_ = rough; }
  /// Makes factor() that of the scale, once the executor has finished.
  void read_scale_back() { factor_ = scale_[0].factor; }

  /// Becomes a copy of lists that are all exact.
  void copy(const CandidateLists& from);

  // For all other code, which reads them.

  /// The cells whose lists the last frame made, ascending.
  const std::vector<int32_t>& updated() const { return updated_; }

  int cells() const { return cells_; }
  int tile_count() const { return tiles_; }
  int listed() const { return listed_; }  ///< tiles in each exact list
  const int32_t* tiles(int cell) const { return tile_.data() + size_t(cell) * listed_; }
  const int32_t* costs(int cell) const { return cost_.data() + size_t(cell) * listed_; }
  /// No tile outside the list costs less than this; INT32_MAX if all tiles are listed.
  int32_t bound(int cell) const { return bound_[cell]; }

  /// Whether any list is rough. A rough list may have fewer than listed() tiles: it ends at the
  /// first cost of INT32_MAX.
  bool any_rough() const { return rough_.cells != nullptr; }
  bool rough(int cell) const { return rough_.cells && rough_.cells[cell]; }
  /// For every tile outside a rough list, cost - SearchBudget::prices[tile] is at least this; -1
  /// where the list is exact.
  int32_t priced_bound(int cell) const { return rough_.cells ? rough_.priced_bound[cell] : -1; }
  /// Whether the search for rough lists used SearchBudget::prices. It does not at scene cuts and
  /// scene returns.
  bool priced() const { return rough_.priced; }

  /// For kernels: [cells][mt::kRerankNearest] tiles, see mt::Candidates::nearest.
  const int32_t* nearest_on_device() const { return nearest_.data(); }

  /// Arguments of mt::tile_cost(): the factor of the cost scale, and the near limits [cells].
  int64_t factor() const { return factor_; }
  std::span<const int64_t> near_limits() const { return {near_limit_.data(), near_limit_.size()}; }

  /// What one tile costs a cell.
  int32_t cost(const AnalysedCells& analysis, int cell, int tile) const;
  /// What every tile costs a cell. @param costs [tiles]
  void all_costs(const AnalysedCells& analysis, int cell, int32_t* costs) const;

 private:
  int32_t distance(const AnalysedCells& analysis, int cell, int tile) const;

  std::shared_ptr<const PoolOnDevice> pool_;
  int cells_, tiles_, listed_;
  mt::Mirror<mt::CostScale> scale_;
  mt::Buffer<int32_t> tile_, cost_, bound_;
  mt::Buffer<int32_t> nearest_;
  mt::Buffer<int64_t> near_limit_;
  int64_t factor_ = 0;
  std::vector<int32_t> updated_;
  Rough rough_;
};

}  // namespace mosaic
