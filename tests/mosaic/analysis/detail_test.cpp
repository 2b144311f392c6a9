// SPDX-License-Identifier: LGPL-2.1-or-later
// Edges and Laplacians of cells, compared with a naive implementation and with numbers computed by
// OpenCV; tests/parity/saliency.py compares more of them with OpenCV itself.
#include "mosaic/analysis/detail.h"
#include "cpu/cpu_executor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <random>

#include "mosaic/analysis/analysis.h"
#include "tests/mosaic/frames.h"

namespace {

/// A grey picture, with OpenCV's rules for pixels outside it.
struct Gray {
  Gray(int w, int h) : width(w), height(h), pixels(size_t(w) * h) {}
  Gray(int w, int h, const std::function<int(int x, int y)>& f) : Gray(w, h) {
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x) pixels[size_t(y) * w + x] = static_cast<uint8_t>(f(x, y));
  }
  int at(int x, int y) const { return pixels[size_t(y) * width + x]; }
  int repeated(int x, int y) const {
    return at(std::clamp(x, 0, width - 1), std::clamp(y, 0, height - 1));
  }
  int reflected(int x, int y) const { return at(reflect(x, width), reflect(y, height)); }
  static int reflect(int i, int n) {
    const int period = std::max(1, 2 * n - 2);
    i = (i % period + period) % period;
    return std::min(i, period - i) % n;
  }

  int width, height;
  std::vector<uint8_t> pixels;
};

Gray smooth(const Gray& in) {
  return Gray(in.width, in.height, [&](int x, int y) {
    static const int kWeights[] = {31, 60, 74, 60, 31};
    int sum = 1 << 15;
    for (int i = 0; i < 5; ++i)
      for (int k = 0; k < 5; ++k)
        sum += kWeights[i] * kWeights[k] * in.reflected(x + k - 2, y + i - 2);
    return sum >> 16;
  });
}

int laplacian(const Gray& in, int x, int y) {
  return std::abs(in.reflected(x, y - 1) + in.reflected(x, y + 1) + in.reflected(x - 1, y) +
                  in.reflected(x + 1, y) - 4 * in.at(x, y));
}

/// The Canny edge detector, a pixel at a time.
class Canny {
 public:
  explicit Canny(const Gray& gray) : in_(gray), edge_(gray.pixels.size()) {
    for (int y = 0; y < in_.height; ++y)
      for (int x = 0; x < in_.width; ++x)
        if (ridge(x, y) && slope(x, y).size > 150) grow(x, y);
  }
  bool edge(int x, int y) const { return edge_[size_t(y) * in_.width + x]; }

 private:
  struct Slope {
    int dx, dy, size;
  };
  Slope slope(int x, int y) const {
    if (x < 0 || y < 0 || x >= in_.width || y >= in_.height) return {0, 0, 0};
    int dx = 0, dy = 0;
    for (int i = -1; i <= 1; ++i) {
      dx += (i ? 1 : 2) * (in_.repeated(x + 1, y + i) - in_.repeated(x - 1, y + i));
      dy += (i ? 1 : 2) * (in_.repeated(x + i, y + 1) - in_.repeated(x + i, y - 1));
    }
    return {dx, dy, std::abs(dx) + std::abs(dy)};
  }
  bool ridge(int x, int y) const {
    const auto [dx, dy, size] = slope(x, y);
    if (size <= 50) return false;
    const int64_t ax = std::abs(dx), rise = int64_t{std::abs(dy)} << 15;
    const int64_t shallow = ax * 13573, steep = shallow + (ax << 16);
    if (rise < shallow) return size > slope(x - 1, y).size && size >= slope(x + 1, y).size;
    if (rise > steep) return size > slope(x, y - 1).size && size >= slope(x, y + 1).size;
    const int s = (dx < 0) == (dy < 0) ? 1 : -1;
    return size > slope(x - s, y - 1).size && size > slope(x + s, y + 1).size;
  }
  void grow(int x, int y) {
    std::vector<std::pair<int, int>> todo{{x, y}};
    while (!todo.empty()) {
      const auto [cx, cy] = todo.back();
      todo.pop_back();
      if (cx < 0 || cy < 0 || cx >= in_.width || cy >= in_.height) continue;
      if (edge(cx, cy) || !ridge(cx, cy)) continue;
      edge_[size_t(cy) * in_.width + cx] = true;
      for (int i = 0; i < 9; ++i) todo.emplace_back(cx + i % 3 - 1, cy + i / 3 - 1);
    }
  }

  const Gray& in_;
  std::vector<bool> edge_;
};

