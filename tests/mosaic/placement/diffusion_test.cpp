// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/matching/diffuse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "cpu/cpu_executor.h"
#include "executor/executor.h"

namespace {

constexpr int kColumns = 12, kRows = 7, kCells = kColumns * kRows, kTiles = 90;

/// Random vectors, and the same as features and residuals, as kernels take them.
struct Vectors {
  Vectors(int n, unsigned seed) : value(n), features(n * mt::kFeatureStride), residuals(features) {
    std::mt19937 random(seed);
    for (int v = 0; v < n; ++v) {
      const int base = random() % 160;
      for (int i = 0; i < mt::kFeatures; ++i) {
        const int32_t fine = (base << mt::kFineBits) + random() % (60 << mt::kFineBits);
        value[v].push_back(fine / 65536.0);
        const int at = v * mt::kFeatureStride + mt::feature_slot(i);
        features[at] = static_cast<int16_t>((fine + 512) >> 10);
        residuals[at] = static_cast<int16_t>(fine - (features[at] << 10));
      }
    }
  }
  mt::FineFeatures parts() const { return {features.data(), residuals.data()}; }
  std::vector<std::vector<double>> value;
  std::vector<int16_t> features, residuals;
};

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

/// The diffusion by its definition, in double precision.
std::vector<int32_t> naive(std::vector<std::vector<double>> wanted,
                           const std::vector<std::vector<double>>& tiles, int radius, int max_uses,
                           double strength) {
  std::vector<int32_t> placed(kCells, -1);
  std::vector<int> uses(tiles.size());
  for (int y = 0; y < kRows; ++y)
    for (int i = 0; i < kColumns; ++i) {
      const int ahead = y % 2 ? -1 : 1, x = y % 2 ? kColumns - 1 - i : i, cell = y * kColumns + x;
      std::set<int> near;
      for (int row = std::max(0, y - radius); row < std::min(kRows, y + radius + 1); ++row)
        for (int c = std::max(0, x - radius); c < std::min(kColumns, x + radius + 1); ++c)
          near.insert(placed[row * kColumns + c]);
      int best = -1, best_of_all = -1;
      for (int t = 0; t < static_cast<int>(tiles.size()); ++t) {
        if (uses[t] >= max_uses) continue;
        const double d = distance(wanted[cell], tiles[t]);
        if (best_of_all < 0 || d < distance(wanted[cell], tiles[best_of_all])) best_of_all = t;
        if (near.count(t)) continue;
        if (best < 0 || d < distance(wanted[cell], tiles[best])) best = t;
      }
      placed[cell] = best < 0 ? best_of_all : best;
      ++uses[placed[cell]];
      for (int k = 0; k < mt::kFeatures; ++k) {
        const double error = (wanted[cell][k] - tiles[placed[cell]][k]) * strength / 16;
        const auto give = [&](int row, int c, int parts) {
          if (row < kRows && c >= 0 && c < kColumns) wanted[row * kColumns + c][k] += parts * error;
        };
        give(y, x + ahead, 7);
        give(y + 1, x - ahead, 3);
        give(y + 1, x, 5);
        give(y + 1, x + ahead, 1);
      }
    }
  return placed;
}

class Diffusion : public testing::Test {
 protected:
  mt::Diffuse kernel() {
    mt::Diffuse d{};
    d.scene = &scene_;
    d.changed = changed_.data();
    d.cells = cells_.parts();
    d.tiles = tiles_.parts();
    d.columns = kColumns;
    d.rows = kRows;
    d.end = kCells;
    d.tile_count = kTiles;
    d.radius = 2;
    d.max_uses = kCells;
    d.strength = std::llround(0.85 * (int64_t{1} << mt::kStrengthBits));
    d.tile = tile_.data();
    d.distance = distance_.data();
    d.errors = errors_.data();
    d.coarse_distances = coarse_distances_.data();
    d.nearby_uses = nearby_uses_.data();
    d.uses = uses_.data();
    d.kept = kept_.data();
    return d;
  }

  const std::vector<int32_t>& run(const mt::Diffuse& d) {
    const auto executor = mt::make_cpu_executor(1);
    executor->launch(d, 1);
    executor->wait();
    return tile_;
  }

