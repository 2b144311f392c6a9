// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

#include "kernels/frame/scene_change.h"

namespace mt {

/// Fractional bits of a cost; the farthest tile of the frame costs 1.
inline constexpr int kCostBits = 24;

/// Fractional bits of the factor from distances to costs: cost = distance * factor >> kScaleBits.
inline constexpr int kScaleBits = 31;

/// The distance that other distances are divided by.
struct CostScale {
  int64_t farthest;  ///< the distance that costs 1
  int64_t factor;    ///< 2^(kCostBits + kScaleBits) / farthest
  int32_t changed;   ///< 1: differs from the previous frame's
  int32_t reserved;
};

/// Which cells a kernel processes: those that changed, or all if the cost scale changed.
struct CellChoice {
  const uint8_t* changed;  ///< [all cells]
  const CostScale* scale;  ///< null: only cells that changed
  MT_HD bool operator()(int cell) const { return changed[cell] || (scale && scale->changed); }
};

/// Updates the cost scale: at a scene cut to the largest distance of the frame, else only if that
/// changed by more than an eighth, because a new scale changes all costs. A scene that returns gets
/// its former scale back. One group: index 0.
struct Rescale {
  static constexpr KernelId kId = KernelId::kRescale;
  const int32_t* farthest;  ///< [count]: the largest distances of parts of the frame
  int32_t count;
  const SceneState* scene;    ///< of this frame
  CostScale* scale;           ///< [1]: of the previous frame, updated
  CostScale* kept = nullptr;  ///< [kKeptScenes]: of kept scenes; null: none is kept

  template <class Group>
  MT_HD void operator()(Group& g, int) const {
    const int32_t* in = farthest;
    int32_t most = 1;
    g.for_each(count, [=, &most](int i) { most = in[i] > most ? in[i] : most; });
    const int64_t now = INT32_MAX - static_cast<int64_t>(g.min(INT32_MAX - most));
    g.for_each(1, [=, this](int) {
      if (scene->kept) kept[scene->kept - 1] = *scale;
      const int64_t last = scale->farthest;
      const int64_t was = scene->returned ? kept[scene->returned - 1].farthest : last;
      const int64_t moved = now > was ? now - was : was - now;
      const bool keep = scene->cut ? moved == 0 : moved <= was / 8;
      const int64_t farthest = keep ? was : now;
      if (farthest != last) {
        scale->farthest = farthest;
        scale->factor = (int64_t{1} << (kCostBits + kScaleBits)) / farthest;
      }
      scale->changed = farthest != last;
    });
  }
};

}  // namespace mt
