// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

#include "cuda/group.h"

namespace mt {

/// Features of a cell or tile (see cuda/cell_features.h), and the distance between two of them in
/// memory: the 192nd is zero and keeps every vector a multiple of 64 bytes.
inline constexpr int kFeatures = 191;
inline constexpr int kFeatureStride = 192;

/// Where feature i (in the reference's order) stands in memory: the squares' means, whose
/// differences are the largest, are shared out among the thirds of the vector (see
/// feature_distance), 8, 8 and 9 squares; the histograms fill the rest.
inline constexpr int kFeatureThird = kFeatureStride / 3;
static MT_HD constexpr int feature_slot(int i) {
  constexpr int kMeans = 24, kHistograms = kFeatureThird - kMeans;
  if (i < 2 * kMeans) return i / kMeans * kFeatureThird + i % kMeans;
  if (i < 75) return 2 * kFeatureThird + i - 2 * kMeans;
  const int h = i - 75;
  if (h < 2 * kHistograms) return h / kHistograms * kFeatureThird + kMeans + h % kHistograms;
  return 2 * kFeatureThird + 27 + h - 2 * kHistograms;
}

/// A feature is the reference's times kFeatureScale; with its remainder, times 2^kFineBits.
inline constexpr int kFeatureScale = 64;
inline constexpr int kFineBits = 16;

/// Features of cells or tiles, as good as the reference's float32.
struct FineFeatures {
  const int16_t* features;  ///< [n][kFeatureStride], times kFeatureScale
  const int16_t*
      remainders;  ///< [n][kFeatureStride]: what rounding took from them (see FeatureOut)
  MT_HD FineFeatures at(int64_t i) const {
    return {features + i * kFeatureStride, remainders + i * kFeatureStride};
  }
};

/// Fractional bits of CellStats::oklab.
inline constexpr int kOklabBits = 16;

/// The ways in which one photo becomes tiles; brightness as clamp(trunc(v * gain)).
enum class Variant : int32_t { kPlain, kMirrored, kBrighter, kDarker };
inline constexpr int kVariants = 4;

/// Sums over the side x side pixels of a cell or tile.
struct CellStats {
  int32_t rgb[3];         ///< of R, G, B
  int32_t lab[3];         ///< of 8-bit CIELAB as OpenCV has it
  int64_t lab_square[3];  ///< of its squares
  int64_t lab_cross[3];   ///< of its products: L a, L b, a b
  int32_t oklab[3];       ///< mean Oklab (not a sum), scaled by 2^kOklabBits
  int32_t saturation;     ///< of the HSV saturation, 0..255 a pixel
};

}  // namespace mt
