// SPDX-License-Identifier: LGPL-2.1-or-later
// Steps of whole cells, summed up from motion by parts of a cell, and which tile goes to which
// cell.
#include "mosaic/analysis/motion_steps.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using mosaic::CellOrigin;

/// The motion of one row of cells, all with the same confidence.
std::vector<mt::CellMotion> row(std::initializer_list<int> x) {
  std::vector<mt::CellMotion> motion;
  for (const int v : x) motion.push_back({v, 0, 100});
  return motion;
}
std::vector<int> offsets(const mosaic::MotionSteps& steps) {
  std::vector<int> dx;
  for (const CellOrigin& origin : steps.field()) dx.push_back(origin.dx);
  return dx;
}
using Row = std::vector<int>;

TEST(MotionSteps, MoveByWholeCellsAndKeepTheRemainder) {
  mosaic::MotionSteps steps(5, 1);
  const auto pan = row({40, 40, 40, 40, 40});
  Row sum(5);
  for (int frame = 1; frame <= 32; ++frame) {
    steps.advance(pan);
    for (int i = 0; i < 5; ++i) sum[i] -= steps.field()[i].dx;
    const int cells = (40 * frame + 63) / 128;
    EXPECT_EQ((Row{0, cells, cells, cells, cells}), sum) << frame;
  }
  steps.clear();
  EXPECT_EQ((Row{0, 0, 0, 0, 0}), offsets(steps));
  steps.advance(pan);
  EXPECT_EQ((Row{0, 0, 0, 0, 0}), offsets(steps));
}

TEST(MotionSteps, MoveNeighboursOfTheSameMotionTogether) {
  mosaic::MotionSteps steps(7, 1);
  steps.advance(row({60, 50, 40, 40, 40, 0, 0}));
  EXPECT_EQ((Row{0, 0, 0, 0, 0, 0, 0}), offsets(steps));
  steps.advance(row({20, 20, 20, 20, 20, 0, 0}));  // sums: 80, 70, 60, 60, 60
  EXPECT_EQ((Row{0, -1, -1, -1, -1, 0, 0}), offsets(steps)) << "the last stays before the sixth";
  steps.advance(row({20, 20, 20, 20, 20, 0, 0}));
  EXPECT_EQ((Row{0, 0, 0, 0, 0, 0, 0}), offsets(steps));
}

TEST(MotionSteps, PreferHigherConfidenceThenLowerIndex) {
  for (const int sure : {89, 90, 91}) {
    mosaic::MotionSteps steps(4, 1);
    const std::vector<mt::CellMotion> motion{
        {200, 0, 90}, {160, 0, sure}, {180, 0, 50}, {180, 0, 50}};
    steps.advance(motion);
    EXPECT_EQ((Row{0, 0, sure > 90 ? -1 : -2, -1}), offsets(steps));
    EXPECT_EQ(std::max(sure, 90), steps.field()[2].confidence);
  }
}

TEST(MotionSteps, KeepTheSumWhileMotionIsUnknown) {
  mosaic::MotionSteps steps(2, 1);
  steps.advance(row({60, 60}));
  steps.advance(std::vector<mt::CellMotion>(2));
  EXPECT_EQ((Row{0, 0}), offsets(steps));
  steps.advance(row({5, 5}));
  EXPECT_EQ((Row{0, -1}), offsets(steps));
}

std::vector<int32_t> sources(std::initializer_list<CellOrigin> field) {
  std::vector<int32_t> from, room;
  mosaic::find_tile_origins(3, std::vector<CellOrigin>(field), from, room);
  return from;
}
using Cells = std::vector<int32_t>;

TEST(MotionField, MovesATileToTheCellOfHighestConfidenceThenLowestIndex) {
  const CellOrigin here{};
  EXPECT_EQ((Cells{0, 1, 2}), sources({here, here, here}));
  EXPECT_EQ((Cells{-1, 0, 2}), sources({here, {-1, 0, 9}, here}));
  EXPECT_EQ((Cells{-1, 1, 0}), sources({here, {-1, 0, 9}, {-2, 0, 10}}));
  EXPECT_EQ((Cells{-1, 0, 2}), sources({here, {-1, 0, 9}, {-2, 0, 9}}));
  EXPECT_EQ((Cells{1, 0, 2}), sources({{1, 0, 5}, {-1, 0, 9}, here}));
  EXPECT_EQ((Cells{0, 1, 2}), sources({{-1, 0, 5}, {0, 1, 9}, {1, 0, 3}})) << "from outside";
  EXPECT_EQ((Cells{0, 4, 2, 3, -1, 5}), sources({here, {0, 1, 200}, here, here, here, here}));
}

}  // namespace
