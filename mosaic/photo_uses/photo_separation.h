// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "executor/cancellation.h"
#include "mosaic/photo_uses/photo_assignment.h"

namespace mosaic {

/// Where photos are used more than once: changes an assignment so that no photo is shown again
/// within some cells of itself, at the least cost that small steps find. Such a step gives a cell
/// another photo; or has it exchange photos with another cell; or gives it the photo of another
/// cell, which takes a third photo. Used by one thread at a time; memory is kept.
class PhotoSeparation {
 public:
  struct Rules {
    int columns = 0, rows = 0;  ///< of the grid
    int capacity = 1;           ///< how often a photo may be used
    /// [photos]: a photo that is used so many times, or fewer, loses no use; empty: any may
    std::span<const int32_t> least = {};
    int radius = 0;  ///< the greater of the column and row distance; 0: nothing is done
  };

  /// @param costs of photos, as its last solve() left them
  /// @param tile  [cells] what they have, changed in place
  /// @param deadline when it ends
  /// @return how many cells still have their photo within the radius, as where the pool is too
  ///         small. Throws mt::Cancelled
  int separate(const PhotoAssignment& costs, const Rules& rules, std::vector<int32_t>& tile,
               const mt::Cancellation& cancellation,
               std::optional<PhotoAssignment::Clock::time_point> deadline = std::nullopt);

 private:
  /// A cell takes the photo `to`; `other`, if not -1, has that and takes `other_to`.
  struct Step {
    int64_t added = INT64_MAX;
    int cell = -1, to = -1, other = -1, other_to = -1;

    /// A photo that costs so much or more, taken in place of one that costs `own` in a step that
    /// adds `before` already, makes that step no better than this one.
    int64_t limit(int64_t before, int64_t own) const {
      return added == INT64_MAX ? INT64_MAX : added - before + own;
    }
  };

  bool has_room(int photo) const {
    return static_cast<int>(users_[photo].size()) < rules_.capacity;
  }
  /// Whether a cell may give up its photo without another one taking it.
  bool may_leave(int cell) const {
    const int photo = photo_[cell];
    return rules_.least.empty() || static_cast<int>(users_[photo].size()) > rules_.least[photo];
  }
  bool is_near(int cell, int photo, int except = -1) const;
  template <class Visit>
  void for_each_photo(int cell, const Visit& visit) const;
  int64_t own_cost(int cell) const;
  Step best_step(int cell) const;
  void try_users(int cell, int photo, int64_t added, Step& best) const;
  void try_all_photos(int cell, Step& best) const;
  void give(int cell, int photo);
  bool take_steps();
  bool take_round(const mt::Cancellation& cancellation);

  bool is_tired() const;
  bool is_late() const;

  const PhotoAssignment* costs_ = nullptr;
  std::optional<PhotoAssignment::Clock::time_point> deadline_;
  Rules rules_;
  std::vector<int32_t> photo_;               ///< [cells]
  mutable std::vector<int64_t> own_cost_;    ///< [cells]: what that costs, where it was needed
  std::vector<std::vector<int32_t>> users_;  ///< [photos]: cells
  mutable int64_t compared_ = 0;             ///< pairs of cells, in this frame
  std::vector<int> repeated_;                ///< cells whose photo is near again
  std::vector<Step> steps_;
};

}  // namespace mosaic
