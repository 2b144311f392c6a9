// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "executor/executor.h"
#include "kernels/views.h"
#include "mosaic/analysis/motion.h"
#include "mosaic/analysis/regions.h"
#include "mosaic/analysis/saliency.h"
#include "mosaic/assignment/assignment.h"
#include "mosaic/base/grid.h"
#include "mosaic/drawing/overlay_drawing.h"
#include "mosaic/motion_network/raft_weights.h"
#include "mosaic/photo_uses/photo_counts.h"
#include "mosaic/photo_uses/turns.h"
#include "mosaic/photo_uses/uses.h"
#include "mosaic/pool/pool.h"
#include "mosaic/settings/look.h"
#include "mosaic/stream/frame_state.h"
#include "mosaic/windows/window_options.h"

namespace mosaic {

enum class Coherence { kTemporal, kNone };

/// Settings that may change from one frame to the next.
struct FrameSettings {
  double beta = 0.3;        ///< 0..1, scale of the switching prices
  double ema_alpha = 0.15;  ///< 0..1, weight of the newest frame in averages over time
  Coherence coherence = Coherence::kTemporal;
  Flow flow = Flow::kIdentity;              ///< how the motion that tiles follow is estimated
  double scene_threshold = 10.0;            ///< 0..100, percent of full scale, see SceneDetector
  unsigned dedup_radius = 4;                ///< cells
  TurnSettings turns;                       ///< of photos; not where tiles are counted
  int flow_width = 480, flow_height = 272;  ///< size at which frames are compared, pixels, above 0
  std::shared_ptr<const RaftWeights> flow_weights;  ///< of Flow::kRaft; null: as Flow::kIdentity
  int flow_iterations = 12;        ///< updates of the flow of Flow::kRaft, 1 or more
  WindowOptions flow_windows;      ///< of Flow::kRaft, in space
  Effort effort = Effort::kExact;  ///< how far the assignment is solved
  int64_t solve_budget_ns = 0;     ///< time limit, see FrameBudget; 0: unlimited
  int temporal_blend = 0;          ///< 0..16, length of the crossfade, frames
  double mix = 1;                  ///< 0..1: share of the mosaic, the rest is its source
  unsigned overlay = 0;            ///< flags of OverlayFlag: the marks to draw
  int economy = 0;                 ///< index of kEconomies (mosaic/engine/economy.h)
  Look look;
};

/// Statistics of one frame. Times in milliseconds.
struct FrameStats {
  uint64_t frame = 0;  ///< its number, from 0 for the engine's first frame
  unsigned cells = 0;
  unsigned tiles = 0;
  unsigned changed = 0;       ///< cells whose tile is not that of the frame before
  unsigned unexplained = 0;   ///< of those, cells whose mean colour moved less than 2 levels
  unsigned reranked = 0;      ///< cells for which the rerank compared pictures
  unsigned repainted = 0;     ///< cells whose pixels differ from the frame before
  unsigned region_cells = 0;  ///< cells in regions of interest
  bool keyframe = false;
  PhotoCounts photos;
  unsigned photos_in_time = 0;  ///< see Turns::in_time(); without turns all photos
  /// Mean cost of the chosen tiles, without switching prices; 1: the cost scale. With the
  /// diffusion, which solves no assignment, `cost`, `gap` and `extra` are 0.
  double cost = 0;
  double gap = 0;    ///< at most how much more than the optimum the assignment costs, relative,
                     ///< switching prices included
  double extra = 0;  ///< cost added by the separation of duplicates and the rerank, relative
  double ms = 0;     ///< of the call of process()
  double ms_unpack = 0, ms_scene = 0, ms_analysis = 0, ms_candidates = 0, ms_assignment = 0,
         ms_drawing = 0, ms_finishing = 0, ms_pack = 0;
};

/// The pictures between the stages of one frame, in the executor's memory.
struct Stages {
  const Grid& grid;
  const Saliency& saliency;
  mt::Planes source;    ///< in_width x in_height
  mt::Planes tiles;     ///< out_width x out_height: as drawn, before seams and finishing
  mt::Planes finished;  ///< out_width x out_height: neither mixed nor with an overlay
};

/// Turns frames into mosaics. Only one thread at a time may use it.
///
/// Where the executor's cancellation is requested, every function that draws or analyses throws
/// mt::Cancelled, within some milliseconds on a CPU, and on a GPU when that has finished what it
/// was given. The engine has then waited for the executor and forgotten every frame, as after
/// forget(); what it wrote to the frame does not matter.
class Engine {
 public:
  /// Throws Error (kSettings) when the pool is too small for the uses, naming both numbers.
  Engine(const Grid& grid, std::shared_ptr<const Pool> pool, const UseSettings& uses,
         std::shared_ptr<mt::Executor> executor);
  ~Engine();

