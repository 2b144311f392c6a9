// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "executor/executor.h"
#include "kernels/views.h"
#include "mosaic/analysis/continuation.h"
#include "mosaic/base/grid.h"
#include "mosaic/drawing/cell_updates.h"
#include "mosaic/drawing/colour_correction.h"
#include "mosaic/drawing/drawing.h"
#include "mosaic/drawing/finishing.h"
#include "mosaic/drawing/mixing.h"
#include "mosaic/drawing/overlay_drawing.h"
#include "mosaic/drawing/seam_blending.h"
#include "mosaic/engine/engine.h"
#include "mosaic/settings/look.h"

namespace mosaic {

/// The stages after the cells were drawn. Finishing makes the finished picture, which lasts from
/// frame to frame. From this each frame is made: mixed with its source, with the marks of the
/// overlay on top, in the frame's format.
class OutputStages {
 public:
  OutputStages(const Grid& grid, std::shared_ptr<mt::Executor> executor);

  /// A part of a mosaic that is too large to be finished as a whole.
  struct Part {
    const OutputStages& whole;  ///< has finished the whole mosaic, made smaller
    mt::PixelSize size;         ///< of the whole mosaic, as large as the part shows it
    int left, top;              ///< where the part begins in it
  };
  /// Launches seams, finishing and the correction of cells.
  /// @param drawing   what the frame's drawing left
  /// @param changes   what it was given
  /// @param in_region [cells]: whether the cell is in a region of interest, 0 or 1
  /// @param newest    FrameSettings::ema_alpha
  /// @param of        null: the grid is that of the whole mosaic
  void finish(Drawing& drawing, const CellChanges& changes, Continuation continuation,
              std::span<const uint8_t> in_region, const Look& look, double newest,
              const Part* of = nullptr);
  /// The look of the finished picture.
  const Look& look() const { return look_; }
  /// out_width x out_height
  const mt::Planes& finished() const { return finished_; }

  /// Whether a frame is the finished picture and nothing else: no overlay, and none of its source.
  static bool plain(const FrameSettings& settings);
  /// Launches the making of a frame for which plain() is true.
  void pack(const mt::FrameView& in, const mt::FrameView& out);
  /// Launches the making of any frame. @param cells what an overlay shows
  void pack(const mt::Planes& source, const OverlayDrawing::Cells& cells,
            const FrameSettings& settings, const mt::FrameView& in, const mt::FrameView& out);

  /// Launches the making of a frame from the last finished picture and another source, with the
  /// marks of the last overlay. @param mix  see FrameSettings
  /// @return false: no picture since forget()
  bool repeat(double mix, const mt::FrameView& in, const mt::FrameView& out);
  /// Forgets the last picture, so that repeat() does not show it again.
  void forget() { shown_ = false; }

 private:
  bool is_source(int32_t share) const;
  Mixing& mixing();

  Grid grid_;
  std::shared_ptr<mt::Executor> executor_;
  std::optional<SeamBlending> seams_;
  std::optional<Finishing> finishing_;
  std::optional<ColourCorrection> correction_;
  std::optional<Mixing> mixing_;  ///< made when first needed
  std::optional<OverlayDrawing> overlay_;
  std::vector<mt::CellRect> parts_;  ///< that finishing is to compute
  Look look_;
  mt::Planes finished_{};
  bool shown_ = false;   ///< the finished picture was shown since forget()
  bool marked_ = false;  ///< it was shown with an overlay
};

}  // namespace mosaic
