// SPDX-License-Identifier: LGPL-2.1-or-later
// Compares the kernels of seams with the definition of Laplacian pyramids: 5 x 5 binomial weights
// over a picture, or over one with zeros between the pixels.
#include "kernels/drawing/pyramid_blend.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cpu/cpu_executor.h"
#include "tests/kernels/pictures.h"

namespace {

using test::HostPlanes;
using test::Size;

constexpr int kBinomial[5] = {1, 4, 6, 4, 1};

Size half_of(Size s) {
  return {(s.width + 1) / 2, (s.height + 1) / 2};
}

template <class T>
mt::NumberPlanes<T> numbers(HostPlanes<T>& p) {
  return {{p.plane(0), p.plane(1), p.plane(2)}, p.stride(), p.size().width, p.size().height};
}

/// The weighted sum around pixel (2 x, 2 y).
template <class T>
double halved(const HostPlanes<T>& in, int c, int x, int y) {
  double sum = 0;
  for (int v = 0; v < 5; ++v)
    for (int u = 0; u < 5; ++u)
      sum += double(kBinomial[v] * kBinomial[u]) * in.reflected_at(c, 2 * x + u - 2, 2 * y + v - 2);
  return sum;
}

/// The plane at double the size, times 64.
template <class T>
double doubled(const HostPlanes<T>& in, int c, int x, int y) {
  double sum = 0;
  for (int v = 0; v < 5; ++v)
    for (int u = 0; u < 5; ++u) {
      const int across = test::reflected(x + u - 2, 2 * in.size().width);
      const int down = test::reflected(y + v - 2, 2 * in.size().height);
      if (across % 2 == 0 && down % 2 == 0)
        sum += double(kBinomial[v] * kBinomial[u]) * in.at(c, across / 2, down / 2);
    }
  return sum;
}

template <class T, class Expected>
void expect_all(const HostPlanes<T>& found, Expected expected) {
  for (int c = 0; c < 3; ++c)
    for (int y = 0; y < found.size().height; ++y)
      for (int x = 0; x < found.size().width; ++x)
        ASSERT_EQ(expected(c, x, y), double(found.at(c, x, y))) << x << ", " << y << ", " << c;
  EXPECT_TRUE(found.padding_is_untouched());
}

TEST(HalvePicture, SumsBinomialWeights) {
  const auto executor = mt::make_cpu_executor(1);
  test::for_each_picture([&](test::HostPicture& from, const test::Parts&) {
    HostPlanes<uint16_t> to(half_of(from.size()));
    executor->launch(mt::HalvePicture{test::planes_of(from), numbers(to)}, to.size().height);
    expect_all(to, [&](int c, int x, int y) { return halved(from, c, x, y); });
  });
}

TEST(QuarterPicture, SumsBinomialWeights) {
  const auto executor = mt::make_cpu_executor(1);
  test::for_each_picture([&](test::HostPicture& from, const test::Parts&) {
    HostPlanes<uint16_t> half(from.size());
    for (int c = 0; c < 3; ++c)
      for (int y = 0; y < half.size().height; ++y)
        for (int x = 0; x < half.size().width; ++x)
          half.at(c, x, y) = static_cast<uint16_t>(from.at(c, x, y) * 256);
    HostPlanes<int32_t> to(half_of(from.size()));
    executor->launch(mt::QuarterPicture{numbers(half), numbers(to)}, to.size().height);
    expect_all(to, [&](int c, int x, int y) { return halved(half, c, x, y); });
  });
}

/// Nothing, everything and something of a mask, 0..2^14.
int mask_level(int, int x, int y) {
  return x % 4 == 0 ? 0 : y % 4 == 0 ? 1 << 14 : (x * 997 + y * 3571) % 16385;
}

TEST(CoarseSeams, IsTheAttenuatedLevelOfHalfTheSize) {
  const auto executor = mt::make_cpu_executor(1);
  test::for_each_picture([&](test::HostPicture& from, const test::Parts&) {
    const Size size = from.size();
    HostPlanes<uint16_t> half(size), mask(size, mask_level);
    HostPlanes<int32_t> quarter(half_of(size)), to(size);
    for (int c = 0; c < 3; ++c)
      for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x) {
          half.at(c, x, y) = static_cast<uint16_t>(from.at(c, x, y) * 256);
          quarter.at(c, x / 2, y / 2) = 65536 * from.at(c, size.width - 1 - x, y) + 255 * x;
        }
    executor->launch(mt::CoarseSeams{numbers(half), numbers(quarter), mask.plane(0), numbers(to)},
                     size.height);
    expect_all(to, [&](int c, int x, int y) {
      // In units of 2^-16 levels; 26214 is 0.4 x 2^16.
      const double level = half.at(c, x, y) * 256.0 - std::floor(doubled(quarter, c, x, y) / 64);
      return std::floor(level * mask.at(0, x, y) * 26214 / std::exp2(38));
    });
  });
}

