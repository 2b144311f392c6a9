// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/frame/thumbnail.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "cpu/cpu_executor.h"
#include "executor/executor.h"

namespace {

struct Size {
  int width, height, columns, rows;
};

class ThumbnailSizes : public testing::TestWithParam<Size> {};

TEST_P(ThumbnailSizes, AveragesBoxes) {
  const auto [width, height, columns, rows] = GetParam();
  std::mt19937 random(1);
  std::vector<uint8_t> gray(static_cast<size_t>(width) * height);
  for (auto& v : gray) v = static_cast<uint8_t>(random());
  std::vector<uint8_t> small(static_cast<size_t>(columns) * rows);
  std::vector<int64_t> difference(static_cast<size_t>(mt::kEarlierFrames) * rows);
  mt::make_cpu_executor(1)->launch(
      mt::Thumbnail{
          gray.data(), width, width, height, small.data(), columns, rows, {}, difference.data()},
      rows);
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const int x0 = column * width / columns, x1 = (column + 1) * width / columns;
      const int y0 = row * height / rows, y1 = (row + 1) * height / rows;
      int64_t sum = 0;
      for (int y = y0; y < y1; ++y)
        for (int x = x0; x < x1; ++x) sum += gray[static_cast<size_t>(y) * width + x];
      const int64_t pixels = int64_t{x1 - x0} * (y1 - y0);
      ASSERT_EQ(small[row * columns + column], (sum + pixels / 2) / pixels) << column << " " << row;
    }
}

// Boxes of one size and of two sizes, taller than what is added up together, and rows of boxes that
// take several pieces of the picture's columns.
INSTANTIATE_TEST_SUITE_P(Sizes, ThumbnailSizes,
                         testing::Values(Size{16, 16, 16, 16}, Size{480, 272, 480, 272},
                                         Size{101, 67, 16, 16}, Size{20, 1200, 16, 2},
                                         Size{9000, 3, 17, 3}, Size{16384, 4, 16, 2},
                                         Size{5000, 2, 4999, 2}));

}  // namespace
