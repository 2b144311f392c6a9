// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/engine.h"

#include <chrono>
#include <optional>

#include "cuda/kernels.h"
#include "mosaic/analysis.h"
#include "mosaic/candidate_lists.h"
#include "mosaic/detail.h"
#include "mosaic/diffusion.h"
#include "mosaic/drawing.h"
#include "mosaic/finishing.h"
#include "mosaic/picture.h"
#include "mosaic/placement.h"
#include "mosaic/saliency.h"
#include "mosaic/scene.h"
#include "mosaic/seams.h"

namespace mosaic {
namespace {

using Clock = AssignmentSolver::Clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

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
}

/// The diffusion knows a cell's own tile alone, and nobody does where frames are on their own.
bool follows_motion(const FrameSettings& settings) {
  return settings.flow != Flow::kIdentity && settings.coherence == Coherence::kTemporal &&
         settings.look.placement == PlacementKind::kAssignment;
}

}  // namespace

struct Engine::Impl {
  Impl(const Grid& g, std::shared_ptr<const Pool> p, unsigned max_tile_uses,
       std::shared_ptr<mt::Executor> e)
      : grid(g),
        max_tile_uses(max_tile_uses),
        executor(std::move(e)),
        pool(std::make_shared<PoolOnDevice>(p, executor)),
        source(grid.in_width, grid.in_height, executor),
        gray(executor, static_cast<size_t>(source.planes().stride) * grid.in_height),
        scene(grid.in_width, grid.in_height, executor),
        analysis(grid, executor),
        detail(grid, executor),
        candidates(grid.cells(), pool, executor),
        saliency(grid),
        placement(grid, pool, tile_capacity(grid.cells(), *p, max_tile_uses), executor),
        last_tiles(grid.cells(), -1),
        drawing(grid, pool, executor),
        age(grid.cells()) {}

  void examine(const mt::FrameView& in, const FrameSettings& settings);
  void follow(const FrameSettings& settings);
  void diffuse(const FrameSettings& settings);
  void turn_to_scene();
  void place(const FrameSettings& settings);
  void finish(const Look& look);
  bool overlays(unsigned flags) const;
  mt::Planes overlaid(unsigned flags);
  void count_changes();

  Grid grid;
  unsigned max_tile_uses;
  std::shared_ptr<mt::Executor> executor;
  std::shared_ptr<const PoolOnDevice> pool;
  Picture source;
  mt::DeviceBuffer<uint8_t> gray;
  SceneDetector scene;
  std::optional<Motion> motion;  ///< of a frame that is to follow it
  FrameAnalysis analysis;
  Detail detail;
  CandidateLists candidates;
  Saliency saliency;
  Placement placement;
  std::optional<Diffusion> diffusion;
  std::vector<int32_t> last_tiles;  ///< [cells]
  Drawing drawing;
  std::optional<Seams> seams;
  std::optional<Finishing> finishing;
  std::optional<Overlay> overlay;
  Look look;                 ///< of the last frame
  mt::Planes finished{};     ///< its picture
  std::vector<int32_t> age;  ///< [cells], see Engine::ages
  bool remembers = false;    ///< there is a last frame
  uint64_t frames = 0;
  FrameStats stats;
};

/// Counts cells whose tile changed, those of them that gave no reason to, and for how long the
/// others have had theirs.
void Engine::Impl::count_changes() {
  stats.changed = stats.unexplained = 0;
  for (int cell = 0; cell < grid.cells(); ++cell) {
    const bool same = placement.tiles()[cell] == last_tiles[cell];
    age[cell] = remembers && same ? age[cell] + (age[cell] < INT32_MAX) : 0;
    if (!remembers || same) continue;
    ++stats.changed;
    stats.unexplained += !scene.state().returned && analysis.moved(cell) < kVisibleStep;
  }
}

Engine::Engine(const Grid& grid, std::shared_ptr<const Pool> pool, unsigned max_tile_uses,
               std::shared_ptr<mt::Executor> executor)
    : impl_(std::make_unique<Impl>(grid, std::move(pool), max_tile_uses, std::move(executor))) {}

