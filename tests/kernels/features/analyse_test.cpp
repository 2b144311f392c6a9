// SPDX-License-Identifier: LGPL-2.1-or-later
// Compares features and statistics with a naive reference in double precision.
#include "kernels/features/analyse.h"
#include "cpu/cpu_executor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <random>

#include "kernels/matching/distance.h"
#include "mosaic/analysis/analysis.h"
#include "tests/mosaic/frames.h"

namespace {

using Tile = std::vector<uint8_t>;  // [3: R, G, B][side][side]

/// The reference: mosaicraft's 191 features, written plainly from its description.
class NaiveFeatures {
 public:
  NaiveFeatures(const Tile& tile, int side) : side_(side), lab_(tile.size()) {
    const int n = side * side;
    for (int i = 0; i < n; ++i) {
      const mt::Triple v = mt::rgb_to_lab(&mt::tables(), tile[i], tile[n + i], tile[2 * n + i]);
      for (int c = 0; c < 3; ++c) lab_[c * n + i] = static_cast<uint8_t>(v.v[c]);
    }
  }

  std::vector<double> all() const {
    std::vector<double> out;
    means(out);
    for (int c = 0; c < 3; ++c) colours(c, out);
    const int half = side_ / 2;
    for (int b = 0; b < 4; ++b) gradients(b / 2 * half, b % 2 * half, half, half, out);
    gradients(0, 0, side_, side_, out);
    for (int b = 0; b < 4; ++b) patterns(b / 2, b % 2, out);
    return out;
  }

 private:
  int at(int c, int y, int x) const { return lab_[(size_t(c) * side_ + y) * side_ + x]; }
  int light(int y, int x) const {
    const auto mirror = [this](int i) { return i < 0 ? -i : i >= side_ ? 2 * side_ - 2 - i : i; };
    return at(0, mirror(y), mirror(x));
  }

  void means(std::vector<double>& out) const {
    const int q = side_ / 5;
    for (int gy = 0; gy < 5; ++gy)
      for (int gx = 0; gx < 5; ++gx)
        for (int c = 0; c < 3; ++c) {
          double sum = 0;
          for (int y = 0; y < q; ++y)
            for (int x = 0; x < q; ++x) sum += at(c, gy * q + y, gx * q + x);
          out.push_back(sum / (q * q));
        }
  }

  void colours(int c, std::vector<double>& out) const {
    std::vector<double> bins(12);
    for (int y = 0; y < side_; ++y)
      for (int x = 0; x < side_; ++x)
        ++bins[std::min(11, static_cast<int>(std::floor(at(c, y, x) / 21.25)))];
    for (double b : bins) out.push_back(50 * b / (side_ * side_));
  }

  void gradients(int y0, int x0, int rows, int columns, std::vector<double>& out) const {
    std::vector<double> bins(8);
    double total = 0;
    for (int y = y0; y < y0 + rows; ++y)
      for (int x = x0; x < x0 + columns; ++x) {
        const double gx = light(y - 1, x + 1) - light(y - 1, x - 1) +
                          2 * (light(y, x + 1) - light(y, x - 1)) + light(y + 1, x + 1) -
                          light(y + 1, x - 1);
        const double gy = light(y + 1, x - 1) - light(y - 1, x - 1) +
                          2 * (light(y + 1, x) - light(y - 1, x)) + light(y + 1, x + 1) -
                          light(y - 1, x + 1);
        const double eighth = (std::atan2(gy, gx) + M_PI) / (M_PI / 4);
        int bin = static_cast<int>(std::floor(eighth + 1e-9));
        if (gx == gy && gx > 0) bin = 4;  // see mt::direction
        bins[std::min(bin, 7)] += std::hypot(gx, gy);
        total += std::hypot(gx, gy);
      }
    for (double b : bins) out.push_back(total > 0 ? 30 * b / total : 0);
  }

