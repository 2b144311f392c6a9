// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/placement/lookahead_costs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "executor/host_distances.h"
#include "kernels/matching/candidates.h"

namespace mosaic {
namespace {

constexpr int kConsidered = 32;  // cheapest tiles of a cell, in each frame
// The last known frame counts this often, in place of the unknown frames after it, unless its scene
// or the stream ends with it.
constexpr int64_t kLastCounts = 8;

}  // namespace

LookaheadCosts::LookaheadCosts(int cells, std::shared_ptr<const PoolOnDevice> pool,
                               const UseLimit& uses, int frames)
    : pool_(std::move(pool)),
      uses_(uses),
      frames_(frames),
      slots_(frames + 1),
      weighted_(cells),
      frame_(slots_),
      cells_(cells),
      price_(cells),
      others_(cells) {}

void LookaheadCosts::forget() {
  known_ = 0;
  now_ = -1;
  for (Cell& cell : cells_) cell = {};
}

/// Stores what the newest frame's costs are computed from. @param begins it begins a scene
void LookaheadCosts::store(const TileCosts& costs, const Saliency& saliency, bool begins) {
  const AnalysedCells& analysis = costs.analysis();
  const CandidateLists& candidates = costs.candidates();
  Frame& f = frame(known_);
  const size_t count = cells_.size() * mt::kFeatureStride;
  const mt::FineFeatures features = analysis.features();
  f.features.assign(features.features, features.features + count);
  f.residuals.assign(features.residuals, features.residuals + count);
  f.near_limit.assign(candidates.near_limits().begin(), candidates.near_limits().end());
  f.weight = weighted_.weight();
  f.factor = candidates.factor();
  f.oklab.resize(cells_.size());
  f.movement.resize(cells_.size());
  for (size_t cell = 0; cell < cells_.size(); ++cell) {
    std::copy_n(analysis.stats()[cell].oklab, 3, f.oklab[cell].begin());
    f.movement[cell] = {.speed = analysis.moved(static_cast<int>(cell)),
                        .in_region = saliency.in_region()[cell] != 0};
  }
  f.scene = begins ? known_ : frame(known_ - 1).scene;
}

int32_t LookaheadCosts::cost(int64_t number, int cell, int32_t tile) const {
  const Frame& f = frame(number);
  const Pool& pool = pool_->host();
  const mt::FineFeatures cells{f.features.data(), f.residuals.data()};
  const mt::FineFeatures tiles{pool.features().data(), pool.residuals().data()};
  const int32_t distance = mt::host_feature_distance(cells.at(cell), tiles.at(tile));
  return weighted_cost(mt::tile_cost(mt::distance_key(distance, tile), f.factor, f.near_limit[cell],
                                     f.oklab[cell].data(), pool.stats().data()),
                       f.weight[cell]);
}

/// Finds the newest frame's best assignment.
void LookaheadCosts::solve(mt::WorkerPool& workers, const TileCosts& costs,
                           std::optional<AssignmentSolver::Clock::time_point> deadline) {
  AssignmentProblem problem;
  weighted_.describe(costs.candidates(), problem);
  problem.central_duals = true;
  const auto read_costs = [&](const CostBlock& block) { costs.read_costs(block); };
  const auto single = [&](int cell, int tile) { return costs.cost(cell, tile); };
  problem.read_costs = std::ref(read_costs);
  problem.single = std::ref(single);
  problem.workers = &workers;
  problem.cancellation = workers.cancellation();
  const Assignment& solved = solver_.solve(problem, uses_, deadline);
  best_ = solved.column;
  frame(known_).dual = solved.column_dual;
  frame(known_).mean_cost = static_cast<double>(solved.cost) / static_cast<double>(cells_.size());
}

/// Adds a tile to those considered for a cell, with its costs from frame `from` on.
/// @param until a frame in which it is among the cheapest
void LookaheadCosts::consider(int cell, int32_t tile, int64_t from, int64_t until) {
  Cell& c = cells_[cell];
  const auto found = std::find(c.tile.begin(), c.tile.end(), tile);
  const size_t i = found - c.tile.begin();
  if (found == c.tile.end()) {
    c.tile.push_back(tile);
    c.until.push_back(until);
    c.from.push_back(known_);
    c.cost.resize(c.tile.size() * slots_);
  }
  c.until[i] = std::max(c.until[i], until);
  while (c.from[i] > from) {
    const int64_t number = --c.from[i];
    c.cost[i * slots_ + number % slots_] = cost(number, cell, tile);
  }
}

/// Considers the tiles of a cell's list that are cheapest with the prices of tiles added, and the
/// one that the best assignment gives it.
void LookaheadCosts::consider_cheapest(const CandidateLists& candidates, int cell) {
  const int64_t newest = known_ - 1;
  const std::vector<int64_t>& dual = frame(newest).dual;
  const int listed = candidates.listed();
  const int32_t *tiles = candidates.tiles(cell), *costs = weighted_.costs(cell);
  struct Priced {
    int64_t cost;
    int32_t tile;
    bool operator<(const Priced& other) const {
      return cost != other.cost ? cost < other.cost : tile < other.tile;
    }
  };
  std::array<Priced, mt::Candidates::kNearest> priced;
  for (int i = 0; i < listed; ++i) priced[i] = {costs[i] - dual[uses_.unit(tiles[i])], tiles[i]};
  const int considered = std::min(listed, kConsidered);
  std::nth_element(priced.begin(), priced.begin() + considered - 1, priced.begin() + listed);
  const int64_t from = std::max(frame(newest).scene, now_ + 1);
  for (int i = 0; i < considered; ++i) consider(cell, priced[i].tile, from, newest);
  consider(cell, best_[cell], from, newest);
}

void LookaheadCosts::add_frame(mt::WorkerPool& workers, const AnalysedCells& analysis,
                               const CandidateLists& candidates, const Saliency& saliency,
                               Continuation continuation,
                               std::optional<AssignmentSolver::Clock::time_point> deadline) {
  const bool begins = continuation != Continuation::kContinues || known_ == 0;
  weighted_.update(workers, candidates, saliency, begins);
  const TileCosts costs(analysis, candidates, weighted_);
  store(costs, saliency, begins);
  solve(workers, costs, deadline);
  const int64_t newest = known_++;
  workers.run(weighted_.cells(), 16, [&](int, int first, int end) {
    for (int cell = first; cell < end; ++cell) {
      Cell& c = cells_[cell];
      for (size_t i = 0; i < c.tile.size(); ++i)
        c.cost[i * slots_ + newest % slots_] = costs.cost(cell, c.tile[i]);
      consider_cheapest(candidates, cell);
    }
  });
}

/// Removes the tiles that are among the cheapest neither now nor in the frames to come, but not the
/// held one nor the one shown.
void LookaheadCosts::remove_unused(Cell& cell, int32_t held, int32_t shown) const {
  size_t kept = 0;
  for (size_t i = 0; i < cell.tile.size(); ++i) {
    if (cell.until[i] < now_ && cell.tile[i] != held && cell.tile[i] != shown) continue;
    if (kept != i) {
      cell.tile[kept] = cell.tile[i];
      cell.until[kept] = cell.until[i];
      cell.from[kept] = cell.from[i];
      std::copy_n(&cell.cost[i * slots_], slots_, &cell.cost[kept * slots_]);
    }
    ++kept;
  }
  cell.tile.resize(kept);
  cell.until.resize(kept);
  cell.from.resize(kept);
  cell.cost.resize(kept * slots_);
}

/// Computes by dynamic programming, backwards from the last known frame, what showing a tile now
/// costs in the frames after this one, beyond the cheapest sequence of tiles.
/// @param last the last known frame of the scene
void LookaheadCosts::compute_later_costs(int cell, int64_t last, const Prices& prices,
                                         Scratch& scratch) {
  const auto price = [&](int64_t number) {
    const double units = prices.price.at(frame(number).movement[cell], prices.factor);
    return static_cast<int32_t>(std::min<int64_t>(std::llround(prices.unit * units), kMaxPrice));
  };
  Cell& c = cells_[cell];
  auto& [costs, sum] = scratch;
  costs.clear();
  c.known.clear();
  c.now.clear();
  for (size_t i = 0; i < c.tile.size(); ++i) {
    if (c.from[i] > now_) continue;
    c.known.push_back(c.tile[i]);
    costs.push_back(&c.cost[i * slots_]);
    c.now.push_back(costs.back()[now_ % slots_]);
  }
  const size_t count = c.known.size();
  c.later.assign(count, 0);
  price_[cell] = price(now_);
  others_[cell] = 0;
  const bool ends = last < known_ - 1 || last - now_ < frames_;
  sum.resize(count);
  for (int64_t n = last; n > now_; --n) {
    const std::vector<int64_t>& dual = frame(n).dual;
    const int64_t times = n == last && !ends ? kLastCounts : 1;
    for (size_t i = 0; i < count; ++i)
      sum[i] = times * (costs[i][n % slots_] - dual[uses_.unit(c.known[i])]) + c.later[i];
    const int64_t least = *std::min_element(sum.begin(), sum.end());
    others_[cell] = price(n);
    for (size_t i = 0; i < count; ++i)
      c.later[i] = static_cast<int32_t>(std::min<int64_t>(sum[i] - least, others_[cell]));
  }
}

int32_t LookaheadCosts::later_cost(int cell, int32_t tile) const {
  const Cell& c = cells_[cell];
  const auto found = std::find(c.known.begin(), c.known.end(), tile);
  return found == c.known.end() ? others_[cell] : c.later[found - c.known.begin()];
}

void LookaheadCosts::advance(mt::WorkerPool& workers, std::span<const int32_t> held,
                             std::span<const int32_t> shown, double factor,
                             const LookaheadPrice& price) {
  ++now_;
  const Frame& now = frame(now_);
  int64_t last = now_;
  while (last + 1 < known_ && frame(last + 1).scene == now.scene) ++last;
  const Prices prices{now.mean_cost, factor, price};
  scratch_.resize(std::max<size_t>(scratch_.size(), workers.threads()));
  workers.run(weighted_.cells(), 16, [&](int worker, int first, int end) {
    for (int cell = first; cell < end; ++cell) {
      const int32_t seen = shown.empty() ? -1 : shown[cell];
      remove_unused(cells_[cell], held[cell], seen);
      for (const int32_t tile : {held[cell], seen})
        if (tile >= 0) consider(cell, tile, now_, 0);
      compute_later_costs(cell, last, prices, scratch_[worker]);
    }
  });
}

}  // namespace mosaic
