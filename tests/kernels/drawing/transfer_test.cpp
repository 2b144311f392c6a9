// SPDX-License-Identifier: LGPL-2.1-or-later
// Compares colour transfers with their definitions.
#include "kernels/drawing/transfer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "cpu/cpu_executor.h"
#include "executor/executor.h"
#include "kernels/all/kernels.h"
#include "mosaic/base/picture.h"

namespace {

using Lab = std::vector<std::array<int, 3>>;

constexpr int kPixels = 500;

/// Correlated values around a mean. The last `flat_channels` channels are constant.
Lab colours(unsigned seed, double spread, int flat_channels = 0) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Lab lab(kPixels);
  for (auto& v : lab) {
    const double a = normal(random), b = normal(random), c = normal(random);
    const double mixed[] = {a, 0.6 * a + 0.8 * b, 0.3 * a - 0.4 * b + 0.6 * c};
    for (int i = 0; i < 3; ++i)
      v[i] = std::clamp(static_cast<int>(120 + 10 * i + spread * mixed[i]), 0, 255);
    for (int i = 3 - flat_channels; i < 3; ++i) v[i] = 128;
  }
  return lab;
}

mt::CellStats stats_of(const Lab& lab) {
  mt::CellStats s{};
  for (const auto& v : lab)
    for (int i = 0; i < 3; ++i) {
      s.lab[i] += v[i];
      s.lab_square[i] += v[i] * v[i];
      s.lab_cross[i] += v[i == 2] * v[i == 0 ? 1 : 2];
    }
  return s;
}

double covariance_of(const Lab& lab, int i, int j) {
  double mean_i = 0, mean_j = 0, sum = 0;
  for (const auto& v : lab) mean_i += v[i] / double(kPixels), mean_j += v[j] / double(kPixels);
  for (const auto& v : lab) sum += (v[i] - mean_i) * (v[j] - mean_j);
  return sum / (kPixels - 1);
}

TEST(Covariance, MatchesTheSampleCovariance) {
  const Lab lab = colours(1, 20);
  const mt::Matrix3 c = mt::covariance(stats_of(lab), kPixels);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(covariance_of(lab, i, j), c.at[i][j], 1e-3);
}

// The optimal map between two normal distributions is the one that is symmetric, positive and
// carries one covariance into the other.
TEST(MongeKantorovich, MapsOneCovarianceToTheOther) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Lab from = colours(seed, 5 + seed), to = colours(seed + 100, 30 - seed);
    mt::TransferLook look{mt::Transfer::kMongeKantorovich, 1, 0};
    const mt::LabMap map = mt::monge_kantorovich(stats_of(from), stats_of(to), kPixels, look);
    const auto& t = map.matrix.at;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        EXPECT_NEAR(t[i][j], t[j][i], 1e-3);
        double carried = 0;
        for (int k = 0; k < 3; ++k)
          for (int l = 0; l < 3; ++l) carried += t[i][k] * covariance_of(from, k, l) * t[l][j];
        EXPECT_NEAR(covariance_of(to, i, j), carried, 0.3) << seed;
      }
    EXPECT_GT(t[0][0], 0);
    EXPECT_GT(t[0][0] * t[1][1] - t[0][1] * t[1][0], 0);
    const mt::Triple mean{{120, 130, 140}};
    for (int i = 0; i < 3; ++i) {
      double wanted = 0, is = 0;
      for (const auto& v : to) wanted += v[i] / double(kPixels);
      for (int j = 0; j < 3; ++j) {
        double from_mean = 0;
        for (const auto& v : from) from_mean += v[j] / double(kPixels);
        is += t[i][j] * from_mean;
      }
      EXPECT_NEAR(wanted, is + map.offset[i], 0.01);
      EXPECT_GE(map(i, mean), 0);
    }
  }
}

TEST(MongeKantorovich, IsFiniteForFlatColours) {
  for (int a = 0; a <= 3; ++a)
    for (int b = 0; b <= 3; ++b) {
      const mt::LabMap map =
          mt::monge_kantorovich(stats_of(colours(1, 20, a)), stats_of(colours(2, 20, b)), kPixels,
                                {mt::Transfer::kMongeKantorovich, 0.5f, 0});
      for (int i = 0; i < 3; ++i) {
        EXPECT_TRUE(std::isfinite(map.offset[i]));
        for (float v : map.matrix.at[i]) EXPECT_TRUE(std::isfinite(v));
      }
    }
}

TEST(MongeKantorovich, StrengthZeroIsTheIdentity) {
  const mt::LabMap map = mt::monge_kantorovich(stats_of(colours(1, 20)), stats_of(colours(2, 9)),
                                               kPixels, {mt::Transfer::kMongeKantorovich, 0, 0});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(77 + i, map(i, {{77, 78, 79}}));
}

/// numpy.interp(quantiles of the picture, quantiles of the other, its values), truncated.
int matched(const std::vector<int>& own, const std::vector<int>& other, int v) {
  const auto quantile = [](const std::vector<int>& x, int value) {
    return std::count_if(x.begin(), x.end(), [=](int k) { return k <= value; }) / double(x.size());
  };
  const double q = quantile(own, v);
  double last_q = 0;
  int last = -1;
  for (int value = 0; value < 256; ++value) {
    if (std::find(other.begin(), other.end(), value) == other.end()) continue;
    const double now = quantile(other, value);
    if (q <= now) {
      if (last < 0) return value;
      return static_cast<int>(last + (q - last_q) / (now - last_q) * (value - last) + 1e-9);
    }
    last_q = now, last = value;
  }
  return last;
}

TEST(MatchHistograms, MatchesTheDefinition) {
  constexpr int kSide = 24;
  const auto executor = mt::make_cpu_executor(1);
  for (unsigned seed = 0; seed < 8; ++seed) {
    std::mt19937 random(seed);
    mosaic::Picture like(kSide, kSide, executor), drawn(kSide, kSide, executor);
    const int few = 1 << (1 + seed);  // number of values: from two to many
    std::vector<int> own[3], other[3];
    std::vector<uint8_t> photo(3 * kSide * kSide);
    for (int c = 0; c < 3; ++c)
      for (int i = 0; i < kSide * kSide; ++i) {
        photo[c * kSide * kSide + i] = static_cast<uint8_t>(random() % 200);
        own[c].push_back(photo[c * kSide * kSide + i]);
        other[c].push_back(random() % few * (255 / few));
        const mt::Planes p = like.planes();
        p.plane[c][i / kSide * p.stride + i % kSide] = static_cast<uint8_t>(other[c].back());
      }
    const mt::CellPaint paint{{0, 0, kSide, kSide}, 0, 0, 0};
    const mt::CellStats stats{};
    executor->launch(mt::Draw{&mt::tables(),
                              &paint,
                              &stats,
                              &stats,
                              kSide * kSide,
                              photo.data(),
                              1,
                              kSide,
                              like.planes(),
                              drawn.planes(),
                              {{mt::Transfer::kNone, 0, 0}, 1.0f, 0}},
                     1);
    const mt::Planes p = drawn.planes();
    for (int c = 0; c < 3; ++c)
      for (int i = 0; i < kSide * kSide; ++i)
        ASSERT_EQ(matched(own[c], other[c], own[c][i]),
                  p.plane[c][i / kSide * p.stride + i % kSide]);
  }
}

}  // namespace
