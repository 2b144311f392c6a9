// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cuda/cell_stats.h"
#include "cuda/executor.h"
#include "mosaic/grid.h"
#include "mosaic/picture.h"

namespace mosaic {

/// Features and statistics of tiles, by the kernel that also looks at the cells of a frame.
/// @param pixels   [tiles][3: R, G, B][side][side]
/// @param side     8..256
/// @param features [tiles][mt::kFeatureStride], written
/// @param stats    [tiles], written
void describe_tiles(mt::Executor& executor, const uint8_t* pixels, int tiles, int side,
                    int16_t* features, mt::CellStats* stats);

/// What is known of the cells of the newest frame. A cell whose pixels are those of the frame
/// before is not looked at again.
class FrameAnalysis {
 public:
  FrameAnalysis(const Grid& grid, const std::shared_ptr<mt::Executor>& executor);

  /// Looks at a frame. @param source in_width x in_height; @param all also at unchanged cells
  void look(mt::Executor& executor, const mt::Planes& source, bool all);

  std::span<const mt::CellStats> stats() const { return {stats_.begin(), stats_.size()}; }
  const int16_t* features() const { return features_.data(); }  ///< [cells][mt::kFeatureStride]
  /// The cells that the last look() found changed, ascending.
  const std::vector<int32_t>& changed() const { return changed_; }

 private:
  Grid grid_;
  Picture stretched_;  ///< the frame at whole cells, where the grid asks for it
  mt::Buffer<uint8_t> pixels_, lab_, light_, looked_at_;
  mt::Buffer<int16_t> features_;
  mt::Buffer<mt::CellStats> stats_;
  std::vector<int32_t> changed_;
};

}  // namespace mosaic
