// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/drawing/cell_pictures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "cpu/cpu_executor.h"

namespace {

constexpr int kSide = mt::kCellPictureSide;

/// Pictures of which some are black, white, or have one bright pixel.
std::vector<mt::CellPicture> pictures(int count) {
  std::mt19937 random(count);
  std::vector<mt::CellPicture> all(count);
  for (int i = 0; i < count; ++i)
    for (auto& plane : all[i].plane)
      for (int k = 0; k < mt::kCellPicturePixels; ++k)
        plane[k] = static_cast<uint8_t>(i == 0   ? 0
                                        : i == 1 ? 255
                                        : i == 2 ? (k == 5 ? 255 : 0)
                                                 : random());
  return all;
}

TEST(ShrinkCells, AveragesTheParts) {
  const auto executor = mt::make_cpu_executor(2);
  for (const int side : {4, 5, 7, 8, 20, 27, 41, 90, 256}) {
    std::mt19937 random(side);
    const int cells = 6;
    std::vector<uint8_t> pixels(size_t{3} * cells * side * side);
    for (size_t i = 0; i < pixels.size(); ++i)
      pixels[i] = static_cast<uint8_t>(i < pixels.size() / 6 ? 255 : random());
    const std::vector<int32_t> list = {5, 0, 3};
    std::vector<mt::CellPicture> found(list.size());
    executor->launch(mt::ShrinkCells{list.data(), pixels.data(), side, found.data()}, 3);
    for (size_t i = 0; i < list.size(); ++i)
      for (int plane = 0; plane < 3; ++plane)
        for (int y = 0; y < kSide; ++y)
          for (int x = 0; x < kSide; ++x) {
            double sum = 0, area = 0;
            for (int v = 0; v < side; ++v)
              for (int u = 0; u < side; ++u) {
                // Pixel u belongs to the part in which its left edge lies, of parts that begin at
                // whole pixels.
                if (u < x * side / kSide || u >= (x + 1) * side / kSide) continue;
                if (v < y * side / kSide || v >= (y + 1) * side / kSide) continue;
                sum += pixels[((size_t(list[i]) * 3 + plane) * side + v) * side + u];
                ++area;
              }
            EXPECT_NEAR(sum / area, found[i].plane[plane][y * kSide + x], 0.5 + 1e-9)
                << side << ": " << x << ", " << y;
          }
  }
}

TEST(EnlargeCells, InterpolatesBetweenTheCentresOfPixels) {
  const auto executor = mt::make_cpu_executor(2);
  const int width = 67, height = 41, stride = 80;
  // Cut by the edges, small, as large as its picture, of one pixel, and long.
  const std::vector<mt::CellRect> rects = {{-9, -5, 30, 20}, {21, 0, 4, 4},    {25, 0, 1, 1},
                                           {26, 0, 41, 15},  {21, 15, 60, 40}, {0, 15, 21, 2}};
  const auto all = pictures(static_cast<int>(rects.size()));
  std::vector<mt::CellPaint> paint;
  for (size_t i = 0; i < rects.size(); ++i)
    paint.push_back({rects[i], static_cast<int32_t>(rects.size() - 1 - i), 0, 0});
  std::vector<uint8_t> memory(size_t{3} * stride * height, 77);
  mt::Planes planes{};
  for (int c = 0; c < 3; ++c) planes.plane[c] = memory.data() + size_t(c) * stride * height;
  planes.stride = stride, planes.width = width, planes.height = height;
  executor->launch(mt::EnlargeCells{paint.data(), all.data(), planes},
                   static_cast<int>(paint.size()));
  std::vector<bool> covered(size_t(width) * height);
  for (const mt::CellPaint& p : paint)
    for (int y = std::max(p.at.y, 0); y < std::min(p.at.y + p.at.height, height); ++y)
      for (int x = std::max(p.at.x, 0); x < std::min(p.at.x + p.at.width, width); ++x) {
        covered[size_t(y) * width + x] = true;
        const auto place = [](int pixel, int side) {
          return std::clamp((pixel + 0.5) * kSide / side - 0.5, 0.0, kSide - 1.0);
        };
        const double u = place(x - p.at.x, p.at.width), v = place(y - p.at.y, p.at.height);
        const int i = std::min(static_cast<int>(u), kSide - 2);
        const int k = std::min(static_cast<int>(v), kSide - 2);
        for (int c = 0; c < 3; ++c) {
          const auto level = [&](int a, int b) -> double {
            return all[p.cell].plane[c][b * kSide + a];
          };
          const double above = level(i, k) + (level(i + 1, k) - level(i, k)) * (u - i);
          const double below = level(i, k + 1) + (level(i + 1, k + 1) - level(i, k + 1)) * (u - i);
          // Positions are rounded down to 1/256 of a pixel.
          EXPECT_NEAR(above + (below - above) * (v - k), planes.plane[c][y * stride + x], 2.6)
              << p.cell << ": " << x << ", " << y;
        }
      }
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < stride; ++x)
      if (x >= width || !covered[size_t(y) * width + x]) {
        EXPECT_EQ(77, planes.plane[1][y * stride + x]) << x << ", " << y;
      }
}

}  // namespace
