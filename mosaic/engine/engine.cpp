// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/engine/engine.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "cuda/frame/pack.h"
#include "cuda/frame/resample.h"
#include "cuda/frame/scene_change.h"
#include "cuda/frame/unpack.h"
#include "mosaic/drawing/drawing.h"
#include "mosaic/drawing/finishing.h"
#include "mosaic/drawing/seams.h"
#include "mosaic/engine/frame_analyser.h"
#include "mosaic/placement/diffusion.h"
#include "mosaic/placement/placement.h"

namespace mosaic {
namespace {

using Clock = FrameBudget::Clock;

/// The stages whose times the executor measures.
enum TimedStage { kUnpack, kScene, kAnalysis, kCandidates, kDrawing, kFinishing, kPack, kStages };
constexpr double FrameStats::*const kStageTimes[kStages] = {
    &FrameStats::ms_unpack,     &FrameStats::ms_scene,   &FrameStats::ms_analysis,
    &FrameStats::ms_candidates, &FrameStats::ms_drawing, &FrameStats::ms_finishing,
    &FrameStats::ms_pack};

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

void pack(mt::Executor& executor, const mt::Planes& from, const mt::FrameView& in,
          const mt::FrameView& out) {
  mt::Pack pack{};
  pack.from = from;
  pack.to = out;
  // A frame that is changed in place keeps its alpha; otherwise alpha is copied.
  if (in.alpha.data != out.alpha.data) pack.alpha_from = in.alpha;
  pack.alpha_width = in.width;
  pack.alpha_height = in.height;
  executor.launch(pack, (out.height + mt::Pack::kRows - 1) / mt::Pack::kRows);
}

/// Whether tiles move with the source: not with the diffusion, which cannot move tiles to other
/// cells, nor without temporal coherence.
bool follows_motion(const FrameSettings& settings) {
  return settings.flow != Flow::kIdentity && settings.coherence == Coherence::kTemporal &&
         settings.look.placement == PlacementKind::kAssignment;
}

FrameAnalyser::Settings analyser_settings(const FrameSettings& settings) {
  return {settings.scene_threshold, settings.flow_width, settings.flow_height,
          settings.coherence == Coherence::kNone};
}

/// The frames analysed ahead. With the diffusion they are only counted.
struct Lookahead {
  Lookahead(const Grid& grid, const std::shared_ptr<const PoolOnDevice>& pool, int capacity,
            const std::shared_ptr<mt::Executor>& executor, int frames)
      : analyser(grid, pool, executor), costs(grid.cells(), pool, capacity, frames) {}

  void forget() {
    analyser.forget();
    costs.forget();
    frames_ahead = 0;
  }

  FrameAnalyser analyser;
  FrameBudget budget;  ///< of the assignments of frames to come
  LookaheadCosts costs;
  PlacementKind placement{};  ///< of the newest frame
  int frames_ahead = 0;       ///< see Engine::frames_ahead
};

}  // namespace

struct Engine::Impl {
  Impl(const Grid& g, const std::shared_ptr<const Pool>& p, unsigned max_tile_uses,
       std::shared_ptr<mt::Executor> e)
      : grid(g),
        capacity(tile_capacity(g.cells(), *p, max_tile_uses)),
        most_diffused(max_tile_uses ? capacity : g.cells()),
        executor(std::move(e)),
        pool(std::make_shared<PoolOnDevice>(p, executor)),
        now(grid, pool, executor),
        placement(grid, pool, capacity, executor),
        last_tiles(grid.cells(), -1),
        drawing(grid, pool, executor),
        age(grid.cells()) {}

  void analyse(const mt::FrameView& in, const FrameSettings& settings);
  void list();
  void find_motion(const FrameSettings& settings);
  void diffuse(const FrameSettings& settings);
  void place(const FrameSettings& settings);
  void finish(const Look& look);
  bool overlays(unsigned flags) const;
  mt::Planes overlaid(unsigned flags);
  void count_changes();
  bool known_ahead() const { return lookahead && lookahead->frames_ahead > 0; }
  void end_stage(TimedStage stage) { laps[stage] = executor->lap(); }
  void read_times();

