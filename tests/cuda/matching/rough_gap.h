// SPDX-License-Identifier: LGPL-2.1-or-later
// The gap between two sketches, as mt::RoughNearest computes it.
#pragma once

#include <algorithm>
#include <vector>

#include "cuda/executor.h"
#include "cuda/matching/sketch.h"
#include "tests/cuda/matching/rough_data.h"

namespace test {

/// The sum of the squared differences, each rounded to steps of 2^kGapBits.
inline int32_t gap(const mt::Sketch& a, const mt::Sketch& b) {
  int64_t sum = 0;
  for (int k = 0; k < mt::kSketchSize; ++k) {
    const int64_t d = int64_t{a.coordinate[k]} - b.coordinate[k];
    sum += (d * d + (1 << mt::kGapBits) / 2) >> mt::kGapBits;
  }
  return static_cast<int32_t>(std::min<int64_t>(sum, INT16_MAX));
}

/// The sketches of `v`, coordinate by coordinate, as mt::SketchTiles writes them.
inline std::vector<int16_t> sketch_planes(const FeatureVectors& v) {
  const auto executor = mt::make_cpu_executor(2);
  std::vector<int16_t> planes(size_t(v.size()) * mt::kSketchSize);
  executor->launch(
      mt::SketchTiles{&mt::sketch_basis(), v.parts().features, planes.data(), v.size()}, v.size());
  return planes;
}

inline std::vector<mt::Sketch> sketches_of(const FeatureVectors& v) {
  const std::vector<int16_t> planes = sketch_planes(v);
  std::vector<mt::Sketch> sketches(v.size());
  for (int i = 0; i < v.size(); ++i)
    for (int k = 0; k < mt::kSketchSize; ++k)
      sketches[i].coordinate[k] = planes[size_t(k) * v.size() + i];
  return sketches;
}

}  // namespace test
