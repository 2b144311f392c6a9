// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/farm/video/mix.h"

#include <algorithm>
#include <vector>

#include "mosaic/windows/window_axis.h"

namespace mosaic_program {

using mosaic::WindowAxis;

void mix(std::span<const WeightedFrame> frames, std::span<uint8_t> mixed) {
  std::vector<int32_t> sums(mixed.size(), WindowAxis::kOne / 2);
  for (const WeightedFrame& frame : frames)
    for (size_t i = 0; i < mixed.size(); ++i) sums[i] += frame.weight * frame.bytes[i];
  std::transform(sums.begin(), sums.end(), mixed.begin(), [](int32_t sum) {
    return static_cast<uint8_t>(std::min(sum / WindowAxis::kOne, 255));
  });
}

}  // namespace mosaic_program
