// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/outlook.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "cuda/candidates.h"
#include "cuda/distance.h"
#include "mosaic/price.h"

namespace mosaic {
namespace {

constexpr int kNamed = 32;  // tiles of a cell, by each frame
// The last frame stands for all that would follow; but nothing follows the end of a scene.
constexpr int64_t kLastCounts = 8;

}  // namespace

Outlook::Outlook(int cells, std::shared_ptr<const PoolOnDevice> pool, int capacity, int frames)
    : pool_(std::move(pool)),
      capacity_(capacity),
      frames_(frames),
      slots_(frames + 1),
      costs_(cells),
      frame_(slots_),
      cells_(cells),
      price_(cells),
      others_(cells) {}

void Outlook::forget() {
  known_ = 0;
  now_ = -1;
  for (Cell& cell : cells_) cell = {};
}

/// Keeps what the newest frame's costs are made of.
void Outlook::note(const FrameAnalysis& analysis, const CandidateLists& candidates, bool begins) {
  Foreseen& f = frame(known_);
  const size_t count = cells_.size() * mt::kFeatureStride;
  const mt::FineFeatures features = analysis.features();
  f.features.assign(features.features, features.features + count);
  f.remainders.assign(features.remainders, features.remainders + count);
  f.near_limit.assign(candidates.near_limits().begin(), candidates.near_limits().end());
  f.weight = costs_.weight();
  f.factor = candidates.factor();
  f.oklab.resize(cells_.size());
  f.quiet.resize(cells_.size());
  for (size_t cell = 0; cell < cells_.size(); ++cell) {
    std::copy_n(analysis.stats()[cell].oklab, 3, f.oklab[cell].begin());
    f.quiet[cell] = analysis.moved(static_cast<int>(cell)) < kVisibleStep;
  }
  begins |= known_ == 0;
  f.scene = begins ? known_ : frame(known_ - 1).scene;
}

int32_t Outlook::cost(int64_t number, int cell, int32_t tile) const {
  const Foreseen& f = frame(number);
  const Pool& pool = pool_->host();
  const mt::FineFeatures cells{f.features.data(), f.remainders.data()};
  const mt::FineFeatures tiles{pool.features().data(), pool.remainders().data()};
  const int32_t distance = mt::feature_distance(cells.at(cell), tiles.at(tile));
  return weighted_cost(mt::tile_cost(mt::distance_key(distance, tile), f.factor, f.near_limit[cell],
                                     f.oklab[cell].data(), pool.stats().data()),
                       f.weight[cell]);
}

/// Finds the newest frame's best assignment.
void Outlook::solve(const FrameAnalysis& analysis, const CandidateLists& candidates,
                    std::optional<AssignmentSolver::Clock::time_point> deadline) {
  AssignmentProblem problem;
  costs_.describe(candidates, problem);
  problem.capacity = capacity_;
  const auto full_row = [&](int cell, int32_t* costs) {
    costs_.all_costs(analysis, candidates, cell, costs);
  };
  const auto single = [&](int cell, int tile) {
    return costs_.cost(analysis, candidates, cell, tile);
  };
  problem.full_row = std::ref(full_row);
  problem.single = std::ref(single);
  const Assignment& solved = solver_.solve(problem, deadline);
  best_ = solved.column;
  frame(known_).dual = solved.column_dual;
  frame(known_).unit = static_cast<double>(solved.cost) / static_cast<double>(cells_.size());
}

/// Has a tile considered for a cell, from a frame on.
void Outlook::name(int cell, int32_t tile, int64_t from, int64_t until) {
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

/// Of the tiles that a cell lists, those that are cheapest when they are paid for by their duals.
void Outlook::name_tiles(const CandidateLists& candidates, int cell) {
  const int64_t newest = known_ - 1;
  const std::vector<int64_t>& dual = frame(newest).dual;
  const int listed = candidates.listed();
  const int32_t *tiles = candidates.tiles(cell), *costs = costs_.costs(cell);
  struct Paid {
    int64_t cost;
    int32_t tile;
    bool operator<(const Paid& other) const {
      return cost != other.cost ? cost < other.cost : tile < other.tile;
    }
  };
  std::array<Paid, mt::Candidates::kNearest> paid;
  for (int i = 0; i < listed; ++i) paid[i] = {costs[i] - dual[tiles[i]], tiles[i]};
  const int named = std::min(listed, kNamed);
  std::nth_element(paid.begin(), paid.begin() + named - 1, paid.begin() + listed);
  const int64_t from = std::max(frame(newest).scene, now_ + 1);
  for (int i = 0; i < named; ++i) name(cell, paid[i].tile, from, newest);
  name(cell, best_[cell], from, newest);
}

void Outlook::foresee(mt::WorkerPool& workers, const FrameAnalysis& analysis,
                      const CandidateLists& candidates, const Saliency& saliency, bool begins,
                      std::optional<AssignmentSolver::Clock::time_point> deadline) {
  costs_.update(workers, candidates, saliency, begins || known_ == 0);
  note(analysis, candidates, begins);
  solve(analysis, candidates, deadline);
  const int64_t newest = known_++;
  workers.run(costs_.cells(), 16, [&](int, int first, int end) {
    for (int cell = first; cell < end; ++cell) {
      Cell& c = cells_[cell];
      for (size_t i = 0; i < c.tile.size(); ++i)
        c.cost[i * slots_ + newest % slots_] = costs_.cost(analysis, candidates, cell, c.tile[i]);
      name_tiles(candidates, cell);
    }
  });
}

/// Tiles that no frame to come has named are no longer considered.
void Outlook::drop(Cell& cell, int32_t held) const {
  size_t kept = 0;
  for (size_t i = 0; i < cell.tile.size(); ++i) {
    if (cell.until[i] < now_ && cell.tile[i] != held) continue;
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

/// Backwards from the last frame: what it costs to be on a tile from a frame on, beyond the best.
/// @param last frame of the scene that is known
void Outlook::judge(int cell, int64_t last, double unit, const AheadPrice& p, Scratch& scratch) {
  const auto price = [&](int64_t number) {
    const double factor = p.any + (frame(number).quiet[cell] ? p.quiet : 0);
    return static_cast<int32_t>(std::min<int64_t>(std::llround(unit * factor), kMostPrice));
  };
  Cell& c = cells_[cell];
  auto& [costs, worth] = scratch;
  costs.clear();
  c.judged.clear();
  for (size_t i = 0; i < c.tile.size(); ++i) {
    if (c.from[i] > now_) continue;
    c.judged.push_back(c.tile[i]);
    costs.push_back(&c.cost[i * slots_]);
  }
  const size_t count = c.judged.size();
  c.later.assign(count, 0);
  price_[cell] = price(now_);
  others_[cell] = 0;
  const bool ends = last < known_ - 1 || last - now_ < frames_;
  worth.resize(count);
  for (int64_t n = last; n > now_; --n) {
    const std::vector<int64_t>& dual = frame(n).dual;
    const int64_t times = n == last && !ends ? kLastCounts : 1;
    for (size_t i = 0; i < count; ++i)
      worth[i] = times * (costs[i][n % slots_] - dual[c.judged[i]]) + c.later[i];
    const int64_t least = *std::min_element(worth.begin(), worth.end());
    others_[cell] = price(n);
    for (size_t i = 0; i < count; ++i)
      c.later[i] = static_cast<int32_t>(std::min<int64_t>(worth[i] - least, others_[cell]));
  }
}

int32_t Outlook::later(int cell, int32_t tile) const {
  const Cell& c = cells_[cell];
  const auto found = std::find(c.judged.begin(), c.judged.end(), tile);
  return found == c.judged.end() ? others_[cell] : c.later[found - c.judged.begin()];
}

void Outlook::turn(mt::WorkerPool& workers, std::span<const int32_t> held, double beta,
                   const AheadPrice& price) {
  ++now_;
  const Foreseen& now = frame(now_);
  int64_t last = now_;
  while (last + 1 < known_ && frame(last + 1).scene == now.scene) ++last;
  const double unit = now.unit * price_factor(beta);
  scratch_.resize(std::max<size_t>(scratch_.size(), workers.threads()));
  workers.run(costs_.cells(), 16, [&](int worker, int first, int end) {
    for (int cell = first; cell < end; ++cell) {
      drop(cells_[cell], held[cell]);
      if (held[cell] >= 0) name(cell, held[cell], now_, 0);
      judge(cell, last, unit, price, scratch_[worker]);
    }
  });
}

}  // namespace mosaic