  void patterns(int by, int bx, std::vector<double>& out) const {
    static const int kAround[8][2] = {{-1, -1}, {-1, 0}, {-1, 1}, {0, 1},
                                      {1, 1},   {1, 0},  {1, -1}, {0, -1}};
    const int half = (side_ - 2) / 2;
    std::vector<double> bins(10);
    for (int y = 1 + by * half; y < 1 + (by + 1) * half; ++y)
      for (int x = 1 + bx * half; x < 1 + (bx + 1) * half; ++x) {
        int code = 0;
        for (int i = 0; i < 8; ++i)
          if (at(0, y + kAround[i][0], x + kAround[i][1]) >= at(0, y, x)) code += 1 << i;
        ++bins[static_cast<int>(code / 25.6)];
      }
    for (double b : bins) out.push_back(20 * b / (half * half));
  }

  int side_;
  Tile lab_;
};

/// Adversarial and ordinary tiles.
std::vector<Tile> tiles_of(int side) {
  const int n = side * side;
  std::mt19937 random(side);
  std::vector<Tile> tiles;
  const auto add = [&](const std::function<int(int, int, int)>& f) {
    Tile t(size_t(3) * n);
    for (int c = 0; c < 3; ++c)
      for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x)
          t[(size_t(c) * side + y) * side + x] = static_cast<uint8_t>(f(c, y, x));
    tiles.push_back(std::move(t));
  };
  add([](int, int, int) { return 0; });
  add([](int, int, int) { return 255; });
  add([](int, int y, int x) { return (x + y) % 2 * 255; });
  add([](int, int, int x) { return x % 2 * 255; });
  add([](int c, int, int) { return c == 0 ? 255 : 0; });
  add([](int c, int, int) { return c == 2 ? 255 : 0; });
  add([&](int, int y, int x) { return 255 * (x + y) / (2 * side); });
  add([&](int, int, int) { return random(); });
  add([&](int c, int y, int x) { return 128 + 100 * std::sin(0.3 * x + 0.2 * y + c); });
  return tiles;
}

class AnalyseSides : public testing::TestWithParam<int> {};

TEST_P(AnalyseSides, FeaturesMatchNaiveImplementation) {
  const int side = GetParam();
  const std::vector<Tile> tiles = tiles_of(side);
  Tile pixels;
  for (const Tile& t : tiles) pixels.insert(pixels.end(), t.begin(), t.end());
  std::vector<int16_t> features(tiles.size() * mt::kFeatureStride), residuals(features.size());
  std::vector<mt::CellStats> stats(tiles.size());
  const auto executor = mt::make_cpu_executor(1);
  mosaic::describe_tiles(*executor, pixels.data(), tiles.size(), side, features.data(),
                         residuals.data(), stats.data());
  for (size_t t = 0; t < tiles.size(); ++t) {
    const std::vector<double> expected = NaiveFeatures(tiles[t], side).all();
    ASSERT_EQ(191u, expected.size());
    for (int i = 0; i < mt::kFeatures; ++i) {
      const size_t at = t * mt::kFeatureStride + mt::feature_slot(i);
      ASSERT_NEAR(expected[i] * 64, features[at], 0.55)
          << "side " << side << " tile " << t << " feature " << i;
      // Gradients are weighted by magnitudes, which are rounded, too.
      ASSERT_NEAR(expected[i] * 65536, mt::fine_feature(features[at], residuals[at]), 8)
          << "side " << side << " tile " << t << " feature " << i;
    }
    ASSERT_EQ(0, features[t * mt::kFeatureStride + 191]);
    ASSERT_EQ(0, residuals[t * mt::kFeatureStride + 191]);
  }
}

