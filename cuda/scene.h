// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

#include "cuda/group.h"
#include "cuda/kernel_list.h"

namespace mt {

/// How many scenes are kept after they were cut off, for they may come back: one that lights flash
/// up in, and the one cut off shortly before.
inline constexpr int kKeptScenes = 2;

/// Frames that a frame is compared with: the last one, and the last of each scene that is kept.
inline constexpr int kEarlierFrames = 1 + kKeptScenes;

/// What is remembered of the last frame, and said of this one.
struct SceneState {
  int64_t difference;  ///< from the frame that it goes on from: sum over the thumbnail's pixels
  int32_t cut;         ///< whether this frame has nothing to do with the last
  int32_t kept;      ///< 1..kKeptScenes: as which the scene that was cut off is kept; 0: it is not
  int32_t returned;  ///< 1..kKeptScenes: the kept scene that this frame goes on from; 0: none
  int32_t reserved;
};

/// Tells cuts as ffmpeg's scdet filter does: by the smaller of the frame difference and its change
/// since the last frame. But a frame that is near the last one of a scene that is kept, and nearer
/// to that than to the last frame, goes on from there. One group: index 0.
struct Scene {
  static constexpr KernelId kId = KernelId::kScene;
  const int64_t* difference;  ///< [kEarlierFrames][rows], of Thumbnail
  int32_t rows;
  int32_t first;              ///< not 0: there is no last frame, and no difference
  int32_t force;              ///< not 0: a cut, whatever the picture; nothing is kept or returns
  int32_t kept[kKeptScenes];  ///< not 0: there is such a scene
  int32_t keep_as;  ///< 1..kKeptScenes: as which a scene that is cut off is kept; 0: it is not
  int64_t limit;    ///< the smallest difference that is a cut
  int64_t near;     ///< from here on a frame is not that of a scene that is kept
  SceneState* state;

  template <class Group>
  MT_HD void operator()(Group& g, int) const {
    int64_t sums[kEarlierFrames];
    for (int k = 0; k < kEarlierFrames; ++k) {
      const int64_t* row = difference + k * rows;
      int64_t sum = 0;
      g.for_each(rows, [=, &sum](int i) { sum += row[i]; });
      sums[k] = g.sum(sum);
    }
    g.for_each(1, [=, this](int) {
      const int64_t now = first ? 0 : sums[0], last = first ? 0 : state->difference;
      const int64_t change = now > last ? now - last : last - now;
      const int64_t score = now < change ? now : change;
      SceneState next{now, force || score >= limit, 0, 0, 0};
      int64_t nearest = now < near ? now : near;
      for (int k = 0; k < kKeptScenes && !force; ++k) {
        if (!kept[k] || sums[1 + k] >= nearest) continue;
        nearest = sums[1 + k];
        next = {nearest, 0, 0, k + 1, 0};
      }
      if (next.cut && !force) next.kept = keep_as;
      *state = next;
    });
  }
};

}  // namespace mt
