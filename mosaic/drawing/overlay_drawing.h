// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "executor/executor.h"
#include "kernels/drawing/overlay_marks.h"
#include "kernels/motion/block_search.h"
#include "mosaic/analysis/motion_field.h"
#include "mosaic/analysis/saliency.h"
#include "mosaic/base/grid.h"
#include "mosaic/base/picture.h"

namespace mosaic {

/// What an overlay shows; any of them together.
enum OverlayFlag : unsigned {
  kOverlayGrid = 1,      ///< a black line between cells
  kOverlayChanged = 2,   ///< a red border around cells whose tile is new
  kOverlayMotion = 4,    ///< a line from each cell that moved, towards where it came from
  kOverlaySaliency = 8,  ///< green: the stronger, the more the cell matters
  kOverlayCost = 16,     ///< red: the stronger, the higher the cost of the tile
  kOverlayAge = 32,      ///< blue: the stronger, the newer the tile; weakest after 63 frames
};

/// Draws the state of an engine over a copy of its picture; the engine's own is not changed.
class OverlayDrawing {
 public:
  OverlayDrawing(const Grid& grid, const std::shared_ptr<mt::Executor>& executor);

  /// The state of the cells in one frame; spans are [cells].
  struct Cells {
    const Saliency& saliency;
    std::span<const int32_t> costs;          ///< of the tiles shown, 0 or more
    std::span<const int32_t> ages;           ///< see Engine::ages
    std::span<const mt::CellMotion> motion;  ///< empty: motion is not searched for
    std::span<const CellOrigin> field;       ///< made from `motion`
  };

  /// Launches the drawing of the copy. Wait for the executor before the next call.
  /// @param picture out_width x out_height
  /// @param flags any of OverlayFlag
  mt::Planes draw(const mt::Planes& picture, unsigned flags, const Cells& cells);
  /// The same with the marks that draw() drew last, on another picture.
  mt::Planes draw_again(const mt::Planes& picture);

 private:
  Grid grid_;
  std::shared_ptr<mt::Executor> executor_;
  Picture picture_;
  mt::Buffer<mt::CellMark> marks_;
  mt::Overlay last_{};  ///< the last launch
};

}  // namespace mosaic
