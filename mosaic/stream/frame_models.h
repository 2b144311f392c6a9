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
  static constexpr int kPhotoBits = 12;  ///< with models, of a photo's number, from the highest on

  BitModel any_changed;              ///< of the tiles
  std::array<BitModel, 16> changed;  ///< by what is known of the cells around it
  std::array<BitModel, 32> drawn;    ///< by that, and whether the tile changed
  BitModel at_once, in_region, fades;
  // Binary trees: the models of a bit are chosen by those before it.
  std::array<BitModel, 1 << kPhotoBits> photo;
  std::array<BitModel, 1 << kVariantBits> variant;
  struct Number {
    std::array<BitModel, 3> zero;  ///< by how many of the two numbers before are not 0
    NumberModel value;
  };
  std::array<Number, kMostNumbers> delta;   ///< from when the cell was last drawn
  std::array<Number, kMostNumbers> across;  ///< in keyframes: from the cell to the left
};

}  // namespace mosaic::stream
