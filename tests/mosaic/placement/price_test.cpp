// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/placement/price.h"

#include <gtest/gtest.h>

namespace {

using mosaic::LookaheadPrice;
using mosaic::PriceCurve;

TEST(Price, FallsWithTheDriftOfTheCell) {
  const PriceCurve curve{3, 0.5, 6, 0, 0, 12};
  EXPECT_EQ(3, curve.at({0, 0, 0}));
  double last = 3;
  for (double drift = 0.5; drift < 6; drift += 0.5) {
    const double price = curve.at({drift, 0, 0});
    EXPECT_LT(price, last) << drift;
    EXPECT_GT(price, 0.5) << drift;
    last = price;
  }
  EXPECT_EQ(0.5, curve.at({6, 0, 0}));
  EXPECT_EQ(0.5, curve.at({200, 0, 0}));
}

TEST(Price, RisesForStillCellsWithMotionAround) {
  const PriceCurve curve{1, 1, 6, 0.5, 0, 12};
  EXPECT_EQ(1, curve.at({0, 1.9, 0}));
  EXPECT_EQ(1.25, curve.at({0, 1.9, 0.5}));
  EXPECT_EQ(1.5, curve.at({9, 0, 1}));
  EXPECT_EQ(1, curve.at({0, 2, 1})) << "it moves itself";
}

TEST(Price, RisesForMovingCellsWithTheirSpeed) {
  const PriceCurve curve{1, 1, 6, 0, 0.5, 12};
  EXPECT_EQ(1.25, curve.at({0, 6, 0}));
  EXPECT_EQ(1.5, curve.at({0, 12, 1}));
  EXPECT_EQ(1.5, curve.at({0, 255, 1}));
  EXPECT_EQ(1, curve.at({0, 1.5, 0})) << "that is not seen";
}

TEST(Price, IsHigherInRegionsOfInterest) {
  const mosaic::Movement outside{.speed = 3}, inside{.speed = 3, .in_region = true};
  const PriceCurve curve;
  EXPECT_DOUBLE_EQ(mosaic::kRegionFactor * curve.at(outside), curve.at(inside));
  const LookaheadPrice ahead;
  EXPECT_DOUBLE_EQ(mosaic::kRegionFactor * ahead.at(outside, 2), ahead.at(inside, 2));
}

TEST(Price, OfALookaheadGrowsWithTheSquareOfTheFactor) {
  const LookaheadPrice ahead{.base = 1, .still_surcharge = 3};
  EXPECT_EQ(4, ahead.at({.speed = 0}, 1));
  EXPECT_EQ(1, ahead.at({.speed = 2}, 1));
  EXPECT_EQ(4, ahead.at({.speed = 2}, 2));
  EXPECT_EQ(10, ahead.at({.speed = 0}, 2)) << "the surcharge is proportional to it";
  EXPECT_EQ(0, ahead.at({.speed = 0}, 0));
}

TEST(Price, OfPhotosIsNotLowerWithALookahead) {
  for (const bool repeat : {false, true})
    EXPECT_LE(mosaic::price_factor_of_photos(repeat, false),
              mosaic::price_factor_of_photos(repeat, true));
}

TEST(Price, IsProportionalToBeta) {
  EXPECT_EQ(0, mosaic::price_factor(0));
  EXPECT_DOUBLE_EQ(1, mosaic::price_factor(0.3));
  EXPECT_DOUBLE_EQ(2, mosaic::price_factor(0.6));
}

}  // namespace
