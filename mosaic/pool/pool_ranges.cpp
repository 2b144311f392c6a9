// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/pool/pool_ranges.h"

#include <array>
#include <cstdlib>

#include "cuda/features/cell_features.h"
#include "cuda/math/oklab.h"

namespace mosaic {
namespace {

constexpr int kLevels = 255;
constexpr int kResidualLimit = (1 << mt::kFineBits) / mt::kFeatureScale / 2;

/// The largest value of each element of a feature vector: a mean of 8-bit Lab, or the weight of a
/// histogram. None is negative.
constexpr std::array<uint16_t, mt::kFeatureStride> kFeatureLimits = [] {
  std::array<uint16_t, mt::kFeatureStride> limits{};
  for (int i = 0; i < mt::kFeatures; ++i)
    limits[mt::feature_slot(i)] = static_cast<uint16_t>(
        (i < mt::kColourAt ? kLevels : mt::kColourWeight) * mt::kFeatureScale);
  return limits;
}();

// The loops below have no early exit, so that compilers vectorise them.

bool features_in_range(const int16_t* features, const int16_t* residuals) {
  bool good = true;
  for (int i = 0; i < mt::kFeatureStride; ++i) {
    good &= static_cast<uint16_t>(features[i]) <= kFeatureLimits[i];
    good &= residuals[i] >= -kResidualLimit && residuals[i] <= kResidualLimit;
  }
  return good;
}

bool stats_in_range(const mt::CellStats& stats, int pixels) {
  const auto is_sum = [pixels](int64_t sum, int64_t most) {
    return sum >= 0 && sum <= pixels * most;
  };
  bool good = is_sum(stats.saturation, kLevels);
  for (int i = 0; i < 3; ++i) {
    good &= is_sum(stats.rgb[i], kLevels) && is_sum(stats.lab[i], kLevels);
    good &= is_sum(stats.lab_square[i], kLevels * kLevels);
    good &= is_sum(stats.lab_cross[i], kLevels * kLevels);
    good &= std::abs(int64_t{stats.oklab[i]}) <= 2 << mt::kOklabBits;  // white is 1
  }
  return good;
}

}  // namespace

bool is_in_range(const PoolData& pool) {
  for (size_t at = 0; at < pool.features.size(); at += mt::kFeatureStride)
    if (!features_in_range(pool.features.data() + at, pool.residuals.data() + at)) return false;
  for (const mt::CellStats& stats : pool.stats)
    if (!stats_in_range(stats, pool.side * pool.side)) return false;
  return true;
}

}  // namespace mosaic
