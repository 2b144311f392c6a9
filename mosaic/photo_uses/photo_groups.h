// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mosaic {

/// Photos that count as one, such as those of a burst. Groups are numbered in the order of their
/// first photos.
class PhotoGroups {
 public:
  /// @param first [photos]: the first photo of each one's group; of itself, if that is alone
  explicit PhotoGroups(std::span<const int32_t> first);

  int photos() const { return static_cast<int>(group_.size()); }
  int count() const { return static_cast<int>(begin_.size()) - 1; }
  int group(int photo) const { return group_[photo]; }
  /// Ascending; there is at least one.
  std::span<const int32_t> photos(int group) const {
    return {photo_.data() + begin_[group], static_cast<size_t>(begin_[group + 1] - begin_[group])};
  }
  int largest() const { return largest_; }  ///< photos of the group that has most

 private:
  std::vector<int32_t> group_;  ///< [photos]
  std::vector<int32_t> begin_;  ///< [groups + 1]: where its photos begin in photo_
  std::vector<int32_t> photo_;
  int largest_ = 1;
};

}  // namespace mosaic