TEST_P(AnalyseSides, StatisticsMatchNaiveImplementation) {
  const int side = GetParam(), n = side * side;
  const std::vector<Tile> tiles = tiles_of(side);
  const auto executor = mt::make_cpu_executor(1);
  const auto linear = [](double v) {
    v /= 255;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  };
  for (const Tile& t : tiles) {
    std::vector<int16_t> features(mt::kFeatureStride), residuals(mt::kFeatureStride);
    mt::CellStats s;
    mosaic::describe_tiles(*executor, t.data(), 1, side, features.data(), residuals.data(), &s);
    int64_t rgb[3] = {}, lab[3] = {}, square[3] = {}, cross[3] = {}, saturation = 0;
    double l = 0, a = 0;
    for (int i = 0; i < n; ++i) {
      const int r = t[i], g = t[n + i], b = t[2 * n + i];
      rgb[0] += r, rgb[1] += g, rgb[2] += b;
      const mt::Triple v = mt::rgb_to_lab(&mt::tables(), r, g, b);
      for (int c = 0; c < 3; ++c) lab[c] += v.v[c], square[c] += v.v[c] * v.v[c];
      cross[0] += v.v[0] * v.v[1], cross[1] += v.v[0] * v.v[2], cross[2] += v.v[1] * v.v[2];
      const int high = std::max({r, g, b}), low = std::min({r, g, b});
      // OpenCV divides by multiplying with a rounded reciprocal.
      if (high)
        saturation += std::floor((high - low) * std::nearbyint(255 * 4096.0 / high) / 4096 + 0.5);
      const double lr = linear(r), lg = linear(g), lb = linear(b);
      const double lms[3] = {std::cbrt(0.4122214708 * lr + 0.5363325363 * lg + 0.0514459929 * lb),
                             std::cbrt(0.2119034982 * lr + 0.6806995451 * lg + 0.1073969566 * lb),
                             std::cbrt(0.0883024619 * lr + 0.2817188376 * lg + 0.6299787005 * lb)};
      l += 0.2104542553 * lms[0] + 0.7936177850 * lms[1] - 0.0040720468 * lms[2];
      a += 1.9779984951 * lms[0] - 2.4285922050 * lms[1] + 0.4505937099 * lms[2];
    }
    for (int c = 0; c < 3; ++c) {
      EXPECT_EQ(rgb[c], s.rgb[c]);
      EXPECT_EQ(lab[c], s.lab[c]);
      EXPECT_EQ(square[c], s.lab_square[c]);
      EXPECT_EQ(cross[c], s.lab_cross[c]);
    }
    EXPECT_EQ(saturation, s.saturation);
    EXPECT_NEAR(l / n * 65536, s.oklab[0], 2.0);
    EXPECT_NEAR(a / n * 65536, s.oklab[1], 2.0);
  }
}

INSTANTIATE_TEST_SUITE_P(Sides, AnalyseSides, testing::Values(8, 9, 24, 40, 41, 77, 128, 256));

TEST(Features, UseEverySlotOnce) {
  std::vector<int> used(mt::kFeatureStride);
  for (int i = 0; i < mt::kFeatures; ++i) ++used[mt::feature_slot(i)];
  for (int i = 0; i < mt::kFeatures; ++i) EXPECT_EQ(1, used[i]) << i;
  EXPECT_EQ(0, used[191]);
}

TEST(Features, DistancesDoNotOverflowAtExtremes) {
  // The largest possible distances: the sum over a third of a vector must not overflow.
  const auto vector_of = [](int l, int a, int b) {
    std::vector<int16_t> f(mt::kFeatureStride);
    for (int i = 0; i < 75; ++i)
      f[mt::feature_slot(i)] = static_cast<int16_t>(64 * (i % 3 == 0 ? l : i % 3 == 1 ? a : b));
    for (int i = 75; i < mt::kFeatures; ++i)
      f[mt::feature_slot(i)] = static_cast<int16_t>(i % 2 == l % 2 ? 0 : 3200 / 6);
    return f;
  };
  // Blue and yellow, black and white, green and magenta, in CIELAB.
  const int pairs[][6] = {{82, 207, 20, 248, 106, 223},
                          {0, 128, 128, 255, 128, 128},
                          {224, 42, 211, 154, 226, 67},
                          {82, 207, 20, 224, 42, 211}};
  for (const auto& p : pairs) {
    const auto a = vector_of(p[0], p[1], p[2]), b = vector_of(p[3], p[4], p[5]);
    // The residual of all features of one vector; those of the other have the opposite sign.
    for (int rest : {0, 512, -512, 511}) {
      std::vector<int16_t> r(mt::kFeatureStride, static_cast<int16_t>(rest));
      std::vector<int16_t> s(mt::kFeatureStride, static_cast<int16_t>(-rest));
      if (rest == 511)  // every residual increases the difference of its features
        for (int i = 0; i < mt::kFeatureStride; ++i)
          if (a[i] < b[i]) std::swap(r[i], s[i]);
      int64_t expected = 0;
      for (int i = 0; i < mt::kFeatureStride; ++i) {
        const int64_t apart = mt::fine_feature(a[i], r[i]) - mt::fine_feature(b[i], s[i]);
        expected += apart * apart;
      }
      EXPECT_EQ(expected >> (2 * mt::kFineBits - mt::kDistanceBits),
                mt::feature_distance({a.data(), r.data()}, {b.data(), s.data()}));
    }
  }
}