TEST(Seams, SubtractsTheAttenuatedLevels) {
  const auto executor = mt::make_cpu_executor(1);
  test::for_each_picture([&](test::HostPicture& from, const test::Parts&) {
    const Size size = from.size();
    HostPlanes<uint16_t> half(half_of(size)), mask(size, mask_level);
    HostPlanes<int32_t> coarse(half_of(size));
    for (int c = 0; c < 3; ++c)
      for (int y = 0; y < half.size().height; ++y)
        for (int x = 0; x < half.size().width; ++x) {
          half.at(c, x, y) = static_cast<uint16_t>(test::noise_level(c, x, y) * 256);
          coarse.at(c, x, y) = (test::noise_level(c, y, x) - 128) * 200 + 3 * x;
        }
    for (const int two_levels : {0, 1}) {
      test::HostPicture to(size);
      executor->launch(mt::Seams{test::planes_of(from), numbers(half), numbers(coarse),
                                 mask.plane(0), two_levels, test::planes_of(to)},
                       size.height);
      expect_all(to, [&](int c, int x, int y) {
        // In units of 1/256 level; 39322 is 0.6 x 2^16.
        const double level = from.at(c, x, y) * 256.0 - std::floor(doubled(half, c, x, y) / 64);
        const double fine = std::floor(level * mask.at(0, x, y) * 39322 / std::exp2(30));
        const double rest = two_levels ? std::trunc(doubled(coarse, c, x, y) / 64) : 0;
        const double left = from.at(c, x, y) * 256.0 - fine - rest;
        return std::clamp(std::floor(left / 256), 0.0, 255.0);
      });
    }
  });
}

/// With a mask of 0 nothing changes; with 1 everywhere a flat picture stays flat.
TEST(Seams, KeepsPicturesWithoutDetail) {
  const auto executor = mt::make_cpu_executor(1);
  for (const int level : {0, 1, 128, 255}) {
    const Size size{13, 42};
    test::HostPicture from(size), to(size);
    HostPlanes<uint16_t> half(half_of(size)), mask(size), half_mask(half_of(size));
    HostPlanes<int32_t> quarter(half_of(half.size())), coarse(half.size());
    for (int c = 0; c < 3; ++c)
      for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x) {
          from.at(c, x, y) = static_cast<uint8_t>(level);
          mask.at(c, x, y) = half_mask.at(c, x / 2, y / 2) = 1 << 14;
        }
    executor->launch(mt::HalvePicture{test::planes_of(from), numbers(half)}, half.size().height);
    executor->launch(mt::QuarterPicture{numbers(half), numbers(quarter)}, quarter.size().height);
    executor->launch(
        mt::CoarseSeams{numbers(half), numbers(quarter), half_mask.plane(0), numbers(coarse)},
        half.size().height);
    executor->launch(mt::Seams{test::planes_of(from), numbers(half), numbers(coarse), mask.plane(0),
                               1, test::planes_of(to)},
                     size.height);
    expect_all(to, [&](int, int, int) { return level; });
  }
}

}  // namespace
