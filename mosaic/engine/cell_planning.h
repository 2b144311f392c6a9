// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "mosaic/analysis/analysis.h"
#include "mosaic/analysis/continuation.h"
#include "mosaic/analysis/saliency.h"
#include "mosaic/drawing/cell_updates.h"
#include "mosaic/settings/look.h"

namespace mosaic {

/// Decides which cells of a frame are drawn again: those whose tile changed, whose weight was
/// replaced, or whose source changed by more than 1 + 0.75 `fidelity` visible steps since they were
/// last drawn. With fidelity there are crossfades only in cells whose source does not move: motion
/// masks a change, and a mixture of two photos shows neither.
class CellPlanning {
 public:
  explicit CellPlanning(int cells);

  /// @param tiles [cells]
  /// @param continuation unless the frame continues the last one, every cell is drawn, with its new
  ///              tile at once; after a change of the look every cell is drawn, too
  /// @param blend frames that a crossfade takes if the frame continues the last one, 0..16; 0: none
  /// @param redraw factor of the change of its source at which a cell is drawn again
  /// @return valid until the next call
  const CellUpdates& update(const AnalysedCells& analysis, const std::vector<int32_t>& tiles,
                            const Saliency& saliency, const Look& look, Continuation continuation,
                            int blend, double redraw = 1);

 private:
  CellUpdates updates_;
  Look look_;                       ///< of the last frame
  std::vector<int32_t> drawn_rgb_;  ///< [cells][3]: CellStats::rgb when a cell was last drawn
};

}  // namespace mosaic
