// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "cuda/crossfade.h"
#include "cuda/draw.h"
#include "cuda/executor.h"
#include "mosaic/analysis.h"
#include "mosaic/fades.h"
#include "mosaic/grid.h"
#include "mosaic/look.h"
#include "mosaic/picture.h"
#include "mosaic/pool_on_device.h"
#include "mosaic/saliency.h"

namespace mosaic {

/// How cells are drawn by a look.
mt::DrawLook draw_look(const Look& look);

/// The picture that lasts: a canvas on which a cell is drawn anew only when its tile changed, its
/// weight was replaced, or its source moved by more than 2 levels since it was last drawn. While a
/// cell changes its tile, both are drawn, each to the cell as it is now, on a canvas of its own,
/// and shown one through the other.
class Drawing {
 public:
  Drawing(const Grid& grid, std::shared_ptr<const PoolOnDevice> pool,
          const std::shared_ptr<mt::Executor>& executor);

  /// Has drawn what must be drawn. Call again only after that has been waited for. @param source
  /// in_width x in_height
  /// @param tiles [cells]
  /// @param all   every cell, and its new tile at once; a new look has every cell drawn, too
  /// @param blend frames over which the others change their tiles, 0..16
  /// @return cells that show something else now
  unsigned update(mt::Executor& executor, const mt::Planes& source, const FrameAnalysis& analysis,
                  const std::vector<int32_t>& tiles, const Saliency& saliency, const Look& look,
                  bool all, int blend);

  mt::Planes canvas();  ///< out_width x out_height

 private:
  /// What a canvas on which tiles change at once does without.
  struct Fading {
    Fading(const Grid& grid, const std::shared_ptr<mt::Executor>& executor);
    Picture below, shown;
    mt::Buffer<mt::CellPaint> paint;  ///< of `below`
    mt::Buffer<mt::FadingCell> cells;
  };
  /// Entries of lists.
  struct Count {
    int changed = 0;  ///< cells that show something else
    int drawn = 0, below = 0, faded = 0;
  };

  Count list(const FrameAnalysis& analysis, const std::vector<int32_t>& tiles,
             const Saliency& saliency, bool all, bool at_once, int blend);
  void draw(mt::Executor& executor, const mt::Planes& source, const FrameAnalysis& analysis,
            const Count& count);

  Grid grid_;
  std::shared_ptr<const PoolOnDevice> pool_;
  std::shared_ptr<mt::Executor> executor_;
  Picture canvas_;  ///< the tiles that cells have or change to
  Picture scaled_;  ///< the source at the canvas's size, where that is another
  mt::Buffer<mt::CellPaint> paint_;
  Look look_;  ///< of what is drawn
  Fades fades_;
  std::optional<Fading> fading_;
  bool fades_show_ = false;         ///< the picture is fading_->shown, else canvas_
  std::vector<int32_t> drawn_rgb_;  ///< [cells][3]: the source's sums when a cell was last drawn
};

}  // namespace mosaic
