// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photo_uses/photo_groups.h"

#include <algorithm>

namespace mosaic {

PhotoGroups::PhotoGroups(std::span<const int32_t> first) : group_(first.size()) {
  const int photos = static_cast<int>(first.size());
  begin_ = {0};
  for (int photo = 0; photo < photos; ++photo) {
    if (first[photo] == photo) {
      group_[photo] = count();
      begin_.push_back(0);
    } else {
      group_[photo] = group_[first[photo]];
    }
    ++begin_[group_[photo] + 1];
  }
  for (int i = 0; i < count(); ++i) {
    largest_ = std::max(largest_, begin_[i + 1]);
    begin_[i + 1] += begin_[i];
  }
  photo_.resize(photos);
  std::vector<int32_t> next(begin_.begin(), begin_.end() - 1);
  for (int photo = 0; photo < photos; ++photo) photo_[next[group_[photo]]++] = photo;
}

}  // namespace mosaic
