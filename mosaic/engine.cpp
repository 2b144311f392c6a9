// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/engine.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "cuda/kernels.h"
#include "mosaic/diffusion.h"
#include "mosaic/drawing.h"
#include "mosaic/examination.h"
#include "mosaic/finishing.h"
#include "mosaic/placement.h"
#include "mosaic/seams.h"

namespace mosaic {
namespace {

using Clock = AssignmentSolver::Clock;

/// The share of a limit that the assignment has, however long the choice of candidates takes:
/// without it a mosaic would stand still wherever that takes too long.
constexpr int kLeastForSolve = 4;

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

Examination::Settings how_to_look(const FrameSettings& settings, bool first) {
  return {settings.scene_threshold, settings.flow_width, settings.flow_height, first,
          first || settings.coherence == Coherence::kNone};
}

/// What is known of frames to come. A diffusion has no use for them.
struct Ahead {
  Ahead(const Grid& grid, const std::shared_ptr<const PoolOnDevice>& pool, int capacity,
        const std::shared_ptr<mt::Executor>& executor, int frames)
      : coming(grid, pool, executor), outlook(grid.cells(), pool, capacity, frames) {}

  void forget() {
    coming.forget();
    outlook.forget();
    remembers = false;
    waiting = 0;
  }

  Examination coming;
  Outlook outlook;
  PlacementKind placement{};  ///< of the newest frame
  bool remembers = false;     ///< there is one
  int waiting = 0;            ///< frames, see Engine::foreseen
};

}  // namespace

struct Engine::Impl {
  Impl(const Grid& g, std::shared_ptr<const Pool> p, unsigned max_tile_uses,
       std::shared_ptr<mt::Executor> e)
      : grid(g),
        max_tile_uses(max_tile_uses),
        capacity(tile_capacity(g.cells(), *p, max_tile_uses)),
        executor(std::move(e)),
        pool(std::make_shared<PoolOnDevice>(p, executor)),
        now(grid, pool, executor),
        placement(grid, pool, capacity, executor),
        last_tiles(grid.cells(), -1),
        drawing(grid, pool, executor),
        age(grid.cells()) {}

  void examine(const mt::FrameView& in, const FrameSettings& settings);
  void list(const FrameSettings& settings);
  void follow(const FrameSettings& settings);
  void diffuse(const FrameSettings& settings);
  void place(const FrameSettings& settings);
  void finish(const Look& look);
  bool overlays(unsigned flags) const;
  mt::Planes overlaid(unsigned flags);
  void count_changes();

