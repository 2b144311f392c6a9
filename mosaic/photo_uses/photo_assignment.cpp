// SPDX-License-Identifier: LGPL-2.1-or-later
//
// No tile that is missing in a list costs less than the list's bound. So a photo's first tile in a
// list that ascends by cost is its cheapest for the cell, if it costs no more than the bound; and
// these first tiles are a list of photos with the same bound.
#include "mosaic/photo_uses/photo_assignment.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace mosaic {
namespace {

constexpr int kRowsTogether = 32;  // rows that a worker claims at a time

/// Memory for the costs of tiles, kept by each thread.
struct TileMemory {
  std::vector<int32_t> tiles, costs, rows, prices;
};
TileMemory& tile_memory() {
  thread_local TileMemory memory;
  return memory;
}

}  // namespace

/// Calls job(worker, begin, end) for ranges of rows.
template <class Job>
void PhotoAssignment::for_ranges(const Job& job) const {
  if (problem_->workers)
    problem_->workers->run(problem_->rows, kRowsTogether, job);
  else
    job(0, 0, problem_->rows);
}

/// Calls job(worker, row).
template <class Job>
void PhotoAssignment::for_rows(const Job& job) const {
  for_ranges([&](int worker, int begin, int end) {
    for (int row = begin; row < end; ++row) job(worker, row);
  });
}

const Assignment& PhotoAssignment::solve(AssignmentProblem& problem, const UseLimit& uses,
                                         std::optional<Clock::time_point> deadline, Effort effort) {
  problem.capacity = uses.most;
  if (uses.counted == Unit::kTile) return solver_.solve(problem, deadline, effort);
  const int units = uses.units;
  const int listed = std::min(problem.listed, units);
  const bool same_shape = photos_ == units && uses_.groups == uses.groups && listed_ == listed &&
                          size_.size() == static_cast<size_t>(problem.rows);
  const bool keeps = keeps_ && same_shape && problem.unchanged;
  problem_ = &problem;
  uses_ = uses;
  tiles_ = problem.columns;
  photos_ = units;
  most_tiles_ = uses.groups ? problem.columns / uses.groups->photos() * uses.groups->largest()
                            : problem.columns / units;
  listed_ = listed;
  if (!same_shape || photo_of_.size() != static_cast<size_t>(tiles_)) {
    photo_of_.resize(tiles_);
    for (int tile = 0; tile < tiles_; ++tile) photo_of_[tile] = uses_.unit(tile);
  }
  size_.resize(problem.rows);
  for (std::vector<int32_t>* lists : {&photo_, &tile_, &cost_})
    lists->resize(static_cast<size_t>(problem.rows) * listed);
  for (std::vector<int32_t>* of_rows : {&held_, &held_cost_, &price_})
    of_rows->resize(problem.rows);
  kept_.resize(problem.rows);
  const size_t threads = problem.workers ? problem.workers->threads() : 1;
  if (scratch_.size() < threads) scratch_.resize(threads);
  for (Scratch& scratch : scratch_) scratch.seen.assign(units, 0);
  for_rows([&](int worker, int row) {
    if (!keeps || !problem.unchanged[row]) list_photos(row, scratch_[worker]);
    price_held(row);
  });
  keeps_ = problem.unchanged != nullptr;

  AssignmentProblem of_photos = problem_of_photos();
  const auto read = [this](const CostBlock& block) { read_costs(block); };
  const auto read_few = [this](int row, int wanted, const ColumnPrices& prices, int32_t* photos,
                               int32_t* costs) {
    return read_cheapest(row, wanted, prices, photos, costs);
  };
  const auto single = [this](int row, int photo) { return cheapest(row, photo).cost; };
  of_photos.read_costs = std::ref(read);  // by reference: nothing is allocated
  if (problem.read_cheapest) of_photos.read_cheapest = std::ref(read_few);
  of_photos.single = std::ref(single);
  answer(solver_.solve(of_photos, deadline, effort));
  return answer_;
}

