// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Every format, and odd sizes: which bytes the element may change, and that formats that hold the
/// same picture give the same mosaic.
#include <cstring>
#include <map>

#include "tests/gst/harness.h"
#include "tests/mosaic/simd_levels.h"
#include "tests/sampling.h"

namespace {

// Formats and looks are independent, and under a sanitizer the look vivid_b takes minutes.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr char kProfile[] = "plain";
#else
constexpr char kProfile[] = "vivid_b";
#endif

using namespace element_test;

struct Size {
  int width, height;
};
void PrintTo(const Size& size, std::ostream* out) {
  *out << size.width << "x" << size.height;
}

// Marks the bytes that hold a sample of R, G, B or Y, U, V.
std::vector<bool> sample_bytes(const GstVideoInfo& info, const Buffer& buffer) {
  GstMapInfo map;
  std::vector<bool> marks(gst_buffer_get_size(buffer.get()));
  std::vector<std::pair<int, size_t>> places;
  gst_buffer_map(buffer.get(), &map, GST_MAP_READ);
  {
    Mapped mapped(info, buffer);
    for (int c = 0; c < std::min(mapped.components(), 3); ++c)
      for (int y = 0; y < mapped.height(c); ++y)
        for (int x = 0; x < mapped.width(c); ++x) marks[&mapped.at(c, x, y) - map.data] = true;
  }
  gst_buffer_unmap(buffer.get(), &map);
  return marks;
}

class Formats : public testing::TestWithParam<Size> {};

TEST_P(Formats, OfAFamilyGiveOneMosaicAndKeepOtherBytes) {
  const auto [width, height] = GetParam();
  for (const auto& family : format_families()) {
    std::map<int, std::vector<uint8_t>> first;
    for (const auto& format : sampling::sample(family, width < 1000 ? 1 : 4)) {
      SCOPED_TRACE(format);
      const GstVideoInfo info = video_info(format, width, height);
      const int extra_stride = format == "BGR" || format == "NV12" || format == "UYVY" ? 13 : 0;
      Element element;
      element.set("tile-size", width < 64 ? 8U : 0U, "profile-name", kProfile);
      ASSERT_TRUE(element.set_caps(video_caps(format, width, height)));
      Buffer in = make_frame(info, 0, extra_stride);
      const std::vector<uint8_t> before = bytes_of(in);
      const std::vector<bool> marks = sample_bytes(info, in);
      const Buffer out = element.process(std::move(in));
      ASSERT_TRUE(out);
      const std::vector<uint8_t> after = bytes_of(out);
      ASSERT_EQ(after.size(), before.size());
      size_t foreign = 0, changed = 0;
      for (size_t i = 0; i < after.size(); ++i)
        if (after[i] != before[i]) ++(marks[i] ? changed : foreign);
      EXPECT_EQ(foreign, 0U) << "alpha or padding was written";
      EXPECT_GT(changed + (width == 1), 0U) << "the picture is unchanged";
      const int components = std::min<int>(GST_VIDEO_INFO_N_COMPONENTS(&info), 3);
      for (int c = 0; c < components; ++c) {
        const std::vector<uint8_t> samples = samples_of(info, out, c);
        if (format == family.front())
          first[c] = samples;
        else
          EXPECT_TRUE(samples == first[c])
              << "component " << c << " is not " << family.front() << "'s";
      }
    }
  }
}

std::vector<Size> sizes() {
  std::vector<Size> all{{1, 1}, {17, 13}, {319, 239}};
// Under a sanitizer this takes minutes and tests nothing more.
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
  all.push_back({1918, 1078});
#endif
  return all;
}
INSTANTIATE_TEST_SUITE_P(Sizes, Formats, testing::ValuesIn(sizes()),
                         testing::PrintToStringParamName());

TEST(Picture, HasStructureInAFlatFrame) {
  const GstVideoInfo info = video_info("RGB", 320, 240);
  Element element;
  element.set("tile-size", 40U, "profile-name", kProfile);
  ASSERT_TRUE(element.set_caps(video_caps("RGB", 320, 240)));
  const Buffer out = element.process(make_flat_frame(info, 128));
  ASSERT_TRUE(out);
  Mapped mapped(info, out);
  for (int row = 0; row < 6; ++row)
    for (int column = 0; column < 8; ++column) {
      int lowest = 255, highest = 0;
      for (int y = 0; y < 40; ++y)
        for (int x = 0; x < 40; ++x) {
          const int value = mapped.at(1, column * 40 + x, row * 40 + y);
          lowest = std::min(lowest, value), highest = std::max(highest, value);
        }
      EXPECT_GE(highest - lowest, 8) << "cell " << column << ", " << row << " is flat";
    }
}

// Extreme shapes: a single row or column of 2048 cells of 8 px.
TEST(Picture, CoversFramesOfExtremeShape) {
  for (const Size size : {Size{16384, 8}, Size{8, 16384}})
    for (const char* format : {"I420", "RGBA"}) {
      const GstVideoInfo info = video_info(format, size.width, size.height);
      Element element;
      element.set("tile-size", 8U, "profile-name", kProfile);
      ASSERT_TRUE(element.set_caps(video_caps(format, size.width, size.height)));
      const Buffer in = make_frame(info);
      const Buffer out = element.process(make_frame(info));
      ASSERT_TRUE(out);
      EXPECT_EQ(element.stat<guint>("cells"), 2048U);
      Mapped before(info, in), after(info, out);
      int changed = 0;
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j)
          changed += before.at(0, size.width - 1 - i, size.height - 1 - j) !=
                     after.at(0, size.width - 1 - i, size.height - 1 - j);
      EXPECT_GT(changed, 0) << "the last cell of " << format << " is unchanged";
    }
}

