// SPDX-License-Identifier: LGPL-2.1-or-later
// Compares the kernels that measure motion with their definitions, which are computed in double
// precision where they contain a division.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <tuple>

#include "cpu/cpu_executor.h"
#include "executor/executor.h"
#include "kernels/all/kernels.h"

namespace {

TEST(CellSamples, AreMeansOfTheirAreas) {
  const auto executor = mt::make_cpu_executor(2);
  constexpr int kWidth = 37, kHeight = 23;
  std::mt19937 random(2);
  std::vector<uint8_t> small(kWidth * kHeight);
  for (uint8_t& v : small) v = static_cast<uint8_t>(random());
  const auto spans = [&random](int count, int pixels) {
    std::vector<mt::SampleSpan> spans(count);
    for (int i = 0; i < count; ++i) {  // spans from a part of a pixel to many pixels
      const int longest = 1 << (1 + i % 12), end = pixels * mt::kSpanUnit;
      const int begin = static_cast<int>(random() % static_cast<unsigned>(end));
      spans[i] = {begin, std::min(end, begin + 1 + static_cast<int>(random() % longest))};
    }
    return spans;
  };
  const auto x_at = spans(40, kWidth), y_at = spans(24, kHeight);
  std::vector<uint8_t> samples(x_at.size() * y_at.size());
  executor->launch(mt::CellSamples{small.data(), kWidth, x_at.data(), y_at.data(), samples.data(),
                                   static_cast<int>(x_at.size())},
                   static_cast<int>(y_at.size()));
  executor->wait();
  for (size_t r = 0; r < y_at.size(); ++r)
    for (size_t c = 0; c < x_at.size(); ++c) {
      double sum = 0, area = 0;
      for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x) {
          const auto part = [](const mt::SampleSpan& span, int i) {
            return std::max(
                0.0, std::min(span.end / 256.0, i + 1.0) - std::max(span.begin / 256.0, double(i)));
          };
          const double covered = part(x_at[c], x) * part(y_at[r], y);
          sum += covered * small[y * kWidth + x];
          area += covered;
        }
      EXPECT_NEAR(sum / area, samples[r * x_at.size() + c], 0.5001) << r << ", " << c;
    }
}

/// Samples of cells. Outside the picture, the samples at its edge are repeated.
struct Picture {
  int width, height;
  std::vector<uint8_t> v;
  int at(int x, int y) const {
    return v[std::clamp(y, 0, height - 1) * width + std::clamp(x, 0, width - 1)];
  }
  /// The mean of 2 x 2 samples, (x, y) being the upper left one.
  int halved(int x, int y) const {
    return (at(x, y) + at(x + 1, y) + at(x, y + 1) + at(x + 1, y + 1) + 2) / 4;
  }
};

constexpr int kBlock = 12, kArea = kBlock * kBlock;

int difference(const Picture& now, const Picture& last, int left, int top, int x, int y) {
  int sum = 0;
  for (int i = 0; i < kArea; ++i) {
    const int u = left + i % kBlock, v = top + i / kBlock;
    sum += std::abs(now.at(u, v) - last.at(u + x, v + y));
  }
  return sum;
}

int halved_difference(const Picture& now, const Picture& last, int left, int top, int x, int y) {
  int sum = 0;
  for (int i = 0; i < kArea / 4; ++i) {
    const int u = left + 2 * (i % 6), v = top + 2 * (i / 6);
    sum += std::abs(now.halved(u, v) - last.halved(u + x, v + y));
  }
  return sum;
}

/// The part of the motion that is smaller than a sample, in 1/16.
std::array<double, 2> between(const Picture& now, const Picture& last, int left, int top, int x,
                              int y) {
  double xx = 16 * kArea, yy = 16 * kArea, xy = 0, xd = 0,
         yd = 0;  // regularisation: 4 levels for each sample
  for (int i = 0; i < kArea; ++i) {
    const int u = left + i % kBlock, v = top + i / kBlock;
    const double gx = (last.at(u + x + 1, v + y) - last.at(u + x - 1, v + y)) / 2.0;
    const double gy = (last.at(u + x, v + y + 1) - last.at(u + x, v + y - 1)) / 2.0;
    const double d = now.at(u, v) - last.at(u + x, v + y);
    xx += gx * gx;
    xy += gx * gy;
    yy += gy * gy;
    xd += gx * d;
    yd += gy * d;
  }
  const double det = xx * yy - xy * xy;
  return {std::clamp(16 * (yy * xd - xy * yd) / det, -14.0, 14.0),
          std::clamp(16 * (xx * yd - xy * xd) / det, -14.0, 14.0)};
}

