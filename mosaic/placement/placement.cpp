// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/placement/placement.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>

#include "kernels/matching/candidates.h"
#include "mosaic/base/error.h"
#include "mosaic/placement/duplicates.h"
#include "mosaic/placement/swaps.h"

namespace mosaic {
namespace {

constexpr int kGrain = 64;  // cells that a worker claims at a time

}  // namespace

Placement::Placement(const Grid& grid, std::shared_ptr<const PoolOnDevice> pool,
                     const UseLimit& uses, const std::shared_ptr<mt::Executor>& executor)
    : grid_(grid),
      pool_(std::move(pool)),
      executor_(executor),
      uses_(uses),
      rerank_(grid, pool_, executor),
      weighted_(grid.cells()),
      held_(grid.cells(), -1),
      held_cost_(grid.cells()),
      price_(grid.cells()),
      switching_price_(grid.cells()),
      state_{std::vector<int32_t>(grid.cells(), -1),
             std::vector<int32_t>(static_cast<size_t>(grid.cells()) * 3), 0},
      kept_(state_),
      own_cost_(grid.cells()),
      shown_cost_(grid.cells()) {}

void Placement::begin_frame(const SceneUpdate& scene) {
  keyframe_ = scene.keyframe();
  kept_.update(scene, state_);
  rerank_.begin_frame(scene);
}

/// Sets each cell's held tile, the cost of that in this frame, and the switching price.
void Placement::price_held_tiles(const TileCosts& costs, const Saliency& saliency,
                                 const Settings& settings) {
  const AnalysedCells& analysis = costs.analysis();
  const int cells = grid_.cells();
  const double unit = static_cast<double>(state_.cost) / cells * price_factor(settings.beta);
  int moving = 0;
  for (int cell = 0; cell < cells; ++cell) moving += analysis.moved(cell) >= kVisibleStep;
  // While a frame is repeated unchanged, no price falls, so that the tiles chosen stay the best.
  const bool repeated = analysis.changed().empty();
  const double moving_share = static_cast<double>(moving) / cells;
  executor_->workers().run(
      cells, kGrain, [&, unit, repeated, moving_share](int, int begin, int end) {
        for (int cell = begin; cell < end; ++cell) {
          const int32_t least = repeated ? price_[cell] : 0;
          held_[cell] = keyframe_ ? -1 : state_.tile[cell];
          price_[cell] = switching_price_[cell] = held_cost_[cell] = 0;
          if (held_[cell] < 0) continue;
          const Movement movement{.drift = analysis.drift(cell, &state_.rgb[size_t{3} * cell]),
                                  .speed = analysis.moved(cell),
                                  .moving_share = moving_share,
                                  .in_region = saliency.in_region()[cell] != 0};
          const auto price =
              static_cast<int32_t>(std::min(unit * settings.price.at(movement), double{kMaxPrice}));
          switching_price_[cell] = price_[cell] = std::max(price, least);
          held_cost_[cell] = costs.cost(cell, held_[cell]);
        }
      });
}

/// Sets how often the frame uses each photo at least. One of the cells that hold a photo whose turn
/// it is keeps it.
void Placement::ask_for_photos(const TurnSettings& turns) {
  least_.clear();
  if (uses_.counted != Unit::kPhoto) return;
  const std::span<const uint8_t> required = turns_.begin_frame(turns, uses_.units, grid_.cells());
  if (uses_.least > 0 || !required.empty()) least_.assign(uses_.units, uses_.least);
  for (size_t photo = 0; photo < required.size(); ++photo)
    least_[photo] = std::max<int32_t>(least_[photo], required[photo]);
  if (required.empty()) return;
  is_kept_.assign(uses_.units, 0);
  for (int cell = 0; cell < grid_.cells(); ++cell) {
    const int photo = held_[cell] < 0 ? -1 : uses_.unit(held_[cell]);
    if (photo < 0 || !required[photo] || is_kept_[photo]) continue;
    is_kept_[photo] = 1;
    switching_price_[cell] = kMaxPrice;
  }
}

void Placement::end_turns() {
  if (uses_.counted != Unit::kPhoto) return;
  shown_.resize(grid_.cells());
  for (int cell = 0; cell < grid_.cells(); ++cell) shown_[cell] = uses_.unit(tiles()[cell]);
  turns_.end_frame(shown_);
}

/// Adds what tiles cost in the frames to come, and takes the switching prices of the lookahead.
void Placement::add_lookahead(const TileCosts& costs, const Settings& settings,
                              LookaheadCosts& lookahead) {
  std::span<const int32_t> shown;
  if (!keyframe_) shown = rerank_.tiles();
  lookahead.advance(executor_->workers(), held_, shown, price_factor(settings.beta),
                    settings.lookahead_price);
  lookahead_lists_.update(executor_->workers(), costs, lookahead);
  for (int cell = 0; cell < grid_.cells(); ++cell) {
    if (held_[cell] < 0) continue;
    switching_price_[cell] = lookahead.price(cell);
    held_cost_[cell] += lookahead.later_cost(cell, held_[cell]);
  }
}

/// Stores the mean colours of the cells that got another tile, from which their drift is measured.
void Placement::store_colours(const AnalysedCells& analysis) {
  for (int cell = 0; cell < grid_.cells(); ++cell) {
    if (held_[cell] == state_.tile[cell]) continue;
    std::copy_n(analysis.stats()[cell].rgb, 3, &state_.rgb[size_t{3} * cell]);
  }
}

std::optional<Placement::Clock::time_point> Placement::repair_deadline(const Settings& settings) {
  return settings.budget ? settings.budget->repair_deadline() : std::nullopt;
}

/// Finds the assignment whose sum of costs and switching prices is least.
/// @return the cost of its tiles in this frame, before duplicates were separated
int64_t Placement::assign(const TileCosts& costs, const Settings& settings,
                          const LookaheadCosts* lookahead, PlacementResult& result) {
  AssignmentProblem problem;
  weighted_.describe(costs.candidates(), problem);
  if (lookahead) lookahead_lists_.describe(problem);
  problem.held = held_.data();
  problem.held_cost = held_cost_.data();
  problem.switching_price = switching_price_.data();
  // With a lookahead every list changes, as the costs in the frames to come do.
  if (!lookahead) problem.unchanged = weighted_.unchanged().data();
  const auto read_costs = [&](const CostBlock& block) {
    costs.read_costs(block);
    if (lookahead) LookaheadLists::add_later_costs(*lookahead, block);
  };
  const auto read_cheapest = [&](int cell, int wanted, const ColumnPrices& prices, int32_t* tiles,
                                 int32_t* tile_costs) {
    return costs.read_cheapest(cell, wanted, prices, tiles, tile_costs);
  };
  const auto read_unit_costs = [&](const CostBlock& block, int units) {
    costs.read_unit_costs(block, units);
  };
  const auto single = [&](int cell, int tile) -> int32_t {
    return costs.cost(cell, tile) + (lookahead ? lookahead->later_cost(cell, tile) : 0);
  };
  problem.read_costs = std::ref(read_costs);  // by reference: nothing is allocated
  // At a keyframe most rows need whole lists in any case.
  problem.by_price = !lookahead && !keyframe_ && costs.candidates().by_price();
  problem.reads_prices = costs.candidates().by_price();
  if (!lookahead && costs.candidates().reads_cheapest()) {
    problem.read_cheapest = std::ref(read_cheapest);
    if (problem.reads_prices) problem.read_unit_costs = std::ref(read_unit_costs);
  }
  problem.single = std::ref(single);
  problem.workers = &executor_->workers();
  problem.cancellation = executor_->cancellation();
  const std::optional<Clock::time_point> deadline =
      settings.budget ? settings.budget->search_deadline() : std::nullopt;
  const Assignment& solved = solver_.solve(problem, uses_, deadline, settings.effort);

  state_.tile = solved.column;
  int64_t saved = 0;
  if (solved.cost > solved.lower_bound) {
    const auto priced = [&](int cell, int tile) -> int64_t {
      return held_[cell] == tile ? held_cost_[cell] - switching_price_[cell] : single(cell, tile);
    };
    saved = swap_neighbours(grid_.columns, grid_.rows, settings.swap_rounds, std::ref(priced),
                            state_.tile, problem.cancellation);
  }
  result.gap = solved.gap(solved.cost - saved);
  if (!least_.empty()) {
    const int64_t bound = least_uses_.raise(solver_, solved, uses_.most, least_, state_.tile,
                                            problem.cancellation, repair_deadline(settings));
    // If the deadline left photos out, the cost may be below the bound, which includes them.
    const int64_t above = std::max<int64_t>(0, cost_with_changes(costs, lookahead) - bound);
    result.gap = static_cast<double>(above) / static_cast<double>(std::max<int64_t>(bound, 1));
  }
  const int64_t least = price_tiles(costs, lookahead, solved);
  if (uses_.most == 1) return least;
  if (uses_.counted == Unit::kPhoto)
    separate_photos(settings);
  else
    separate_duplicates(problem, grid_.columns, grid_.rows, pool_->host().photos(),
                        settings.dedup_radius, state_.tile);
  price_tiles(costs, lookahead, solved);
  return least;
}

/// The same sum as Assignment::cost, of the present tiles.
int64_t Placement::cost_with_changes(const TileCosts& costs,
                                     const LookaheadCosts* lookahead) const {
  int64_t sum = 0;
  for (int cell = 0; cell < grid_.cells(); ++cell) {
    const int32_t tile = state_.tile[cell];
    sum += costs.cost(cell, tile) + (lookahead ? lookahead->later_cost(cell, tile) : 0);
    if (held_[cell] >= 0 && held_[cell] != tile) sum += switching_price_[cell];
  }
  return sum;
}

void Placement::separate_photos(const Settings& settings) {
  const unsigned radius = settings.dedup_radius;
  const PhotoSeparation::Rules rules{
      .columns = grid_.columns,
      .rows = grid_.rows,
      .capacity = uses_.most,
      .least = least_,
      .radius = static_cast<int>(std::min<unsigned>(radius, std::max(grid_.columns, grid_.rows)))};
  separation_.separate(solver_, rules, state_.tile, executor_->cancellation(),
                       repair_deadline(settings));
}

/// Computes what the assigned tiles cost in this frame, for most of them from the solver's answer.
/// @return their sum
int64_t Placement::price_tiles(const TileCosts& costs, const LookaheadCosts* lookahead,
                               const Assignment& solved) {
  for (int cell = 0; cell < grid_.cells(); ++cell) {
    const int32_t tile = state_.tile[cell];
    own_cost_[cell] =
        tile == solved.column[cell]
            ? solved.column_cost[cell] - (lookahead ? lookahead->later_cost(cell, tile) : 0)
            : costs.cost(cell, tile);
  }
  return std::accumulate(own_cost_.begin(), own_cost_.end(), int64_t{0});
}

/// Sums up the costs in this frame, of the assigned tiles and of those shown.
/// @param least cost of the assignment before duplicates were separated
void Placement::sum_up(const TileCosts& costs, int64_t least, PlacementResult& result) {
  for (int cell = 0; cell < grid_.cells(); ++cell) {
    const int32_t own = state_.tile[cell], shown = tiles()[cell];
    shown_cost_[cell] = shown == own ? own_cost_[cell] : costs.cost(cell, shown);
  }
  state_.cost = std::accumulate(own_cost_.begin(), own_cost_.end(), int64_t{0});
  const int64_t shown_cost = std::accumulate(shown_cost_.begin(), shown_cost_.end(), int64_t{0});
  result.extra =
      static_cast<double>(shown_cost - least) / static_cast<double>(std::max<int64_t>(1, least));
  result.mean_cost =
      static_cast<double>(shown_cost) / (static_cast<double>(grid_.cells()) * (1 << mt::kCostBits));
}

/// Reranks the assigned tiles. @return the time that it took
Placement::Clock::duration Placement::rerank(const TileCosts& costs, const Settings& settings,
                                             const LookaheadCosts* lookahead) {
  const Clock::time_point start = Clock::now();
  const Pool& pool = pool_->host();
  // As in the assignment: the prices of a lookahead are made for costs that include later ones.
  const auto tile_cost = [&](int cell, int tile) -> int64_t {
    return int64_t{costs.cost(cell, tile)} + (lookahead ? lookahead->later_cost(cell, tile) : 0);
  };
  const Occupancy::Rules rules{.columns = grid_.columns,
                               .rows = grid_.rows,
                               .photos = pool.photos(),
                               .uses = uses_,
                               .radius = settings.dedup_radius,
                               .least = least_};
  rerank_.update(costs.analysis(), costs.candidates(), state_.tile, std::ref(tile_cost),
                 {.nearest = settings.rerank,
                  .price = switching_price_,
                  .rules = rules,
                  .photos = uses_.counted == Unit::kPhoto ? &solver_ : nullptr});
  return Clock::now() - start;
}

PlacementResult Placement::update(const AnalysedCells& analysis, const CandidateLists& candidates,
                                  const Saliency& saliency, const Settings& settings,
                                  LookaheadCosts* lookahead) {
  PlacementResult result;
  weighted_.update(executor_->workers(), candidates, saliency, keyframe_);
  const TileCosts costs(analysis, candidates, weighted_);
  price_held_tiles(costs, saliency, settings);
  if (lookahead) add_lookahead(costs, settings, *lookahead);
  ask_for_photos(settings.turns);
  const int64_t least = assign(costs, settings, lookahead, result);
  store_colours(analysis);
  const Clock::duration reranking = rerank(costs, settings, lookahead);
  result.reranked = rerank_.reranked();
  end_turns();
  sum_up(costs, least, result);
  if (settings.budget) settings.budget->end(reranking);
  return result;
}

void Placement::move_tiles(std::span<const CellOrigin> field) {
  if (!find_tile_origins(grid_.columns, field, from_, moved_tile_)) return;
  moved_tile_.resize(state_.tile.size());
  moved_rgb_.resize(state_.rgb.size());
  for (int cell = 0; cell < grid_.cells(); ++cell) {
    const int32_t source = from_[cell];
    moved_tile_[cell] = source < 0 ? -1 : state_.tile[source];
    if (source >= 0) std::copy_n(&state_.rgb[size_t{3} * source], 3, &moved_rgb_[size_t{3} * cell]);
  }
  state_.tile.swap(moved_tile_);
  state_.rgb.swap(moved_rgb_);
  rerank_.move_tiles(from_);
}

void Placement::set_tiles(std::span<const int32_t> tiles) {
  state_.tile.assign(tiles.begin(), tiles.end());
  std::fill(shown_cost_.begin(), shown_cost_.end(), 0);
  rerank_.set_tiles(tiles);
}

}  // namespace mosaic