std::vector<uint8_t> three_frames(unsigned threads) {
  const GstVideoInfo info = video_info("NV12", 319, 239);
  Element element;
  element.set("n-threads", threads, "size", "300", "profile-name", kProfile);
  EXPECT_TRUE(element.set_caps(video_caps("NV12", 319, 239)));
  std::vector<uint8_t> all;
  for (int frame = 0; frame < 3; ++frame) {
    const Buffer out = element.process(make_frame(info, frame));
    EXPECT_TRUE(out);
    const std::vector<uint8_t> bytes = bytes_of(out);
    all.insert(all.end(), bytes.begin(), bytes.end());
  }
  return all;
}

TEST(SameBytes, ForAnyNumberOfThreads) {
  const std::vector<uint8_t> one = three_frames(1);
  EXPECT_TRUE(three_frames(2) == one);
  EXPECT_TRUE(three_frames(7) == one);
}

TEST(SameBytes, ForEveryInstructionSet) {
  g_setenv("MOSAICTEMPORAL_SIMD", "v2", TRUE);
  const std::vector<uint8_t> v2 = three_frames(2);
  for (const char* level : {"v3", "v4"}) {
    g_setenv("MOSAICTEMPORAL_SIMD", level, TRUE);
    EXPECT_TRUE(three_frames(2) == v2) << level;
  }
  g_unsetenv("MOSAICTEMPORAL_SIMD");
  SKIP_WITHOUT_ALL_SIMD_LEVELS();
}

TEST(InPlace, OutputsTheInputBuffer) {
  Element element;
  ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
  element.expect_in_place(make_frame(video_info("I420", 64, 48)));
}

TEST(InPlace, DoesNotModifyASharedBuffer) {
  const GstVideoInfo info = video_info("RGBA", 64, 48);
  Element element;
  ASSERT_TRUE(element.set_caps(video_caps("RGBA", 64, 48)));
  const Buffer kept = make_frame(info);
  const std::vector<uint8_t> before = bytes_of(kept);
  const Buffer out = element.process(Buffer(gst_buffer_ref(kept.get())));
  ASSERT_TRUE(out);
  EXPECT_TRUE(bytes_of(kept) == before);
  EXPECT_FALSE(bytes_of(out) == before);
}

