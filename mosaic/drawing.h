// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cuda/draw.h"
#include "cuda/executor.h"
#include "mosaic/analysis.h"
#include "mosaic/grid.h"
#include "mosaic/look.h"
#include "mosaic/picture.h"
#include "mosaic/pool_on_device.h"
#include "mosaic/saliency.h"

namespace mosaic {

/// How cells are drawn by a look.
mt::DrawLook draw_look(const Look& look);

/// The picture that lasts: a canvas on which a cell is drawn anew only when its tile changed, its
/// weight was replaced, or its source moved by more than 2 levels since it was last drawn.
class Drawing {
 public:
  Drawing(const Grid& grid, std::shared_ptr<const PoolOnDevice> pool,
          const std::shared_ptr<mt::Executor>& executor);

  /// Has drawn what must be drawn. Call again only after that has been waited for. @param source
  /// in_width x in_height
  /// @param tiles, last_tiles [cells]; @param all every cell; so does a new look
  /// @return cells drawn
  unsigned update(mt::Executor& executor, const mt::Planes& source, const FrameAnalysis& analysis,
                  const std::vector<int32_t>& tiles, const std::vector<int32_t>& last_tiles,
                  const Saliency& saliency, const Look& look, bool all);

  mt::Planes canvas() { return canvas_.planes(); }  ///< out_width x out_height

 private:
  Grid grid_;
  std::shared_ptr<const PoolOnDevice> pool_;
  Picture canvas_;
  Picture scaled_;  ///< the source at the canvas's size, where that is another
  mt::Buffer<mt::CellPaint> paint_;
  Look look_;                       ///< of what is drawn
  std::vector<int32_t> drawn_rgb_;  ///< [cells][3]: the source's sums when a cell was last drawn
};

}  // namespace mosaic
