// SPDX-License-Identifier: LGPL-2.1-or-later
// Sketches give lower bounds of distances.
#include "cuda/matching/sketch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cuda/executor.h"
#include "tests/cuda/matching/rough_data.h"
#include "tests/cuda/matching/rough_gap.h"
#include "tests/first_failure.h"

namespace {

using test::FeatureVectors;
using test::gap;
using test::kCornerLab;
using test::sketches_of;

TEST(Sketch, ProjectionMakesNoVectorLonger) {
  const mt::SketchBasis& t = mt::sketch_basis();
  const int64_t one = int64_t{1} << (2 * mt::kSketchBits);
  for (const auto& a : t.rows) {
    int64_t sum = 0;  // of a row of |Q Q'|: the largest such sum bounds every eigenvalue
    for (const auto& b : t.rows)
      sum += std::abs(std::inner_product(std::begin(a), std::end(a), std::begin(b), int64_t{0}));
    EXPECT_LE(sum, one);
    EXPECT_GE(sum, one * 99 / 100);  // nor makes Q vectors much shorter
  }
}

// Rounding changes each of the sixteen numbers, and each squared difference, by at most a half. A
// sketch leaves out the residuals of features.
TEST(Sketch, SlackCoversRoundingErrors) {
  EXPECT_GE(mt::kGapSlack, mt::kSketchSize * 0.5);
  const double rounded = std::sqrt(mt::kSketchSize) * 0.5;
  const double residuals = mt::kSketchScale * std::sqrt(mt::kFeatures) * 0.5 / mt::kFeatureScale;
  EXPECT_GE(mt::kSketchSlack, 2 * (rounded + residuals));
}

/// Expects the bound for any two of the vectors to be at most their distance.
void expect_below(const FeatureVectors& v) {
  const std::vector<mt::Sketch> sketches = sketches_of(v);
  test::FirstFailure wrong;
  for (int i = 0; i < v.size(); ++i)
    for (int k = 0; k < v.size(); ++k) {
      const int32_t distance = mt::feature_distance(v.at(i), v.at(k));
      const int32_t apart = gap(sketches[i], sketches[k]);
      // A gap of INT16_MAX may be a larger one that was clamped.
      wrong.check(
          distance >= 0 && mt::distance_lower_bound(apart) <= distance && apart < INT16_MAX,
          [&] { return test::text_of("vectors", i, k, "distance", distance, "gap", apart); });
    }
  ASSERT_TRUE(wrong.none());
}

TEST(Sketch, IsALowerBoundForPhotos) {
  expect_below(test::photos(300, 1, 300));
}

TEST(Sketch, IsALowerBoundForExtremeVectors) {
  constexpr int kOfEach = 4;
  FeatureVectors v(test::kCorners * kOfEach + 4);
  const auto nothing = [](int) { return 0; };
  const auto first = [](int i) { return i == 0; };
  const auto last = [](int i) { return i == 7; };
  const auto even = [](int) { return 1; };
  for (int c = 0; c < test::kCorners; ++c) {
    for (int k = 0; k < kOfEach; ++k) v.set_flat(kOfEach * c + k, kCornerLab[c]);
    v.set_histograms(kOfEach * c, nothing);
    v.set_histograms(kOfEach * c + 1, first);
    v.set_histograms(kOfEach * c + 2, last);
    v.set_histograms(kOfEach * c + 3, even);
  }
  const int rest = test::kCorners * kOfEach;
  for (int s = 0; s < mt::kSquares * mt::kSquares; ++s) {
    const int colours[][2] = {{test::kGreen, test::kBlue}, {0, 1}};
    for (int k = 0; k < 2; ++k) {  // chessboards and their negatives
      v.set_colour(rest + 2 * k, s, kCornerLab[colours[k][s % 2]]);
      v.set_colour(rest + 2 * k + 1, s, kCornerLab[colours[k][1 - s % 2]]);
    }
  }
  expect_below(v);
}

// Vectors that differ a little in every coordinate. Rounding matters most here, because the squared
// differences are about as large as one step of a gap.
TEST(Sketch, IsALowerBoundForSmallDifferences) {
  const mt::SketchBasis& t = mt::sketch_basis();
  std::mt19937 random(3);
  FeatureVectors v(400);
  for (int n = 0; n < v.size(); ++n) {
    const double amplitude = n == 0 ? 0 : 2 + n % 40 * 0.25;
    double coordinate[mt::kSketchSize - 1];
    for (double& c : coordinate) c = random() % 2 ? amplitude : -amplitude;
    for (int i = 0; i < mt::kColourAt; ++i) {
      double mean = 128;
      for (int k = 0; k < mt::kSketchSize - 1; ++k)
        mean += coordinate[k] * t.rows[k][mt::feature_slot(i)] / (1 << mt::kSketchBits);
      v.set_mean(n, i, mean);
    }
  }
  expect_below(v);
}

TEST(Sketch, IsATightBoundForFlatColours) {
  FeatureVectors v(test::kCorners);
  for (int c = 0; c < test::kCorners; ++c) {
    v.set_flat(c, kCornerLab[c]);
    v.set_histograms(c, [](int i) { return i + 1; });
  }
  const std::vector<mt::Sketch> sketches = sketches_of(v);
  for (int a = 0; a < v.size(); ++a)
    for (int b = 0; b < a; ++b)
      EXPECT_GE(mt::distance_lower_bound(gap(sketches[a], sketches[b])),
                0.98 * mt::feature_distance(v.at(a), v.at(b)))
          << a << " " << b;
}

// The last number of a sketch is the length of the part of the vector that the others leave out.
TEST(Sketch, MeasuresDetailByItsLength) {
  FeatureVectors v(2);
  const double grey[] = {128, 128, 128}, dark[] = {28, 128, 128}, light[] = {228, 128, 128};
  v.set_flat(0, grey);
  for (int s = 0; s < mt::kSquares * mt::kSquares; ++s) v.set_colour(1, s, s % 2 ? dark : light);
  const std::vector<mt::Sketch> sketches = sketches_of(v);
  EXPECT_GE(mt::distance_lower_bound(gap(sketches[0], sketches[1])),
            0.9 * mt::feature_distance(v.at(0), v.at(1)));
}

TEST(Sketch, IsZeroForSmallGaps) {
  EXPECT_EQ(0, mt::distance_lower_bound(0));
  EXPECT_EQ(0, mt::distance_lower_bound(mt::kGapSlack));
  int32_t last = 0;
  for (int32_t apart = mt::kGapSlack + 1; apart <= UINT16_MAX; ++apart) {
    const int32_t least = mt::distance_lower_bound(apart);
    ASSERT_GT(least, last) << apart;
    ASSERT_LT(least, INT32_MAX) << apart;  // INT32_MAX would mean that there is no tile
    last = least;
    if (apart == 60000) break;  // larger gaps exceed the range of distances
  }
}

}  // namespace
