// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/placement/reranking.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace mosaic {
namespace {

constexpr int kByCorrelation = 5;  // tiles that go on to the second stage

}  // namespace

// mosaicraft adds 1e-8 to standard deviations, so that those of flat tiles are not 0.
double correlation(const mt::RerankScore& score, int pixels) {
  return static_cast<double>(score.covariance) /
         (std::sqrt(static_cast<double>(score.variance)) + pixels * 1e-8);
}

RankedScores rank(std::span<const mt::RerankScore> scores, int pixels) {
  std::array<double, 1 + mt::kRerankNearest> correlations;
  for (size_t i = 0; i < scores.size(); ++i) correlations[i] = correlation(scores[i], pixels);
  RankedScores ranks{};
  std::iota(ranks.begin(), ranks.begin() + scores.size(), 0);
  std::sort(ranks.begin(), ranks.begin() + scores.size(), [&](int a, int b) {
    return correlations[a] != correlations[b] ? correlations[a] > correlations[b] : a < b;
  });
  return ranks;
}

namespace {

/// Calls compare(i) for those of a cell's scores that are considered, the best correlated first.
template <class Compare>
void for_each_compared(std::span<const mt::RerankScore> scores, const RankedScores& ranks,
                       const Fits& fits, Compare compare) {
  int taken = 0;
  for (size_t k = 0; k < scores.size() && taken < kByCorrelation; ++k) {
    const int i = ranks[k];
    const int32_t tile = scores[i].tile;
    if (i > 0 && (tile < 0 || tile == scores[0].tile || !fits(tile))) continue;
    ++taken;
    compare(i);
  }
}

}  // namespace

uint32_t compared(std::span<const mt::RerankScore> scores, const RankedScores& ranks,
                  const Fits& fits) {
  uint32_t bits = 1;
  for_each_compared(scores, ranks, fits, [&](int i) { bits |= uint32_t{1} << i; });
  return bits;
}

int32_t most_similar_tile(std::span<const mt::RerankScore> scores, const RankedScores& ranks,
                          const Fits& fits) {
  int best = 0;
  for_each_compared(scores, ranks, fits, [&](int i) {
    if (scores[i].ssim > scores[best].ssim) best = i;
  });
  return scores[best].tile;
}

Reranking::Reranking(const Grid& grid, std::shared_ptr<const PoolOnDevice> pool,
                     const std::shared_ptr<mt::Executor>& executor)
    : grid_(grid),
      pool_(std::move(pool)),
      executor_(executor),
      state_{.nearest = 0,
             .tile = std::vector<int32_t>(grid.cells(), -1),
             .assigned = std::vector<int32_t>(grid.cells(), -1),
             .extra_cost = std::vector<int64_t>(grid.cells())},
      kept_(state_),
      to_rerank_(grid.cells()),
      gray_(executor, static_cast<size_t>(grid.cells()) * grid.side * grid.side),
      entry_(executor, grid.cells()),
      score_(executor, static_cast<size_t>(grid.cells()) * (1 + mt::kRerankNearest)),
      similar_(executor, grid.cells()),
      ranks_(grid.cells()) {
  moved_ = state_;
}

void Reranking::move_tiles(std::span<const int32_t> from) {
  moved_.nearest = state_.nearest;
  for (int cell = 0; cell < grid_.cells(); ++cell) {
    const int32_t source = from[cell];
    moved_.tile[cell] = source < 0 ? -1 : state_.tile[source];
    moved_.assigned[cell] = source < 0 ? -1 : state_.assigned[source];
    moved_.extra_cost[cell] = source < 0 ? 0 : state_.extra_cost[source];
  }
  std::swap(state_, moved_);
}

/// Returns cells to their assigned tiles where they may not keep the tiles that they show.
void Reranking::return_to_assignment(const std::vector<int32_t>& assigned, const Cost& cost,
                                     const Settings& settings,
                                     const mt::Cancellation& cancellation) {
  const bool all = keyframe_ || settings.nearest != state_.nearest;
  for (int cell = 0; cell < grid_.cells(); ++cell) {
    const int32_t own = assigned[cell], shown = state_.tile[cell];
    const bool reranks = all || own != state_.assigned[cell] ||
                         (own != shown && cost(cell, shown) - cost(cell, own) >
                                              state_.extra_cost[cell] + settings.price[cell]);
    if (reranks) state_.tile[cell] = own;
    to_rerank_[cell] = reranks ? kReranks : kKeeps;
  }
  state_.assigned = assigned;
  state_.nearest = settings.nearest;
  occupancy_.reset(settings.rules, state_.tile);
  resolve_conflicts(assigned, cost, settings, cancellation);
}

