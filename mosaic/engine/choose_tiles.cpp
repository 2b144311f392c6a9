// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// How the engine chooses the tiles of a frame.
#include <algorithm>
#include <chrono>

#include "mosaic/engine/engine_impl.h"
#include "mosaic/placement/price.h"

namespace mosaic {
namespace {

constexpr double FrameStats::*const kAnalysisTimes[kAnalysisStages] = {
    &FrameStats::ms_unpack, &FrameStats::ms_scene, &FrameStats::ms_analysis,
    &FrameStats::ms_candidates};

}  // namespace

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

/// Counts the photos shown, for the statistics. Those that count as one are one here, too.
void Engine::Impl::count_photos(const FrameSettings& settings) {
  const bool counts_photos = uses.counted == Unit::kPhoto;
  const int in_pool = pool->host().photos(), photos = counts_photos ? uses.units : in_pool;
  const std::span<const int32_t> tiles = placement.tiles();
  shown_photos.resize(tiles.size());
  std::transform(tiles.begin(), tiles.end(), shown_photos.begin(),
                 [&](int32_t tile) { return uses.shown(tile, in_pool); });
  stats.photos = photo_counter.count(shown_photos, photos, grid.columns, settings.dedup_radius);
  const bool counts_turns = settings.turns.within > 0 && counts_photos;
  stats.photos_in_time = static_cast<unsigned>(counts_turns ? placement.photos_in_time() : photos);
}

/// Chooses the tiles of the frame.
void Engine::Impl::choose_tiles(const FrameSettings& settings, std::span<const Region> regions) {
  const FrameBudget::Clock::time_point start = FrameBudget::Clock::now();
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
  const double of_photos = uses.counted == Unit::kPhoto
                               ? price_factor_of_photos(uses.most > 1, lookahead.has_value())
                               : 1;
  const Placement::Settings wanted{
      .beta = settings.beta * price_factor_of_fidelity(settings.look.fidelity) * of_photos,
      .dedup_radius = settings.dedup_radius,
      .turns = settings.turns,
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
  count_photos(settings);
  stats.ms_assignment = ms_since(start);
}

}  // namespace mosaic
