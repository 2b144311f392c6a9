// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "executor/executor.h"
#include "kernels/drawing/cell_correction.h"
#include "kernels/drawing/cell_pictures.h"
#include "kernels/drawing/crossfade.h"
#include "kernels/drawing/draw.h"
#include "mosaic/base/grid.h"
#include "mosaic/base/picture.h"
#include "mosaic/drawing/cell_updates.h"
#include "mosaic/drawing/tiles_to_draw.h"
#include "mosaic/settings/look.h"

namespace mosaic {

/// How cells are drawn by a look.
mt::DrawLook draw_look(const Look& look);

/// The canvas, which lasts from frame to frame: only the cells that a frame changes are drawn
/// again. During a crossfade the old and the new tile are drawn on separate canvases, both to match
/// the source as it is now, and a third picture shows their mixture.
class Drawing {
 public:
  Drawing(const Grid& grid, const std::shared_ptr<mt::Executor>& executor);

  /// What cells are drawn to match.
  struct Source {
    mt::Planes picture;          ///< in_width x in_height; if there are `pictures`, they are
                                 ///< enlarged into it, and it is out_width x out_height
    const mt::CellStats* stats;  ///< [cells], on the device: as the analysis finds them
    const mt::CellPicture* pictures = nullptr;  ///< [cells], on the device
    /// [cells], on the device: of the source; null: they are found in the picture.
    const mt::CellMeans* means = nullptr;
  };
  /// Launches the drawing of the cells that a frame changes. Wait for the executor before the next
  /// call.
  void update(const Source& source, const TilesToDraw& tiles, const CellChanges& changes,
              const Look& look);

  mt::Planes canvas();  ///< out_width x out_height
  /// The cells whose picture the last update() changed, ascending. The device can read them, too.
  const int32_t* changed_cells() const { return changed_.data(); }
  /// [cells], on the device: the means of each cell's source when the cell was last drawn; only
  /// with a look that has fidelity.
  const mt::CellMeans* source_means() const { return means_; }

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
    int drawn = 0;      ///< cells to draw on the canvas
    int drawn_old = 0;  ///< cells to draw on Fading::old_canvas
    int faded = 0;      ///< cells to mix
  };

  Count list_cells(const CellChanges& changes, const TilesToDraw& tiles);
  void draw(const Source& source, const TilesToDraw& tiles, const Look& look, const Count& count);

  Grid grid_;
  std::shared_ptr<mt::Executor> executor_;
  Picture canvas_;  ///< each cell's tile; in a crossfade, the new one
  Picture scaled_;  ///< the source at the size of the canvas; empty if it has that size
  mt::Buffer<mt::CellPaint> paint_;
  mt::Buffer<int32_t> changed_;  ///< see changed_cells()
  mt::DeviceBuffer<mt::CellMeans> source_means_;
  const mt::CellMeans* means_ = nullptr;  ///< see source_means()
  std::optional<Fading> fading_;
  bool fades_show_ = false;  ///< the picture is fading_->shown, else canvas_
};

}  // namespace mosaic