/// Where photos are counted: a cell that is reranked in any case takes its cheapest photo that is
/// free in place of the assigned one, if that adds no more to the cost than another cell's
/// switching price, so that the other cell may go on showing the photo.
bool Reranking::give_way(int cell, const Cost& cost, const PhotoAssignment& photos, int32_t most) {
  const int32_t own = state_.tile[cell];
  const PhotoAssignment::List list = photos.list(cell);
  for (const int32_t tile : list.tiles) {
    if (photos.photo_of(tile) == photos.photo_of(own) || !occupancy_.fits(cell, tile)) continue;
    const int64_t added = cost(cell, tile) - cost(cell, own);
    if (added > most) return false;
    occupancy_.replace(cell, tile);
    state_.extra_cost[cell] = std::max<int64_t>(0, added);
    to_rerank_[cell] = kGaveWay;
    return true;
  }
  return false;
}

/// Has the cells that are assigned what a cell shows give way to it, as long as it breaks a rule.
/// @return whether it no longer does
bool Reranking::make_room(int cell, const Cost& cost, const Settings& settings) {
  const UseLimit& uses = settings.rules.uses;
  const int unit = uses.unit(state_.tile[cell]);
  for (int owner = owner_[unit]; owner >= 0; owner = next_owner_[owner]) {
    if (to_rerank_[owner] != kReranks || uses.unit(state_.tile[owner]) != unit ||
        !occupancy_.are_in_conflict(cell, owner))
      continue;
    if (give_way(owner, cost, *settings.photos, settings.price[cell]) &&
        !occupancy_.violates_rules(cell))
      return true;
  }
  return false;
}

/// The owner of a tile takes another cell's assigned tile instead of its own, if that adds no more
/// to the cost than the other cell's switching price.
bool Reranking::exchange(int cell, int32_t own, const Cost& cost, const Settings& settings) {
  const UseLimit& uses = settings.rules.uses;
  const int32_t shown = state_.tile[cell];
  const int owner = owner_[uses.unit(shown)];
  if (owner < 0 || uses.most > 1 || !to_rerank_[owner] || !occupancy_.fits(owner, own))
    return false;
  const int64_t added = cost(owner, own) - cost(owner, shown);
  if (added > settings.price[cell]) return false;
  occupancy_.replace(owner, own);
  state_.extra_cost[owner] = std::max<int64_t>(0, added);
  return true;
}

void Reranking::list_owners(const std::vector<int32_t>& assigned, const UseLimit& uses) {
  owner_.assign(uses.units, -1);
  next_owner_.resize(assigned.size());
  for (int cell = 0; cell < grid_.cells(); ++cell) {
    int32_t& first = owner_[uses.unit(assigned[cell])];
    next_owner_[cell] = std::exchange(first, cell);
  }
}

/// Resolves conflicts between a cell that got a tile by the rerank and the cells that the same tile
/// is assigned to.
void Reranking::resolve_conflicts(const std::vector<int32_t>& assigned, const Cost& cost,
                                  const Settings& settings, const mt::Cancellation& cancellation) {
  const UseLimit& uses = settings.rules.uses;
  list_owners(assigned, uses);
  const auto keeps = [&](int cell) {
    if (keyframe_ || to_rerank_[cell]) return false;
    return settings.photos ? make_room(cell, cost, settings)
                           : exchange(cell, assigned[cell], cost, settings);
  };
  // A cell that returns to its assigned tile may find that yet another cell shows it, and so on: at
  // the latest this ends when all cells show their assigned tiles.
  for (bool again = true; again;) {
    again = false;
    for (int cell = 0; cell < grid_.cells(); ++cell) {
      cancellation.check();
      const int32_t own = assigned[cell];
      if (uses.unit(state_.tile[cell]) == uses.unit(own)) continue;
      if (!occupancy_.is_wanting(own) && (!occupancy_.violates_rules(cell) || keeps(cell)))
        continue;
      occupancy_.replace(cell, own);
      if (to_rerank_[cell] == kKeeps) to_rerank_[cell] = kReranks;
      again = true;
    }
  }
}

mt::Rerank Reranking::kernel(const AnalysedCells& analysis, const CandidateLists& candidates,
                             int first) {
  mt::Rerank rerank{};
  rerank.entries = entry_.data() + first;
  rerank.pixels = analysis.pixels_on_device();
  rerank.grays = pool_->grays();
  rerank.side = grid_.side;
  rerank.nearest = lists_photos_ ? nearest_->data() : candidates.nearest_on_device();
  rerank.wanted = state_.nearest;
  rerank.gray = gray_.data() + size_t(first) * grid_.side * grid_.side;
  rerank.scores = score_.data() + size_t(first) * (1 + state_.nearest);
  rerank.similar = similar_.data() + first;
  return rerank;
}