/// The analysis of a picture that is black at first.
struct Analysed {
  Analysed(int width, int height, int side)
      : executor(mt::make_cpu_executor(2)),
        analysis(mosaic::choose_grid(width, height, width, height, side, "1"), executor),
        picture(width, height, executor) {}

  void run(bool all, const mosaic::AnalysisTolerance& tolerance = {}) {
    analysis.enqueue(picture.planes(), all, nullptr, tolerance);
    analysis.read_back();
  }

  std::shared_ptr<mt::Executor> executor;
  mosaic::FrameAnalysis analysis;
  mosaic::Picture picture;
};

TEST(FrameAnalysis, AnalysesOnlyChangedCells) {
  Analysed a(100, 60, 20);
  a.run(true);
  EXPECT_EQ(15u, a.analysis.changed().size());
  a.run(false);
  EXPECT_TRUE(a.analysis.changed().empty());
  const mt::Planes planes = a.picture.planes();
  planes.plane[2][25 * planes.stride + 47] = 1;
  a.run(false);
  EXPECT_EQ(std::vector<int32_t>{7}, a.analysis.changed());
  EXPECT_EQ(1, a.analysis.stats()[7].rgb[2]);
}

// Compared are the pixels that were last analysed, so that slow changes add up.
TEST(FrameAnalysis, ToleratesSmallChanges) {
  Analysed a(100, 60, 20);
  a.run(true);
  mt::SceneState scene{};
  const mosaic::AnalysisTolerance tolerance{2, &scene};
  const mt::Planes planes = a.picture.planes();
  const auto raise = [&](int cell, int levels) {
    const int left = cell % 5 * 20, top = cell / 5 * 20;
    for (int i = 0; i < 3 * 400; ++i)
      planes.plane[i / 400][(top + i % 400 / 20) * planes.stride + left + i % 20] += levels;
  };
  raise(7, 1);
  raise(8, 2);
  a.run(false, tolerance);
  EXPECT_TRUE(a.analysis.changed().empty());
  EXPECT_EQ(0, a.analysis.stats()[7].rgb[0]);
  raise(7, 1);
  ++planes.plane[1][30 * planes.stride + 70];  // of cell 8
  a.run(false, tolerance);
  EXPECT_EQ(std::vector<int32_t>{8}, a.analysis.changed());
  EXPECT_EQ(801, a.analysis.stats()[8].rgb[1]);
  raise(7, 1);
  raise(8, 1);
  a.run(false, tolerance);
  EXPECT_EQ(std::vector<int32_t>{7}, a.analysis.changed());
  EXPECT_EQ(1.0, a.analysis.moved(7));  // in each of three frames
  a.run(false, tolerance);
  EXPECT_TRUE(a.analysis.changed().empty());
  EXPECT_EQ(0.0, a.analysis.moved(7));
  // Scene cuts and scene returns are exact.
  scene.cut = 1;
  a.run(false, tolerance);
  EXPECT_EQ(std::vector<int32_t>{8}, a.analysis.changed());
  scene.cut = 0;
  scene.returned = 1;
  ++planes.plane[2][0];
  a.run(false, tolerance);
  EXPECT_EQ(std::vector<int32_t>{0}, a.analysis.changed());
}

TEST(FrameAnalysis, RepeatsEdgePixelsOutsideTheFrame) {
  Analysed a(17, 13, 40);
  const mt::Planes planes = a.picture.planes();
  for (int y = 0; y < 13; ++y)
    for (int x = 0; x < 17; ++x) planes.plane[0][y * planes.stride + x] = 10 * y + x;
  a.run(true);
  int64_t expected = 0;
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 40; ++x)
      expected += 10 * std::clamp(y - 13, 0, 12) + std::clamp(x - 11, 0, 16);
  EXPECT_EQ(expected, a.analysis.stats()[0].rgb[0]);
}

}  // namespace