/// Everything but the functions.
AssignmentProblem PhotoAssignment::problem_of_photos() const {
  AssignmentProblem photos;
  photos.rows = problem_->rows;
  photos.columns = photos_;
  photos.capacity = problem_->capacity;
  photos.listed = listed_;
  photos.sizes = size_.data();
  photos.column = photo_.data();
  photos.cost = cost_.data();
  photos.bound = problem_->bound;
  if (problem_->held) photos.held = held_.data();
  photos.held_cost = held_cost_.data();
  photos.switching_price = price_.data();
  photos.unchanged = problem_->unchanged;
  photos.central_duals = problem_->central_duals;
  photos.by_price = problem_->by_price;
  photos.reads_prices = problem_->reads_prices;
  photos.workers = problem_->workers;
  photos.cancellation = problem_->cancellation;
  return photos;
}

void PhotoAssignment::list_photos(int row, Scratch& scratch) {
  const size_t from = static_cast<size_t>(row) * problem_->listed;
  const size_t to = static_cast<size_t>(row) * listed_;
  const int32_t *const tiles = &problem_->column[from], *const costs = &problem_->cost[from];
  int32_t *const photo = &photo_[to], *const first = &tile_[to], *const cost = &cost_[to];
  const int32_t *const photo_of = photo_of_.data(), bound = problem_->bound[row];
  int32_t* const seen = scratch.seen.data();
  int size = 0;
  for (int i = 0; i < problem_->listed && size < listed_; ++i) {
    // Beyond the bound, a cheaper tile of the photo may not be listed.
    if (costs[i] > bound && size > 0) break;
    // Written whether or not the photo is new, as no processor can foresee that.
    const int32_t p = photo[size] = photo_of[tiles[i]];
    first[size] = tiles[i];
    cost[size] = costs[i];
    const bool is_new = std::exchange(seen[p], row + 1) != row + 1;
    // Photos of equal cost ascend, as tiles do.
    for (int at = size; at > 0 && cost[at - 1] == cost[at] && is_new && photo[at - 1] > p; --at) {
      std::swap(photo[at], photo[at - 1]);
      std::swap(first[at], first[at - 1]);
    }
    size += is_new;
  }
  size_[row] = size;
}

/// The cheapest tile of a photo, the first of several, without that which is excepted.
PhotoAssignment::Choice PhotoAssignment::cheapest(int row, int photo, int32_t except) const {
  Choice best{.tile = -1, .cost = INT32_MAX};
  for_each_tile(photo, [&](int32_t tile) {
    if (tile == except) return;
    const int32_t cost = problem_->single(row, tile);
    if (cost < best.cost) best = {tile, cost};
  });
  return best;
}

/// The cheapest of the other tiles of the held photo. It is not asked for where none of them can
/// cost less than the held tile with its switching price subtracted.
/// @param priced  what the held tile costs then
PhotoAssignment::Choice PhotoAssignment::cheapest_but_held(int row, int32_t held,
                                                           int32_t priced) const {
  const int at = find(row, photo_of(held));
  if (at < 0 && priced <= problem_->bound[row]) return {.tile = -1, .cost = INT32_MAX};
  if (at < 0) return cheapest(row, photo_of(held), held);
  if (tile_[at] == held) return {.tile = -1, .cost = INT32_MAX};
  return {tile_[at], cost_[at]};
}

void PhotoAssignment::price_held(int row) {
  const int32_t tile = problem_->held ? problem_->held[row] : -1;
  held_[row] = -1;
  price_[row] = held_cost_[row] = 0;
  if (tile < 0) return;
  held_[row] = photo_of(tile);
  const int32_t cost = problem_->held_cost[row];
  const int32_t priced = cost - problem_->switching_price[row];
  const Choice other = cheapest_but_held(row, tile, priced);
  kept_[row] = priced <= other.cost ? Choice{tile, cost} : other;
  held_cost_[row] = std::min(cost, other.cost);
  price_[row] = held_cost_[row] - std::min(priced, other.cost);
}