  const Vectors cells_{kCells, 1}, tiles_{kTiles, 2};
  mt::SceneState scene_{0, 1, 0, 0, 0};
  std::vector<uint8_t> changed_ = std::vector<uint8_t>(kCells, 1);
  std::vector<int32_t> tile_ = std::vector<int32_t>(kCells);
  std::vector<int64_t> distance_ = std::vector<int64_t>(kCells);
  std::vector<int32_t> errors_ = std::vector<int32_t>(2 * kColumns * mt::kFeatureStride);
  std::vector<int32_t> coarse_distances_ = std::vector<int32_t>(kTiles);
  std::vector<int32_t> nearby_uses_ = std::vector<int32_t>(kTiles), uses_ = nearby_uses_;
  std::vector<int32_t> kept_ = std::vector<int32_t>(mt::kKeptScenes * kCells);
};

TEST_F(Diffusion, MatchesNaiveImplementation) {
  for (int radius : {0, 1, 3, 20})
    for (double strength : {0.0, 0.5, 0.85, 1.0}) {
      mt::Diffuse d = kernel();
      d.radius = radius;
      d.strength = std::llround(strength * (int64_t{1} << mt::kStrengthBits));
      EXPECT_EQ(run(d), naive(cells_.value, tiles_.value, radius, kCells, strength))
          << "radius " << radius << ", strength " << strength;
    }
}

TEST_F(Diffusion, MayTakeSeveralLaunches) {
  const std::vector<int32_t> at_once = run(kernel());
  std::fill(tile_.begin(), tile_.end(), -1);
  mt::Diffuse d = kernel();
  for (const int end : {1, kColumns - 1, kColumns, 2 * kColumns + 3, kCells}) {
    d.first = std::exchange(d.end, end) % kCells;
    run(d);
  }
  EXPECT_EQ(tile_, at_once);
}

TEST_F(Diffusion, LimitsTheUsesOfATile) {
  mt::Diffuse d = kernel();
  d.max_uses = 1;
  EXPECT_EQ(run(d), naive(cells_.value, tiles_.value, 2, 1, 0.85));
  EXPECT_EQ(std::set<int32_t>(tile_.begin(), tile_.end()).size(), size_t(kCells));
}

TEST_F(Diffusion, HandlesMoreCellsThanTilesWithinTheRadius) {
  mt::Diffuse d = kernel();
  d.tile_count = 9;
  d.radius = 20;
  const std::vector<std::vector<double>> few(tiles_.value.begin(), tiles_.value.begin() + 9);
  EXPECT_EQ(run(d), naive(cells_.value, few, 20, kCells, 0.85));
}

TEST_F(Diffusion, ReportsTheDistancesOfTheTiles) {
  mt::Diffuse d = kernel();
  d.strength = 0;
  run(d);
  for (int cell = 0; cell < kCells; ++cell)
    EXPECT_NEAR(distance_[cell] / std::pow(2, 2 * mt::kFineBits),
                distance(cells_.value[cell], tiles_.value[tile_[cell]]), 1e-6);
}

TEST_F(Diffusion, KeepsATileUnlessAnotherIsNearerByThePrice) {
  const std::vector<int32_t> alone = run(kernel());
  scene_.cut = 0;
  tile_.assign(kCells, 5);
  mt::Diffuse d = kernel();
  d.radius = 0;
  d.price = INT64_MAX / 2;
  EXPECT_EQ(run(d), std::vector<int32_t>(kCells, 5)) << "no tile is worth that";
  tile_ = alone;
  d = kernel();
  EXPECT_EQ(run(d), alone) << "what is nearest stays nearest";
  tile_.assign(kCells, 5);
  EXPECT_EQ(run(d), alone) << "free";
  tile_.assign(kCells, 5);
  d.price = INT64_MAX / 2;
  scene_.cut = 1;
  EXPECT_EQ(run(d), alone) << "a cut";
}

TEST_F(Diffusion, RestoresTheTilesOfAReturningScene) {
  tile_.assign(kCells, 5);
  scene_.kept = 2;
  const std::vector<int32_t> alone = run(kernel());
  EXPECT_NE(alone, std::vector<int32_t>(kCells, 5));
  scene_ = {0, 0, 0, 2, 0};
  changed_.assign(kCells, 0);
  mt::Diffuse d = kernel();
  d.radius = 0;
  d.price = INT64_MAX / 2;
  EXPECT_EQ(run(d), std::vector<int32_t>(kCells, 5));
  scene_.returned = 1;
  EXPECT_EQ(run(d), std::vector<int32_t>(kCells, 0)) << "the other";
}

TEST_F(Diffusion, SkipsFramesWithoutChanges) {
  scene_.cut = 0;
  changed_.assign(kCells, 0);
  const std::vector<int32_t> held(kCells, 7);
  tile_ = held;
  EXPECT_EQ(run(kernel()), held);
  mt::Diffuse d = kernel();
  d.force = 1;
  EXPECT_NE(run(d), held);
  tile_ = held;
  changed_[kCells - 1] = 1;
  EXPECT_NE(run(kernel()), held);
}

}  // namespace
