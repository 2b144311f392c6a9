// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <array>

#include "mosaic/stream/cell_source.h"
#include "mosaic/stream/number_model.h"
#include "mosaic/stream/range_coder.h"

namespace mosaic::stream {

/// What the coder has learnt of a stream since its last keyframe.
struct FrameModels {
  static constexpr int kVariantBits = 6;

  BitModel any_changed;             ///< of the tiles
  std::array<BitModel, 4> changed;  ///< by those to the left and above
  std::array<BitModel, 16> drawn;   ///< by `changed`, the last frame, left and above
  BitModel at_once, in_region, fades;
  std::array<BitModel, 1 << kVariantBits> variant;  ///< a binary tree
  struct Number {
    std::array<BitModel, 3> zero;  ///< by how many of the two numbers before are not 0
    NumberModel value;
  };
  std::array<Number, kMostNumbers> delta;   ///< from when the cell was last drawn
  std::array<Number, kMostNumbers> across;  ///< in keyframes: from the cell to the left
};

}  // namespace mosaic::stream
