// SPDX-License-Identifier: LGPL-2.1-or-later
// The rule by which photomosaic-video 0.1.0 changes the tiles of cells, with its constants.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/source.h"

namespace bench {

/// Between keyframes, the tile of a cell is reconsidered when the cell's mean colour has drifted
/// since this was last done, or its lightness since the tile was set. The cell takes the best free
/// tile if that costs at least a tenth less than its own. Cells choose one after the other.
class Gates {
 public:
  explicit Gates(const mosaic::Grid& grid);

  void reset(const mosaic::AnalysedCells& analysis, const std::vector<int32_t>& tiles);
  void update(const Source& source);
  const std::vector<int32_t>& tiles() const { return tile_; }  ///< [cells]

 private:
  bool may_change(const mosaic::AnalysedCells& analysis, int cell) const;
  void record_colour(const mosaic::AnalysedCells& analysis, int cell);

  int cells_, pixels_;
  std::vector<int32_t> tile_;
  std::vector<uint8_t> used_;  ///< [tiles]
  /// [cells][3]: sums of R, G and B when the tile was last reconsidered; [cells]: the total of
  /// these sums when it was set
  std::vector<int32_t> recorded_colour_, lightness_;
  std::vector<int32_t> costs_;  ///< [tiles]
};

}  // namespace bench