/// Groups are numbered by their first photos, so the first photos of a block's groups lie in one
/// range, which is read at once. Photos of these groups beyond that range are read one by one.
void PhotoAssignment::read_costs_of_groups(const CostBlock& block) const {
  const PhotoGroups& groups = *uses_.groups;
  const int first = groups.photos(block.begin)[0];
  const int end = block.end < photos_ ? groups.photos(block.end)[0] : groups.photos();
  std::vector<int32_t>& costs = tile_memory().costs;
  CostBlock of_tiles{.rows = block.rows, .begin = 0, .end = 0, .costs = nullptr, .stride = tiles_};
  costs.resize(std::max(costs.size(), block.rows.size() * of_tiles.stride));
  of_tiles.costs = costs.data();
  for (size_t i = 0; i < block.rows.size(); ++i)
    std::fill(block.of_row(i) + block.begin, block.of_row(i) + block.end, INT32_MAX);
  const auto take = [&](int from, int to, int variant) {
    of_tiles.begin = variant + from;
    of_tiles.end = variant + to;
    problem_->read_costs(of_tiles);
    for (size_t i = 0; i < block.rows.size(); ++i)
      for (int photo = from; photo < to; ++photo) {
        const int group = groups.group(photo);
        if (group < block.begin || group >= block.end) continue;
        int32_t& least = block.of_row(i)[group];
        least = std::min(least, of_tiles.of_row(i)[variant + photo]);
      }
  };
  for (int variant = 0; variant < tiles_; variant += groups.photos()) {
    take(first, end, variant);
    for (int group = block.begin; group < block.end; ++group)
      for (const int photo : groups.photos(group).subspan(1))
        if (photo >= end) take(photo, photo + 1, variant);
  }
}

void PhotoAssignment::read_costs(const CostBlock& block) const {
  if (uses_.groups) return read_costs_of_groups(block);
  if (problem_->read_unit_costs) return problem_->read_unit_costs(block, photos_);
  std::vector<int32_t>& costs = tile_memory().costs;
  const int width = block.end - block.begin;
  CostBlock of_tiles{.rows = block.rows,
                     .begin = block.begin,
                     .end = block.end,
                     .costs = block.costs,
                     .stride = block.stride};
  problem_->read_costs(of_tiles);  // the first variants: tile p is of photo p
  of_tiles.stride = tiles_;
  costs.resize(std::max(costs.size(), block.rows.size() * of_tiles.stride));
  of_tiles.costs = costs.data();
  for (int variant = 1; variant < most_tiles_; ++variant) {
    of_tiles.begin += photos_;
    of_tiles.end += photos_;
    problem_->read_costs(of_tiles);
    for (size_t i = 0; i < block.rows.size(); ++i) {
      int32_t* least = block.of_row(i) + block.begin;
      const int32_t* of_variant = of_tiles.of_row(i) + of_tiles.begin;
      for (int k = 0; k < width; ++k) least[k] = std::min(least[k], of_variant[k]);
    }
  }
}

/// The prices of tiles whose photos have these. The tiles of a photo are a unit; those of a group
/// are not, as their numbers do not say which group they are of.
ColumnPrices PhotoAssignment::of_tiles(const ColumnPrices& of_photos) const {
  if (problem_->reads_prices && !uses_.groups) return of_photos;
  if (!of_photos.price) return {nullptr, tiles_};
  std::vector<int32_t>& prices = tile_memory().prices;
  prices.resize(tiles_);
  const int photos = uses_.groups->photos();
  for (int first = 0; first < tiles_; first += photos)
    for (int photo = 0; photo < photos; ++photo)
      prices[first + photo] = of_photos.price[uses_.groups->group(photo)];
  return {prices.data(), tiles_};
}

