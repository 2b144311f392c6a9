// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/placement.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>

#include "cuda/candidates.h"
#include "mosaic/error.h"
#include "mosaic/separate.h"
#include "mosaic/swaps.h"

namespace mosaic {
namespace {

constexpr int kGrain = 64;     // cells that a worker claims at a time
constexpr int kListShare = 2;  // of the time: the other half is to choose among what is listed

}  // namespace

int tile_capacity(int cells, const Pool& pool, unsigned max_tile_uses) {
  const int64_t tiles = pool.tiles();
  if (max_tile_uses == 0) return static_cast<int>((cells + tiles - 1) / tiles);
  if (tiles * max_tile_uses < cells)
    throw Error(Error::Kind::kSettings,
                "the pool has " + std::to_string(tiles) + " tiles, used at most " +
                    std::to_string(max_tile_uses) + " times each, but the grid has " +
                    std::to_string(cells) + " cells",
                "Add photos, make the cells larger (tile-size, size), or allow a tile more often "
                "(max-tile-uses).");
  return static_cast<int>(std::min<int64_t>(max_tile_uses, cells));
}

Placement::Placement(const Grid& grid, std::shared_ptr<const PoolOnDevice> pool, int capacity,
                     const std::shared_ptr<mt::Executor>& executor)
    : grid_(grid),
      pool_(std::move(pool)),
      capacity_(capacity),
      rerank_(grid, pool_, executor),
      costs_(grid.cells()),
      held_(grid.cells(), -1),
      held_cost_(grid.cells()),
      discount_(grid.cells()),
      prices_(pool_->host().tiles()),
      rgb_(static_cast<size_t>(grid.cells()) * 3),
      assigned_(grid.cells(), -1),
      own_cost_(grid.cells()),
      shown_cost_(grid.cells()) {
  kept_.fill({assigned_, rgb_, 0});
}

/// What the cells hold, what it costs them now, and what giving it up would.
void Placement::hold(mt::WorkerPool& workers, const FrameAnalysis& analysis,
                     const CandidateLists& candidates, bool keep, const Settings& settings) {
  const int cells = grid_.cells();
  const double unit = static_cast<double>(assigned_cost_) / cells * price_factor(settings.beta);
  int moving = 0;
  for (int cell = 0; cell < cells; ++cell) moving += analysis.moved(cell) >= kVisibleStep;
  // In the very same frame again no price falls: what was best then stays so.
  const bool again = analysis.changed().empty();
  const double share = static_cast<double>(moving) / cells;
  workers.run(cells, kGrain, [&, keep, unit, again, share](int, int begin, int end) {
    for (int cell = begin; cell < end; ++cell) {
      const int32_t least = again ? discount_[cell] : 0;
      held_[cell] = keep ? assigned_[cell] : -1;
      discount_[cell] = held_cost_[cell] = 0;
      if (held_[cell] < 0) continue;
      const Movement movement{analysis.drift(cell, &rgb_[size_t{3} * cell]), analysis.moved(cell),
                              share};
      const auto price =
          static_cast<int32_t>(std::min(unit * settings.price.at(movement), double{kMostPrice}));
      discount_[cell] = std::max(price, least);
      held_cost_[cell] = cost(analysis, candidates, cell, held_[cell]);
    }
  });
}

/// What the frames to come make of the tiles, and of a change.
void Placement::look_ahead(mt::WorkerPool& workers, const FrameAnalysis& analysis,
                           const CandidateLists& candidates, const Settings& settings,
                           Outlook& outlook) {
  outlook.turn(workers, held_, settings.beta, settings.ahead);
  ahead_.update(workers, analysis, candidates, costs_, outlook);
  for (int cell = 0; cell < grid_.cells(); ++cell) {
    if (held_[cell] < 0) continue;
    discount_[cell] = outlook.price(cell);
    held_cost_[cell] += outlook.later(cell, held_[cell]);
  }
}

/// Takes note of what the cells were like that got a tile.
void Placement::remember(const FrameAnalysis& analysis) {
  for (int cell = 0; cell < grid_.cells(); ++cell) {
    if (held_[cell] == assigned_[cell]) continue;
    std::copy_n(analysis.stats()[cell].rgb, 3, &rgb_[size_t{3} * cell]);
  }
}

/// The least sum of costs and prices; returns what its tiles cost, if twins were then kept apart.
std::optional<int64_t> Placement::assign(const FrameAnalysis& analysis,
                                         const CandidateLists& candidates, const Settings& settings,
                                         const Outlook* outlook, PlacementResult& result) {
  AssignmentProblem problem;
  costs_.describe(candidates, problem);
  if (outlook) ahead_.describe(problem);
  if (candidates.priced()) problem.prices = prices_.data();
  problem.capacity = capacity_;
  problem.held = held_.data();
  problem.held_cost = held_cost_.data();
  problem.discount = discount_.data();
  // What comes later is another thing in each frame.
  if (!outlook) problem.unchanged = costs_.unchanged().data();
  const auto full_row = [&](int cell, int32_t* costs) {
    costs_.all_costs(analysis, candidates, cell, costs);
    if (outlook) AheadCosts::add_later(*outlook, cell, costs, problem.columns);
  };
  const auto single = [&](int cell, int tile) -> int32_t {
    return cost(analysis, candidates, cell, tile) + (outlook ? outlook->later(cell, tile) : 0);
  };
  problem.full_row = std::ref(full_row);  // by reference: nothing is allocated
  problem.single = std::ref(single);
  auto deadline = settings.deadline;
  if (deadline) {
    // A search that never had any time would leave everything as it is.
    const Clock::duration left = *deadline - Clock::now();
    *deadline -= std::min(reserve_, std::max(left, Clock::duration::zero()) * 3 / 4);
    aim_ = *deadline;
  }
  const Assignment& solved = solver_.solve(problem, deadline, settings.effort);

  assigned_ = solved.column;
  prices_ = solved.price;
  int64_t saved = 0;
  if (solved.cost > solved.lower_bound) {
    const auto priced = [&](int cell, int tile) -> int64_t {
      return held_[cell] == tile ? held_cost_[cell] - discount_[cell] : single(cell, tile);
    };
    saved = swap_neighbours(grid_.columns, grid_.rows, settings.swap_rounds, std::ref(priced),
                            assigned_);
  }
  result.gap = solved.gap(solved.cost - saved);
  price_tiles(analysis, candidates, outlook, solved);
  if (capacity_ == 1) return std::nullopt;
  const int64_t least = std::accumulate(own_cost_.begin(), own_cost_.end(), int64_t{0});
  separate_twins(problem, grid_.columns, grid_.rows, pool_->host().photos(), settings.dedup_radius,
                 assigned_);
  price_tiles(analysis, candidates, outlook, solved);
  return least;
}

/// What the tiles cost in this frame; most of it the solver knows.
void Placement::price_tiles(const FrameAnalysis& analysis, const CandidateLists& candidates,
                            const Outlook* outlook, const Assignment& solved) {
  for (int cell = 0; cell < grid_.cells(); ++cell) {
    const int32_t tile = assigned_[cell];
    own_cost_[cell] = tile == solved.column[cell]
                          ? solved.column_cost[cell] - (outlook ? outlook->later(cell, tile) : 0)
                          : cost(analysis, candidates, cell, tile);
  }
}

/// What the frame's tiles cost, those of the assignment and those that are shown.
void Placement::sum_up(const FrameAnalysis& analysis, const CandidateLists& candidates,
                       std::optional<int64_t> before_twins, PlacementResult& result) {
  for (int cell = 0; cell < grid_.cells(); ++cell) {
    const int32_t own = assigned_[cell], shown = tiles()[cell];
    shown_cost_[cell] = shown == own ? own_cost_[cell] : cost(analysis, candidates, cell, shown);
  }
  assigned_cost_ = std::accumulate(own_cost_.begin(), own_cost_.end(), int64_t{0});
  const int64_t shown_cost = std::accumulate(shown_cost_.begin(), shown_cost_.end(), int64_t{0});
  const int64_t least = before_twins.value_or(assigned_cost_);
  result.extra =
      static_cast<double>(shown_cost - least) / static_cast<double>(std::max<int64_t>(1, least));
  result.mean_cost =
      static_cast<double>(shown_cost) / (static_cast<double>(grid_.cells()) * (1 << mt::kCostBits));
}

PlacementResult Placement::update(mt::Executor& executor, const FrameAnalysis& analysis,
                                  const CandidateLists& candidates, const Saliency& saliency,
                                  bool keep, const Settings& settings, Outlook* outlook) {
  PlacementResult result;
  costs_.update(executor.workers(), candidates, saliency, !keep);
  hold(executor.workers(), analysis, candidates, keep, settings);
  if (outlook) look_ahead(executor.workers(), analysis, candidates, settings, *outlook);
  const std::optional<int64_t> before_twins =
      assign(analysis, candidates, settings, outlook, result);
  remember(analysis);

  const Clock::time_point placed = Clock::now();
  const Pool& pool = pool_->host();
  const auto tile_cost = [&](int cell, int tile) -> int64_t {
    return cost(analysis, candidates, cell, tile);
  };
  rerank_.update(
      executor, analysis, candidates, assigned_, std::ref(tile_cost),
      {settings.rerank,
       keep,
       discount_,
       {grid_.columns, grid_.rows, pool.tiles(), pool.photos(), capacity_, settings.dedup_radius}});
  result.reranked = rerank_.looked_at();
  const Clock::duration reranking = Clock::now() - placed;
  sum_up(analysis, candidates, before_twins, result);
  if (settings.deadline) reserve(Clock::now() - reranking - aim_);
  return result;
}

Placement::Clock::duration Placement::time_to_list(Clock::duration budget) const {
  const Clock::duration share = budget / kListShare;
  return share - std::min(reserve_ / kListShare, share / 2);
}

/// Late frames are to be rare: what was once late is aimed at earlier for seconds, as the processor
/// is taken away in bursts.
void Placement::reserve(Clock::duration past) {
  constexpr Clock::duration kMargin = std::chrono::milliseconds(1);
  constexpr Clock::duration kMost = std::chrono::milliseconds(5);
  constexpr int kDecay = 128;  // frames
  reserve_ = std::clamp(past + kMargin, reserve_ - reserve_ / kDecay, kMost);
}

void Placement::carry(std::span<const CellOrigin> field) {
  if (!carried_from(grid_.columns, field, from_, carried_tile_)) return;
  carried_tile_.resize(assigned_.size());
  carried_rgb_.resize(rgb_.size());
  for (int cell = 0; cell < grid_.cells(); ++cell) {
    const int32_t source = from_[cell];
    carried_tile_[cell] = source < 0 ? -1 : assigned_[source];
    if (source >= 0) std::copy_n(&rgb_[size_t{3} * source], 3, &carried_rgb_[size_t{3} * cell]);
  }
  assigned_.swap(carried_tile_);
  rgb_.swap(carried_rgb_);
  rerank_.carry(from_);
}

void Placement::take(std::span<const int32_t> tiles) {
  assigned_.assign(tiles.begin(), tiles.end());
  std::fill(shown_cost_.begin(), shown_cost_.end(), 0);
  rerank_.take(tiles);
}

void Placement::keep(int scene) {
  kept_[scene - 1].assigned = assigned_;
  kept_[scene - 1].rgb = rgb_;
  kept_[scene - 1].assigned_cost = assigned_cost_;
  rerank_.keep(scene);
}

void Placement::recall(int scene) {
  assigned_ = kept_[scene - 1].assigned;
  rgb_ = kept_[scene - 1].rgb;
  assigned_cost_ = kept_[scene - 1].assigned_cost;
  rerank_.recall(scene);
}

}  // namespace mosaic
