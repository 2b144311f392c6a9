// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Formats of more than 8 bits: the same mosaic as in the format of 8 bits that resembles them,
/// drawn in their own depth.
#include <set>

#include "tests/gst/harness.h"

namespace {

using namespace element_test;

struct Pair {
  const char *deep, *like;
};
void PrintTo(const Pair& pair, std::ostream* out) {
  *out << pair.deep;
}

class DeepFormat : public testing::TestWithParam<Pair> {
 protected:
  struct Result {
    GstVideoInfo info;
    Buffer in, out;
  };

  /// The mosaic of the test picture.
  static Result mosaic(const char* format, const std::string& more = {}) {
    Element element;
    EXPECT_TRUE(element.set_caps(video_caps(format, 161, 119, more)));
    Result result{video_info(format, 161, 119, more), nullptr, nullptr};
    result.in = make_frame(result.info);
    result.out = element.process(make_frame(result.info));
    return result;
  }
};

TEST_P(DeepFormat, GivesTheMosaicOf8BitsInItsOwnDepth) {
  Result deep = mosaic(GetParam().deep), plain = mosaic(GetParam().like);
  ASSERT_TRUE(deep.out && plain.out);
  Mapped a(deep.info, deep.out), b(plain.info, plain.out);
  const int depth = GST_VIDEO_INFO_COMP_DEPTH(&deep.info, 0);
  std::set<int> fractions;
  for (int c = 0; c < 3; ++c) {
    ASSERT_EQ(a.width(c), b.width(c));
    for (int y = 0; y < a.height(c); ++y)
      for (int x = 0; x < a.width(c); ++x) {
        const int sample = a.sample(c, x, y), levels = 1 << (depth - 8);
        ASSERT_NEAR(sample >> (depth - 8), b.sample(c, x, y), 1)
            << "component " << c << " at " << x << ", " << y;
        fractions.insert(sample % levels);
      }
  }
  EXPECT_GE(fractions.size(), 4U) << "the bits below the first 8 are not used";
}

TEST_P(DeepFormat, KeepsAlphaAndTheSourceToTheLastBit) {
  const GstVideoInfo info = video_info(GetParam().deep, 161, 119);
  Element element;
  element.set("mix", 0.0);
  ASSERT_TRUE(element.set_caps(video_caps(GetParam().deep, 161, 119)));
  Buffer in = make_frame(info, 0, 13);
  {
    Mapped mapped(info, in, GST_MAP_READWRITE);
    for (int c = 0; c < mapped.components(); ++c)
      for (int y = 0; y < mapped.height(c); ++y)
        for (int x = 0; x < mapped.width(c); ++x) {
          (&mapped.at(c, x, y))[0] = static_cast<uint8_t>(5 * x + y);
          (&mapped.at(c, x, y))[1] = static_cast<uint8_t>(3 * y + x);
        }
  }
  const std::vector<uint8_t> before = bytes_of(in);
  const Buffer out = element.process(std::move(in));
  ASSERT_TRUE(out);
  EXPECT_TRUE(bytes_of(out) == before);
}

// With a little of the mosaic, the picture passes through 8 bits of R, G and B and back.
TEST_P(DeepFormat, KeepsBlackGreyAndWhite) {
  for (const char* colorimetry : {"", "colorimetry=(string)1:3:5:1"}) {
    const GstVideoInfo info = video_info(GetParam().deep, 64, 48, colorimetry);
    const bool rgb = GST_VIDEO_INFO_IS_RGB(&info), full = rgb || *colorimetry;
    for (const int level : {full ? 0 : 16, 128, full ? 255 : 235}) {
      Element element;
      element.set("mix", 0.01, "profile-name", "plain");
      ASSERT_TRUE(element.set_caps(video_caps(GetParam().deep, 64, 48, colorimetry)));
      Buffer in = make_flat_frame(info, 128);
      {
        Mapped mapped(info, in, GST_MAP_READWRITE);
        for (int c = 0; c < (rgb ? 3 : 1); ++c)
          for (int y = 0; y < 48; ++y)
            for (int x = 0; x < 64; ++x) mapped.set(c, x, y, static_cast<uint8_t>(level));
      }
      const int expected = Mapped(info, in).sample(0, 0, 0);
      const Buffer out = element.process(std::move(in));
      ASSERT_TRUE(out);
      Mapped mapped(info, out);
      const int levels = 1 << (GST_VIDEO_INFO_COMP_DEPTH(&info, 0) - 8);
      for (int y = 0; y < 48; ++y)
        for (int x = 0; x < 64; ++x)
          ASSERT_NEAR(mapped.sample(0, x, y), expected, 4 * levels) << "level " << level;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, DeepFormat,
                         testing::Values(Pair{"P010_10LE", "NV12"}, Pair{"P016_LE", "NV12"},
                                         Pair{"I420_10LE", "I420"}, Pair{"ARGB64_LE", "ARGB"}),
                         testing::PrintToStringParamName());

}  // namespace
