// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/stream/cell_source.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>

#include "mosaic/base/error.h"

namespace {

using namespace mosaic::stream;

mt::CellPicture smooth_picture(unsigned seed) {
  std::mt19937 random(seed);
  int base[3], across[3], down[3];
  for (int c = 0; c < 3; ++c) {
    base[c] = static_cast<int>(random() % 200);
    across[c] = static_cast<int>(random() % 21) - 10;
    down[c] = static_cast<int>(random() % 21) - 10;
  }
  mt::CellPicture picture;
  for (int c = 0; c < 3; ++c)
    for (int i = 0; i < mt::kCellPicturePixels; ++i)
      picture.plane[c][i] = static_cast<uint8_t>(
          std::clamp(base[c] + across[c] * (i % 4) + down[c] * (i / 4), 0, 255));
  return picture;
}

TEST(CellSource, KeepsMeansExactly) {
  std::mt19937 random(1);
  for (int i = 0; i < 1000; ++i) {
    mt::CellMeans means;
    for (auto& quadrant : means.quadrant)
      for (int32_t& v : quadrant) v = static_cast<int32_t>(random() % (mt::kWhite + 1));
    for (int32_t& v : means.cell) v = static_cast<int32_t>(random() % (mt::kWhite + 1));
    int32_t numbers[kMeansNumbers];
    to_numbers(means, numbers);
    for (int k = 0; k < kMeansNumbers; ++k) {
      EXPECT_LE(range_of_number(SourceNeeds::kMeans, k).low, numbers[k]);
      EXPECT_GE(range_of_number(SourceNeeds::kMeans, k).high, numbers[k]);
    }
    const mt::CellMeans back = means_of(numbers);
    for (int c = 0; c < 3; ++c) {
      EXPECT_EQ(means.cell[c], back.cell[c]);
      for (int q = 0; q < 4; ++q) EXPECT_EQ(means.quadrant[q][c], back.quadrant[q][c]);
    }
  }
}

TEST(CellSource, RefusesMeansOutOfRange) {
  int32_t numbers[kMeansNumbers] = {};
  numbers[12] = -1;
  EXPECT_THROW(means_of(numbers), mosaic::Error);
}

TEST(CellSource, KeepsPicturesWithinTheStepsOfItsCoefficients) {
  double luma_error = 0;
  for (unsigned seed = 0; seed < 500; ++seed) {
    const mt::CellPicture picture = smooth_picture(seed);
    int32_t numbers[kPictureNumbers];
    to_numbers(picture, {}, 64, 0.25f, numbers);
    EXPECT_NEAR(0.25f, share_of(numbers), 0.5f / 255);
    const mt::CellPicture back = picture_of(numbers);
    for (int i = 0; i < mt::kCellPicturePixels; ++i) {
      double luma = 0;
      const double weights[3] = {0.299, 0.587, 0.114};
      for (int c = 0; c < 3; ++c) luma += weights[c] * (back.plane[c][i] - picture.plane[c][i]);
      luma_error = std::max(luma_error, std::abs(luma));
      // Chroma is halved, and clipping moves extreme colours.
      for (int c = 0; c < 3; ++c) EXPECT_NEAR(picture.plane[c][i], back.plane[c][i], 40) << seed;
    }
  }
  EXPECT_LT(luma_error, 12);
  EXPECT_GT(luma_error, 1);  // it is not lossless
}

TEST(CellSource, KeepsTheSpreadOfColours) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    constexpr int kPixels = 40 * 40;
    mt::CellStats stats{};
    const mt::CellPicture picture = smooth_picture(round);
    const double spread = random() % 60, tie = (random() % 200) / 100.0 - 1;
    double sum[3] = {}, square[3] = {}, cross = 0;
    for (int i = 0; i < kPixels; ++i) {
      const double a = std::sin(i * 0.7) * spread,
                   b = tie * a + (1 - std::abs(tie)) * std::cos(i * 1.3) * 5;
      const int lab[3] = {static_cast<int>(128 + a), static_cast<int>(128 + b), 128};
      for (int c = 0; c < 3; ++c) {
        stats.lab[c] += lab[c];
        stats.lab_square[c] += lab[c] * lab[c];
        sum[c] += lab[c];
        square[c] += lab[c] * lab[c];
      }
      stats.lab_cross[0] += lab[0] * lab[1];
      stats.lab_cross[1] += lab[0] * lab[2];
      stats.lab_cross[2] += lab[1] * lab[2];
      cross += lab[0] * lab[1];
    }
    int32_t numbers[kPictureNumbers];
    to_numbers(picture, stats, kPixels, 0, numbers);
    const mt::CellStats back = stats_of(numbers, picture_of(numbers), kPixels);
    const auto deviation = [](int64_t s, int64_t q) {
      const double mean = double(s) / kPixels;
      return std::sqrt(std::max(0.0, double(q) / kPixels - mean * mean));
    };
    for (int c = 0; c < 3; ++c) {
      const double want = deviation(stats.lab[c], stats.lab_square[c]);
      EXPECT_NEAR(want, deviation(back.lab[c], back.lab_square[c]), 0.3 + 0.28 * std::sqrt(want))
          << round << ", " << c;
    }
    const double both =
        deviation(stats.lab[0], stats.lab_square[0]) * deviation(stats.lab[1], stats.lab_square[1]);
    const double back_both =
        deviation(back.lab[0], back.lab_square[0]) * deviation(back.lab[1], back.lab_square[1]);
    if (both < 4 || back_both < 4) continue;
    const double want = (cross / kPixels - sum[0] / kPixels * sum[1] / kPixels) / both;
    const double got = (double(back.lab_cross[0]) / kPixels -
                        double(back.lab[0]) / kPixels * (double(back.lab[1]) / kPixels)) /
                       back_both;
    EXPECT_NEAR(want, got, 0.0626 + 0.02) << round;
  }
}

}  // namespace
