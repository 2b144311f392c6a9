// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "mosaic/photo_uses/photo_assignment.h"

namespace mosaic {

/// Changes an assignment so that photos are shown often enough, at the least cost. Used by one
/// thread at a time; memory is kept.
class LeastUses {
 public:
  /// @param costs  of photos, as its last solve() left them
  /// @param solved what that returned
  /// @param most   how often a photo may be used
  /// @param least  [photos]: how often each has to be, at most `most`; no more than cells in all
  /// @param tile   [cells]: what was assigned, changed in place
  /// @param deadline when it ends, though photos may then be used too seldom
  /// @return a lower bound on Assignment::cost over all assignments with these uses: what `tile`
  ///         costs then, if `solved` was optimal. Throws mt::Cancelled
  int64_t raise(const PhotoAssignment& costs, const Assignment& solved, int most,
                std::span<const int32_t> least, std::vector<int32_t>& tile,
                const mt::Cancellation& cancellation,
                std::optional<PhotoAssignment::Clock::time_point> deadline = std::nullopt);

 private:
  bool is_wanting(const PhotoAssignment& costs, const std::vector<int32_t>& tile);
  void begin(const PhotoAssignment& costs, const Assignment& solved);
  const std::vector<int64_t>& column(int photo);
  int search(int wanting);
  void list_cells();
  void relax(int photo);
  void consider(int photo, int cell, int64_t cost);
  bool may_matter(int photo, int cell) const;
  void raise_duals();
  void follow(int wanting, int end);

  const PhotoAssignment* costs_ = nullptr;
  int most_ = 1;
  std::span<const int32_t> least_;
  std::vector<int32_t> photo_, used_;          ///< [cells], [photos]
  std::vector<int64_t> row_dual_, dual_;       ///< [cells], [photos]
  std::vector<std::vector<int64_t>> columns_;  ///< [photos][cells]: costs that were read; or empty
  std::vector<int32_t> read_;                  ///< the photos whose costs were
  /// The cells whose lists have a photo, or that hold it: those of photo j from first_[j] on.
  struct Listed {
    int32_t cell;
    int64_t cost;
  };
  std::vector<int32_t> first_;  ///< [photos + 1]
  std::vector<Listed> listed_;
  std::vector<int32_t> listed_for_;  ///< [cells]: the last photo, plus 1, whose list was read
  std::vector<int32_t> others_;      ///< scratch of relax()
  // Of one search, [photos]: the distance from the photo that needs a cell; the photo before on the
  // path; and the cell that would be given to that one.
  std::vector<int64_t> distance_;
  std::vector<int32_t> by_cell_, for_photo_;
  std::vector<uint8_t> settled_;
  int64_t end_distance_ = 0;  ///< the length of the shortest chain that was found
};

}  // namespace mosaic
