// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photo_uses/uses.h"

#include <gtest/gtest.h>

#include "cpu/cpu_executor.h"
#include "mosaic/base/error.h"
#include "mosaic/settings/look.h"
#include "tests/mosaic/frames.h"

namespace {

using mosaic::Unit;
using mosaic::use_limit;
using mosaic::UseLimit;

UseLimit limit_of(int cells, const mosaic::Pool& pool, const mosaic::UseSettings& settings) {
  mt::WorkerPool workers(1);
  return mosaic::use_limit(cells, pool, settings, workers);
}

TEST(Uses, PhotosAreUsedAsOftenAsLeavesSomeChoice) {
  const auto pool = test::procedural_pool(*mt::make_cpu_executor(1), 8, 8);
  const int photos = pool->photos();
  ASSERT_LT(photos, pool->tiles());
  const auto most = [&](int cells) {
    const UseLimit limit = limit_of(cells, *pool, {.unit = Unit::kPhoto});
    EXPECT_EQ(photos, limit.units);
    return limit.most;
  };
  EXPECT_EQ(1, most(1));
  EXPECT_EQ(1, most(photos * 4 / 5));
  EXPECT_EQ(2, most(photos * 4 / 5 + 1));
  EXPECT_EQ(2, most(photos * 16 / 9));
  EXPECT_EQ(3, most(photos * 16 / 9 + 1));
}

TEST(Uses, TilesAreUsedAsSeldomAsPossible) {
  const auto pool = test::procedural_pool(*mt::make_cpu_executor(1), 8, 8);
  EXPECT_EQ(1, limit_of(pool->tiles(), *pool, {}).most);
  EXPECT_EQ(2, limit_of(pool->tiles() + 1, *pool, {}).most);
  EXPECT_EQ(pool->tiles(), limit_of(1, *pool, {}).units);
}

TEST(Uses, FidelityCountsForMoreWherePhotosAreShownOnce) {
  const UseLimit once{.most = 1, .counted = Unit::kPhoto};
  EXPECT_DOUBLE_EQ(0.72, mosaic::fidelity_for(0.5, once));
  EXPECT_EQ(0, mosaic::fidelity_for(0, once));
  EXPECT_EQ(1, mosaic::fidelity_for(1, once));
  for (int i = 0; i < 100; ++i)
    EXPECT_LT(mosaic::fidelity_for(i / 100.0, once), mosaic::fidelity_for((i + 1) / 100.0, once));
  EXPECT_EQ(0.5, mosaic::fidelity_for(0.5, {.most = 2, .counted = Unit::kPhoto}));
  EXPECT_EQ(0.5, mosaic::fidelity_for(0.5, {.most = 1, .counted = Unit::kTile}));
}

TEST(Uses, WhatFidelityTakesFromPhotosShownOnceSharpeningGivesBack) {
  const UseLimit once{.most = 1, .counted = Unit::kPhoto};
  EXPECT_DOUBLE_EQ(0.2 * 2.32, mosaic::sharpness_for(0.2, 0.5, once));
  EXPECT_EQ(0, mosaic::sharpness_for(0, 0.5, once));
  EXPECT_EQ(mosaic::kMostSharpness, mosaic::sharpness_for(mosaic::kMostSharpness, 0.5, once))
      << "a stream's header has the look as it is drawn";
  for (const double unchanged : {0.0, 1.0})
    EXPECT_EQ(0.2, mosaic::sharpness_for(0.2, unchanged, once));
  EXPECT_EQ(0.2, mosaic::sharpness_for(0.2, 0.5, {.most = 2, .counted = Unit::kPhoto}));
}

TEST(Uses, TooFewAreAnErrorThatNamesBothNumbers) {
  const auto pool = test::procedural_pool(*mt::make_cpu_executor(1), 8, 8);
  const int photos = pool->photos();
  EXPECT_EQ(1, limit_of(photos, *pool, {.unit = Unit::kPhoto, .most = 1}).most);
  try {
    limit_of(photos + 1, *pool, {.unit = Unit::kPhoto, .most = 1});
    FAIL();
  } catch (const mosaic::Error& error) {
    const std::string text = error.what();
    EXPECT_NE(std::string::npos, text.find(std::to_string(photos) + " photos")) << text;
    EXPECT_NE(std::string::npos, text.find(std::to_string(photos + 1) + " cells")) << text;
  }
}

}  // namespace