TEST(Scaled, OutputHasTheSizeOfDownstreamsCaps) {
  for (const auto& family : format_families())
    for (const auto& format : family) {
      SCOPED_TRACE(format);
      Element element;
      element.set_sink_caps("video/x-raw,width=640,height=480");
      ASSERT_TRUE(
          element.set_caps(video_caps(format, 160, 120, "pixel-aspect-ratio=(fraction)4/3")));
      const Buffer out = element.process(
          make_frame(video_info(format, 160, 120, "pixel-aspect-ratio=(fraction)4/3")));
      ASSERT_TRUE(out);
      const GstVideoInfo info = element.output_info();
      EXPECT_EQ(GST_VIDEO_INFO_WIDTH(&info), 640);
      EXPECT_EQ(GST_VIDEO_INFO_HEIGHT(&info), 480);
      EXPECT_EQ(GST_VIDEO_INFO_NAME(&info), format);
      EXPECT_EQ(GST_VIDEO_INFO_PAR_N(&info), 4);
      EXPECT_EQ(gst_buffer_get_size(out.get()), GST_VIDEO_INFO_SIZE(&info));
      const std::vector<uint8_t> samples = samples_of(info, out, 0);
      EXPECT_NE(*std::min_element(samples.begin(), samples.end()),
                *std::max_element(samples.begin(), samples.end()));
    }
}

TEST(Scaled, AlphaIsKept) {
  Element element;
  element.set_sink_caps("video/x-raw,width=128,height=96");
  ASSERT_TRUE(element.set_caps(video_caps("RGBA", 64, 48)));
  const GstVideoInfo in_info = video_info("RGBA", 64, 48);
  Buffer in = make_frame(in_info);
  {
    Mapped mapped(in_info, in, GST_MAP_READWRITE);
    for (int y = 0; y < 48; ++y)
      for (int x = 0; x < 64; ++x) mapped.at(3, x, y) = 77;
  }
  const Buffer out = element.process(std::move(in));
  ASSERT_TRUE(out);
  for (const uint8_t alpha : samples_of(element.output_info(), out, 3)) ASSERT_EQ(alpha, 77);
}

TEST(Scaled, MissingSideKeepsTheAspectRatio) {
  Element element;
  element.set_sink_caps("video/x-raw,width=640");
  ASSERT_TRUE(element.set_caps(video_caps("I420", 160, 90)));
  ASSERT_TRUE(element.process(make_frame(video_info("I420", 160, 90))));
  const GstVideoInfo info = element.output_info();
  EXPECT_EQ(GST_VIDEO_INFO_WIDTH(&info), 640);
  EXPECT_EQ(GST_VIDEO_INFO_HEIGHT(&info), 360);
}

TEST(Caps, AllowAnyFrameRateButOnlyProgressive) {
  for (const char* rate : {"0/1", "30000/1001", "1000/1"}) {
    Element element;
    Caps caps = video_caps("I420", 64, 48);
    gst_caps_set_value(caps.get(), "framerate", [rate] {
      static GValue value = G_VALUE_INIT;
      if (!G_VALUE_HOLDS(&value, GST_TYPE_FRACTION)) g_value_init(&value, GST_TYPE_FRACTION);
      gst_value_deserialize(&value, rate);
      return &value;
    }());
    ASSERT_TRUE(element.set_caps(caps)) << rate;
    EXPECT_TRUE(element.process(make_frame(video_info("I420", 64, 48)))) << rate;
  }
  for (const char* mode : {"interleaved", "mixed", "fields"}) {
    Element element;
    EXPECT_FALSE(
        element.set_caps(video_caps("I420", 64, 48, std::string("interlace-mode=(string)") + mode)))
        << mode;
  }
  Element element;
  EXPECT_TRUE(element.set_caps(video_caps("I420", 64, 48, "interlace-mode=(string)progressive")));
}

TEST(Caps, KeepColorimetry) {
  Element element;
  ASSERT_TRUE(element.set_caps(
      video_caps("I420", 64, 48, "colorimetry=(string)bt709,chroma-site=(string)jpeg")));
  ASSERT_TRUE(element.process(make_frame(video_info("I420", 64, 48))));
  const GstVideoInfo info = element.output_info();
  EXPECT_EQ(GST_VIDEO_INFO_COLORIMETRY(&info).matrix, GST_VIDEO_COLOR_MATRIX_BT709);
  EXPECT_EQ(GST_VIDEO_INFO_CHROMA_SITE(&info), GST_VIDEO_CHROMA_SITE_JPEG);
}

}  // namespace
