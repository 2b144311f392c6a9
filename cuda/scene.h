// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

#include "cuda/group.h"
#include "cuda/kernel_list.h"

namespace mt {

/// What is remembered of the last frame, and said of this one.
struct SceneState {
  int64_t difference;  ///< of the last frame from the one before: sum over the thumbnail's pixels
  int32_t cut;         ///< whether this frame has nothing to do with the last
  int32_t reserved;
};

/// Tells cuts as ffmpeg's scdet filter does: by the smaller of the frame difference and its change
/// since the last frame. One group: index 0.
struct Scene {
  static constexpr KernelId kId = KernelId::kScene;
  const int64_t* difference;  ///< [rows], of Thumbnail
  int32_t rows;
  int32_t first;  ///< not 0: there is no last frame, and no difference
  int32_t force;  ///< not 0: a cut, whatever the picture
  int64_t limit;  ///< the smallest difference that is a cut
  SceneState* state;

  template <class Group>
  MT_HD void operator()(Group& g, int) const {
    const int64_t* row = difference;
    int64_t sum = 0;
    g.for_each(rows, [=, &sum](int i) { sum += row[i]; });
    const int64_t all = g.sum(sum);
    g.for_each(1, [=, this](int) {
      const int64_t now = first ? 0 : all, last = first ? 0 : state->difference;
      const int64_t change = now > last ? now - last : last - now;
      const int64_t score = now < change ? now : change;
      *state = {now, force || score >= limit, 0};
    });
  }
};

}  // namespace mt