/// As AssignmentProblem::read_cheapest. Where tiles are not of units, so many are read that,
/// however they are distributed, enough photos are among them.
int PhotoAssignment::read_cheapest(int row, int wanted, const ColumnPrices& prices, int32_t* photos,
                                   int32_t* costs) const {
  TileMemory& memory = tile_memory();
  const size_t room = static_cast<size_t>(tiles_) + kReadMargin;
  memory.tiles.resize(std::max(memory.tiles.size(), room));
  memory.costs.resize(std::max(memory.costs.size(), room));
  const ColumnPrices of_tiles = this->of_tiles(prices);
  const int64_t tiles =
      of_tiles.units < tiles_ ? wanted : std::min<int64_t>(int64_t{wanted} * most_tiles_, tiles_);
  const int read = problem_->read_cheapest(row, static_cast<int>(tiles), of_tiles,
                                           memory.tiles.data(), memory.costs.data());
  std::fill_n(costs, photos_, INT32_MAX);
  for (int i = 0; i < read; ++i) {
    int32_t& least = costs[photo_of(memory.tiles[i])];
    least = std::min(least, memory.costs[i]);
  }
  int count = 0;
  for (int photo = 0; photo < photos_; ++photo)
    if (costs[photo] != INT32_MAX) {
      photos[count] = photo;
      costs[count++] = costs[photo];
    }
  return count;
}

PhotoAssignment::List PhotoAssignment::list(int row) const {
  const size_t from = static_cast<size_t>(row) * listed_, size = size_[row];
  return {.photos = {photo_.data() + from, size},
          .costs = {cost_.data() + from, size},
          .tiles = {tile_.data() + from, size}};
}

/// Where the lists have a photo of a row, or -1.
int PhotoAssignment::find(int row, int photo) const {
  const std::span<const int32_t> photos = list(row).photos;
  const auto found = std::find(photos.begin(), photos.end(), photo);
  if (found == photos.end()) return -1;
  return row * listed_ + static_cast<int>(found - photos.begin());
}

int64_t PhotoAssignment::priced_below(int row, int photo, int64_t limit) const {
  if (photo == held_[row]) return int64_t{held_cost_[row]} - price_[row];
  const int at = find(row, photo);
  if (at >= 0) return cost_[at];
  return bound(row) >= limit ? bound(row) : cheapest(row, photo).cost;
}

void PhotoAssignment::price_all(int photo, std::span<int64_t> costs) const {
  for_ranges([&](int, int first, int end) {
    std::vector<int32_t>& rows = tile_memory().rows;
    rows.resize(end - first);
    std::iota(rows.begin(), rows.end(), first);
    std::fill(costs.begin() + first, costs.begin() + end, INT64_MAX);
    std::vector<int32_t>& read = tile_memory().costs;
    read.resize(std::max(read.size(), static_cast<size_t>(tiles_) + rows.size()));
    for_each_tile(photo, [&](int32_t tile) {
      // A single column: the rows are next to each other.
      problem_->read_costs(
          {.rows = rows, .begin = tile, .end = tile + 1, .costs = read.data(), .stride = 1});
      for (int row = first; row < end; ++row)
        costs[row] = std::min<int64_t>(costs[row], read[tile + row - first]);
    });
    for (int row = first; row < end; ++row)
      if (held_[row] == photo) costs[row] = priced(row, photo);
  });
}

PhotoAssignment::Choice PhotoAssignment::choose(int row, int photo) const {
  if (photo == held_[row]) return kept_[row];
  const int at = find(row, photo);
  return at >= 0 ? Choice{tile_[at], cost_[at]} : cheapest(row, photo);
}

int32_t PhotoAssignment::tile_of(int row, int photo) const {
  return choose(row, photo).tile;
}

void PhotoAssignment::answer(const Assignment& solved) {
  answer_.column.resize(problem_->rows);
  answer_.column_cost.resize(problem_->rows);
  answer_.row_dual = solved.row_dual;
  answer_.column_dual = solved.column_dual;
  answer_.full_rows = solved.full_rows;
  for_rows([&](int, int row) {
    const Choice choice = choose(row, solved.column[row]);
    answer_.column[row] = choice.tile;
    answer_.column_cost[row] = choice.cost;
  });
  // The switching price of each held tile was replaced by a lesser one of its photo.
  int64_t more = 0;
  for (int row = 0; row < problem_->rows; ++row)
    if (held_[row] >= 0) more += problem_->switching_price[row] - price_[row];
  answer_.cost = solved.cost + more;
  answer_.lower_bound = solved.lower_bound + more;
}

}  // namespace mosaic
