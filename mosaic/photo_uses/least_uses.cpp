// SPDX-License-Identifier: LGPL-2.1-or-later
//
// An optimal assignment with at most `most` uses of a photo comes with duals u (of cells) and v (of
// photos), such that c(i, j) - u(i) - v(j), the reduced cost, is never negative and is 0 where cell
// i has photo j; v is at most 0, and 0 where a photo may be used more. A photo that is used too
// seldom takes a cell from another one; if that is then used too seldom as well, it takes a cell
// from a third photo, and so on. The cheapest such chain is a shortest path over reduced costs. As
// in the Hungarian method, the dual of each photo nearer than the end of the path is then raised by
// the difference of the two distances, and the duals of that photo's cells are lowered by as much:
// all reduced costs stay at 0 or more, and those along the path become 0. Photos that are used
// `least` times may get duals above 0. So
//
//     sum u + most * sum min(v, 0) + sum over photos of least * max(v, 0)
//
// is a lower bound on the cost of every assignment within both limits. Once every photo is used
// `least` times, the cost equals it, if the assignment was optimal at first.
#include "mosaic/photo_uses/least_uses.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace mosaic {
namespace {

constexpr int64_t kFar = INT64_MAX / 4;

}  // namespace

/// Counts the photos. @return whether one is used too seldom
bool LeastUses::is_wanting(const PhotoAssignment& costs, const std::vector<int32_t>& tile) {
  photo_.resize(tile.size());
  used_.assign(costs.photos(), 0);
  for (size_t cell = 0; cell < tile.size(); ++cell) {
    photo_[cell] = costs.photo_of(tile[cell]);
    ++used_[photo_[cell]];
  }
  return !std::equal(used_.begin(), used_.end(), least_.begin(), std::greater_equal<>());
}

void LeastUses::begin(const PhotoAssignment& costs, const Assignment& solved) {
  costs_ = &costs;
  const size_t photos = costs.photos();
  row_dual_ = solved.row_dual;
  dual_ = solved.column_dual;
  columns_.resize(photos);
  for (const int32_t photo : read_) columns_[photo].clear();
  read_.clear();
  by_cell_.resize(photos);
  for_photo_.resize(photos);
  list_cells();
}

/// What a photo costs all cells.
const std::vector<int64_t>& LeastUses::column(int photo) {
  std::vector<int64_t>& costs = columns_[photo];
  if (costs.empty()) {
    costs.resize(photo_.size());
    costs_->price_all(photo, costs);
    read_.push_back(photo);
  }
  return costs;
}

/// Sorts what the lists of cells have by photo.
void LeastUses::list_cells() {
  const int cells = static_cast<int>(photo_.size());
  const auto for_each = [&](const auto& visit) {
    for (int cell = 0; cell < cells; ++cell) {
      const int held = costs_->held(cell);
      if (held >= 0) visit(held, cell, costs_->priced(cell, held));
      const PhotoAssignment::List list = costs_->list(cell);
      for (size_t i = 0; i < list.photos.size(); ++i)
        if (list.photos[i] != held) visit(list.photos[i], cell, int64_t{list.costs[i]});
    }
  };
  first_.assign(used_.size() + 1, 0);
  for_each([&](int photo, int, int64_t) { ++first_[photo + 1]; });
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  listed_.resize(first_.back());
  std::vector<int32_t>& at = others_;
  at.assign(first_.begin(), first_.end() - 1);
  for_each([&](int photo, int cell, int64_t cost) { listed_[at[photo]++] = {cell, cost}; });
  listed_for_.assign(cells, 0);
}

/// Considers that a photo takes a cell from the photo that has it.
void LeastUses::consider(int photo, int cell, int64_t cost) {
  const int other = photo_[cell];
  if (settled_[other]) return;
  // Negative only where the assignment is not optimal.
  const int64_t reduced = std::max<int64_t>(0, cost - row_dual_[cell] - dual_[photo]);
  const int64_t distance = distance_[photo] + reduced;
  if (distance >= distance_[other]) return;
  distance_[other] = distance;
  by_cell_[other] = cell;
  for_photo_[other] = photo;
  if (used_[other] > least_[other])
    end_distance_ = std::min(end_distance_, distance - std::min<int64_t>(dual_[other], 0));
}

/// Whether there could be a shorter chain in which a cell that does not list a photo takes it.
bool LeastUses::may_matter(int photo, int cell) const {
  const int other = photo_[cell];
  const int64_t least = costs_->bound(cell) - row_dual_[cell] - dual_[photo];
  const int64_t distance = distance_[photo] + std::max<int64_t>(0, least);
  return !settled_[other] && costs_->bound(cell) != INT32_MAX &&
         distance < std::min(distance_[other], end_distance_);
}

