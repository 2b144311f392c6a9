// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "kernels/features/cell_stats.h"
#include "kernels/group.h"

namespace mt {

/// Fractional bits of a squared distance of features, as many as fit 31 bits: the 25 squares add up
/// to at most 25 x 83,900, the squared Lab distance of two sRGB colours, and the histograms add
/// little.
inline constexpr int kDistanceBits = 9;

/// A feature in full precision is the feature times 2^kResidualBits, plus its residual.
inline constexpr int kResidualBits = kFineBits - 6;
static_assert(kFeatureScale == 1 << 6);

/// The squared distance of two feature vectors, times 2^kDistanceBits.
///
/// With d the difference of two features, r that of their residuals and s = kResidualBits, the
/// square of d 2^s + r is d^2 2^2s + 2 d r 2^s + r^2: three sums of products of 16-bit numbers, for
/// which processors have an instruction. Adding up the elements of a vector register at the end of
/// a sum costs as much as the products, so the sums are few and long, but must fit 32 bits:
/// - d^2 is summed over thirds of the vector, unsigned. A third has at most 9 of the 25 squares
///   (see feature_slot), and 9 x 83,900 x 64^2 and what histograms can add are below 2^32.
/// - r^2 is below 192 x 2^20 over the whole vector.
/// - d r is then, by the Cauchy-Schwarz inequality, below the square root of the product of
///   192 x 2^20 and slightly more than 25 x 83,900 x 64^2, which is below 2^31.
static MT_HD inline int32_t feature_distance(const FineFeatures& a, const FineFeatures& b) {
  const int16_t *af = a.features, *ar = a.residuals, *bf = b.features, *br = b.residuals;
  int64_t total = 0;
  for (int begin = 0; begin < kFeatureStride; begin += kFeatureThird) {
    uint32_t squares = 0;
    for (int i = begin; i < begin + kFeatureThird; ++i) {
      const int16_t d = static_cast<int16_t>(af[i] - bf[i]);
      squares += static_cast<uint32_t>(d * d);
    }
    total += squares;
  }
  int32_t cross = 0, rest = 0;
  for (int i = 0; i < kFeatureStride; ++i) {
    const int16_t d = static_cast<int16_t>(af[i] - bf[i]);
    const int16_t r = static_cast<int16_t>(ar[i] - br[i]);
    cross += d * r;
    rest += r * r;
  }
  total =
      (total << (2 * kResidualBits)) + static_cast<int64_t>(cross) * (2 << kResidualBits) + rest;
  return static_cast<int32_t>(total >> (2 * kFineBits - kDistanceBits));
}

/// The distances of a cell to the tiles of a list: on a CPU in vectors
/// (cpu/vectors/vector_distances.h), elsewhere by this plain loop.
/// @param list  [n]: tiles
/// @param out   [n], written; to be read after a sync
template <PlainGroup Group>
static MT_HD void feature_distances(Group& g, const FineFeatures& cell, const FineFeatures& tiles,
                                    const int32_t* list, int n, uint32_t* out) {
  g.for_each(
      n, [=](int i) { out[i] = static_cast<uint32_t>(feature_distance(cell, tiles.at(list[i]))); });
}

}  // namespace mt
