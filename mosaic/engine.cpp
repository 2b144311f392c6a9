// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/engine.h"

#include <chrono>
#include <cstdlib>

#include "cuda/kernels.h"
#include "mosaic/analysis.h"
#include "mosaic/candidate_lists.h"
#include "mosaic/drawing.h"
#include "mosaic/picture.h"
#include "mosaic/placement.h"
#include "mosaic/saliency.h"
#include "mosaic/scene.h"

namespace mosaic {
namespace {

using Clock = AssignmentSolver::Clock;

/// Times the stages of a frame one after the other.
class Stopwatch {
 public:
  /// Milliseconds since the last call, or since construction.
  double lap() {
    const Clock::time_point now = Clock::now();
    const double ms = std::chrono::duration<double, std::milli>(now - last_).count();
    last_ = now;
    return ms;
  }

 private:
  Clock::time_point last_ = Clock::now();
};

void pack(mt::Executor& executor, const mt::Planes& from, const mt::FrameView& in,
          const mt::FrameView& out) {
  mt::Pack pack{};
  pack.from = from;
  pack.to = out;
  // In place alpha stays where it is; otherwise it comes with the frame.
  if (in.alpha.data != out.alpha.data) pack.alpha_from = in.alpha;
  pack.alpha_width = in.width;
  pack.alpha_height = in.height;
  executor.launch(pack, (out.height + mt::Pack::kRows - 1) / mt::Pack::kRows);
  executor.wait();
}

}  // namespace

struct Engine::Impl {
  Impl(const Grid& g, std::shared_ptr<const Pool> p, unsigned max_tile_uses,
       std::shared_ptr<mt::Executor> e)
      : grid(g),
        pool(std::move(p)),
        executor(std::move(e)),
        source(grid.in_width, grid.in_height, executor),
        gray(executor, static_cast<size_t>(source.planes().stride) * grid.in_height),
        scene(grid.in_width, grid.in_height, executor),
        analysis(grid, executor),
        candidates(grid.cells(), pool, executor),
        saliency(grid.columns, grid.rows, grid.side),
        placement(grid, pool, tile_capacity(grid.cells(), *pool, max_tile_uses)),
        drawing(grid, pool, executor),
        last_rgb(static_cast<size_t>(grid.cells()) * 3) {}

  void count_changes();

  Grid grid;
  std::shared_ptr<const Pool> pool;
  std::shared_ptr<mt::Executor> executor;
  Picture source;
  mt::Buffer<uint8_t> gray;
  SceneDetector scene;
  FrameAnalysis analysis;
  CandidateLists candidates;
  Saliency saliency;
  Placement placement;
  Drawing drawing;
  std::vector<int32_t> last_rgb;  ///< [cells][3]: the source's sums in the last frame
  bool remembers = false;         ///< there is a last frame
  uint64_t frames = 0;
  FrameStats stats;
};

/// Cells whose tile changed, and those of them whose mean colour moved less than 2 levels.
void Engine::Impl::count_changes() {
  stats.changed = stats.unexplained = 0;
  const int64_t limit = int64_t{2} * 3 * grid.side * grid.side;
  for (int cell = 0; cell < grid.cells(); ++cell) {
    const int32_t* rgb = analysis.stats()[cell].rgb;
    int32_t* last = &last_rgb[static_cast<size_t>(cell) * 3];
    int64_t moved = 0;
    for (int i = 0; i < 3; ++i) {
      moved += std::abs(rgb[i] - last[i]);
      last[i] = rgb[i];
    }
    if (!remembers || placement.tiles()[cell] == placement.last_tiles()[cell]) continue;
    ++stats.changed;
    stats.unexplained += moved < limit;
  }
}

Engine::Engine(const Grid& grid, std::shared_ptr<const Pool> pool, unsigned max_tile_uses,
               std::shared_ptr<mt::Executor> executor)
    : impl_(std::make_unique<Impl>(grid, std::move(pool), max_tile_uses, std::move(executor))) {}

Engine::~Engine() = default;

const FrameStats& Engine::process(const mt::FrameView& in, const mt::FrameView& out,
                                  const FrameSettings& settings) {
  Impl& m = *impl_;
  FrameStats& s = m.stats;
  mt::Executor& executor = *m.executor;
  Stopwatch whole, stage;

  const mt::Planes source = m.source.planes();
  executor.launch(mt::Unpack{in, source, m.gray.data()}, in.height);
  executor.wait();
  s.ms_unpack = stage.lap();

  const double change = m.scene.score(executor, m.gray.data(), source.stride);
  const bool temporal = settings.coherence == Coherence::kTemporal;
  s.keyframe = !m.remembers || !temporal || change >= settings.scene_threshold;
  s.ms_scene = stage.lap();

  m.analysis.look(executor, source, !m.remembers);
  m.saliency.update(m.analysis.stats(), s.keyframe);
  s.ms_analysis = stage.lap();

  m.candidates.update(executor, m.analysis, s.keyframe);
  s.ms_candidates = stage.lap();

  Placement::Settings how{settings.beta, settings.dedup_radius, std::nullopt};
  if (settings.solve_budget_ns > 0)
    how.deadline = Clock::now() + std::chrono::nanoseconds(settings.solve_budget_ns);
  const PlacementResult placed = m.placement.update(executor.workers(), m.analysis, m.candidates,
                                                    m.saliency, !s.keyframe, how);
  s.ms_assignment = stage.lap();

  s.repainted = m.drawing.update(executor, source, m.analysis, m.placement.tiles(),
                                 m.placement.last_tiles(), m.saliency, s.keyframe);
  m.count_changes();
  executor.wait();
  s.ms_drawing = stage.lap();

  pack(executor, m.drawing.canvas(), in, out);
  s.ms_pack = stage.lap();

  s.frame = m.frames++;
  m.remembers = true;
  s.cells = m.grid.cells();
  s.tiles = m.pool->tiles();
  s.cost = placed.mean_cost;
  s.gap = placed.gap;
  s.extra = placed.extra;
  s.ms = whole.lap();
  return s;
}

void Engine::forget() {
  impl_->remembers = false;
  impl_->scene.forget();
}

void Engine::set_executor(std::shared_ptr<mt::Executor> executor) {
  impl_->executor = std::move(executor);
}

void copy_frame(mt::Executor& executor, const mt::FrameView& in, const mt::FrameView& out) {
  std::shared_ptr<mt::Executor> borrowed(&executor, [](mt::Executor*) {});
  Picture source(in.width, in.height, borrowed);
  executor.launch(mt::Unpack{in, source.planes(), nullptr}, in.height);
  if (in.width == out.width && in.height == out.height) {
    pack(executor, source.planes(), in, out);
    return;
  }
  Picture scaled(out.width, out.height, borrowed);
  executor.launch(mt::Resample{source.planes(), scaled.planes()}, out.height);
  pack(executor, scaled.planes(), in, out);
}

}  // namespace mosaic
