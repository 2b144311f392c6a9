// SPDX-License-Identifier: LGPL-2.1-or-later
// What the blending of seams changes and what it leaves alone; tests/parity/looks.py compares it
// with mosaicraft's.
#include "mosaic/drawing/seam_blending.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "cpu/cpu_executor.h"
#include "tests/mosaic/frames.h"

namespace {

TEST(SeamBlending, SoftensOnlyTheBordersOfCells) {
  const auto executor = mt::make_cpu_executor(2);
  const mosaic::Grid grid = mosaic::choose_grid(200, 120, 200, 120, 40, "1");
  mosaic::Picture picture(200, 120, executor);
  const mt::Planes p = picture.planes();
  // Each cell has its own grey: only the borders have detail.
  test::fill(p, [](int, int x, int y) { return 60 + 37 * (x / 40 * 3 + y / 40) % 150; });
  mosaic::SeamBlending seams(grid, executor);
  for (int levels : {1, 2, 5}) {
    const mt::Planes soft = seams.apply(p, levels);
    int64_t at_border = 0, inside = 0;
    for (int y = 10; y < 110; ++y)
      for (int x = 10; x < 190; ++x) {
        const int i = y * p.stride + x;
        const bool border = (x + 1) % 40 < 2 || (y + 1) % 40 < 2;
        const bool middle = x % 40 > 12 && x % 40 < 28 && y % 40 > 12 && y % 40 < 28;
        const int moved = std::abs(soft.plane[0][i] - p.plane[0][i]);
        if (border) at_border += moved;
        if (middle) inside += moved;
      }
    EXPECT_GT(at_border, 1000) << levels;
    EXPECT_EQ(0, inside) << levels;
  }
}

}  // namespace
