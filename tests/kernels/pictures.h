// SPDX-License-Identifier: LGPL-2.1-or-later
// Pictures on which kernels go wrong if they go wrong anywhere, and what compares their results
// with a reference.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/math/part_rows.h"
#include "kernels/views.h"

namespace test {

struct Size {
  int width, height;  ///< pixels
};

/// One pixel, one row, one column, pictures narrower than filters, an odd size of several parts.
inline constexpr Size kPictureSizes[] = {{1, 1}, {2, 1}, {1, 9}, {13, 42}, {97, 35}};

/// The level 0..255 of channel c at (x, y).
using Level = int (*)(int c, int x, int y);

inline int noise_level(int c, int x, int y) {
  uint32_t v = static_cast<uint32_t>(c * 7919 + y * 104729 + x + 1) * 2654435761u;
  v ^= v >> 15;
  v *= 2246822519u;
  return static_cast<int>(v >> 13 & 255);
}

struct Pattern {
  const char* name;
  Level level;
};
inline constexpr Pattern kPatterns[] = {
    {"black", [](int, int, int) { return 0; }},
    {"white", [](int, int, int) { return 255; }},
    {"flat", [](int c, int, int) { return 40 + 70 * c; }},
    {"saturated", [](int c, int x, int y) { return ((x / 3 + 2 * (y / 2)) >> c & 1) * 255; }},
    {"checkerboard", [](int, int x, int y) { return (x + y) % 2 * 255; }},
    {"alternating", [](int c, int x, int) { return (x + c) % 2 * 255; }},
    {"ramps", [](int c, int x, int y) { return (c ? 5 * y + 90 * c + x : 7 * x) & 255; }},
    {"dark", [](int c, int x, int y) { return noise_level(c, x, y) % 5; }},
    {"noise", noise_level}};

/// Where index i of 0..n-1 is reflected to, without repeating the ends (BORDER_REFLECT_101).
inline int reflected(int i, int n) {
  const int period = std::max(1, 2 * n - 2);
  const int within = (i % period + period) % period;
  return n == 1 ? 0 : std::min(within, period - within);
}

/// What memory holds that no kernel has written.
inline constexpr int kUntouched = 77;

/// Three planes in memory of the host, with padding after each row.
template <class T>
class HostPlanes {
 public:
  static constexpr int kPadding = 5;
  explicit HostPlanes(Size s)
      : size_(s), values_(size_t{3} * (s.width + kPadding) * s.height, kUntouched) {}
  HostPlanes(Size s, Level level) : HostPlanes(s) {
    for (int c = 0; c < 3; ++c)
      for (int y = 0; y < s.height; ++y)
        for (int x = 0; x < s.width; ++x) at(c, x, y) = static_cast<T>(level(c, x, y));
  }

  Size size() const { return size_; }
  int stride() const { return size_.width + kPadding; }
  T* plane(int c) { return &values_[size_t(c) * stride() * size_.height]; }
  T& at(int c, int x, int y) { return plane(c)[y * stride() + x]; }
  const T& at(int c, int x, int y) const {
    return values_[(size_t(c) * size_.height + y) * stride() + x];
  }
  const T& reflected_at(int c, int x, int y) const {
    return at(c, reflected(x, size_.width), reflected(y, size_.height));
  }
  bool padding_is_untouched() const {
    for (size_t i = 0; i < values_.size(); ++i)
      if (static_cast<int>(i % stride()) >= size_.width && values_[i] != kUntouched) return false;
    return true;
  }

 private:
  Size size_;
  std::vector<T> values_;
};
using HostPicture = HostPlanes<uint8_t>;

inline mt::Planes planes_of(HostPicture& p) {
  return {{p.plane(0), p.plane(1), p.plane(2)}, p.stride(), p.size().width, p.size().height};
}

/// Parts of a picture, as PartRows describes them.
struct Parts {
  std::vector<mt::CellRect> rects;
  int height;  ///< rows for each part