/// A cell's detail by the naive implementation.
mt::CellDetail naive_cell(const Gray& smoothed, const Canny& canny, const mosaic::Grid& grid,
                          int cell) {
  const int x0 = grid.left() + cell % grid.columns * grid.side;
  const int y0 = grid.top() + cell / grid.columns * grid.side;
  mt::CellDetail d{0, 0, 0};
  for (int y = std::max(0, y0); y < std::min(smoothed.height, y0 + grid.side); ++y)
    for (int x = std::max(0, x0); x < std::min(smoothed.width, x0 + grid.side); ++x) {
      d.edges += canny.edge(x, y);
      d.laplacian += laplacian(smoothed, x, y);
      d.max_laplacian = std::max(d.max_laplacian, laplacian(smoothed, x, y));
    }
  return d;
}

/// Analyses the detail of pictures of one size.
struct DetailAnalyser {
  DetailAnalyser(int width, int height, int side, int threads = 1)
      : executor(mt::make_cpu_executor(threads)),
        grid(mosaic::choose_grid(width, height, width, height, side, "1")),
        detail(grid, executor),
        changed(grid.cells(), 1) {}
  void enqueue(const Gray& gray) {
    mt::Planes planes{};
    planes.stride = planes.width = gray.width;
    planes.height = gray.height;
    detail.enqueue(planes, gray.pixels.data(), changed.data());
    executor->wait();
  }

  std::shared_ptr<mt::Executor> executor;
  mosaic::Grid grid;
  mosaic::Detail detail;
  std::vector<uint8_t> changed;
};

void expect_naive(const Gray& gray, int side, const char* what) {
  DetailAnalyser analyser(gray.width, gray.height, side, 2);
  analyser.enqueue(gray);
  const Gray smoothed = smooth(gray);
  const Canny canny(gray);
  for (int cell = 0; cell < analyser.grid.cells(); ++cell) {
    const mt::CellDetail expected = naive_cell(smoothed, canny, analyser.grid, cell);
    const mt::CellDetail& found = analyser.detail.cells()[cell];
    ASSERT_EQ(expected.edges, found.edges) << what << " cell " << cell;
    ASSERT_EQ(expected.laplacian, found.laplacian) << what << " cell " << cell;
    ASSERT_EQ(expected.max_laplacian, found.max_laplacian) << what << " cell " << cell;
  }
}

struct Size {
  int width, height, side;
};

class DetailSizes : public testing::TestWithParam<Size> {};

TEST_P(DetailSizes, MatchesNaiveImplementation) {
  const auto [width, height, side] = GetParam();
  std::mt19937 random(width);
  const auto number = [&](int low, int high) {
    return low + static_cast<int>(random() % static_cast<unsigned>(high - low));
  };
  const auto expect = [&](const char* what, const std::function<int(int, int)>& f) {
    expect_naive(Gray(width, height, f), side, what);
  };
  expect("noise", [&](int, int) { return number(0, 256); });
  expect("faint noise", [&](int, int) { return number(100, 145); });
  expect("extremes", [&](int, int) { return number(0, 2) * 255; });
  expect("flat", [](int, int) { return 255; });
  expect("checks", [](int x, int y) { return (x / 3 + y / 5) % 2 * 255; });
  expect("rings", [](int x, int y) { return 128 + 60 * std::sin(std::hypot(x - 9, y + 3) / 4); });
  expect("steps", [](int x, int y) { return (x + 2 * y) / 16 % 2 * (10 + x % 50); });
}

INSTANTIATE_TEST_SUITE_P(Sizes, DetailSizes,
                         testing::Values(Size{1, 1, 8}, Size{1, 9, 8}, Size{9, 1, 8}, Size{2, 2, 8},
                                         Size{3, 3, 8}, Size{8, 8, 8}, Size{31, 33, 8},
                                         Size{64, 32, 16}, Size{97, 131, 24}, Size{120, 65, 40},
                                         Size{101, 300, 256},
                                         Size{4097, 9, 24}),  // wider than a block of columns
                         [](const auto& s) {
                           return std::to_string(s.param.width) + "x" +
                                  std::to_string(s.param.height);
                         });

TEST(Detail, MatchesOpenCv) {
  // Computed with OpenCV 4.14:
  // Canny(gray, 50, 150), Laplacian(GaussianBlur(gray, (5, 5), 1.5), CV_64F).
  const Gray gray(200, 120,
                  [](int x, int y) { return (x * x + 3 * y * y + x * y / 7) / 23 % 211; });
  DetailAnalyser analyser(200, 120, 40);
  analyser.enqueue(gray);
  int64_t edges = 0, sum = 0;
  int32_t most = 0;
  for (const mt::CellDetail& cell : analyser.detail.cells()) {
    edges += cell.edges;
    sum += cell.laplacian;
    most = std::max(most, cell.max_laplacian);
  }
  EXPECT_EQ(3688, edges);
  EXPECT_EQ(281239, sum);
  EXPECT_EQ(48, most);
}

