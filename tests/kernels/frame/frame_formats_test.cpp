// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Converts frames of every layout to planar RGB and back, and compares with a naive reading of the
/// layout.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "cpu/cpu_executor.h"
#include "executor/executor.h"
#include "kernels/all/kernels.h"
#include "mosaic/base/picture.h"
#include "mosaic/engine/copy_frame.h"
#include "tests/kernels/layouts.h"
#include "tests/mosaic/frames.h"

namespace {

using test::kLayouts;
using test::Layout;

/// A frame of a given layout, with rows padded by an odd number of bytes.
class Frame {
 public:
  Frame(const Layout& layout, int width, int height, unsigned seed) : layout_(layout) {
    stride_ = width * 4 * layout.bytes_per_sample() + 13;
    plane_bytes_ = size_t(stride_) * (height + 1);
    bytes_.resize(3 * plane_bytes_);
    std::mt19937 random(seed);
    for (uint8_t& v : bytes_) v = static_cast<uint8_t>(random());
    view_ = test::view_of(layout, width, height, bytes_.data(), stride_, plane_bytes_);
  }
  const mt::FrameView& view() const { return view_; }
  /// In its full depth.
  int sample(int component, int x, int y) const {
    const size_t first = first_byte(component, x, y);
    if (layout_.depth == 8) return bytes_[first];
    return ((bytes_[first] + 256 * bytes_[first + 1]) >> layout_.low_zeros) % (1 << layout_.depth);
  }
  /// Rounded to 8 bits: the largest value of R, G and B becomes 255, luma and chroma lose bits.
  int level(int component, int x, int y) const {
    const bool rgb = layout_.kind == mt::PixelKind::kRgb;
    const double steps = rgb ? (std::exp2(layout_.depth) - 1) / 255 : std::exp2(layout_.depth - 8);
    const double levels = sample(component, x, y) / steps;
    return std::min(255, static_cast<int>(std::floor(levels + 0.5)));
  }
  /// Bytes that belong to no component: padding and alpha.
  std::vector<uint8_t> rest() const {
    auto copy = bytes_;
    for (int i = 0; i < layout_.components(); ++i)
      for (int y = 0; y < view_.height; ++y)
        for (int x = 0; x < view_.width; ++x)
          std::fill_n(&copy[first_byte(i, x, y)], layout_.bytes_per_sample(), uint8_t{0});
    return copy;
  }

 private:
  size_t first_byte(int component, int x, int y) const {
    const auto& c = layout_.component[component];
    return at(c.plane, y >> c.y_shift, (x >> c.x_shift) * c.step + c.offset);
  }
  size_t at(int plane, int y, int byte) const {
    return plane * plane_bytes_ + size_t(y) * stride_ + byte;
  }

  const Layout& layout_;
  int stride_;
  size_t plane_bytes_;
  std::vector<uint8_t> bytes_;
  mt::FrameView view_;
};

class Formats : public testing::TestWithParam<std::tuple<int, std::pair<int, int>>> {
 protected:
  const Layout& layout() const { return kLayouts[std::get<0>(GetParam())]; }
  int width() const { return std::get<1>(GetParam()).first; }
  int height() const { return std::get<1>(GetParam()).second; }
  /// The component in a depth of 8 bits or more; the matrix contains the half that rounds to 8
  /// bits.
  static int apply(const mt::ColorMatrix& c, int row, double a, double b, double d, int depth = 8) {
    const double level =
        (c.m[row][0] * a + c.m[row][1] * b + c.m[row][2] * d + c.offset[row]) / 65536 - 0.5;
    const double value = std::floor(level * std::exp2(depth - 8) + 0.5);
    return static_cast<int>(std::clamp(value, 0.0, std::exp2(depth) - 1));
  }
};

TEST_P(Formats, UnpackReadsEverySample) {
  const Frame frame(layout(), width(), height(), 5);
  const auto executor = mt::make_cpu_executor(2);
  mosaic::Picture picture(width(), height(), executor);
  const mt::Planes planes = picture.planes();
  executor->launch(mt::Unpack{frame.view(), planes, nullptr}, height());
  for (int y = 0; y < height(); ++y)
    for (int x = 0; x < width(); ++x)
      for (int i = 0; i < 3; ++i) {
        const bool gray = layout().kind == mt::PixelKind::kGray;
        const int a = frame.level(0, x, y), b = gray ? 128 : frame.level(1, x, y),
                  d = gray ? 128 : frame.level(2, x, y);
        const int expected = layout().kind == mt::PixelKind::kRgb
                                 ? frame.level(i, x, y)
                                 : apply(frame.view().to_rgb, i, a, b, d);
        ASSERT_EQ(expected, planes.plane[i][y * planes.stride + x])
            << layout().name << " " << x << "," << y << " " << i;
      }
}

TEST_P(Formats, PackWritesEverySampleAndNothingElse) {
  const Frame frame(layout(), width(), height(), 6);
  const std::vector<uint8_t> rest = frame.rest();
  const auto executor = mt::make_cpu_executor(2);
  mosaic::Picture picture(width(), height(), executor);
  const mt::Planes planes = picture.planes();
  std::mt19937 random(9);
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < planes.stride * height(); ++k)
      planes.plane[i][k] = static_cast<uint8_t>(random());
  mt::Pack pack{};
  pack.from = planes;
  pack.to = frame.view();
  executor->launch(pack, (height() + 1) / 2);
  const int depth = layout().depth;
  for (int i = 0; i < layout().components(); ++i) {
    const auto& c = layout().component[i];
    for (int y = 0; y < height(); y += 1 << c.y_shift)
      for (int x = 0; x < width(); x += 1 << c.x_shift) {
        double mean[3];
        for (int k = 0; k < 3; ++k) {
          int sum = 0, n = 0;
          for (int dy = 0; dy < 1 << c.y_shift; ++dy)
            for (int dx = 0; dx < 1 << c.x_shift; ++dx, ++n)
              sum += planes.plane[k][std::min(y + dy, height() - 1) * planes.stride +
                                     std::min(x + dx, width() - 1)];
          mean[k] = depth == 8 ? (sum + n / 2) / n : double(sum) / n;
        }
        const int expected =
            layout().kind == mt::PixelKind::kRgb
                ? planes.plane[i][y * planes.stride + x] * 257 >> (16 - depth)
                : apply(frame.view().from_rgb, i, mean[0], mean[1], mean[2], depth);
        ASSERT_EQ(expected, frame.sample(i, x, y)) << layout().name << " " << x << "," << y;
      }
  }
  EXPECT_EQ(rest, frame.rest()) << layout().name << ": padding or alpha was written";
}