/// Writes what a cell considers; -1 where there is no more.
void Reranking::list_free_photos(const PhotoAssignment& photos, int cell,
                                 std::span<int32_t> to) const {
  const int32_t own = state_.tile[cell];
  size_t count = 0;
  const auto add = [&](int32_t tile) {
    if (count < to.size() && tile != own && occupancy_.fits(cell, tile)) to[count++] = tile;
  };
  const int own_photo = photos.photo_of(own);
  photos.for_each_tile(own_photo, add);
  const PhotoAssignment::List list = photos.list(cell);
  for (size_t i = 0; i < list.photos.size(); ++i)
    if (list.photos[i] != own_photo) add(list.tiles[i]);
  std::fill(to.begin() + count, to.end(), -1);
}

void Reranking::list_free_photos(const PhotoAssignment& photos) {
  if (!nearest_)
    nearest_.emplace(executor_, static_cast<size_t>(grid_.cells()) * mt::kRerankNearest);
  executor_->workers().run(count_, 16, [&](int, int first, int end) {
    for (int i = first; i < end; ++i) {
      const int cell = entry_[i].cell;
      list_free_photos(
          photos, cell,
          {nearest_->data() + static_cast<size_t>(cell) * mt::kRerankNearest, mt::kRerankNearest});
    }
  });
}

/// Scores all entries. On a CPU, where a launch has finished when it returns, only those tiles get
/// their SSIM that would be compared if all cells chose now; choose() computes others as needed. A
/// GPU computes all of them, which is faster than waiting for it twice.
void Reranking::score(const AnalysedCells& analysis, const CandidateLists& candidates) {
  mt::Rerank rerank = kernel(analysis, candidates, 0);
  if (executor_->unified()) rerank.part = mt::RerankPart::kCovariances;
  executor_->launch(rerank, count_);
  executor_->wait();
  executor_->workers().run(count_, 16, [&](int, int first, int end) {
    for (int i = first; i < end; ++i) {
      ranks_[i] = rank(scores_of(i), grid_.side * grid_.side);
      similar_[i] = executor_->unified() ? compared(scores_of(i), ranks_[i], fits(i)) : UINT32_MAX;
    }
  });
  if (!executor_->unified()) return;
  rerank.part = mt::RerankPart::kSimilarities;
  executor_->launch(rerank, count_);
}

/// @return the tile that the entry's cell is to show
int32_t Reranking::choose(const AnalysedCells& analysis, const CandidateLists& candidates, int i) {
  const uint32_t missing = compared(scores_of(i), ranks_[i], fits(i)) & ~similar_[i];
  if (missing) {  // cells before this one took tiles or gave them up
    similar_[i] = missing;
    mt::Rerank rerank = kernel(analysis, candidates, i);
    rerank.part = mt::RerankPart::kSimilarities;
    executor_->launch(rerank, 1);
  }
  return most_similar_tile(scores_of(i), ranks_[i], fits(i));
}

void Reranking::set_tiles(std::span<const int32_t> tiles) {
  state_.tile.assign(tiles.begin(), tiles.end());
  state_.assigned = state_.tile;
  count_ = 0;
}

void Reranking::update(const AnalysedCells& analysis, const CandidateLists& candidates,
                       const std::vector<int32_t>& assigned, const Cost& cost,
                       const Settings& settings) {
  return_to_assignment(assigned, cost, settings, executor_->cancellation());
  count_ = 0;
  if (state_.nearest == 0) return;
  for (int cell = 0; cell < grid_.cells(); ++cell)
    if (to_rerank_[cell]) entry_[count_++] = {cell, state_.tile[cell]};
  if (count_ == 0) return;
  lists_photos_ = settings.photos != nullptr;
  if (lists_photos_) list_free_photos(*settings.photos);
  score(analysis, candidates);
  for (int i = 0; i < count_; ++i) {
    executor_->cancellation().check();
    const int cell = entry_[i].cell;
    const int32_t chosen = choose(analysis, candidates, i);
    if (chosen == state_.tile[cell]) continue;
    state_.extra_cost[cell] = std::max<int64_t>(0, cost(cell, chosen) - cost(cell, assigned[cell]));
    occupancy_.replace(cell, chosen);
  }
}

}  // namespace mosaic