Engine::~Engine() {
  try {
    impl_->executor->wait();  // it still has times to tell
  } catch (const std::exception&) {
    // A device that is lost; whoever uses it next is told.
  }
}

/// Everything that is asked of the frame before its tiles are chosen.
void Engine::Impl::examine(const mt::FrameView& in, const FrameSettings& settings) {
  const mt::Planes planes = source.planes();
  const bool force = !remembers || settings.coherence == Coherence::kNone;
  executor->lap(nullptr);
  executor->launch(mt::Unpack{in, planes, gray.data()}, in.height);
  executor->lap(&stats.ms_unpack);
  scene.set_size(settings.flow_width, settings.flow_height);
  scene.look(*executor, gray.data(), planes.stride, settings.scene_threshold, force);
  follow(settings);
  executor->lap(&stats.ms_scene);
  analysis.look(*executor, planes, !remembers);
  detail.look(*executor, analysis.picture(planes), grid.stretched ? nullptr : gray.data(),
              analysis.on_device().changed);
  executor->lap(&stats.ms_analysis);
  if (settings.look.placement == PlacementKind::kDiffusion)
    diffuse(settings);
  else
    candidates.look(*executor, analysis, scene.on_device());
  executor->lap(&stats.ms_candidates);
}

/// Looks for motion, where tiles are to follow it.
void Engine::Impl::follow(const FrameSettings& settings) {
  if (!follows_motion(settings)) return motion.reset();
  if (!motion) motion.emplace(grid, executor);
  motion->look(*executor, scene.small(), scene.columns(), scene.rows());
}

void Engine::Impl::diffuse(const FrameSettings& settings) {
  if (!diffusion)
    diffusion.emplace(grid, pool, max_tile_uses ? static_cast<int>(max_tile_uses) : grid.cells(),
                      executor);
  diffusion->look(*executor, analysis, scene.on_device(), !remembers,
                  {settings.look.error_diffusion_strength, settings.beta, settings.dedup_radius});
}

/// Keeps what is known of a scene that is cut off, and takes it up again where it returns.
void Engine::Impl::turn_to_scene() {
  const mt::SceneState& now = scene.state();
  if (now.kept) {
    analysis.keep(now.kept);
    saliency.keep(now.kept);
    placement.keep(now.kept);
  }
  if (now.returned) {
    analysis.recall(now.returned);
    saliency.recall(now.returned);
    placement.recall(now.returned);
  }
}

/// Chooses the tiles.
void Engine::Impl::place(const FrameSettings& settings) {
  const Clock::time_point start = Clock::now();
  Placement::Settings how{settings.beta,        settings.dedup_radius,
                          settings.effort,      settings.look.neighbor_swap_rounds,
                          settings.look.rerank, {},
                          std::nullopt};
  if (settings.solve_budget_ns > 0)
    how.deadline = start + std::chrono::nanoseconds(settings.solve_budget_ns);
  last_tiles = placement.tiles();
  turn_to_scene();
  analysis.collect();
  stats.keyframe = scene.cut();
  if (motion) {
    motion->collect(!scene.cut() && !scene.state().returned);
    placement.carry(motion->field());
  }
  saliency.update(analysis.stats(), detail, stats.keyframe, settings.ema_alpha);
  PlacementResult placed;
  if (settings.look.placement == PlacementKind::kDiffusion) {
    placement.take(diffusion->tiles());
  } else {
    candidates.collect(analysis);
    placed = placement.update(*executor, analysis, candidates, saliency, !stats.keyframe, how);
  }
  stats.cost = placed.mean_cost;
  stats.gap = placed.gap;
  stats.extra = placed.extra;
  stats.reranked = placed.reranked;
  count_changes();
  stats.ms_assignment = ms_since(start);
}