TEST(Detail, FollowsWeakEdgesFromStrongOnes) {
  // A spiral through all strips and back. It is too faint to start an edge, except where its
  // beginning is brighter.
  constexpr int kSize = 230;
  const auto edges_with = [](double beginning) {
    const Gray gray(kSize, kSize, [=](int x, int y) {
      const double dx = x - kSize / 2, dy = y - kSize / 2, radius = std::hypot(dx, dy);
      const double turns = radius / 16 - std::atan2(dy, dx) / (2 * M_PI);
      const double rise = std::max(22.0, beginning - radius);
      return radius > 4 && turns - std::floor(turns) < 0.5 ? 100 + rise : 100;
    });
    DetailAnalyser analyser(kSize, kSize, 24);
    analyser.enqueue(gray);
    expect_naive(gray, 24, "spiral");
    int edges = 0;
    for (const mt::CellDetail& cell : analyser.detail.cells()) edges += cell.edges;
    return edges;
  };
  EXPECT_EQ(0, edges_with(0));
  EXPECT_GT(edges_with(60), kSize * kSize / 8 / 2) << "half of two edges, 16 pixels apart";
}

TEST(Detail, SkipsFramesWithoutChangedCells) {
  DetailAnalyser analyser(100, 60, 20);
  const Gray one(100, 60, [](int x, int y) { return x * y; });
  const Gray other(100, 60, [](int x, int y) { return x / 7 % 2 * 200 + y; });
  analyser.enqueue(one);
  const auto first = analyser.detail.cells()[7];
  std::fill(analyser.changed.begin(), analyser.changed.end(), 0);
  analyser.enqueue(other);
  EXPECT_EQ(first.laplacian, analyser.detail.cells()[7].laplacian);
  EXPECT_EQ(first.edges, analyser.detail.cells()[7].edges);
  analyser.changed[14] = 1;
  analyser.enqueue(other);
  EXPECT_NE(first.laplacian, analyser.detail.cells()[7].laplacian);
}

TEST(Detail, CountsThePixelsOfCutCells) {
  // The frame cuts 15 pixels off the outer columns, and off both rows.
  DetailAnalyser analyser(90, 50, 40);
  ASSERT_EQ(3, analyser.grid.columns);
  ASSERT_EQ(2, analyser.grid.rows);
  EXPECT_EQ(25 * 25, analyser.detail.pixels(0));
  EXPECT_EQ(40 * 25, analyser.detail.pixels(1));
  EXPECT_EQ(25 * 25, analyser.detail.pixels(5));
  DetailAnalyser alone(9, 5, 40);
  EXPECT_EQ(45, alone.detail.pixels(0));
}

TEST(Detail, UsesTheScaledPictureOfAStretchedGrid) {
  const auto executor = mt::make_cpu_executor(2);
  const mosaic::Grid grid = mosaic::choose_grid(101, 67, 101, 67, 0, "5x3");
  mosaic::Picture source(101, 67, executor);
  const mt::Planes p = source.planes();
  test::fill(p, [](int c, int x, int y) { return (x * (c + 1) / 9 % 2 + y / 11) * 30; });
  mosaic::FrameAnalysis analysis(grid, executor);
  mosaic::Detail detail(grid, executor);
  analysis.enqueue(p, true);
  const mt::Planes stretched = analysis.picture(p);
  detail.enqueue(stretched, nullptr, analysis.on_device().changed);
  executor->wait();
  const Gray gray(5 * grid.side, 3 * grid.side, [&](int x, int y) {
    const int i = y * stretched.stride + x;
    return mt::rgb_to_gray(stretched.plane[0][i], stretched.plane[1][i], stretched.plane[2][i]);
  });
  DetailAnalyser plain(gray.width, gray.height, grid.side);
  plain.enqueue(gray);
  ASSERT_EQ(15u, plain.detail.cells().size());
  int edges = 0;
  for (int cell = 0; cell < 15; ++cell) {
    EXPECT_EQ(plain.detail.cells()[cell].edges, detail.cells()[cell].edges);
    EXPECT_EQ(plain.detail.cells()[cell].laplacian, detail.cells()[cell].laplacian);
    EXPECT_EQ(grid.side * grid.side, detail.pixels(cell));
    edges += detail.cells()[cell].edges;
  }
  EXPECT_GT(edges, 0);
}

}  // namespace
