// SPDX-License-Identifier: LGPL-2.1-or-later
// The kernels' view of a GstVideoFrame: the layout of every format, colour matrices in fixed point.
#include "gst/memory/frame_view.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>

#include "tests/gst/harness.h"

namespace {

using namespace element_test;

int apply(const mt::ColorMatrix& matrix, int row, const std::array<int, 3>& in) {
  const int sum = matrix.m[row][0] * in[0] + matrix.m[row][1] * in[1] + matrix.m[row][2] * in[2] +
                  matrix.offset[row];
  return std::clamp(sum >> 16, 0, 255);
}

struct Standard {
  const char* colorimetry;
  double kr, kb;
  bool full_range;
};

// ITU-R BT.601-7, BT.709-6, BT.2020-2 and SMPTE 240M.
const Standard kStandards[] = {
    {"bt601", 0.299, 0.114, false},    {"bt709", 0.2126, 0.0722, false},
    {"bt2020", 0.2627, 0.0593, false}, {"smpte240m", 0.212, 0.087, false},
    {"1:4:0:0", 0.299, 0.114, true},   {"1:3:5:1", 0.2126, 0.0722, true}};

class ColorTransform : public testing::TestWithParam<Standard> {
 protected:
  mosaic_gst::ColorTransforms transforms() const {
    return mosaic_gst::color_transforms(
        video_info("I420", 64, 48, std::string("colorimetry=(string)") + GetParam().colorimetry));
  }
};

TEST_P(ColorTransform, ToRgbIsWithinOneLevelOfTheFormula) {
  const Standard s = GetParam();
  const mosaic_gst::ColorTransforms t = transforms();
  const double luma = s.full_range ? 255 : 219, chroma = s.full_range ? 255 : 224;
  const double black = s.full_range ? 0 : 16, kg = 1 - s.kr - s.kb;
  for (const auto& row : t.to_rgb.m) EXPECT_EQ(row[0], t.to_rgb.m[0][0]) << "as kernels expect";
  EXPECT_EQ(t.to_rgb.m[0][1], 0);
  EXPECT_EQ(t.to_rgb.m[2][2], 0);
  for (int y = 0; y < 256; y += 5)
    for (int u = 0; u < 256; u += 15)
      for (int v = 0; v < 256; v += 15) {
        const double l = (y - black) / luma, cb = (u - 128) / chroma, cr = (v - 128) / chroma;
        const double rgb[] = {l + 2 * (1 - s.kr) * cr,
                              l - 2 * (1 - s.kb) * s.kb / kg * cb - 2 * (1 - s.kr) * s.kr / kg * cr,
                              l + 2 * (1 - s.kb) * cb};
        for (int i = 0; i < 3; ++i)
          ASSERT_NEAR(apply(t.to_rgb, i, {y, u, v}), std::clamp(255 * rgb[i], 0.0, 255.0), 0.51)
              << s.colorimetry << " y " << y << " u " << u << " v " << v << " row " << i;
      }
}

TEST_P(ColorTransform, FromRgbIsWithinOneLevelOfTheFormula) {
  const Standard s = GetParam();
  const mosaic_gst::ColorTransforms t = transforms();
  const double luma = s.full_range ? 255 : 219, chroma = s.full_range ? 255 : 224;
  const double black = s.full_range ? 0 : 16;
  for (int r = 0; r < 256; r += 15)
    for (int g = 0; g < 256; g += 15)
      for (int b = 0; b < 256; b += 15) {
        const double y = (s.kr * r + (1 - s.kr - s.kb) * g + s.kb * b) / 255;
        const double yuv[] = {black + luma * y, 128 + chroma * (b / 255.0 - y) / (2 * (1 - s.kb)),
                              128 + chroma * (r / 255.0 - y) / (2 * (1 - s.kr))};
        for (int i = 0; i < 3; ++i)
          ASSERT_NEAR(apply(t.from_rgb, i, {r, g, b}), std::clamp(yuv[i], 0.0, 255.0), 0.51)
              << s.colorimetry << " r " << r << " g " << g << " b " << b << " row " << i;
      }
}

TEST_P(ColorTransform, RoundTripKeepsGreys) {
  const mosaic_gst::ColorTransforms t = transforms();
  const int black = GetParam().full_range ? 0 : 16, white = GetParam().full_range ? 255 : 235;
  for (int y = black; y <= white; ++y) {
    const std::array<int, 3> yuv = {y, 128, 128};
    const std::array<int, 3> rgb = {apply(t.to_rgb, 0, yuv), apply(t.to_rgb, 1, yuv),
                                    apply(t.to_rgb, 2, yuv)};
    EXPECT_EQ(rgb[0], rgb[1]);
    EXPECT_EQ(rgb[0], rgb[2]);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(apply(t.from_rgb, i, rgb), yuv[i]) << "luma " << y;
  }
}

TEST_P(ColorTransform, CoefficientsFitTheRangeOfTheKernels) {
  const mosaic_gst::ColorTransforms t = transforms();
  for (const mt::ColorMatrix* matrix : {&t.to_rgb, &t.from_rgb})
    for (const auto& row : matrix->m)
      for (const int value : row) EXPECT_LE(std::abs(value), 1 << 18);
}

INSTANTIATE_TEST_SUITE_P(Standards, ColorTransform, testing::ValuesIn(kStandards));

bool same(const mt::ColorMatrix& a, const mt::ColorMatrix& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

TEST(ColorTransforms, UnknownColorimetryFollowsTheFrameSize) {
  const auto transforms = [](int width, int height, const char* more) {
    return mosaic_gst::color_transforms(video_info("I420", width, height, more)).to_rgb;
  };
  const mt::ColorMatrix bt601 = transforms(64, 48, "colorimetry=(string)bt601");
  const mt::ColorMatrix bt709 = transforms(64, 48, "colorimetry=(string)bt709");
  ASSERT_FALSE(same(bt601, bt709));
  EXPECT_TRUE(same(transforms(720, 576, ""), bt601));
  EXPECT_TRUE(same(transforms(1920, 1080, ""), bt709));
  // Matrix unknown (0) and RGB (1), range unknown (0).
  EXPECT_TRUE(same(transforms(720, 576, "colorimetry=(string)0:0:0:0"), bt601));
  EXPECT_TRUE(same(transforms(720, 576, "colorimetry=(string)2:1:0:0"), bt601));
  EXPECT_TRUE(same(transforms(1920, 1080, "colorimetry=(string)0:0:0:0"), bt709));
}

TEST(ColorTransforms, GreyFormatIsLumaWithNeutralChroma) {
  const auto full = mosaic_gst::color_transforms(video_info("GRAY8", 64, 48));
  for (int y = 0; y < 256; ++y)
    for (int i = 0; i < 3; ++i) EXPECT_EQ(apply(full.to_rgb, i, {y, 128, 128}), y);
  EXPECT_EQ(apply(full.from_rgb, 0, {255, 0, 0}), 76);  // 0.299 * 255
  const auto limited =
      mosaic_gst::color_transforms(video_info("GRAY8", 64, 48, "colorimetry=(string)bt601"));
  EXPECT_EQ(apply(limited.to_rgb, 0, {16, 128, 128}), 0);
  EXPECT_EQ(apply(limited.to_rgb, 1, {235, 128, 128}), 255);
}

TEST(FrameView, AddressesEverySampleOfEveryFormat) {
  for (const auto& family : format_families())
    for (const auto& format : family)
      for (const int extra : {0, 13}) {
        const GstVideoInfo info = video_info(format, 17, 13);
        const Buffer buffer = make_frame(info, 2, extra);
        Mapped mapped(info, buffer);
        const mt::FrameView view = mosaic_gst::frame_view(*mapped.get());
        EXPECT_EQ(view.width, 17);
        EXPECT_EQ(view.height, 13);
        const int components = view.kind == mt::PixelKind::kGray ? 1 : 3;
        for (int c = 0; c < components; ++c) {
          const mt::Component& p = view.component[c];
          for (int y = 0; y < 13; ++y)
            for (int x = 0; x < 17; ++x)
              ASSERT_EQ(p.data[(y >> p.y_shift) * p.stride + (x >> p.x_shift) * p.step],
                        picture_sample(c, x >> p.x_shift, y >> p.y_shift, 2))
                  << format << " component " << c << " at " << x << ", " << y;
        }
        // An unused byte counts as alpha.
        const bool has_unused = format.find('x') != std::string::npos;
        EXPECT_EQ(view.alpha.data != nullptr, mapped.components() == 4 || has_unused) << format;
        if (mapped.components() == 4) {
          EXPECT_EQ(view.alpha.data[5 * view.alpha.step], mapped.at(3, 5, 0)) << format;
        }
        if (has_unused) {
          EXPECT_EQ(view.alpha.data, &mapped.at(0, 0, 0) + (format == "xRGB"   ? -1
                                                            : format == "RGBx" ? 3
                                                                               : 1))
              << format;
        }
      }
}

TEST(FrameView, KindFollowsTheFormat) {
  const auto kind = [](const char* format) {
    const GstVideoInfo info = video_info(format, 16, 16);
    const Buffer buffer = make_frame(info);
    Mapped mapped(info, buffer);
    return mosaic_gst::frame_view(*mapped.get()).kind;
  };
  EXPECT_EQ(kind("xRGB"), mt::PixelKind::kRgb);
  EXPECT_EQ(kind("NV12"), mt::PixelKind::kYuv);
  EXPECT_EQ(kind("GRAY8"), mt::PixelKind::kGray);
}

}  // namespace
