// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/engine/engine.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "mosaic/drawing/drawing.h"
#include "mosaic/engine/analysed_frame.h"
#include "mosaic/engine/analysis_stages.h"
#include "mosaic/engine/economy.h"
#include "mosaic/engine/output_stages.h"
#include "mosaic/placement/diffused_ahead.h"
#include "mosaic/placement/placement.h"
#include "mosaic/placement/price.h"

namespace mosaic {
namespace {

using Clock = FrameBudget::Clock;

constexpr double FrameStats::*const kAnalysisTimes[kAnalysisStages] = {
    &FrameStats::ms_unpack, &FrameStats::ms_scene, &FrameStats::ms_analysis,
    &FrameStats::ms_candidates};

/// The stages after the assignment, whose times the executor measures, too.
enum DrawingStage { kDrawing, kFinishing, kPack, kDrawingStages };
constexpr double FrameStats::*const kDrawingTimes[kDrawingStages] = {
    &FrameStats::ms_drawing, &FrameStats::ms_finishing, &FrameStats::ms_pack};

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// The costs of the frames analysed ahead, as far as they are to be known.
struct Lookahead {
  /// @param max_diffused see AnalysisStages
  Lookahead(const Grid& grid, const std::shared_ptr<const PoolOnDevice>& pool, int capacity,
            int max_diffused, int frames)
      : costs(grid.cells(), pool, capacity, frames),
        diffused(grid, pool->host().tiles(), max_diffused) {}

  FrameBudget budget;  ///< of the assignments of frames to come
  LookaheadCosts costs;
  int added = 0;  ///< how many of the frames analysed ahead, from the oldest on
  DiffusedAhead diffused;
  std::vector<DiffusedAhead::Tiles> frames;  ///< scratch
};

}  // namespace

struct Engine::Impl {
  Impl(const Grid& g, const std::shared_ptr<const Pool>& p, unsigned max_tile_uses,
       std::shared_ptr<mt::Executor> e)
      : grid(g),
        capacity(tile_capacity(g.cells(), *p, max_tile_uses)),
        executor(std::move(e)),
        pool(std::make_shared<PoolOnDevice>(p, executor)),
        max_diffused(max_tile_uses ? capacity : g.cells()),
        stages(grid, pool, max_diffused, executor),
        ahead(grid, pool, executor),
        placement(grid, pool, capacity, executor),
        last_tiles(grid.cells(), -1),
        drawing(grid, pool, executor),
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
  void draw(const mt::FrameView& in, const mt::FrameView& out, const FrameSettings& settings,
            std::span<const Region> regions);
  void count_changes();
  void end_stage(DrawingStage stage) { laps[stage] = executor->lap(); }
  void read_times();

