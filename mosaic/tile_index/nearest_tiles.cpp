// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/tile_index/nearest_tiles.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "executor/host_distances.h"

namespace mosaic {
namespace {

/// A cell that has moved by more than this part of how far its tiles are looks around anew, because
/// the tiles of the last frame would have it look too far.
constexpr double kFarMove = 0.35;
constexpr int kLookedBlocks = 8;     // that such a cell looks into at first
constexpr int kMoreThanWanted = 16;  // tiles that it compares beyond those it wants
constexpr int kFirstCompared = 64;   // tiles beyond those wanted that are compared before others
constexpr int kQueriesAtOnce = 64;   // that look into a block, each of which may find all its tiles

/// The squared distance of two cells' points.
int64_t moved(const mt::TileQuery& a, const mt::TileQuery& b) {
  int64_t sum = 0;
  for (int i = 0; i + 1 < mt::kFirstCoordinates; ++i) {
    const int64_t d = (a.first[i] - b.first[i]) / 2;  // they are doubled
    sum += d * d;
  }
  for (int i = 0; i < mt::kRestCoordinates; ++i) {
    const int64_t d = a.rest[i] - b.rest[i];
    sum += d * d;
  }
  return sum;
}

}  // namespace

NearestTiles::NearestTiles(int cells, int wanted, std::shared_ptr<const TileIndex> index,
                           const mt::FineFeatures& tiles)
    : index_(std::move(index)),
      view_(index_->view()),
      tiles_(tiles),
      cells_(cells),
      wanted_(wanted),
      near_(static_cast<size_t>(cells) * wanted),
      distance_(near_.size()),
      has_(cells),
      queries_(cells),
      limits_(cells) {}

std::span<int32_t> NearestTiles::of(std::vector<int32_t>& all, int cell) const {
  return std::span(all).subspan(static_cast<size_t>(cell) * wanted_, wanted_);
}

int32_t NearestTiles::exact(const mt::FineFeatures& cells, int cell, int32_t tile) const {
  return mt::host_feature_distance(cells.at(cell), tiles_.at(tile));
}

/// The distance to a tile that may be among those that measure_last_tiles() has compared.
int32_t NearestTiles::known(const mt::FineFeatures& cells, int cell, int32_t tile) const {
  const int32_t* begin = &near_[static_cast<size_t>(cell) * wanted_];
  const int32_t* at = std::lower_bound(begin, begin + wanted_, tile);
  if (has_[cell] && at != begin + wanted_ && *at == tile)
    return distance_[static_cast<size_t>(at - near_.data())];
  return exact(cells, cell, tile);
}

void NearestTiles::update(const mt::FineFeatures& cells, const uint8_t* changed,
                          mt::WorkerPool& workers) {
  searched_.clear();
  for (int cell = 0; cell < cells_; ++cell)
    if (changed[cell] || !has_[cell]) searched_.push_back(cell);
  if (searched_.empty()) return;
  scratch_.resize(workers.threads());
  const auto count = static_cast<int>(searched_.size());
  workers.run(count, 4, [&](int worker, int first, int end) {
    for (int i = first; i < end; ++i) find_limit(cells, searched_[i], scratch_[worker]);
  });
  find_blocks(workers);
  search(workers);
  gather();
  workers.run(count, 4, [&](int worker, int first, int end) {
    for (int i = first; i < end; ++i) {
      const int cell = searched_[i];
      choose(cells, cell, std::span(bounds_).subspan(begin_[cell], begin_[cell + 1] - begin_[cell]),
             scratch_[worker].near);
    }
  });
}

/// Compares a cell with the tiles that were nearest in the last frame.
void NearestTiles::measure_last_tiles(const mt::FineFeatures& cells, int cell) {
  const std::span<const int32_t> tile = of(near_, cell);
  const std::span<int32_t> distance = of(distance_, cell);
  for (int i = 0; i < wanted_; ++i) distance[i] = exact(cells, cell, tile[i]);
}

/// Calls visit(block, squared distance of the query to it) for all blocks.
template <class Visit>
void NearestTiles::for_each_block(const mt::TileQuery& query, const Visit& visit) const {
  for (int group = 0; group < view_.groups; ++group) {
    alignas(64) int32_t distance[mt::kFan];
    mt::distances_to_boxes(view_.block_boxes + static_cast<size_t>(group) * mt::kBoxNumbers, query,
                           distance);
    const int first = group * mt::kFan, end = std::min(first + mt::kFan, view_.blocks);
    for (int block = first; block < end; ++block) visit(block, distance[block - first]);
  }
}

/// Adds the tiles of a block up to a limit to scratch.bounds.
void NearestTiles::look_into(int block, const mt::TileQuery& query, int32_t limit,
                             Scratch& scratch) const {
  scratch.leaves.resize(std::max<size_t>(scratch.leaves.size(), mt::kFan));
  scratch.found.resize(std::max<size_t>(scratch.found.size(), mt::kBlockTiles));
  const int32_t self = 0;
  const size_t found = mt::search_block(view_, block, &query, &limit, &self, 1,
                                        scratch.leaves.data(), scratch.found.data());
  for (size_t i = 0; i < found; ++i)
    scratch.bounds.push_back({scratch.found[i].bound, scratch.found[i].tile});
}

/// A distance within which there are as many tiles as wanted, from the nearest blocks.
int32_t NearestTiles::limit_by_a_look(const mt::FineFeatures& cells, int cell,
                                      Scratch& scratch) const {
  scratch.blocks.clear();
  for_each_block(queries_[cell], [&](int block, int32_t distance) {
    scratch.blocks.emplace_back(distance, block);
  });
  // All blocks but the last are full.
  static_assert(kLookedBlocks > 1);
  const size_t looked = std::min<size_t>(kLookedBlocks, scratch.blocks.size());
  std::partial_sort(scratch.blocks.begin(), scratch.blocks.begin() + looked, scratch.blocks.end());
  scratch.bounds.clear();
  int32_t limit = mt::kFarthestLimit;
  const size_t some = static_cast<size_t>(wanted_) + kMoreThanWanted;
  for (size_t i = 0; i < looked && scratch.blocks[i].first <= limit; ++i) {
    look_into(scratch.blocks[i].second, queries_[cell], limit, scratch);
    if (scratch.bounds.size() <= some) continue;
    std::nth_element(scratch.bounds.begin(), scratch.bounds.begin() + some - 1,
                     scratch.bounds.end());
    scratch.bounds.resize(some);
    limit = scratch.bounds.back().bound;
  }
  scratch.near.clear();
  for (const Bound& bound : scratch.bounds)
    scratch.near.push_back({exact(cells, cell, bound.tile), bound.tile});
  std::nth_element(scratch.near.begin(), scratch.near.begin() + wanted_ - 1, scratch.near.end());
  return scratch.near[wanted_ - 1].distance;
}

/// Finds how far a cell has to look.
void NearestTiles::find_limit(const mt::FineFeatures& cells, int cell, Scratch& scratch) {
  const mt::TileQuery before = std::exchange(queries_[cell], index_->query(cells.at(cell)));
  int32_t limit = mt::kFarthestLimit;
  if (has_[cell]) {
    measure_last_tiles(cells, cell);
    limit = TileIndex::limit_within(std::ranges::max(of(distance_, cell)));
  }
  if (!has_[cell] ||
      static_cast<double>(moved(before, queries_[cell])) > kFarMove * kFarMove * limit)
    limit = std::min(limit, TileIndex::limit_within(limit_by_a_look(cells, cell, scratch)));
  limits_[cell] = limit;
}

/// Finds the blocks that each cell looks into.
void NearestTiles::find_blocks(mt::WorkerPool& workers) {
  const auto width = static_cast<size_t>(view_.blocks);
  looks_.resize(searched_.size() * width);
  workers.run(static_cast<int>(searched_.size()), 16, [&](int, int first, int end) {
    for (int i = first; i < end; ++i) {
      const int cell = searched_[i];
      for_each_block(queries_[cell], [&](int block, int32_t distance) {
        looks_[i * width + block] = distance <= limits_[cell];
      });
    }
  });
}

void NearestTiles::search(mt::WorkerPool& workers) {
  for (Scratch& scratch : scratch_) scratch.used = 0;
  workers.run(view_.blocks, 1, [&](int worker, int first, int end) {
    for (int block = first; block < end; ++block) search_block(block, scratch_[worker]);
  });
}

/// All cells look into a block together, so that each tile is read from memory once.
void NearestTiles::search_block(int block, Scratch& scratch) const {
  const auto width = static_cast<size_t>(view_.blocks);
  scratch.chosen.clear();
  for (size_t i = 0; i < searched_.size(); ++i)
    if (looks_[i * width + block]) scratch.chosen.push_back(searched_[i]);
  scratch.leaves.resize(std::max<size_t>(scratch.leaves.size(), kQueriesAtOnce * mt::kFan));
  for (size_t first = 0; first < scratch.chosen.size(); first += kQueriesAtOnce) {
    const size_t count = std::min<size_t>(kQueriesAtOnce, scratch.chosen.size() - first);
    const size_t most = scratch.used + count * mt::kBlockTiles;
    if (scratch.found.size() < most) scratch.found.resize(most + most / 2);
    scratch.used += mt::search_block(view_, block, queries_.data(), limits_.data(),
                                     &scratch.chosen[first], static_cast<int>(count),
                                     scratch.leaves.data(), &scratch.found[scratch.used]);
  }
}

/// Sorts what was found by cell.
void NearestTiles::gather() {
  begin_.assign(static_cast<size_t>(cells_) + 1, 0);
  for (const Scratch& scratch : scratch_)
    for (size_t i = 0; i < scratch.used; ++i) ++begin_[scratch.found[i].query + 1];
  for (int cell = 0; cell < cells_; ++cell) begin_[cell + 1] += begin_[cell];
  bounds_.resize(begin_.back());
  for (const Scratch& scratch : scratch_)
    for (size_t i = 0; i < scratch.used; ++i) {
      const mt::FoundTile& found = scratch.found[i];
      bounds_[begin_[found.query]++] = {found.bound, found.tile};
    }
  std::rotate(begin_.begin(), begin_.end() - 1, begin_.end());
  begin_[0] = 0;
}

/// Compares a cell exactly with what was found for it, those with the least bounds first: they say
/// how near the others have to be to count.
void NearestTiles::choose(const mt::FineFeatures& cells, int cell, std::span<Bound> bounds,
                          std::vector<Near>& near) {
  const auto middle =
      bounds.begin() + std::min<ptrdiff_t>(std::ssize(bounds), wanted_ + kFirstCompared);
  std::nth_element(bounds.begin(), middle, bounds.end());
  near.clear();
  const auto compare = [&](auto begin, auto end) {
    for (; begin != end; ++begin) near.push_back({known(cells, cell, begin->tile), begin->tile});
    std::nth_element(near.begin(), near.begin() + wanted_ - 1, near.end());
  };
  compare(bounds.begin(), middle);
  const int32_t limit = TileIndex::limit_within(near[wanted_ - 1].distance);
  compare(middle, std::partition(middle, bounds.end(),
                                 [=](const Bound& bound) { return bound.bound <= limit; }));
  std::sort(near.begin(), near.begin() + wanted_,
            [](const Near& a, const Near& b) { return a.tile < b.tile; });
  for (int k = 0; k < wanted_; ++k) {
    of(near_, cell)[k] = near[k].tile;
    of(distance_, cell)[k] = near[k].distance;
  }
  has_[cell] = true;
}

/// Finds the tiles of one cell up to a limit.
void NearestTiles::find(const mt::TileQuery& query, int32_t limit, Scratch& scratch) const {
  scratch.bounds.clear();
  for_each_block(query, [&](int block, int32_t distance) {
    if (distance <= limit) look_into(block, query, limit, scratch);
  });
}

int NearestTiles::read(const mt::FineFeatures& cells, int cell, int wanted, int32_t* tile,
                       uint32_t* distance) const {
  thread_local Scratch scratch;
  // The number of tiles grows about as the fourth power of a squared distance (see
  // mt::coarse_limit), which tells how far to look.
  const auto next_limit = [=](int32_t limit, int count) {
    const double more = 1.1 * std::pow(std::max(1.0, static_cast<double>(wanted) / count), 0.25);
    return static_cast<int32_t>(
        std::min<double>(mt::kFarthestLimit, more * (static_cast<double>(limit) + 1)));
  };
  const auto* last = &distance_[static_cast<size_t>(cell) * wanted_];
  int32_t limit = TileIndex::limit_within(*std::max_element(last, last + wanted_));
  int count = wanted_;
  while (true) {
    if (count < wanted) limit = next_limit(limit, std::max(1, count));
    find(queries_[cell], limit, scratch);
    std::vector<Near>& near = scratch.near;
    near.clear();
    for (const Bound& bound : scratch.bounds)
      near.push_back({exact(cells, cell, bound.tile), bound.tile});
    // Others may be as near as the farthest of them, and were not found.
    std::erase_if(near, [=](const Near& n) { return TileIndex::limit_within(n.distance) > limit; });
    count = static_cast<int>(near.size());
    if (count >= wanted) break;
  }
  std::sort(scratch.near.begin(), scratch.near.end(),
            [](const Near& a, const Near& b) { return a.tile < b.tile; });
  for (int i = 0; i < count; ++i) {
    tile[i] = scratch.near[i].tile;
    distance[i] = static_cast<uint32_t>(scratch.near[i].distance);
  }
  return count;
}

/// Adds the tiles of leaves that may be farther than the farthest pair so far.
void NearestTiles::look_far(const mt::FineFeatures& cells, int cell, FarthestPair& best) const {
  mt::TileQuery query = queries_[cell];
  int16_t& remainder = query.box[mt::kBoxCoordinates - 1];
  remainder = static_cast<int16_t>(-remainder);
  alignas(64) uint32_t blocks[mt::kFan], leaves[mt::kFan];
  uint32_t limit = TileIndex::limit_beyond(best.distance);
  for (int group = 0; group < view_.groups; ++group) {
    mt::distances_across_boxes(view_.block_boxes + static_cast<size_t>(group) * mt::kBoxNumbers,
                               query, blocks);
    for (int k = 0; k < mt::kFan && group * mt::kFan + k < view_.blocks; ++k) {
      if (blocks[k] < limit) continue;
      const int block = group * mt::kFan + k;
      mt::distances_across_boxes(view_.leaf_boxes + static_cast<size_t>(block) * mt::kBoxNumbers,
                                 query, leaves);
      for (int leaf = 0; leaf < mt::kFan; ++leaf) {
        if (leaves[leaf] < limit) continue;
        const int32_t* tiles =
            view_.tile + (static_cast<size_t>(block) * mt::kFan + leaf) * mt::kLeafTiles;
        for (int i = 0; i < mt::kLeafTiles && tiles[i] >= 0; ++i)
          if (const int32_t d = exact(cells, cell, tiles[i]); d > best.distance)
            best = {d, cell, tiles[i]};
        limit = TileIndex::limit_beyond(best.distance);
      }
    }
  }
}

int32_t NearestTiles::farthest(const mt::FineFeatures& cells, mt::WorkerPool& workers) {
  // To begin with: the pair of the last frame, or the farthest tile of the first cell.
  FarthestPair best = far_;
  if (best.cell < 0)
    look_far(cells, 0, best);
  else
    best.distance = exact(cells, best.cell, best.tile);
  std::mutex mutex;
  workers.run(cells_, 8, [&](int, int first, int end) {
    FarthestPair of_these;
    {
      const std::lock_guard lock(mutex);
      of_these = best;
    }
    for (int cell = first; cell < end; ++cell) look_far(cells, cell, of_these);
    const std::lock_guard lock(mutex);
    if (of_these.distance > best.distance) best = of_these;
  });
  far_ = best;
  return best.distance;
}

}  // namespace mosaic
