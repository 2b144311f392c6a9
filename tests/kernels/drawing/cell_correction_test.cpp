// SPDX-License-Identifier: LGPL-2.1-or-later
// Compares the correction of cells with the formulas of cell_correction.h in double precision.
#include "kernels/drawing/cell_correction.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cpu/cpu_executor.h"
#include "executor/executor.h"
#include "tests/kernels/drawing/correction_cases.h"

namespace {

constexpr int kWidth = 45, kHeight = 33;

struct Fixture : testing::Test {
  std::shared_ptr<mt::Executor> executor = mt::make_cpu_executor(1);
  test::KernelMemory memory{executor};
  mt::Planes from = memory.planes(kWidth, kHeight), to = memory.planes(kWidth, kHeight);
  mt::Planes source = memory.planes(kWidth, kHeight);
  mt::CellMeans* means = memory.zeroed<mt::CellMeans>(1);

  static uint8_t& level(const mt::Planes& p, int i, int x, int y) {
    return p.plane[i][y * p.stride + x];
  }
  /// Levels around `middle`, at most `spread` away.
  static void fill(const mt::Planes& p, int middle, int spread, unsigned seed) {
    for (int i = 0; i < 3; ++i)
      for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x) {
          seed = seed * 1664525 + 1013904223;
          const int off = static_cast<int>(seed >> 16) % (2 * spread + 1) - spread;
          level(p, i, x, y) = static_cast<uint8_t>(std::clamp(middle + off, 0, 255));
        }
  }
  static double mean(const mt::Planes& p, int i, const mt::CellRect& r) {
    double sum = 0;
    for (int y = r.y; y < r.y + r.height; ++y)
      for (int x = r.x; x < r.x + r.width; ++x) sum += level(p, i, x, y);
    return sum / (r.width * r.height);
  }
  static int32_t fixed(double share) {
    return static_cast<int32_t>(std::lround(share * mt::kWholeMap));
  }
  void correct(const mt::CellRect& cell, double tolerance, double quadrant_share,
               double contrast_loss = 1) {
    const std::vector<mt::CellPaint> paint{{cell, 0, 0, 0.0f}};
    executor->launch(mt::SourceMeans{memory.holding(paint), source, means}, 1);
    executor->launch(
        mt::CorrectCells{memory.holding(std::vector{cell}),
                         nullptr,
                         means,
                         memory.holding(std::vector<uint8_t>{1}),
                         {{},
                          {static_cast<int32_t>(std::lround(tolerance * (1 << mt::kLevelBits))),
                           fixed(quadrant_share), fixed(contrast_loss)}},
                         from,
                         to},
        1);
    executor->wait();
  }
};

using CellCorrection = Fixture;

struct Map {
  double scale = 1, offset = 0;
  double operator()(double x) const { return scale * x + offset; }
};

Map towards(double is, double want, double share, double contrast_loss) {
  const double least = want < is ? want / is : want > is ? (255 - want) / (255 - is) : 1;
  const double k = 1 - contrast_loss * (1 - least);
  return {1 + share * (k - 1), share * (want - k * is)};
}

TEST_F(CellCorrection, FindsTheMeansOfTheVisiblePartAndItsQuadrants) {
  fill(source, 90, 60, 3);
  correct({-5, -3, 20, 18}, 0, 0);  // visible: 15 x 15
  const mt::CellRect parts[] = {
      {0, 0, 15, 15}, {0, 0, 7, 7}, {7, 0, 8, 7}, {0, 7, 7, 8}, {7, 7, 8, 8}};
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(means->cell[i] / 256.0, mean(source, i, parts[0]), 0.003);
    for (int q = 0; q < 4; ++q)
      EXPECT_NEAR(means->quadrant[q][i] / 256.0, mean(source, i, parts[1 + q]), 0.003);
  }
}

TEST_F(CellCorrection, AgreesWithTheFormulas) {
  const mt::CellRect cell{4, 6, 30, 21};
  const mt::Quadrants quadrants(cell);
  for (const int middle : {3, 40, 128, 250})
    for (const double share : {0.0, 0.5, 1.0})
      for (const double tolerance : {0.0, 12.0, 1000.0}) {
        const double loss = 1 - share / 2;
        fill(from, 120, 100, 1);
        fill(source, middle, 30, 2);
        for (int x = 0; x < 15; ++x) level(source, 1, 4 + x, 8) = 255;  // quadrants differ
        correct(cell, tolerance, share, loss);
        double error = 0;
        for (int i = 0; i < 3; ++i)
          error += (i == 1 ? 2 : 1) * std::abs(mean(source, i, cell) - mean(from, i, cell)) / 4;
        const double gain = error / (error + tolerance);
        for (int i = 0; i < 3; ++i) {
          const Map whole = towards(mean(from, i, cell), mean(source, i, cell), gain, loss);
          Map maps[4];
          for (int q = 0; q < 4; ++q) {
            const double is = std::clamp(whole(mean(from, i, quadrants[q])), 0.0, 255.0);
            const Map rest = towards(is, mean(source, i, quadrants[q]), share, loss);
            maps[q] = {whole.scale * rest.scale, whole.offset * rest.scale + rest.offset};
          }
          for (int y = 0; y < cell.height; ++y)
            for (int x = 0; x < cell.width; ++x) {
              const auto at = [](int k, int side) {
                return std::clamp((k + 0.5 - side / 4.0) / (side / 2.0), 0.0, 1.0);
              };
              const double h = at(x, cell.width), v = at(y, cell.height);
              const double in = level(from, i, cell.x + x, cell.y + y);
              const double expected = (maps[0](in) * (1 - h) + maps[1](in) * h) * (1 - v) +
                                      (maps[2](in) * (1 - h) + maps[3](in) * h) * v;
              ASSERT_NEAR(level(to, i, cell.x + x, cell.y + y), std::clamp(expected, 0.0, 255.0),
                          1.6)
                  << "source " << middle << ", share " << share << ", tolerance " << tolerance
                  << " at " << x << ", " << y;
            }
        }
      }
}

TEST_F(CellCorrection, WithoutToleranceGivesTheMeanOfTheSource) {
  const mt::CellRect cell{0, 0, 24, 24};
  for (const int middle : {0, 5, 100, 200, 255}) {
    fill(from, 110, 110, 5);
    fill(source, middle, 3, 6);
    correct(cell, 0, 0);
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(mean(to, i, cell), mean(source, i, cell), 0.1) << middle;
  }
}

TEST_F(CellCorrection, KeepsCellsThatHaveTheColoursOfTheirSource) {
  const mt::CellRect cell{2, 2, 16, 16};
  fill(from, 100, 90, 7);
  for (int i = 0; i < 3; ++i)
    for (int y = 0; y < kHeight; ++y)
      std::copy_n(&level(from, i, 0, y), kWidth, &level(source, i, 0, y));
  correct(cell, 12, 0.5);
  for (int i = 0; i < 3; ++i)
    for (int y = 2; y < 18; ++y)
      for (int x = 2; x < 18; ++x) ASSERT_EQ(level(from, i, x, y), level(to, i, x, y));
}

}  // namespace