/// Considers that a photo takes a cell from each other one. Most cells list the photo, or need not
/// be asked what it costs them.
void LeastUses::relax(int photo) {
  constexpr size_t kFew = 64;
  for (int i = first_[photo]; i < first_[photo + 1]; ++i) {
    listed_for_[listed_[i].cell] = photo + 1;
    consider(photo, listed_[i].cell, listed_[i].cost);
  }
  others_.clear();
  for (int cell = 0; cell < static_cast<int>(photo_.size()); ++cell)
    if (listed_for_[cell] != photo + 1 && may_matter(photo, cell)) others_.push_back(cell);
  if (others_.size() <= kFew) {
    for (const int32_t cell : others_)
      if (may_matter(photo, cell)) consider(photo, cell, costs_->priced(cell, photo));
    return;
  }
  const std::vector<int64_t>& costs = column(photo);
  for (const int32_t cell : others_) consider(photo, cell, costs[cell]);
}

/// Finds the cheapest chain that gives a cell to a photo. @return the photo that
/// is used less then; -1: there is no chain
int LeastUses::search(int wanting) {
  const int photos = static_cast<int>(used_.size());
  distance_.assign(photos, kFar);
  settled_.assign(photos, 0);
  distance_[wanting] = 0;
  end_distance_ = kFar;
  int64_t shortest = kFar;  // of the chains whose last photo is settled
  int end = -1;
  for (;;) {
    int nearest = -1;
    for (int photo = 0; photo < photos; ++photo)
      if (!settled_[photo] && (nearest < 0 || distance_[photo] < distance_[nearest]))
        nearest = photo;
    if (nearest < 0 || distance_[nearest] >= kFar || (end >= 0 && distance_[nearest] >= shortest)) {
      end_distance_ = shortest;
      return end;
    }
    settled_[nearest] = 1;
    // Where a photo was used as often as it may be, its dual gets 0 when it is used less.
    const int64_t length = distance_[nearest] - std::min<int64_t>(dual_[nearest], 0);
    if (used_[nearest] > least_[nearest] && length < shortest) {
      shortest = length;
      end = nearest;
    }
    relax(nearest);
  }
}

void LeastUses::raise_duals() {
  const auto rise = [&](int photo) {
    return settled_[photo] ? std::max<int64_t>(0, end_distance_ - distance_[photo]) : 0;
  };
  for (size_t cell = 0; cell < photo_.size(); ++cell) row_dual_[cell] -= rise(photo_[cell]);
  for (size_t photo = 0; photo < dual_.size(); ++photo)
    dual_[photo] += rise(static_cast<int>(photo));
}

/// Gives the cells of the chain to their new photos.
void LeastUses::follow(int wanting, int end) {
  --used_[end];
  ++used_[wanting];
  for (int photo = end; photo != wanting; photo = for_photo_[photo])
    photo_[by_cell_[photo]] = for_photo_[photo];
}

int64_t LeastUses::raise(const PhotoAssignment& costs, const Assignment& solved, int most,
                         std::span<const int32_t> least, std::vector<int32_t>& tile,
                         const mt::Cancellation& cancellation,
                         std::optional<PhotoAssignment::Clock::time_point> deadline) {
  most_ = most;
  least_ = least;
  if (!is_wanting(costs, tile)) return solved.lower_bound;
  begin(costs, solved);
  const auto bound = [&] {
    int64_t sum = std::accumulate(row_dual_.begin(), row_dual_.end(), int64_t{0});
    for (size_t photo = 0; photo < dual_.size(); ++photo)
      sum += dual_[photo] * (dual_[photo] < 0 ? most_ : least_[photo]);
    return sum;
  };
  const auto is_late = [&] { return deadline && PhotoAssignment::Clock::now() >= *deadline; };
  const int64_t before = bound();
  for (int photo = 0; photo < static_cast<int>(used_.size()); ++photo)
    while (used_[photo] < least_[photo] && !is_late()) {
      cancellation.check();
      const int end = search(photo);
      if (end < 0) break;
      raise_duals();
      follow(photo, end);
    }
  for (size_t cell = 0; cell < tile.size(); ++cell)
    if (photo_[cell] != costs.photo_of(tile[cell]))
      tile[cell] = costs.tile_of(static_cast<int>(cell), photo_[cell]);
  // From an assignment that is not optimal the duals say nothing more than before.
  return solved.lower_bound + (solved.cost == solved.lower_bound ? bound() - before : 0);
}

}  // namespace mosaic
