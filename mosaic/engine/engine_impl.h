// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The inside of Engine, whose functions are in several sources.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "mosaic/drawing/drawing.h"
#include "mosaic/engine/analysed_frame.h"
#include "mosaic/engine/analysis_stages.h"
#include "mosaic/engine/cell_planning.h"
#include "mosaic/engine/engine.h"
#include "mosaic/engine/output_stages.h"
#include "mosaic/placement/diffused_ahead.h"
#include "mosaic/placement/placement.h"
#include "mosaic/stream/describing.h"

namespace mosaic {

/// The stages after the assignment, whose times the executor measures, too.
enum DrawingStage { kDrawing, kFinishing, kPack, kDrawingStages };

inline double ms_since(FrameBudget::Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(FrameBudget::Clock::now() - start).count();
}

/// The costs of the frames analysed ahead, as far as they are to be known.
struct Lookahead {
  /// @param max_diffused see AnalysisStages
  Lookahead(const Grid& grid, const std::shared_ptr<const PoolOnDevice>& pool, const UseLimit& uses,
            int max_diffused, int frames)
      : costs(grid.cells(), pool, uses, frames),
        diffused(grid, pool->host().tiles(), max_diffused) {}

  FrameBudget budget;  ///< of the assignments of frames to come
  LookaheadCosts costs;
  int added = 0;  ///< how many of the frames analysed ahead, from the oldest on
  DiffusedAhead diffused;
  std::vector<DiffusedAhead::Tiles> frames;  ///< scratch
};

struct Engine::Impl {
  Impl(const Grid& g, const std::shared_ptr<const Pool>& p, const UseSettings& u,
       std::shared_ptr<mt::Executor> e)
      : grid(g),
        executor(std::move(e)),
        uses(use_limit(g.cells(), *p, u, executor->workers())),
        pool(std::make_shared<PoolOnDevice>(p, executor)),
        max_diffused(u.unit == Unit::kTile && u.most != 0 ? uses.most : g.cells()),
        stages(grid, pool, max_diffused, executor),
        ahead(grid, pool, executor),
        placement(grid, pool, uses, executor),
        last_tiles(grid.cells(), -1),
        planning(grid.cells()),
        drawing(grid, executor),
        output(grid, executor),
        age(grid.cells()) {}

  /// Forgets every frame if it is cancelled.
  template <class Work>
  void run(const Work& work);
  void forget();
  void analyse(const mt::FrameView& in, const FrameSettings& settings);
  void look_ahead();
  const AnalysedFrame& take_frame(const FrameSettings& settings, std::span<const Region> regions);
  std::span<const int32_t> diffused_tiles(unsigned radius);
  void choose_tiles(const FrameSettings& settings, std::span<const Region> regions);
  OverlayDrawing::Cells cells() const;
  Look as_drawn(Look look) const;
  const CellUpdates& update_cells(const FrameSettings& settings, const Look& look);
  void draw(const mt::FrameView& in, const mt::FrameView& out, const FrameSettings& settings,
            std::span<const Region> regions);
  const stream::FrameState& describe(const mt::FrameView& in, const FrameSettings& settings,
                                     std::span<const Region> regions);
  void count_frame(FrameBudget::Clock::time_point start);
  void count_changes();
  void count_photos(const FrameSettings& settings);
  void end_stage(DrawingStage stage) { laps[stage] = executor->lap(); }
  void read_times();

  Grid grid;
  std::shared_ptr<mt::Executor> executor;
  UseLimit uses;
  std::shared_ptr<const PoolOnDevice> pool;
  int max_diffused;  ///< see AnalysisStages
  AnalysisStages stages;
  FrameRing ahead;  ///< the frames analysed ahead
  std::optional<Lookahead> lookahead;
  const AnalysedFrame* now = nullptr;  ///< the frame that is drawn, or the last one
  FrameBudget budget;
  Placement placement;
  std::vector<int32_t> last_tiles;    ///< [cells]
  std::vector<int32_t> shown_photos;  ///< [cells]
  PhotoCounter photo_counter;
  CellPlanning planning;
  Drawing drawing;
  OutputStages output;
  std::optional<stream::Describing> describing;  ///< made when first needed
  std::vector<int32_t> age;                      ///< [cells], see Engine::ages
  mt::Lap laps[kDrawingStages];                  ///< times of the last run of each stage
  uint64_t frames = 0;
  FrameStats stats;
};

}  // namespace mosaic
