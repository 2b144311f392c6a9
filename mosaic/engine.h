// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "cuda/executor.h"
#include "cuda/views.h"
#include "mosaic/assignment.h"
#include "mosaic/grid.h"
#include "mosaic/look.h"
#include "mosaic/motion.h"
#include "mosaic/overlay.h"
#include "mosaic/pool.h"
#include "mosaic/saliency.h"

namespace mosaic {

enum class Coherence { kTemporal, kNone };

/// What may change from one frame to the next.
struct FrameSettings {
  double beta = 0.3;        ///< 0..1, how dear it is for a cell to change its tile
  double ema_alpha = 0.15;  ///< 0..1, weight of the newest frame where frames are averaged
  Coherence coherence = Coherence::kTemporal;
  Flow flow = Flow::kIdentity;              ///< what tiles follow
  double scene_threshold = 10.0;            ///< 0..100, percent of full scale
  unsigned dedup_radius = 4;                ///< cells
  int flow_width = 480, flow_height = 272;  ///< size at which frames are compared, pixels, above 0
  Effort effort = Effort::kExact;           ///< how far the assignment is solved
  /// Time for it, from the start of the choice of candidates; 0: as long as it takes. A quarter of
  /// it is there for the assignment even where the choice alone took as long.
  int64_t solve_budget_ns = 0;
  int temporal_blend = 0;  ///< 0..16, frames over which a cell changes its tile
  unsigned overlay = 0;    ///< of OverlayFlag: what is drawn over the picture
  Look look;
};

/// What one frame did. Times in milliseconds.
struct FrameStats {
  uint64_t frame = 0;  ///< since the engine was made
  unsigned cells = 0;
  unsigned tiles = 0;
  unsigned changed = 0;      ///< cells whose tile is not that of the frame before
  unsigned unexplained = 0;  ///< of those, cells whose mean colour moved less than 2 levels
  unsigned reranked = 0;     ///< cells that the rerank looked at
  unsigned repainted = 0;    ///< cells that show something else than in the frame before
  bool keyframe = false;
  /// Of the chosen tiles, prices not counted; the mean over cells, 1 = farthest. The diffusion,
  /// which solves no assignment, has none of these three: they are 0.
  double cost = 0;
  double gap = 0;    ///< certified, relative, prices included
  double extra = 0;  ///< what keeping twins apart and the rerank added to the cost, relative
  double ms = 0;     ///< of the call of process()
  double ms_unpack = 0, ms_scene = 0, ms_analysis = 0, ms_candidates = 0, ms_assignment = 0,
         ms_drawing = 0, ms_finishing = 0, ms_pack = 0;
};

/// The pictures on the way of one frame, where kernels reach them.
struct Stages {
  const Grid& grid;
  const Saliency& saliency;
  mt::Planes source;    ///< in_width x in_height
  mt::Planes tiles;     ///< out_width x out_height: as drawn, before seams and finishing
  mt::Planes finished;  ///< out_width x out_height: without overlay
};

/// Turns frames into mosaics. One thread at a time.
class Engine {
 public:
  /// @param max_tile_uses 0: the fewest that cover the grid
  /// Throws Error (kSettings) when the pool is too small for max_tile_uses, naming both numbers.
  Engine(const Grid& grid, std::shared_ptr<const Pool> pool, unsigned max_tile_uses,
         std::shared_ptr<mt::Executor> executor);
  ~Engine();

  /// How many frames beyond the one that is drawn are to be known. Another number than before
  /// forgets those foreseen. @param frames 0: none; then foresee() must not be called
  void look_ahead(int frames);
  /// Takes a look at the next frame that process() has not been given yet: what tiles will cost
  /// decides which ones the frames before it get. Waits for the executor; then `in` is no longer
  /// looked at. Each frame that process() is given must have been foreseen, or none of those yet to
  /// come; no more than look_ahead() beyond it are.
  /// @param settings those that process() will be given with it
  void foresee(const mt::FrameView& in, const FrameSettings& settings);
  /// How many frames were foreseen that process() has not been given.
  int foreseen() const;

  /// Draws the mosaic of `in` into `out`. They may be the same frame; otherwise they do not
  /// overlap. Sizes are those of the grid, and pixels lie where the executor's kernels reach them.
  ///
  /// Waits for the executor once, in the middle, and once more if cells are reranked; the picture
  /// is there, and `in` no longer looked at, when the executor has been waited for again; so are
  /// the times of the stages.
  const FrameStats& process(const mt::FrameView& in, const mt::FrameView& out,
                            const FrameSettings& settings);

  /// Of the last frame, of which there must be one; valid until the next call of process().
  Stages stages();
  const Grid& grid() const;
  /// [cells]: the tile of each in the last frame.
  std::span<const int32_t> tiles() const;
  /// [cells]: frames drawn since the cell took its tile; 0 in the first of them, and wherever the
  /// frame before was forgotten.
  std::span<const int32_t> ages() const;

  /// [cells]: what the tile of each costs there, with saliency, in units of mt::kCostBits; 0 where
  /// the diffusion chose it.
  std::span<const int32_t> costs() const;

  /// What was found of motion; null where settings asked for none.
  const Motion* motion() const;

  /// Forgets every frame seen: the next is a keyframe. After a flush, a seek or a gap.
  void forget();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Copies the picture, scaled where sizes differ: what a live pipeline shows while its pool loads.
/// Returns when it is there.
void copy_frame(mt::Executor& executor, const mt::FrameView& in, const mt::FrameView& out);

}  // namespace mosaic