  Grid grid;
  int capacity;  ///< see tile_capacity
  /// How often the diffusion may use a tile. If the user sets no limit, any number of times: only
  /// dedup_radius then keeps uses of the same tile apart.
  int most_diffused;
  std::shared_ptr<mt::Executor> executor;
  std::shared_ptr<const PoolOnDevice> pool;
  FrameAnalyser now;
  std::optional<Lookahead> lookahead;
  std::optional<Motion> motion;  ///< only where tiles follow it
  FrameBudget budget;
  Placement placement;
  std::optional<Diffusion> diffusion;
  std::vector<int32_t> last_tiles;  ///< [cells]
  Drawing drawing;
  std::optional<Seams> seams;
  std::optional<Finishing> finishing;
  std::optional<Overlay> overlay;
  Look look;                 ///< of the last frame
  mt::Planes finished{};     ///< the finished picture of the last frame, without overlay
  std::vector<int32_t> age;  ///< [cells], see Engine::ages
  mt::Lap laps[kStages];     ///< times of the last run of each stage
  uint64_t frames = 0;
  FrameStats stats;
};

/// Stores the times that are known by now; the others stay as they are.
void Engine::Impl::read_times() {
  for (int i = 0; i < kStages; ++i)
    if (const std::optional<double> ms = executor->ms(laps[i])) stats.*kStageTimes[i] = *ms;
}

/// Counts the cells whose tile changed, the unexplained changes among them, and for each cell the
/// frames since it got its tile.
void Engine::Impl::count_changes() {
  const Continuation continuation = now.scene().continuation;
  const bool start = continuation == Continuation::kStart;
  const bool returned = continuation == Continuation::kReturned;
  stats.changed = stats.unexplained = 0;
  for (int cell = 0; cell < grid.cells(); ++cell) {
    const bool same = placement.tiles()[cell] == last_tiles[cell];
    age[cell] = !start && same ? age[cell] + (age[cell] < INT32_MAX) : 0;
    if (start || same) continue;
    ++stats.changed;
    stats.unexplained += !returned && now.analysis().moved(cell) < kVisibleStep;
  }
}

Engine::Engine(const Grid& grid, std::shared_ptr<const Pool> pool, unsigned max_tile_uses,
               std::shared_ptr<mt::Executor> executor)
    : impl_(std::make_unique<Impl>(grid, std::move(pool), max_tile_uses, std::move(executor))) {}

Engine::~Engine() = default;

/// Launches all that is computed from a frame until its tiles can be chosen.
void Engine::Impl::analyse(const mt::FrameView& in, const FrameSettings& settings) {
  executor->lap();
  now.unpack(*executor, in);
  end_stage(kUnpack);
  now.find_scene(*executor, analyser_settings(settings));
  find_motion(settings);
  end_stage(kScene);
  now.analyse(*executor);
  end_stage(kAnalysis);
  budget.begin(std::chrono::nanoseconds(settings.solve_budget_ns));
  if (settings.look.placement == PlacementKind::kDiffusion)
    diffuse(settings);
  else
    list();
  end_stage(kCandidates);
}

/// Lists the candidates. With a lookahead the lists are exact: rough lists need prices of tiles,
/// and those known are not the prices of an assignment with a lookahead.
void Engine::Impl::list() {
  const SearchBudget search_budget{budget.for_lists(), placement.prices(), placement.weights()};
  const bool limited = search_budget.budget.count() > 0 && !known_ahead();
  now.list(*executor, limited ? &search_budget : nullptr);
}

/// Searches for motion, where tiles are to follow it.
void Engine::Impl::find_motion(const FrameSettings& settings) {
  if (!follows_motion(settings)) return motion.reset();
  if (!motion) motion.emplace(grid, executor);
  const SceneDetector& scene = now.scene_detector();
  motion->enqueue(*executor, scene.small(), scene.columns(), scene.rows());
}

void Engine::Impl::diffuse(const FrameSettings& settings) {
  if (!diffusion) diffusion.emplace(grid, pool, most_diffused, executor);
  diffusion->enqueue(
      *executor, now.analysis(), now.scene_detector().on_device(), now.starts(),
      {settings.look.error_diffusion_strength, settings.beta, settings.dedup_radius});
}

/// Chooses the tiles of the frame.
void Engine::Impl::place(const FrameSettings& settings) {
  const Clock::time_point start = Clock::now();
  const bool diffused = settings.look.placement == PlacementKind::kDiffusion;
  now.read_back(settings.ema_alpha, !diffused);
  budget.begin_assignment();
  last_tiles = placement.tiles();
  placement.begin_frame(now.scene());
  stats.keyframe = now.scene().keyframe();
  if (motion) {
    motion->read_back(now.scene().continuation);
    placement.move_tiles(motion->field());
  }
  PlacementResult placed;
  if (diffused)
    placement.set_tiles(diffusion->tiles());
  else
    placed = placement.update(*executor, now.analysis(), now.candidates(), now.saliency(),
                              {settings.beta,
                               settings.dedup_radius,
                               settings.effort,
                               settings.look.neighbor_swap_rounds,
                               settings.look.rerank,
                               {},
                               {},
                               &budget},
                              known_ahead() ? &lookahead->costs : nullptr);
  if (known_ahead()) --lookahead->frames_ahead;
  stats.cost = placed.mean_cost;
  stats.gap = placed.gap;
  stats.extra = placed.extra;
  stats.reranked = placed.reranked;
  count_changes();
  stats.ms_assignment = ms_since(start);
}

/// Makes the finished picture from the canvas: seams and finishing.
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

/// Whether the flags ask for any overlay mark that can be drawn: without a motion search there are
/// no arrows.
bool Engine::Impl::overlays(unsigned flags) const {
  return (motion ? flags : flags & ~unsigned{kOverlayMotion}) != 0;
}

/// The finished picture, or a copy of it with the marks of the overlay.
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

void Engine::set_lookahead(int frames) {
  Impl& m = *impl_;
  if (frames == (m.lookahead ? m.lookahead->costs.frames() : 0)) return;
  m.lookahead.reset();
  if (frames > 0) m.lookahead.emplace(m.grid, m.pool, m.capacity, m.executor, frames);
}

void Engine::analyse_ahead(const mt::FrameView& in, const FrameSettings& settings) {
  Impl& m = *impl_;
  Lookahead& a = *m.lookahead;
  ++a.frames_ahead;
  if (settings.look.placement != a.placement) a.analyser.restart();
  a.placement = settings.look.placement;
  if (a.placement == PlacementKind::kDiffusion) return;
  a.analyser.enqueue(*m.executor, in, analyser_settings(settings));
  a.analyser.analysis().fetch_features(*m.executor);
  m.executor->wait();
  a.analyser.read_back(settings.ema_alpha);
  a.budget.begin(std::chrono::nanoseconds(settings.solve_budget_ns));
  a.costs.add_frame(m.executor->workers(), a.analyser.analysis(), a.analyser.candidates(),
                    a.analyser.saliency(), a.analyser.scene().continuation,
                    a.budget.search_deadline());
  a.budget.end();
}

int Engine::frames_ahead() const {
  return impl_->lookahead ? impl_->lookahead->frames_ahead : 0;
}

const FrameStats& Engine::process(const mt::FrameView& in, const mt::FrameView& out,
                                  const FrameSettings& settings) {
  Impl& m = *impl_;
  mt::Executor& executor = *m.executor;
  const Clock::time_point start = Clock::now();

  // Tiles that one kind of placement chose are of no use to the other.
  if (settings.look.placement != m.look.placement) m.now.restart();
  m.analyse(in, settings);
  // If nothing was repainted in the last frame, its picture is packed at once, so that a still
  // source need not wait for the assignment. If this frame differs after all, it is packed again.
  const bool still = !m.now.starts() && m.stats.repainted == 0 && settings.look == m.look;
  // An overlay shows what the assignment found, so it must wait for that.
  const bool packed = still && !m.overlays(settings.overlay);
  if (packed) {
    pack(executor, m.finished, in, out);
    m.end_stage(kPack);
  }
  executor.wait();
  m.read_times();
  m.place(settings);

  executor.lap();
  m.stats.repainted = m.drawing.update(executor, m.now.source(), m.now.analysis(),
                                       m.placement.tiles(), m.now.saliency(), settings.look,
                                       m.now.scene().continuation, settings.temporal_blend);
  m.end_stage(kDrawing);
  if (!still || m.stats.repainted > 0) {
    m.finish(settings.look);
    m.end_stage(kFinishing);
  }
  if (!packed || m.stats.repainted > 0) {
    pack(executor, m.overlaid(settings.overlay), in, out);
    m.end_stage(kPack);
  }

  m.stats.frame = m.frames++;
  m.stats.cells = m.grid.cells();
  m.stats.tiles = m.pool->host().tiles();
  m.stats.ms = ms_since(start);
  return stats();
}

const FrameStats& Engine::stats() {
  impl_->read_times();
  return impl_->stats;
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
  impl_->now.forget();
  if (impl_->lookahead) impl_->lookahead->forget();
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
