// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

#include "cuda/scene.h"

namespace mt {

/// A cost of 1 (the farthest tile of the frame) in integers.
inline constexpr int kCostBits = 24;

/// Distances to costs: cost = distance * factor >> kScaleBits, with factor = 2^(kCostBits +
/// kScaleBits) / farthest.
inline constexpr int kScaleBits = 31;

/// What distances are relative to.
struct CostScale {
  int64_t farthest;  ///< the distance that costs 1
  int64_t factor;    ///< 2^(kCostBits + kScaleBits) / farthest
  int32_t changed;   ///< whether this frame's differs from the last one's
  int32_t reserved;
};

/// Which cells are done: those that changed, or all when costs change their scale; but not those
/// that are searched roughly (see RoughNearest).
struct CellChoice {
  const uint8_t* changed;          ///< [all cells]
  const CostScale* scale;          ///< null: only those that changed
  const uint8_t* rough = nullptr;  ///< [all cells]; null: none
  MT_HD bool operator()(int cell) const {
    return (changed[cell] || (scale && scale->changed)) && !(rough && rough[cell]);
  }
};

/// Brings the scale up to date: at a cut to the farthest distance of the frame, else only when that
/// has moved by an eighth, because every cost hangs on it. A scene that returns has the scale that
/// it had. One group: index 0.
struct Rescale {
  static constexpr KernelId kId = KernelId::kRescale;
  const int32_t* farthest;  ///< [count]: the largest distances
  int32_t count;
  const SceneState* scene;
  CostScale* scale;
  CostScale* kept = nullptr;  ///< [kKeptScenes]; null: no scene is kept

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