struct Expected {
  double x, y, confidence;
};

Expected expected(const Picture& now, const Picture& last, int left, int top) {
  const double still = difference(now, last, left, top, 0, 0);
  if (still <= kArea) return {0, 0, 0};
  using Rank = std::tuple<int, int, int, int>;  // difference, length, y, x
  Rank rough{INT32_MAX, 0, 0, 0}, fine = rough;
  double sum = 0;
  for (int y = -12; y <= 12; y += 2)
    for (int x = -12; x <= 12; x += 2) {
      const int d = halved_difference(now, last, left, top, x, y);
      sum += d;
      rough = std::min(rough, Rank{d, x * x + y * y, y, x});
    }
  for (int y = std::get<2>(rough) - 1; y <= std::get<2>(rough) + 1; ++y)
    for (int x = std::get<3>(rough) - 1; x <= std::get<3>(rough) + 1; ++x)
      fine = std::min(fine, Rank{difference(now, last, left, top, x, y), x * x + y * y, y, x});
  auto [best, length, y, x] = fine;
  if (best + kArea + std::floor(still / 8) > still) {
    best = static_cast<int>(still);
    x = y = 0;
  }
  const double beside_mean = 255.0 * 169 * best / (4 * sum);
  const double beside_still = x || y ? 255.0 * best / still : 0;
  const double sure = 255 - std::floor(std::max(beside_mean, beside_still));
  if (sure < 48) return {0, 0, 0};
  const auto [dx, dy] = between(now, last, left, top, x, y);
  return {-16 * x - dx, -16 * y - dy, sure};
}

TEST(BlockSearch, MatchesTheDefinition) {
  const auto executor = mt::make_cpu_executor(2);
  constexpr int kColumns = 9, kRows = 6;
  Picture now{kColumns * 8, kRows * 8, std::vector<uint8_t>(kColumns * kRows * 64)}, last = now;
  std::mt19937 random(6);
  int known = 0, far = 0, none = 0;
  for (int frame = 0; frame < 40; ++frame) {
    // A smooth picture with noise, whose upper and lower parts move differently. The right part is
    // only noise.
    const double fx = 0.2 + frame % 5 * 0.2, fy = 0.1 + frame % 3 * 0.3, dx = frame * 0.37 - 7;
    for (int i = 0; i < now.width * now.height; ++i) {
      const double x = i % now.width, y = static_cast<int>(i / now.width);
      const double way = y < 24 ? dx : 3 - dx / 2;
      const auto level = [&](double u) {
        if (x > 52) return 128.0;
        return 128 + 50 * std::sin(u * fx + y * 0.2) + 40 * std::sin(y * fy - u * 0.3 + frame) +
               30 * std::sin(u * 0.11 * (frame % 7));
      };
      const auto noise = static_cast<int>(random() % 5) - 2;
      last.v[i] = static_cast<uint8_t>(std::lround(level(x)));
      now.v[i] =
          static_cast<uint8_t>(std::clamp<long>(std::lround(level(x - way)) + noise, 0, 255));
    }
    std::vector<mt::CellMotion> found(kColumns * kRows);
    executor->launch(mt::BlockSearch{now.v.data(), last.v.data(), kColumns, kRows, found.data()},
                     54);
    executor->wait();
    for (int cell = 0; cell < kColumns * kRows; ++cell) {
      const Expected e = expected(now, last, cell % kColumns * 8 - 2, cell / kColumns * 8 - 2);
      EXPECT_NEAR(e.x, found[cell].x, 1) << frame << ", " << cell;
      EXPECT_NEAR(e.y, found[cell].y, 1) << frame << ", " << cell;
      EXPECT_NEAR(e.confidence, found[cell].confidence, 1) << frame << ", " << cell;
      ++(found[cell].confidence == 0 ? none : std::abs(e.x) > 32 ? far : known);
    }
  }
  EXPECT_GT(known, 100);
  EXPECT_GT(far, 100);
  EXPECT_GT(none, 20);
}

}  // namespace
