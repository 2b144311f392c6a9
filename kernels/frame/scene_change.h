// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

#include "kernels/group.h"
#include "kernels/kernel_list.h"

namespace mt {

/// How many earlier scenes are kept in case they return: the one that was interrupted, for example
/// by a flash of light, and the one interrupted shortly before.
inline constexpr int kKeptScenes = 2;

/// Frames that a frame is compared with: the previous one, and the last one of each kept scene.
inline constexpr int kEarlierFrames = 1 + kKeptScenes;

/// What was found for a frame; the next frame's detection reads `difference`.
struct SceneState {
  /// Sum of absolute differences over the thumbnail, from the frame that this one continues: the
  /// previous frame, or the last one of a scene that returned.
  int64_t difference;
  int32_t cut;       ///< 1: this frame starts a new scene
  int32_t kept;      ///< 1..kKeptScenes: the slot that keeps the scene before the cut; 0: none
  int32_t returned;  ///< 1..kKeptScenes: the slot of the kept scene that returned; 0: none did
  int32_t reserved;
};

/// Detects scene cuts as FFmpeg's scdet filter does: by the smaller of the frame difference and its
/// change since the previous frame. But a frame that is similar to the last one of a kept scene,
/// and more similar to that than to the previous frame, continues the kept scene. One group: index
/// 0.
struct SceneChange {
  static constexpr KernelId kId = KernelId::kSceneChange;
  const int64_t* difference;  ///< [kEarlierFrames][rows]: Thumbnail::difference
  int32_t rows;               ///< of the thumbnail
  int32_t first;              ///< not 0: there is no previous frame, and so no difference
  int32_t force;              ///< not 0: always a cut; no scene is kept or returns
  int32_t kept[kKeptScenes];  ///< not 0: the slot holds a scene
  int32_t keep_slot;          ///< 1..kKeptScenes: the slot for the scene before a cut; 0: none
  int64_t limit;              ///< the smallest difference that is a cut
  int64_t return_limit;       ///< a frame returns to a kept scene if it differs by less than this
  SceneState* state;          ///< [1]: of the previous frame; replaced by this frame's

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
      int64_t nearest = now < return_limit ? now : return_limit;
      for (int k = 0; k < kKeptScenes && !force; ++k) {
        if (!kept[k] || sums[1 + k] >= nearest) continue;
        nearest = sums[1 + k];
        next = {nearest, 0, 0, k + 1, 0};
      }
      if (next.cut && !force) next.kept = keep_slot;
      *state = next;
    });
  }
};

}  // namespace mt
