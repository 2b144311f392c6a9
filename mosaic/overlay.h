// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "cuda/block_search.h"
#include "cuda/executor.h"
#include "cuda/overlay.h"
#include "mosaic/grid.h"
#include "mosaic/motion_field.h"
#include "mosaic/picture.h"
#include "mosaic/saliency.h"

namespace mosaic {

/// What an overlay shows; any of them together.
enum OverlayFlag : unsigned {
  kOverlayGrid = 1,      ///< a black line between cells
  kOverlayChanged = 2,   ///< a red border around cells whose tile is new
  kOverlayMotion = 4,    ///< from a dot in each cell that moved a line to where it came from
  kOverlaySaliency = 8,  ///< green, the more a cell matters
  kOverlayCost = 16,     ///< red, the less the tile is like the cell
  kOverlayAge = 32,      ///< blue, the newer the tile: next to none after 63 frames
};

/// Draws the state of an engine over its picture, of which it makes a copy: the engine goes on with
/// the one that it has.
class Overlay {
 public:
  Overlay(const Grid& grid, const std::shared_ptr<mt::Executor>& executor);

  /// What cells are in one frame; spans are [cells].
  struct Cells {
    const Saliency& saliency;
    std::span<const int32_t> costs;          ///< of the tiles shown, 0 or more
    std::span<const int32_t> ages;           ///< see Engine::ages
    std::span<const mt::CellMotion> motion;  ///< empty: none is looked for
    std::span<const CellOrigin> field;       ///< made of it
  };

  /// Has the copy drawn. Call again only after that has been waited for.
  /// @param picture out_width x out_height; @param flags of OverlayFlag
  mt::Planes draw(mt::Executor& executor, const mt::Planes& picture, unsigned flags,
                  const Cells& cells);

 private:
  Grid grid_;
  Picture picture_;
  mt::Buffer<mt::CellMark> marks_;
};

}  // namespace mosaic
