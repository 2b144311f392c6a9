// SPDX-License-Identifier: LGPL-2.1-or-later
// photomosaic-video 0.1.0's rule of which cell changes its tile when, with its constants.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/source.h"

namespace bench {

/// Between keyframes a cell may take a free tile when its mean colour has drifted since it was last
/// looked at, and does when that makes its cost a tenth less. One after the other takes what is
/// best for itself.
class Gates {
 public:
  explicit Gates(const mosaic::Grid& grid);

  void reset(const mosaic::FrameAnalysis& analysis, const std::vector<int32_t>& tiles);
  void update(const Source& source);
  const std::vector<int32_t>& tiles() const { return tile_; }  ///< [cells]

 private:
  bool may_change(const mosaic::FrameAnalysis& analysis, int cell) const;
  void look(const mosaic::FrameAnalysis& analysis, int cell);

  int cells_, pixels_;
  std::vector<int32_t> tile_;
  std::vector<uint8_t> used_;            ///< [tiles]
  std::vector<int32_t> looked_, light_;  ///< [cells][3], [cells]: sums when last looked at, changed
  std::vector<int32_t> costs_;           ///< [tiles]
};

}  // namespace bench