INSTANTIATE_TEST_SUITE_P(All, Formats,
                         testing::Combine(testing::Range(0, int(std::size(kLayouts))),
                                          testing::Values(std::pair(1, 1), std::pair(2, 1),
                                                          std::pair(17, 13), std::pair(123, 33),
                                                          std::pair(64, 2))));

TEST(CopyFrame, ScalesPictureAndAlpha) {
  const auto executor = mt::make_cpu_executor(1);
  const Layout& rgba = kLayouts[2];
  const Frame in(rgba, 10, 8, 1), out(rgba, 20, 16, 2);
  mosaic::copy_frame(*executor, in.view(), out.view());
  for (int y = 0; y < 16; ++y)
    for (int x = 0; x < 20; ++x) {
      const auto& a = in.view().alpha;
      const auto& b = out.view().alpha;
      ASSERT_EQ(a.data[y / 2 * a.stride + x / 2 * 4], b.data[y * b.stride + x * 4]);
      for (int i = 0; i < 3; ++i) {  // bilinear between pixel centres
        const double sx = std::clamp((x + 0.5) / 2 - 0.5, 0.0, 9.0);
        const double sy = std::clamp((y + 0.5) / 2 - 0.5, 0.0, 7.0);
        const int x0 = int(sx), y0 = int(sy), x1 = std::min(x0 + 1, 9), y1 = std::min(y0 + 1, 7);
        const double top = in.sample(i, x0, y0) * (1 - sx + x0) + in.sample(i, x1, y0) * (sx - x0);
        const double low = in.sample(i, x0, y1) * (1 - sx + x0) + in.sample(i, x1, y1) * (sx - x0);
        ASSERT_NEAR(top * (1 - sy + y0) + low * (sy - y0), out.sample(i, x, y), 0.51);
      }
    }
}

TEST_P(Formats, AreCopiedAtTheSameSize) {
  const auto executor = mt::make_cpu_executor(1);
  const Frame in(layout(), width(), height(), 1), out(layout(), width(), height(), 2);
  const std::vector<uint8_t> rest = out.rest();
  mosaic::copy_frame(*executor, in.view(), out.view());
  for (int y = 0; y < height(); ++y)
    for (int x = 0; x < width(); ++x) {
      for (int i = 0; i < layout().components(); ++i)
        ASSERT_EQ(in.sample(i, x, y), out.sample(i, x, y)) << layout().name;
      const mt::Component &a = in.view().alpha, &b = out.view().alpha;
      if (b.data) {
        for (int k = 0; k < layout().bytes_per_sample(); ++k)
          ASSERT_EQ(a.data[y * a.stride + x * a.step + k], b.data[y * b.stride + x * b.step + k]);
      }
    }
  if (!out.view().alpha.data) {
    EXPECT_EQ(rest, out.rest()) << layout().name << ": padding was written";
  }
}

}  // namespace
