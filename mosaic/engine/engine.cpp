// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/engine/engine.h"

#include <algorithm>
#include <optional>

#include "mosaic/engine/economy.h"
#include "mosaic/engine/engine_impl.h"

namespace mosaic {
namespace {

using Clock = FrameBudget::Clock;

constexpr double FrameStats::*const kDrawingTimes[kDrawingStages] = {
    &FrameStats::ms_drawing, &FrameStats::ms_finishing, &FrameStats::ms_pack};

}  // namespace

/// Stores the times that are known by now; the others stay as they are.
void Engine::Impl::read_times() {
  for (int i = 0; i < kDrawingStages; ++i)
    if (const std::optional<double> ms = executor->ms(laps[i])) stats.*kDrawingTimes[i] = *ms;
}

Engine::Engine(const Grid& grid, std::shared_ptr<const Pool> pool, const UseSettings& uses,
               std::shared_ptr<mt::Executor> executor)
    : impl_(std::make_unique<Impl>(grid, std::move(pool), uses, std::move(executor))) {}

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
    if (frames > 0) m.lookahead.emplace(m.grid, m.pool, m.uses, m.max_diffused, frames);
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

Look Engine::as_drawn(Look look) const {
  return impl_->as_drawn(look);
}

Look Engine::Impl::as_drawn(Look look) const {
  // First, as it depends on the fidelity that was set.
  look.sharpness = sharpness_for(look.sharpness, look.fidelity, uses);
  look.fidelity = fidelity_for(look.fidelity, uses);
  return look;
}

const CellUpdates& Engine::Impl::update_cells(const FrameSettings& settings, const Look& look) {
  const CellUpdates& updates =
      planning.update(*now->cells, placement.tiles(), *now->saliency, look, now->scene.continuation,
                      settings.temporal_blend, kEconomies[settings.economy].redraw);
  stats.repainted = static_cast<unsigned>(updates.changed().size());
  return updates;
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
  const Look look = as_drawn(settings.look);
  const bool still = !starts && stats.repainted == 0 && look == output.look();
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
  const CellUpdates& updates = update_cells(settings, look);
  drawing.update({.picture = now->source, .stats = now->cells->stats_on_device()}, pool->tiles(),
                 updates.changes(), look);
  end_stage(kDrawing);
  if (!still || stats.repainted > 0) {
    output.finish(drawing, updates.changes(), now->scene.continuation, now->saliency->in_region(),
                  look, settings.ema_alpha);
    end_stage(kFinishing);
  }
  if (!packed || stats.repainted > 0) {
    output.pack(now->source, cells(), settings, in, out);
    end_stage(kPack);
  }
}

const stream::FrameState& Engine::Impl::describe(const mt::FrameView& in,
                                                 const FrameSettings& settings,
                                                 std::span<const Region> regions) {
  if (ahead.size() > 0)
    executor->lap();
  else
    analyse(in, settings);
  executor->wait();
  read_times();
  choose_tiles(settings, regions);
  executor->lap();
  const Look look = as_drawn(settings.look);
  if (!describing) describing.emplace(grid, executor);
  const stream::FrameState& state = describing->describe(now->source, *now->cells,
                                                         {.continuation = now->scene.continuation,
                                                          .blend = settings.temporal_blend,
                                                          .tiles = placement.tiles(),
                                                          .in_region = now->saliency->in_region(),
                                                          .updates = update_cells(settings, look)},
                                                         look);
  end_stage(kDrawing);
  return state;
}

/// Completes the statistics of a frame.
void Engine::Impl::count_frame(Clock::time_point start) {
  stats.frame = frames++;
  stats.cells = grid.cells();
  stats.tiles = pool->host().tiles();
  stats.ms = ms_since(start);
}

const FrameStats& Engine::process(const mt::FrameView& in, const mt::FrameView& out,
                                  const FrameSettings& settings, std::span<const Region> regions) {
  Impl& m = *impl_;
  const Clock::time_point start = Clock::now();
  m.run([&] { m.draw(in, out, settings, regions); });
  m.count_frame(start);
  return stats();
}

const stream::FrameState& Engine::describe(const mt::FrameView& in, const FrameSettings& settings,
                                           std::span<const Region> regions) {
  Impl& m = *impl_;
  const Clock::time_point start = Clock::now();
  const stream::FrameState* state = nullptr;
  m.run([&] { state = &m.describe(in, settings, regions); });
  m.count_frame(start);
  return *state;
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
