// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

#include "cuda/features/cell_stats.h"

namespace mt {

/// Number of coordinates of a sketch (see cuda/matching/sketch.h), and fractional bits of
/// SketchBasis::rows.
inline constexpr int kSketchSize = 16;
inline constexpr int kSketchBits = 14;

/// The rows that feature vectors are projected onto.
struct SketchBasis {
  /// Rows over features in their order in memory: the lowest frequencies of the orthonormal cosine
  /// transform of the squares' means, 9 of L and 3 each of a and b, times a little less than
  /// 2^kSketchBits, so that rounding makes no vector longer.
  int16_t rows[kSketchSize - 1][kFeatureStride];
  /// The middle of the features' range: means of squares are 0..255, histograms begin at 0.
  int16_t centre[kFeatureStride];
};

/// Built at the first call, in host memory. Thread safe.
const SketchBasis& sketch_basis();

}  // namespace mt
