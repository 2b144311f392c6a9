// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <span>

namespace mosaic_program {

/// A frame of one part, and how much it counts.
struct WeightedFrame {
  std::span<const uint8_t> bytes;  ///< all of one size
  int weight = 0;                  ///< of mosaic::WindowAxis::kOne, to which all add up
};

/// Mixes frames byte by byte, to the nearest number.
void mix(std::span<const WeightedFrame> frames, std::span<uint8_t> mixed);

}  // namespace mosaic_program
