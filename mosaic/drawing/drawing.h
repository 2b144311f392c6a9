// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "executor/executor.h"
#include "kernels/drawing/cell_correction.h"
#include "kernels/drawing/crossfade.h"
#include "kernels/drawing/draw.h"
#include "mosaic/analysis/analysis.h"
#include "mosaic/analysis/continuation.h"
#include "mosaic/analysis/saliency.h"
#include "mosaic/base/grid.h"
#include "mosaic/base/picture.h"
#include "mosaic/drawing/fades.h"
#include "mosaic/pool/pool_on_device.h"
#include "mosaic/settings/look.h"

namespace mosaic {

/// How cells are drawn by a look.
mt::DrawLook draw_look(const Look& look);

/// The canvas, which lasts from frame to frame: a cell is drawn again only when its tile changed,
/// its weight was replaced, or its source changed by more than 1 + 0.75 `fidelity` visible steps
/// since it was last drawn. During a crossfade the old and the new tile are drawn on separate
/// canvases, both to match the source as it is now, and a third picture shows their mixture. With
/// fidelity there are crossfades only in cells whose source does not move: motion masks a change,
/// and a mixture of two photos shows neither.
class Drawing {
 public:
  Drawing(const Grid& grid, std::shared_ptr<const PoolOnDevice> pool,
          const std::shared_ptr<mt::Executor>& executor);

  /// Launches the drawing of all cells that need it. Wait for the executor before the next call.
  /// @param source in_width x in_height
  /// @param tiles [cells]
  /// @param continuation unless the frame continues the last one, every cell is drawn, with its new
  ///              tile at once; after a change of the look every cell is drawn, too
  /// @param blend frames that a crossfade takes if the frame continues the last one, 0..16; 0: none
  /// @param redraw factor of the change of its source at which a cell is drawn again
  /// @return number of cells whose picture changes
  unsigned update(const mt::Planes& source, const AnalysedCells& analysis,
                  const std::vector<int32_t>& tiles, const Saliency& saliency, const Look& look,
                  Continuation continuation, int blend, double redraw = 1);

  mt::Planes canvas();  ///< out_width x out_height
  /// The cells whose picture the last update() changed, ascending; their number is its result. The
  /// device can read them, too.
  const int32_t* changed_cells() const { return changed_.data(); }
  /// [cells], on the device: the means of each cell's source when the cell was last drawn; only
  /// with a look that has fidelity.
  const mt::CellMeans* source_means() const { return source_means_.data(); }

 private:
  /// What only crossfades need.
  struct Fading {
    Fading(const Grid& grid, const std::shared_ptr<mt::Executor>& executor);
    Picture old_canvas, shown;
    mt::Buffer<mt::CellPaint> paint;  ///< cells to draw on `old_canvas`
    mt::Buffer<mt::FadingCell> cells;
  };
  /// Numbers of entries in the lists.
  struct Count {
    int changed = 0;    ///< cells whose picture changes
    int drawn = 0;      ///< cells to draw on the canvas
    int drawn_old = 0;  ///< cells to draw on Fading::old_canvas
    int faded = 0;      ///< cells to mix
  };

  Count list_changed_cells(const AnalysedCells& analysis, const std::vector<int32_t>& tiles,
                           const Saliency& saliency, bool redraw_all, bool at_once, int blend,
                           double redraw_factor);
  void draw(const mt::Planes& source, const AnalysedCells& analysis, const Count& count);

  Grid grid_;
  std::shared_ptr<const PoolOnDevice> pool_;
  std::shared_ptr<mt::Executor> executor_;
  Picture canvas_;  ///< each cell's tile; in a crossfade, the new one
  Picture scaled_;  ///< the source at the size of the canvas; empty if it has that size
  mt::Buffer<mt::CellPaint> paint_;
  mt::Buffer<int32_t> changed_;  ///< see changed_cells()
  mt::DeviceBuffer<mt::CellMeans> source_means_;
  Look look_;  ///< that the canvas is drawn with
  Fades fades_;
  std::optional<Fading> fading_;
  bool fades_show_ = false;         ///< the picture is fading_->shown, else canvas_
  std::vector<int32_t> drawn_rgb_;  ///< [cells][3]: CellStats::rgb when a cell was last drawn
};

}  // namespace mosaic
