// SPDX-License-Identifier: LGPL-2.1-or-later
// CLAHE, compared with its definition in OpenCV: clipped histograms of tiles, and curves that are
// interpolated between the tiles' centres.
#include "kernels/finishing/equalise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "cpu/cpu_executor.h"
#include "tests/kernels/colours.h"
#include "tests/kernels/pictures.h"

namespace {

using test::HostPicture;
using test::Size;

/// A grid whose tiles have an odd number of pixels, so that no value of a curve lies exactly
/// between two levels.
mt::EqualiseGrid grid_of(Size s, int tiles, int clip) {
  return {tiles, ((s.width + tiles - 1) / tiles) | 1, ((s.height + tiles - 1) / tiles) | 1, clip};
}

/// The curve of one frame for a tile.
std::vector<double> curve_of(const HostPicture& l, const mt::EqualiseGrid& grid, int tile) {
  std::vector<int> counts(256);
  for (int y = 0; y < grid.tile_height; ++y)
    for (int x = 0; x < grid.tile_width; ++x)
      ++counts[l.reflected_at(0, tile % grid.tiles * grid.tile_width + x,
                              tile / grid.tiles * grid.tile_height + y)];
  if (grid.clip > 0) {
    int over = 0;
    for (int& n : counts) {
      over += std::max(0, n - grid.clip);
      n = std::min(n, grid.clip);
    }
    for (int& n : counts) n += over / 256;
    const int rest = over % 256, step = rest ? std::max(1, 256 / rest) : 1;
    for (int i = 0; i < rest && i * step < 256; ++i) ++counts[i * step];
  }
  std::vector<double> curve;
  double sum = 0;
  for (const int n : counts) {
    sum += n;
    curve.push_back(
        std::min(255.0, test::rounded(sum * 255 / (grid.tile_width * grid.tile_height))));
  }
  return curve;
}

void expect_curves(mt::Executor& executor, HostPicture& l, const mt::EqualiseGrid& grid,
                   int newest) {
  const int n = grid.tiles * grid.tiles;
  std::vector<int32_t> curves(256 * n, -1), average(256 * n);
  for (int i = 0; i < 256 * n; ++i) average[i] = i * 911 % 65281;
  const std::vector<int32_t> before = average;
  executor.launch(
      mt::EqualiseCurves{grid, test::planes_of(l), curves.data(), average.data(), newest}, n);
  for (int tile = 0; tile < n; ++tile) {
    const std::vector<double> now = curve_of(l, grid, tile);
    for (int i = 0; i < 256; ++i) {
      const int at = tile * 256 + i;
      const double off = 256 * now[i] - before[at];
      ASSERT_EQ(average[at], before[at] + std::floor(off * newest / 65536)) << tile << ", " << i;
      ASSERT_EQ(curves[at], test::rounded(average[at] / 256.0)) << tile << ", " << i;
    }
  }
}

TEST(EqualiseCurves, AreThoseOfClippedHistogramsAveragedOverFrames) {
  const auto executor = mt::make_cpu_executor(1);
  for (const test::Pattern& pattern : test::kPatterns)
    for (const Size size : {Size{13, 42}, Size{97, 35}, Size{9, 9}}) {
      SCOPED_TRACE(std::string(pattern.name) + " " + std::to_string(size.width));
      HostPicture l(size, pattern.level);
      for (const int tiles : {1, 3, 5}) {
        const mt::EqualiseGrid plain = grid_of(size, tiles, 0);
        if ((tiles - 1) * plain.tile_width >= 2 * size.width) continue;
        for (const int clip : {0, 1, 3, 40})
          for (const int newest : {1 << 16, 9362, 0})
            expect_curves(*executor, l, grid_of(size, tiles, clip), newest);
      }
    }
}

TEST(EqualiseCurves, CountTilesThatAreLargerThanAPiece) {
  const auto executor = mt::make_cpu_executor(1);
  HostPicture wide({16500, 3}, test::noise_level), large({201, 151}, test::noise_level);
  expect_curves(*executor, wide, {1, 16501, 3, 90}, 1 << 16);
  expect_curves(*executor, large, {1, 201, 151, 150}, 1 << 16);
}

TEST(Equalise, InterpolatesBetweenTheCentresOfTiles) {
  const auto executor = mt::make_cpu_executor(1);
  test::Differences differences;
  test::for_each_picture([&](HostPicture& from, const test::Parts& parts) {
    for (const float strength : {1.0f, 0.4f, 0.0f}) {
      const int tiles = strength == 0.4f ? 2 : 5;
      // Also where the picture is a part of the one that is divided into tiles.
      const int left = strength == 0.4f ? 7 : 0, top = strength == 0.4f ? 5 : 0;
      const mt::EqualiseGrid grid =
          grid_of({from.size().width + left + 3, from.size().height + top}, tiles, 0);
      std::vector<int32_t> curves(256 * tiles * tiles);
      for (size_t i = 0; i < curves.size(); ++i)
        curves[i] = std::min<int>(255, i % 256 * (3 + i / 256 % 5) / 4);
      HostPicture to(from.size());
      executor->launch(
          mt::Equalise{parts.rows(), executor->tables(), grid, curves.data(), test::planes_of(from),
                       test::planes_of(to), strength, left, top},
          parts.count());
      const auto expected = [&](int x, int y) {
        test::Colour lab = test::colour_at(from, x, y);
        // In units of tiles, from the centre of the first one; curves beyond the outer centres are
        // constant.
        const double last = tiles - 1;
        const double u = std::clamp((x + left + 0.0) / grid.tile_width - 0.5, 0.0, last);
        const double v = std::clamp((y + top + 0.0) / grid.tile_height - 0.5, 0.0, last);
        double mapped = 0;
        for (int row = 0; row < tiles; ++row)
          for (int column = 0; column < tiles; ++column)
            mapped += std::max(0.0, 1 - std::abs(u - column)) *
                      std::max(0.0, 1 - std::abs(v - row)) *
                      curves[(row * tiles + column) * 256 + static_cast<int>(lab[0])];
        lab[0] = test::rounded(mapped * double{strength} + lab[0] * (1 - double{strength}));
        return test::rgb_of_lab8(lab);
      };
      test::compare(to, parts, expected, differences);
    }
  });
  test::expect_within(differences, {2, 0.025, 0, 0.01});  // see rgb_of_lab8()
}

}  // namespace
