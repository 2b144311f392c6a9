// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Sketches: 16 numbers of a feature vector, from which a lower bound of a distance is computed.
///
/// A sketch is Q x and the length of the remaining part of x, sqrt(|x|^2 - |Q x|^2), with x the
/// features less the middle of their range and Q some rows of the two-dimensional cosine transform
/// of the means of a cell's 5 x 5 squares (see SketchBasis). If Q makes no vector longer, the
/// distance of two sketches is at most that of their vectors: with R the square root of I - Q'Q,
/// |x - y|^2 = |Q (x - y)|^2 + |R (x - y)|^2 >= |Q x - Q y|^2 + (|R x| - |R y|)^2.
#pragma once

#include <math.h>

#include "cuda/features/cell_stats.h"
#include "cuda/kernel_list.h"
#include "cuda/matching/distance.h"
#include "cuda/matching/sketch_basis.h"

namespace mt {

/// Coordinates are features times this, so that a difference just fits 16 bits: at most 1448 for
/// the means of Lab colours (see kDistanceBits), and what histograms add.
inline constexpr int kSketchScale = 22;

/// The gap of two sketches is the sum of their squared differences, each rounded, in steps of
/// 2^kGapBits: SIMD instructions multiply 16-bit numbers with this rounding, and the sum fits 16
/// bits.
inline constexpr int kGapBits = 15;
/// The largest error of that sum due to rounding: 16 times 1/2.
inline constexpr int kGapSlack = 8;

/// By how much rounding may lengthen the difference of two sketches, in coordinates. Each of the
/// two adds 2 (the length of 16 errors of 1/2) and, for the residuals that are left out, 2.4 (the
/// length of 191 errors of 2^-7, times kSketchScale).
inline constexpr int kSketchSlack = 9;

/// The squared length in coordinates of a distance of 1.
inline constexpr float kSketchSquare =
    static_cast<float>(kSketchScale * kSketchScale) / (1 << kDistanceBits);

struct Sketch {
  int16_t coordinate[kSketchSize];  ///< the last is the length of the remaining part
};

/// Tiles' sketches, coordinate by coordinate.
struct Sketches {
  const int16_t* coordinates;  ///< [kSketchSize][stride]
  int32_t stride;              ///< tiles
};

static MT_HD inline int16_t clamp_to_int16(int64_t value) {
  const int64_t most = INT16_MAX;
  return static_cast<int16_t>(value > most ? most : value < -most ? -most : value);
}

/// The sketch of one vector.
/// @param products [kSketchSize], shared by the group
/// @param out      coordinates, `stride` apart
template <class Group>
static MT_HD void make_sketch(Group& g, const int16_t* features, const SketchBasis* basis,
                              int32_t* products, int16_t* out, int64_t stride) {
  constexpr int kUnit = 6 + kSketchBits;  // fractional bits of products
  static_assert(kFeatureScale == 1 << 6);
  const int16_t* centre = basis->centre;
  g.for_each(kSketchSize - 1, [=](int i) {
    const int16_t* row = basis->rows[i];
    uint32_t sum = 0;  // may wrap on the way; the total fits 32 bits
    for (int k = 0; k < kFeatureStride; ++k) {
      const auto x = static_cast<int16_t>(features[k] - centre[k]);
      sum += static_cast<uint32_t>(x * row[k]);
    }
    const auto product = static_cast<int32_t>(sum);
    products[i] = product;
    const int64_t half = int64_t{1} << (kUnit - 1);
    out[i * stride] = clamp_to_int16((int64_t{product} * kSketchScale + half) >> kUnit);
  });
  g.sync();
  g.for_each(1, [=](int) {
    uint64_t square = 0;
    for (int begin = 0; begin < kFeatureStride; begin += kFeatureThird) {
      uint32_t sum = 0;  // of a third, as in feature_distance
      for (int k = begin; k < begin + kFeatureThird; ++k) {
        const auto x = static_cast<int16_t>(features[k] - centre[k]);
        sum += static_cast<uint32_t>(x * x);
      }
      square += sum;
    }
    uint64_t rest = square << (2 * kSketchBits);
    for (int i = 0; i < kSketchSize - 1; ++i)
      rest -= static_cast<uint64_t>(int64_t{products[i]} * products[i]);
    const float length = sqrtf(static_cast<float>(rest)) / (1 << kUnit) * kSketchScale;
    out[(kSketchSize - 1) * stride] = clamp_to_int16(static_cast<int64_t>(length + 0.5f));
  });
  g.sync();
}

/// The sketches of tiles. Index: tile.
struct SketchTiles {
  static constexpr KernelId kId = KernelId::kSketchTiles;
  static constexpr int kShared = shared_block<int32_t>(kSketchSize);
  const SketchBasis* basis;
  const int16_t* features;  ///< [tiles][kFeatureStride]
  int16_t* sketches;        ///< [kSketchSize][tiles]
  int32_t tiles;

  template <class Group>
  MT_HD void operator()(Group& g, int tile) const {
    make_sketch(g, features + int64_t{tile} * kFeatureStride, basis,
                g.template shared<int32_t>(kSketchSize), sketches + tile, tiles);
  }
};

/// A lower bound on the distance of two vectors whose sketches have this gap, or a larger one.
static MT_HD inline int32_t distance_lower_bound(int32_t gap) {
  if (gap <= kGapSlack) return 0;
  const float away = sqrtf(static_cast<float>(gap - kGapSlack) * (1 << kGapBits)) - kSketchSlack;
  if (away <= 1) return 0;
  constexpr float kBelow = 1 - 1e-6f;  // 1 less a few steps of a float, for rounding errors
  const float least = away * away * kBelow / kSketchSquare - 1;
  return least < 2147483000.f ? static_cast<int32_t>(least) : INT32_MAX - 1;
}

}  // namespace mt