  mt::PartRows rows() const { return {rects.data(), height}; }
  int count() const { return static_cast<int>(rects.size()) * height; }
  bool contain(int x, int y) const {
    for (const mt::CellRect& r : rects)
      if (x >= r.x && x < r.x + r.width && y >= r.y && y < r.y + r.height) return true;
    return false;
  }
};
inline Parts whole_picture(Size s) {
  return {{{0, 0, s.width, s.height}}, s.height};
}
/// Three parts of different heights, and columns and rows that belong to none.
inline Parts some_parts(Size s) {
  const int height = (s.height + 1) / 2, x = s.width / 3;
  return {{{0, 0, x, height},
           {x + 1, 0, std::max(0, s.width - x - 1), s.height / 2},
           {s.width / 4, height, s.width - s.width / 4, s.height - height}},
          height};
}

/// Calls f(picture, parts) for every pattern, size and division into parts.
template <class F>
void for_each_picture(F f) {
  for (const Pattern& pattern : kPatterns)
    for (const Size& size : kPictureSizes)
      for (const bool whole : {true, false}) {
        SCOPED_TRACE(std::string(pattern.name) + " " + std::to_string(size.width) + "x" +
                     std::to_string(size.height) + (whole ? "" : " in parts"));
        HostPicture picture(size, pattern.level);
        f(picture, whole ? whole_picture(size) : some_parts(size));
        if (testing::Test::HasFatalFailure()) return;
      }
}

/// R, G, B or other components of a pixel.
using Colour = std::array<double, 3>;

inline Colour colour_at(const HostPicture& p, int x, int y) {
  return {double(p.at(0, x, y)), double(p.at(1, x, y)), double(p.at(2, x, y))};
}

/// How far the results of a kernel are from its reference.
struct Differences {
  void add(double expected, double found) {
    const double d = found - expected;
    ++count;
    unequal += d != 0;
    far += std::abs(d) > 2;
    sum += d;
    most = std::max(most, std::abs(d));
  }
  double count = 0, unequal = 0, far = 0, sum = 0, most = 0;
};

/// What differences are allowed. The mean is the one that excludes a wrong rounding.
struct Tolerance {
  double most;     ///< levels
  double unequal;  ///< share of the values that may differ at all
  double far;      ///< share of those that may differ by more than 2 levels
  double mean;     ///< levels
};

inline void expect_within(const Differences& d, const Tolerance& allowed) {
  EXPECT_LE(d.most, allowed.most);
  EXPECT_LE(d.unequal, allowed.unequal * d.count);
  EXPECT_LE(d.far, allowed.far * d.count);
  EXPECT_LE(std::abs(d.sum), allowed.mean * d.count);
  EXPECT_GT(d.count, 0);
}

/// Compares the pixels of the parts with expected(x, y), and expects that no other was written.
template <class Expected>
void compare(const HostPicture& out, const Parts& parts, Expected expected, Differences& d) {
  for (int y = 0; y < out.size().height; ++y)
    for (int x = 0; x < out.size().width; ++x) {
      if (!parts.contain(x, y)) {
        for (int c = 0; c < 3; ++c) ASSERT_EQ(out.at(c, x, y), kUntouched) << x << ", " << y;
        continue;
      }
      const Colour colour = expected(x, y);
      for (int c = 0; c < 3; ++c) d.add(colour[c], out.at(c, x, y));
    }
  EXPECT_TRUE(out.padding_is_untouched());
}

/// The same, where every value must be exact.
template <class Expected>
void expect_equal(const HostPicture& out, const Parts& parts, Expected expected) {
  for (int y = 0; y < out.size().height; ++y)
    for (int x = 0; x < out.size().width; ++x) {
      const bool inside = parts.contain(x, y);
      const Colour colour = inside ? expected(x, y) : Colour{kUntouched, kUntouched, kUntouched};
      for (int c = 0; c < 3; ++c)
        ASSERT_EQ(colour[c], out.at(c, x, y)) << x << ", " << y << ", channel " << c;
    }
  EXPECT_TRUE(out.padding_is_untouched());
}

}  // namespace test
