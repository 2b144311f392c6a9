// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/pool/tile_ranges.h"

#include <array>
#include <cmath>
#include <cstddef>

#include "kernels/features/cell_features.h"
#include "kernels/matching/distance.h"
#include "kernels/math/oklab.h"

namespace mosaic {
namespace {

struct LevelRange {
  int low, high;
};

/// 8-bit L, a, b of sRGB colours: a is 42..226, b is 20..223; with a margin.
constexpr LevelRange kLab[3] = {{0, 255}, {40, 228}, {18, 225}};

/// What is lost when a feature is rounded to 1/64, in units of 2^-kFineBits.
constexpr int kMaxResidual = (1 << mt::kFineBits) / mt::kFeatureScale / 2;

/// The range of feature i in the reference's order and units.
constexpr LevelRange range_of(int i) {
  if (i < mt::kColourAt) return kLab[i % 3];
  if (i < mt::kGradientAt) return {0, mt::kColourWeight};
  if (i < mt::kPatternAt) return {0, mt::kGradientWeight};
  return {0, mt::kPatternWeight};
}

struct FeatureRanges {
  std::array<int16_t, mt::kFeatureStride> low{}, high{};  ///< the element that is no feature is 0
};
constexpr FeatureRanges feature_ranges() {
  FeatureRanges ranges;
  for (int i = 0; i < mt::kFeatures; ++i) {
    const LevelRange range = range_of(i);
    ranges.low[mt::feature_slot(i)] = static_cast<int16_t>(range.low * mt::kFeatureScale);
    ranges.high[mt::feature_slot(i)] = static_cast<int16_t>(range.high * mt::kFeatureScale);
  }
  return ranges;
}
constexpr FeatureRanges kRanges = feature_ranges();

// The sums of mt::feature_distance() and mt::CoarseDistance, in 64 bits, for the farthest two
// vectors.
constexpr int64_t farthest() {
  int64_t sum = 0;
  for (int i = 0; i < mt::kFeatures; ++i) {
    const LevelRange range = range_of(i);
    sum += int64_t{range.high - range.low} * (range.high - range.low);
  }
  return sum;
}
static_assert((farthest() + 1) << mt::kDistanceBits < INT32_MAX, "the distance");
static_assert((farthest() + 1) << 10 < UINT32_MAX, "the coarse distance");
// The square of the sum of products d r, by the Cauchy-Schwarz inequality; the factors are in
// double precision, as the product needs 62 bits.
static_assert(static_cast<double>(farthest() * mt::kFeatureScale * mt::kFeatureScale) *
                      mt::kFeatureStride * (2.0 * kMaxResidual) * (2.0 * kMaxResidual) <
                  static_cast<double>(INT32_MAX) * INT32_MAX,
              "the sum of products of features and residuals");

bool within(int64_t value, int64_t low, int64_t high) {
  return value >= low && value <= high;
}

bool are_stats(const mt::CellStats& s, int64_t pixels) {
  bool good = within(s.saturation, 0, 255 * pixels);
  for (int i = 0; i < 3; ++i) {
    good &= within(s.rgb[i], 0, 255 * pixels) & within(s.lab[i], 0, 255 * pixels) &
            within(s.lab_square[i], 0, 255 * 255 * pixels) &
            within(s.lab_cross[i], 0, 255 * 255 * pixels);
    constexpr int kOne = 1 << mt::kOklabBits;
    good &= i == 0 ? within(s.oklab[i], -kOne / 64, kOne + kOne / 64)
                   : within(s.oklab[i], -kOne / 2, kOne / 2);
  }
  if (!good) return false;
  // The variances and covariances are those of some pixels.
  double variance[3];
  for (int i = 0; i < 3; ++i) {
    const int64_t sum = s.lab[i], scaled = pixels * s.lab_square[i] - sum * sum;
    if (scaled < 0) return false;
    variance[i] = static_cast<double>(scaled);
  }
  for (int k = 0; k < 3; ++k) {
    const int i = k == 2 ? 1 : 0, j = k == 0 ? 1 : 2;  // L a, L b, a b
    const auto covariance =
        static_cast<double>(pixels * s.lab_cross[k] - static_cast<int64_t>(s.lab[i]) * s.lab[j]);
    if (std::abs(covariance) > std::sqrt(variance[i] * variance[j]) * 1.000001) return false;
  }
  return true;
}

}  // namespace

bool are_tile_features(std::span<const int16_t> features, std::span<const int16_t> residuals) {
  for (size_t at = 0; at < features.size(); at += mt::kFeatureStride) {
    const int16_t *f = &features[at], *r = &residuals[at];
    int16_t wrong = 0;  // without a branch in the loop, which compilers then vectorise
    for (int i = 0; i < mt::kFeatureStride; ++i)
      wrong |= static_cast<int16_t>((f[i] < kRanges.low[i]) | (f[i] > kRanges.high[i]) |
                                    (r[i] < -kMaxResidual) | (r[i] > kMaxResidual));
    if (wrong) return false;
  }
  return true;
}

bool are_tile_stats(std::span<const mt::CellStats> stats, int side) {
  for (const mt::CellStats& s : stats)
    if (!are_stats(s, int64_t{side} * side)) return false;
  return true;
}

}  // namespace mosaic