  /// Sets how many frames are known beyond the one that is drawn, and allocates the memory for
  /// them. Frames that were analysed ahead stay; process() must still get them, in their order.
  /// @param frames 0: none; then analyse_ahead() must not be called
  void set_lookahead(int frames);
  /// Analyses the next frame before process() gets it, so that what tiles will cost in that frame
  /// influences the tiles of the frames before it. Waits for the executor; then `in` is not read
  /// any more. process() does not analyse the frame again. Beyond the one that process() gets next,
  /// at most as many are analysed ahead as set_lookahead() was given.
  /// @param settings those that process() will get with this frame
  /// @param regions  of interest in the frame
  void analyse_ahead(const mt::FrameView& in, const FrameSettings& settings,
                     std::span<const Region> regions = {});
  /// How many frames were analysed ahead and not yet given to process().
  int frames_ahead() const;

  /// Draws the mosaic of `in` into `out`. They may be the same frame; otherwise they do not
  /// overlap. If frames were analysed ahead, `in` is the oldest of them. Sizes are those of the
  /// grid, and pixels lie where the executor's kernels reach them.
  ///
  /// Waits for the executor once, in the middle, and once more if cells are reranked. The picture
  /// is complete, and `in` not read any more, when the executor has been waited for again.
  /// @param regions of interest in the frame, unless it was analysed ahead
  /// @return statistics of the frame. On a GPU, times of stages after the wait in the middle are
  ///         those of an earlier frame; see stats()
  const FrameStats& process(const mt::FrameView& in, const mt::FrameView& out,
                            const FrameSettings& settings, std::span<const Region> regions = {});

  /// Finds what a receiver needs to draw the mosaic of `in`, instead of drawing it; otherwise like
  /// process(). The sizes of input and output must be the same. Before the first call, and between
  /// calls of this function and process(), forget() must have been called.
  /// @return valid until the next call
  const stream::FrameState& describe(const mt::FrameView& in, const FrameSettings& settings,
                                     std::span<const Region> regions = {});

  /// Draws the last frame's mosaic again, into `out`.
  /// @param in  what the mosaic is mixed with, and whose alpha channel `out` gets
  /// @param mix see FrameSettings
  /// @return false: there is none, and nothing was done
  bool repeat(const mt::FrameView& in, const mt::FrameView& out, double mix = 1);

  /// Statistics of the last frame, with all times if the executor was waited for since.
  const FrameStats& stats();
  /// The pictures of the last frame, which must exist; valid until the next call of process() or
  /// analyse_ahead().
  Stages stages();
  const Grid& grid() const;

  /// The look with which process() draws and describe() describes where this one is set, see
  /// fidelity_for() and sharpness_for().
  Look as_drawn(Look look) const;
  /// [cells]: the tile of each in the last frame.
  std::span<const int32_t> tiles() const;
  /// [cells]: frames drawn since the cell got its tile; 0 in the frame in which it got it, and in
  /// every frame that continues none (Continuation::kStart).
  std::span<const int32_t> ages() const;

  /// [cells]: the cost of the tile that each shows, see TileCosts; 0 if the diffusion chose it.
  std::span<const int32_t> costs() const;

  /// Motion in the last frame; null if tiles do not follow motion. Valid as long as stages().
  const FrameMotion* motion() const;

  /// Forgets every frame seen: the next is a keyframe. Call it after a flush, a seek or a gap.
  void forget();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace mosaic
