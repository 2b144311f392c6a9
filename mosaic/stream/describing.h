// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "executor/executor.h"
#include "kernels/drawing/cell_correction.h"
#include "kernels/drawing/cell_pictures.h"
#include "mosaic/analysis/analysis.h"
#include "mosaic/analysis/continuation.h"
#include "mosaic/base/grid.h"
#include "mosaic/drawing/cell_updates.h"
#include "mosaic/settings/look.h"
#include "mosaic/stream/frame_state.h"

namespace mosaic::stream {

/// Describes mosaics instead of drawing them: finds what a receiver needs to draw them.
class Describing {
 public:
  /// @param grid of a mosaic that has the size of its source
  Describing(const Grid& grid, std::shared_ptr<mt::Executor> executor);

  /// What drawing would be given.
  struct Frame {
    Continuation continuation;
    int blend;  ///< FrameSettings::temporal_blend
    const std::vector<int32_t>& tiles;
    std::span<const uint8_t> in_region;
    const CellUpdates& updates;
  };
  /// Describes a frame. The first one, and one with a look that needs something else of the source
  /// (SourceNeeds), must draw every cell. Waits for the executor.
  /// @param source in_width x in_height
  /// @return valid until the next call
  const FrameState& describe(const mt::Planes& source, const AnalysedCells& cells,
                             const Frame& frame, const Look& look);

 private:
  void describe_means(const mt::Planes& source, const CellUpdates& updates);
  void describe_pictures(const AnalysedCells& cells, const CellUpdates& updates);

  Grid grid_;
  std::shared_ptr<mt::Executor> executor_;
  std::optional<FrameState> state_;
  mt::Buffer<int32_t> drawn_;
  mt::Buffer<mt::CellPaint> paint_;
  mt::Buffer<mt::CellMeans> means_;       ///< [cells]
  mt::Buffer<mt::CellPicture> pictures_;  ///< [drawn cells]
};

}  // namespace mosaic::stream
