// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

#include "kernels/group.h"

namespace mt {

/// Number of features of a cell or tile (see kernels/features/cell_features.h), and of elements
/// from one feature vector to the next: element 191 is 0, which makes a vector a multiple of 64
/// bytes.
inline constexpr int kFeatures = 191;
inline constexpr int kFeatureStride = 192;

/// Where feature i (in the reference's order) is stored. feature_distance() sums each third of a
/// vector separately, so the means of the squares, whose differences are the largest, are divided
/// among the thirds, 8, 8 and 9 squares; the histograms fill the rest.
inline constexpr int kFeatureThird = kFeatureStride / 3;
static MT_HD constexpr int feature_slot(int i) {
  constexpr int kMeans = 24, kHistograms = kFeatureThird - kMeans;
  if (i < 2 * kMeans) return i / kMeans * kFeatureThird + i % kMeans;
  if (i < 75) return 2 * kFeatureThird + i - 2 * kMeans;
  const int h = i - 75;
  if (h < 2 * kHistograms) return h / kHistograms * kFeatureThird + kMeans + h % kHistograms;
  return 2 * kFeatureThird + 27 + h - 2 * kHistograms;
}

/// A feature is the reference's value times kFeatureScale, rounded; with its residual it has
/// kFineBits fractional bits.
inline constexpr int kFeatureScale = 64;
inline constexpr int kFineBits = 16;

/// Features of cells or tiles with the precision of the reference's float32.
struct FineFeatures {
  const int16_t* features;   ///< [n][kFeatureStride], times kFeatureScale
  const int16_t* residuals;  ///< [n][kFeatureStride]: lost to rounding (see FeatureOut)
  MT_HD FineFeatures at(int64_t i) const {
    return {features + i * kFeatureStride, residuals + i * kFeatureStride};
  }
};

/// The variants of a photo that are tiles of their own. For the brightness see math/brightness.h.
enum class Variant : int32_t { kPlain, kMirrored, kBrighter, kDarker };
inline constexpr int kVariants = 4;

/// Sums over the side x side pixels of a cell or tile.
struct CellStats {
  int32_t rgb[3];         ///< of R, G, B
  int32_t lab[3];         ///< of L, a, b: 8-bit CIELAB as in OpenCV
  int64_t lab_square[3];  ///< of L^2, a^2, b^2
  int64_t lab_cross[3];   ///< of the products L a, L b, a b
  int32_t oklab[3];       ///< mean Oklab (not a sum), times 2^kOklabBits
  int32_t saturation;     ///< of the HSV saturation, 0..255 a pixel
};

}  // namespace mt