  Grid grid;
  int capacity;  ///< see tile_capacity
  std::shared_ptr<mt::Executor> executor;
  std::shared_ptr<const PoolOnDevice> pool;
  int max_diffused;  ///< see AnalysisStages
  AnalysisStages stages;
  FrameRing ahead;  ///< the frames analysed ahead
  std::optional<Lookahead> lookahead;
  const AnalysedFrame* now = nullptr;  ///< the frame that is drawn, or the last one
  FrameBudget budget;
  Placement placement;
  std::vector<int32_t> last_tiles;  ///< [cells]
  Drawing drawing;
  OutputStages output;
  std::vector<int32_t> age;      ///< [cells], see Engine::ages
  mt::Lap laps[kDrawingStages];  ///< times of the last run of each stage
  uint64_t frames = 0;
  FrameStats stats;
};

/// Stores the times that are known by now; the others stay as they are.
void Engine::Impl::read_times() {
  for (int i = 0; i < kDrawingStages; ++i)
    if (const std::optional<double> ms = executor->ms(laps[i])) stats.*kDrawingTimes[i] = *ms;
}

/// Counts the cells whose tile changed, the unexplained changes among them, and for each cell the
/// frames since it got its tile.
void Engine::Impl::count_changes() {
  const Continuation continuation = now->scene.continuation;
  const bool start = continuation == Continuation::kStart;
  const bool returned = continuation == Continuation::kReturned;
  stats.changed = stats.unexplained = 0;
  for (int cell = 0; cell < grid.cells(); ++cell) {
    const bool same = placement.tiles()[cell] == last_tiles[cell];
    age[cell] = !start && same ? age[cell] + (age[cell] < INT32_MAX) : 0;
    if (start || same) continue;
    ++stats.changed;
    stats.unexplained += !returned && now->cells->moved(cell) < kVisibleStep;
  }
}

Engine::Engine(const Grid& grid, std::shared_ptr<const Pool> pool, unsigned max_tile_uses,
               std::shared_ptr<mt::Executor> executor)
    : impl_(std::make_unique<Impl>(grid, std::move(pool), max_tile_uses, std::move(executor))) {}

Engine::~Engine() = default;

template <class Work>
void Engine::Impl::run(const Work& work) {
  try {
    work();
  } catch (const mt::Cancelled&) {
    executor->wait();  // for kernels that still read or write the frame
    forget();
    throw;
  }
}

/// Launches the stages before the assignment, for a frame that was not analysed ahead.
void Engine::Impl::analyse(const mt::FrameView& in, const FrameSettings& settings) {
  stages.enqueue(in, settings);
  budget.begin(std::chrono::nanoseconds(settings.solve_budget_ns));
  stages.list(settings);
}

/// Adds the costs of the frames that the lookahead reaches and does not know yet.
void Engine::Impl::look_ahead() {
  if (!lookahead) return;
  LookaheadCosts& costs = lookahead->costs;
  for (int& i = lookahead->added; i < std::min(ahead.size(), costs.frames() + 1); ++i) {
    // The newest frame's distances are still in memory.
    const AnalysedFrame& frame = i + 1 == ahead.size() ? stages.frame() : ahead[i];
    if (!frame.diffused.empty()) continue;
    lookahead->budget.begin(frame.solve_budget);
    costs.add_frame(executor->workers(), *frame.cells, *frame.candidates, *frame.saliency,
                    frame.scene.continuation, lookahead->budget.search_deadline());
    lookahead->budget.end();
  }
}

/// What was found in the frame to be drawn, whose stages have been waited for.
const AnalysedFrame& Engine::Impl::take_frame(const FrameSettings& settings,
                                              std::span<const Region> regions) {
  if (ahead.size() > 0) {
    look_ahead();
    budget.begin(std::chrono::nanoseconds(settings.solve_budget_ns));
    if (lookahead) --lookahead->added;
    return ahead.pop();
  }
  ahead.drop_drawn();
  stages.read_back(settings, regions);
  return stages.frame();
}

/// What the frame shows where error diffusion has placed the tiles. @param radius within which a
/// tile is not repeated
std::span<const int32_t> Engine::Impl::diffused_tiles(unsigned radius) {
  if (!lookahead) return now->diffused;
  std::vector<DiffusedAhead::Tiles>& frames = lookahead->frames;
  frames.assign(1, now->diffused);
  for (int i = 0; i < ahead.size() && ahead[i].scene.continues() && !ahead[i].diffused.empty(); ++i)
    frames.push_back(ahead[i].diffused);
  const bool continues = now->scene.continues();
  return lookahead->diffused.choose(continues ? placement.tiles() : DiffusedAhead::Tiles(), frames,
                                    radius);
}

/// Chooses the tiles of the frame.
void Engine::Impl::choose_tiles(const FrameSettings& settings, std::span<const Region> regions) {
  const Clock::time_point start = Clock::now();
  const bool known_ahead = lookahead && ahead.size() > 0;
  now = &take_frame(settings, regions);
  budget.begin_assignment();
  last_tiles = placement.tiles();
  placement.begin_frame(now->scene);
  stats.keyframe = now->scene.keyframe();
  const std::span<const uint8_t> in_region = now->saliency->in_region();
  stats.region_cells = static_cast<unsigned>(std::count(in_region.begin(), in_region.end(), 1));
  if (now->motion) placement.move_tiles(now->motion->field);
  PlacementResult placed;
  const Placement::Settings wanted{
      .beta = settings.beta * price_factor_of_fidelity(settings.look.fidelity),
      .dedup_radius = settings.dedup_radius,
      .effort = settings.effort,
      .swap_rounds = settings.look.neighbor_swap_rounds,
      .rerank = settings.look.rerank,
      .price = {},
      .lookahead_price = {},
      .budget = &budget};
  if (!now->diffused.empty())
    placement.set_tiles(diffused_tiles(settings.dedup_radius));
  else
    placed = placement.update(*now->cells, *now->candidates, *now->saliency, wanted,
                              known_ahead ? &lookahead->costs : nullptr);
  stats.cost = placed.mean_cost;
  stats.gap = placed.gap;
  stats.extra = placed.extra;
  stats.reranked = placed.reranked;
  for (int i = 0; i < kAnalysisStages; ++i) stats.*kAnalysisTimes[i] = now->stage_ms[i];
  count_changes();
  stats.ms_assignment = ms_since(start);
}

/// The state of the cells in the frame, for an overlay.
OverlayDrawing::Cells Engine::Impl::cells() const {
  OverlayDrawing::Cells cells{.saliency = *now->saliency,
                              .costs = placement.costs(),
                              .ages = age,
                              .motion = {},
                              .field = {}};
  if (now->motion) {
    cells.motion = now->motion->motion;
    cells.field = now->motion->field;
  }
  return cells;
}

void Engine::set_lookahead(int frames) {
  Impl& m = *impl_;
  if (frames == (m.lookahead ? m.lookahead->costs.frames() : 0)) return;
  m.run([&] {
    m.lookahead.reset();
    m.ahead.set_room(frames ? frames + 1 : 0);
    if (frames > 0) m.lookahead.emplace(m.grid, m.pool, m.capacity, m.max_diffused, frames);
    m.look_ahead();
  });
}

void Engine::analyse_ahead(const mt::FrameView& in, const FrameSettings& settings,
                           std::span<const Region> regions) {
  Impl& m = *impl_;
  m.run([&] {
    m.stages.enqueue(in, settings, &m.ahead.next());
    m.stages.list(settings);
    m.executor->wait();
    m.stages.read_back(settings, regions);
    m.ahead.push();
    m.look_ahead();
  });
}

int Engine::frames_ahead() const {
  return impl_->ahead.size();
}

void Engine::Impl::draw(const mt::FrameView& in, const mt::FrameView& out,
                        const FrameSettings& settings, std::span<const Region> regions) {
  const bool analysed = ahead.size() > 0;
  if (analysed)
    executor->lap();
  else
    analyse(in, settings);
  const bool starts =
      analysed ? ahead[0].scene.continuation == Continuation::kStart : stages.starts();
  // If nothing was repainted in the last frame, its picture is packed at once, so that a still
  // source need not wait for the assignment. If this frame differs after all, it is packed again.
  const bool still = !starts && stats.repainted == 0 && settings.look == output.look();
  // An overlay shows what the assignment found, so it must wait for that.
  const bool packed = still && OutputStages::plain(settings);
  if (packed) {
    output.pack(in, out);
    end_stage(kPack);
  }
  executor->wait();
  read_times();
  choose_tiles(settings, regions);

  executor->lap();
  stats.repainted = drawing.update(now->source, *now->cells, placement.tiles(), *now->saliency,
                                   settings.look, now->scene.continuation, settings.temporal_blend,
                                   kEconomies[settings.economy].redraw);
  end_stage(kDrawing);
  if (!still || stats.repainted > 0) {
    output.finish(*now, drawing, settings, static_cast<int>(stats.repainted));
    end_stage(kFinishing);
  }
  if (!packed || stats.repainted > 0) {
    output.pack(now->source, cells(), settings, in, out);
    end_stage(kPack);
  }
}

const FrameStats& Engine::process(const mt::FrameView& in, const mt::FrameView& out,
                                  const FrameSettings& settings, std::span<const Region> regions) {
  Impl& m = *impl_;
  const Clock::time_point start = Clock::now();
  m.run([&] { m.draw(in, out, settings, regions); });
  m.stats.frame = m.frames++;
  m.stats.cells = m.grid.cells();
  m.stats.tiles = m.pool->host().tiles();
  m.stats.ms = ms_since(start);
  return stats();
}

bool Engine::repeat(const mt::FrameView& in, const mt::FrameView& out, double mix) {
  bool repeated = false;
  impl_->run([&] { repeated = impl_->output.repeat(mix, in, out); });
  return repeated;
}

const FrameStats& Engine::stats() {
  impl_->read_times();
  return impl_->stats;
}

Stages Engine::stages() {
  Impl& m = *impl_;
  return {.grid = m.grid,
          .saliency = *m.now->saliency,
          .source = m.now->source,
          .tiles = m.drawing.canvas(),
          .finished = m.output.finished()};
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

const FrameMotion* Engine::motion() const {
  return impl_->now ? impl_->now->motion : nullptr;
}

void Engine::Impl::forget() {
  stages.forget();
  ahead.clear();
  output.forget();
  if (!lookahead) return;
  lookahead->costs.forget();
  lookahead->added = 0;
}

void Engine::forget() {
  impl_->forget();
}

}  // namespace mosaic
