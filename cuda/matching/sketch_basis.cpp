// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cuda/matching/sketch_basis.h"

#include <cmath>
#include <numbers>

#include "cuda/features/cell_features.h"

namespace mt {
namespace {

/// A two-dimensional DCT-II, its frequencies diagonal by diagonal, the lowest first.
SketchBasis build() {
  SketchBasis basis{};
  constexpr int kFrequencies[][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {0, 2},
                                     {2, 0}, {1, 2}, {2, 1}, {0, 3}};
  constexpr int kOfChannel[] = {9, 3, 3};
  // Rounding adds a matrix whose norm is at most half the square root of the number of its
  // elements.
  const double scale = (1 << kSketchBits) - std::sqrt(kSketchSize * kSquares * kSquares) / 2;
  const auto wave = [](int frequency, int i) {
    return std::sqrt((frequency ? 2.0 : 1.0) / kSquares) *
           std::cos(std::numbers::pi * (i + 0.5) * frequency / kSquares);
  };
  int16_t(*row)[kFeatureStride] = basis.rows;
  for (int channel = 0; channel < 3; ++channel)
    for (int k = 0; k < kOfChannel[channel]; ++k, ++row)
      for (int i = 0; i < kSquares * kSquares; ++i)
        (*row)[feature_slot(3 * i + channel)] =
            static_cast<int16_t>(std::lrint(scale * wave(kFrequencies[k][0], i / kSquares) *
                                            wave(kFrequencies[k][1], i % kSquares)));
  for (int i = 0; i < kColourAt; ++i) basis.centre[feature_slot(i)] = 128 * kFeatureScale;
  return basis;
}

}  // namespace

const SketchBasis& sketch_basis() {
  static const SketchBasis built = build();
  return built;
}

}  // namespace mt