  Grid grid;
  unsigned max_tile_uses;
  int capacity;  ///< see tile_capacity
  std::shared_ptr<mt::Executor> executor;
  std::shared_ptr<const PoolOnDevice> pool;
  Examination now;
  std::optional<Ahead> ahead;
  std::optional<Motion> motion;  ///< of a frame that is to follow it
  Placement placement;
  std::optional<Diffusion> diffusion;
  std::vector<int32_t> last_tiles;  ///< [cells]
  Drawing drawing;
  std::optional<Seams> seams;
  std::optional<Finishing> finishing;
  std::optional<Overlay> overlay;
  Look look;                       ///< of the last frame
  mt::Planes finished{};           ///< its picture
  std::vector<int32_t> age;        ///< [cells], see Engine::ages
  Clock::time_point choice_began;  ///< of candidates, in this frame
  bool remembers = false;          ///< there is a last frame
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
    stats.unexplained += !now.scene().state().returned && now.analysis().moved(cell) < kVisibleStep;
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
  executor->lap(nullptr);
  now.unpack(*executor, in);
  executor->lap(&stats.ms_unpack);
  now.find_scene(*executor, how_to_look(settings, !remembers));
  follow(settings);
  executor->lap(&stats.ms_scene);
  now.analyse(*executor, !remembers);
  executor->lap(&stats.ms_analysis);
  choice_began = Clock::now();
  if (settings.look.placement == PlacementKind::kDiffusion)
    diffuse(settings);
  else
    list(settings);
  executor->lap(&stats.ms_candidates);
}

/// Has the tiles listed. Where frames to come are known, their prices are others.
void Engine::Impl::list(const FrameSettings& settings) {
  const std::chrono::nanoseconds budget(settings.solve_budget_ns);
  const Haste haste{placement.time_to_list(budget), placement.prices(), placement.weights()};
  const bool hurry = haste.budget.count() > 0 && !(ahead && ahead->waiting > 0);
  now.list(*executor, hurry ? &haste : nullptr);
}

/// Looks for motion, where tiles are to follow it.
void Engine::Impl::follow(const FrameSettings& settings) {
  if (!follows_motion(settings)) return motion.reset();
  if (!motion) motion.emplace(grid, executor);
  motion->look(*executor, now.scene().small(), now.scene().columns(), now.scene().rows());
}

void Engine::Impl::diffuse(const FrameSettings& settings) {
  if (!diffusion)
    diffusion.emplace(grid, pool, max_tile_uses ? static_cast<int>(max_tile_uses) : grid.cells(),
                      executor);
  diffusion->look(*executor, now.analysis(), now.scene().on_device(), !remembers,
                  {settings.look.error_diffusion_strength, settings.beta, settings.dedup_radius});
}

/// Chooses the tiles.
void Engine::Impl::place(const FrameSettings& settings) {
  const Clock::time_point start = Clock::now();
  const bool diffused = settings.look.placement == PlacementKind::kDiffusion;
  now.collect(settings.ema_alpha, !diffused);
  const bool foreseen = ahead && ahead->waiting > 0;
  Placement::Settings how{settings.beta,
                          settings.dedup_radius,
                          settings.effort,
                          settings.look.neighbor_swap_rounds,
                          settings.look.rerank,
                          {},
                          {},
                          std::nullopt};
  if (settings.solve_budget_ns > 0) {
    const std::chrono::nanoseconds budget(settings.solve_budget_ns);
    how.deadline = std::max(choice_began + budget, start + budget / kLeastForSolve);
  }
  last_tiles = placement.tiles();
  const mt::SceneState& scene = now.scene().state();
  if (scene.kept) placement.keep(scene.kept);
  if (scene.returned) placement.recall(scene.returned);
  stats.keyframe = scene.cut;
  if (motion) {
    motion->collect(!now.begins());
    placement.carry(motion->field());
  }
  PlacementResult placed;
  if (diffused)
    placement.take(diffusion->tiles());
  else
    placed = placement.update(*executor, now.analysis(), now.candidates(), now.saliency(),
                              !stats.keyframe, how, foreseen ? &ahead->outlook : nullptr);
  if (foreseen) --ahead->waiting;
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
  Overlay::Cells cells{now.saliency(), placement.costs(), age, {}, {}};
  if (motion) {
    cells.motion = motion->motion();
    cells.field = motion->field();
  }
  return overlay->draw(*executor, finished, flags, cells);
}

void Engine::look_ahead(int frames) {
  Impl& m = *impl_;
  if (frames == (m.ahead ? m.ahead->outlook.frames() : 0)) return;
  m.ahead.reset();
  if (frames > 0) m.ahead.emplace(m.grid, m.pool, m.capacity, m.executor, frames);
}

void Engine::foresee(const mt::FrameView& in, const FrameSettings& settings) {
  Impl& m = *impl_;
  Ahead& a = *m.ahead;
  ++a.waiting;
  if (settings.look.placement != a.placement) a.remembers = false;
  a.placement = settings.look.placement;
  if (a.placement == PlacementKind::kDiffusion) return;
  a.coming.look(*m.executor, in, how_to_look(settings, !a.remembers));
  a.coming.analysis().fetch_features(*m.executor);
  m.executor->wait();
  a.coming.collect(settings.ema_alpha);
  std::optional<Clock::time_point> deadline;
  if (settings.solve_budget_ns > 0)
    deadline = Clock::now() + std::chrono::nanoseconds(settings.solve_budget_ns);
  a.outlook.foresee(m.executor->workers(), a.coming.analysis(), a.coming.candidates(),
                    a.coming.saliency(), a.coming.begins(), deadline);
  a.remembers = true;
}

int Engine::foreseen() const {
  return impl_->ahead ? impl_->ahead->waiting : 0;
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
  m.stats.repainted =
      m.drawing.update(executor, m.now.source(), m.now.analysis(), m.placement.tiles(),
                       m.now.saliency(), settings.look, m.now.begins(), settings.temporal_blend);
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
  return {m.grid, m.now.saliency(), m.now.source(), m.drawing.canvas(), m.finished};
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
  impl_->now.forget();
  if (impl_->ahead) impl_->ahead->forget();
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