/// From the canvas to the picture.
void Engine::Impl::finish(const Look& wanted) {
  look = wanted;
  finished = drawing.canvas();
  if (look.laplacian_blend) {
    if (!seams) seams.emplace(grid, executor);
    finished = seams->apply(*executor, finished, look.laplacian_levels);
  }
  if (Finishing::wanted(look)) {
    if (!finishing) finishing.emplace(grid.out_width, grid.out_height, executor);
    finished = finishing->apply(*executor, finished, look);
  }
}

/// Whether any of the flags asks for something that there is.
bool Engine::Impl::overlays(unsigned flags) const {
  return (motion ? flags : flags & ~unsigned{kOverlayMotion}) != 0;
}

/// What goes out: the picture, which stays as it is, with the overlay.
mt::Planes Engine::Impl::overlaid(unsigned flags) {
  if (!overlays(flags)) return finished;
  if (!overlay) overlay.emplace(grid, executor);
  Overlay::Cells cells{saliency, placement.costs(), age, {}, {}};
  if (motion) {
    cells.motion = motion->motion();
    cells.field = motion->field();
  }
  return overlay->draw(*executor, finished, flags, cells);
}

const FrameStats& Engine::process(const mt::FrameView& in, const mt::FrameView& out,
                                  const FrameSettings& settings) {
  Impl& m = *impl_;
  mt::Executor& executor = *m.executor;
  const Clock::time_point start = Clock::now();

  // Another way of placing knows nothing of what was placed before.
  if (settings.look.placement != m.look.placement) m.remembers = false;
  m.examine(in, settings);
  // A source that stood still does so again: then this frame's picture is there already.
  const bool still = m.remembers && m.stats.repainted == 0 && settings.look == m.look;
  // An overlay has to see the tiles first.
  const bool packed = still && !m.overlays(settings.overlay);
  if (packed) {
    pack(executor, m.finished, in, out);
    executor.lap(&m.stats.ms_pack);
  }
  executor.wait();
  m.place(settings);

  executor.lap(nullptr);
  m.stats.repainted = m.drawing.update(
      executor, m.source.planes(), m.analysis, m.placement.tiles(), m.saliency, settings.look,
      m.stats.keyframe || m.scene.state().returned, settings.temporal_blend);
  executor.lap(&m.stats.ms_drawing);
  if (!still || m.stats.repainted > 0) {
    m.finish(settings.look);
    executor.lap(&m.stats.ms_finishing);
  }
  if (!packed || m.stats.repainted > 0) {
    pack(executor, m.overlaid(settings.overlay), in, out);
    executor.lap(&m.stats.ms_pack);
  }

  m.remembers = true;
  m.stats.frame = m.frames++;
  m.stats.cells = m.grid.cells();
  m.stats.tiles = m.pool->host().tiles();
  m.stats.ms = ms_since(start);
  return m.stats;
}

Stages Engine::stages() {
  Impl& m = *impl_;
  return {m.grid, m.saliency, m.source.planes(), m.drawing.canvas(), m.finished};
}

const Grid& Engine::grid() const {
  return impl_->grid;
}

std::span<const int32_t> Engine::tiles() const {
  return impl_->placement.tiles();
}

std::span<const int32_t> Engine::ages() const {
  return impl_->age;
}

std::span<const int32_t> Engine::costs() const {
  return impl_->placement.costs();
}

const Motion* Engine::motion() const {
  return impl_->motion ? &*impl_->motion : nullptr;
}

void Engine::forget() {
  impl_->remembers = false;
  impl_->scene.forget();
}

void copy_frame(mt::Executor& executor, const mt::FrameView& in, const mt::FrameView& out) {
  std::shared_ptr<mt::Executor> borrowed(&executor, [](mt::Executor*) {});
  Picture source(in.width, in.height, borrowed);
  executor.launch(mt::Unpack{in, source.planes(), nullptr}, in.height);
  Picture scaled;
  if (in.width != out.width || in.height != out.height) {
    scaled = Picture(out.width, out.height, borrowed);
    executor.launch(mt::Resample{source.planes(), scaled.planes()}, out.height);
  }
  pack(executor, scaled.planes().width ? scaled.planes() : source.planes(), in, out);
  executor.wait();
}

}  // namespace mosaic
