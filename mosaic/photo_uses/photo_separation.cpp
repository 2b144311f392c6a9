// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photo_uses/photo_separation.h"

#include <algorithm>

namespace mosaic {
namespace {

/// Each round separates most of the cells that are left. What remains after so many has no photo
/// that fits.
constexpr int kRounds = 20;
/// Pairs of cells that are compared in a frame, at most, a tenth of a second of work. Ordinary
/// frames need far less; where a pool is so small that nothing fits, more would not help.
constexpr int64_t kMostCompared = 1 << 25;

constexpr int64_t kUnknown = INT64_MIN;  // of own_cost_

}  // namespace

/// Whether another cell near this one, other than `except`, shows a photo.
bool PhotoSeparation::is_near(int cell, int photo, int except) const {
  const int x = cell % rules_.columns, y = cell / rules_.columns;
  compared_ += static_cast<int64_t>(users_[photo].size());
  for (const int32_t other : users_[photo]) {
    if (other == cell || other == except) continue;
    const int across = std::abs(other % rules_.columns - x);
    const int down = std::abs(other / rules_.columns - y);
    if (std::max(across, down) <= rules_.radius) return true;
  }
  return false;
}

/// What the photo of a cell costs it, see PhotoAssignment::priced().
int64_t PhotoSeparation::own_cost(int cell) const {
  if (own_cost_[cell] == kUnknown) own_cost_[cell] = costs_->priced(cell, photo_[cell]);
  return own_cost_[cell];
}

bool PhotoSeparation::is_tired() const {
  return compared_ > kMostCompared;
}

bool PhotoSeparation::is_late() const {
  return deadline_ && PhotoAssignment::Clock::now() >= *deadline_;
}

/// Calls visit(photo, cost) for the photo that a cell holds, and then for those that are listed,
/// ascending by cost, until it returns false.
template <class Visit>
void PhotoSeparation::for_each_photo(int cell, const Visit& visit) const {
  const int held = costs_->held(cell);
  if (held >= 0) visit(held, costs_->priced(cell, held));
  const PhotoAssignment::List list = costs_->list(cell);
  for (size_t i = 0; i < list.photos.size(); ++i)
    if (list.photos[i] != held && !visit(list.photos[i], list.costs[i])) return;
}

/// Considers that the cell takes a photo from one of its users.
/// @param added what it would cost the cell more than its own
void PhotoSeparation::try_users(int cell, int photo, int64_t added, Step& best) const {
  const int own = photo_[cell];
  for (const int32_t other : users_[photo]) {
    if (is_tired()) return;
    if (is_near(cell, photo, other)) continue;
    const auto consider = [&](int taken, int64_t cost) {
      const int64_t both = added + cost - own_cost(other);
      if (both >= best.added) return false;
      const bool fits = taken != photo && (taken == own || (has_room(taken) && may_leave(cell))) &&
                        !is_near(other, taken, cell);
      if (fits)
        best = {.added = both, .cell = cell, .to = photo, .other = other, .other_to = taken};
      return !fits;
    };
    consider(own, costs_->priced_below(other, own, best.limit(added, own_cost(other))));
    for_each_photo(other, consider);
  }
}

/// Considers every photo with room, listed or not.
void PhotoSeparation::try_all_photos(int cell, Step& best) const {
  for (int photo = 0; may_leave(cell) && photo < static_cast<int>(users_.size()); ++photo) {
    if (!has_room(photo) || is_near(cell, photo)) continue;
    const int64_t added =
        costs_->priced_below(cell, photo, best.limit(0, own_cost(cell))) - own_cost(cell);
    if (added < best.added)
      best = {.added = added, .cell = cell, .to = photo, .other = -1, .other_to = -1};
  }
}

PhotoSeparation::Step PhotoSeparation::best_step(int cell) const {
  Step best;
  if (is_tired() || is_late()) return best;
  for_each_photo(cell, [&](int photo, int64_t cost) {
    const int64_t added = cost - own_cost(cell);
    if (added >= best.added) return false;
    if (photo == photo_[cell]) return true;
    if (has_room(photo) && may_leave(cell) && !is_near(cell, photo))
      best = {.added = added, .cell = cell, .to = photo, .other = -1, .other_to = -1};
    else
      try_users(cell, photo, added, best);
    return true;
  });
  if (best.cell < 0) try_all_photos(cell, best);
  return best;
}

void PhotoSeparation::give(int cell, int photo) {
  std::vector<int32_t>& users = users_[photo_[cell]];
  users.erase(std::find(users.begin(), users.end(), cell));
  users_[photo].push_back(cell);
  photo_[cell] = photo;
  own_cost_[cell] = costs_->priced(cell, photo);
}

/// Takes the cheapest steps first. A step that other ones have made much dearer waits for the next
/// round. @return whether any was taken
bool PhotoSeparation::take_steps() {
  std::sort(steps_.begin(), steps_.end(), [](const Step& a, const Step& b) {
    return a.added != b.added ? a.added < b.added : a.cell < b.cell;
  });
  bool any = false;
  for (const Step& step : steps_) {
    if (step.cell < 0 || !is_near(step.cell, photo_[step.cell])) continue;
    const Step now = best_step(step.cell);
    if (now.cell < 0 || now.added > std::max(2 * step.added, step.added + 1)) continue;
    if (now.other >= 0) give(now.other, now.other_to);
    give(now.cell, now.to);
    any = true;
  }
  return any;
}

/// Separates the repeated cells once. Where there is a deadline, at most half of the time left is
/// for looking for steps, so that those found can be taken. @return whether any was taken
bool PhotoSeparation::take_round(const mt::Cancellation& cancellation) {
  using Clock = PhotoAssignment::Clock;
  const Clock::time_point now = deadline_ ? Clock::now() : Clock::time_point();
  steps_.clear();
  for (const int cell : repeated_) {
    if (deadline_ && Clock::now() > now + (*deadline_ - now) / 2) break;
    cancellation.check();
    steps_.push_back(best_step(cell));
  }
  return take_steps();
}

int PhotoSeparation::separate(const PhotoAssignment& costs, const Rules& rules,
                              std::vector<int32_t>& tile, const mt::Cancellation& cancellation,
                              std::optional<PhotoAssignment::Clock::time_point> deadline) {
  if (rules.capacity == 1 || rules.radius == 0) return 0;
  costs_ = &costs;
  rules_ = rules;
  deadline_ = deadline;
  compared_ = 0;
  const int cells = static_cast<int>(tile.size());
  users_.resize(costs.photos());
  for (std::vector<int32_t>& users : users_) {
    users.clear();
    users.reserve(std::min(rules.capacity, cells));
  }
  repeated_.reserve(cells);
  steps_.reserve(cells);
  photo_.resize(cells);
  for (int cell = 0; cell < cells; ++cell) {
    photo_[cell] = costs.photo_of(tile[cell]);
    users_[photo_[cell]].push_back(cell);
  }
  own_cost_.assign(cells, kUnknown);
  for (int round = 0;; ++round) {
    repeated_.clear();
    for (int cell = 0; cell < cells; ++cell)
      if (is_near(cell, photo_[cell])) repeated_.push_back(cell);
    if (repeated_.empty() || round == kRounds) break;
    if (!take_round(cancellation)) break;
  }
  for (int cell = 0; cell < cells; ++cell)
    if (photo_[cell] != costs.photo_of(tile[cell])) tile[cell] = costs.tile_of(cell, photo_[cell]);
  return static_cast<int>(repeated_.size());
}

}  // namespace mosaic
