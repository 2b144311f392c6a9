// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Frames for tests of the element: cropped ones, and ones whose metadata contradict their caps.
#pragma once

#include <climits>
#include <functional>

#include "tests/gst/harness.h"

namespace element_test {

/// The visible part of a larger frame.
struct Crop {
  guint x, y, width, height;
};

inline void add_crop_meta(GstBuffer* buffer, const Crop& crop) {
  GstVideoCropMeta* meta = gst_buffer_add_video_crop_meta(buffer);
  meta->x = crop.x, meta->y = crop.y;
  meta->width = crop.width, meta->height = crop.height;
}

/// A new frame with the samples of a part of `buffer`, whose layout is `large`. In a format that
/// packs luma and chroma the part begins at an even pixel.
inline Buffer cropped_copy(const std::string& format, const GstVideoInfo& large,
                           const Buffer& buffer, const Crop& crop) {
  const auto width = static_cast<int>(crop.width), height = static_cast<int>(crop.height);
  const GstVideoInfo small = video_info(format, width, height);
  Buffer copy = make_frame(small);
  Mapped from(large, buffer), to(small, copy, GST_MAP_READWRITE);
  const bool packed = GST_VIDEO_INFO_IS_YUV(&small) && GST_VIDEO_INFO_N_PLANES(&small) == 1 &&
                      GST_VIDEO_FORMAT_INFO_W_SUB(small.finfo, 1) > 0;
  for (int c = 0; c < to.components(); ++c) {
    const auto x0 = static_cast<int>((packed ? crop.x & ~1U : crop.x) >>
                                     GST_VIDEO_FORMAT_INFO_W_SUB(small.finfo, c));
    const auto y0 = static_cast<int>(crop.y >> GST_VIDEO_FORMAT_INFO_H_SUB(small.finfo, c));
    for (int y = 0; y < to.height(c); ++y)
      for (int x = 0; x < to.width(c); ++x) to.at(c, x, y) = from.at(c, x0 + x, y0 + y);
  }
  return copy;
}

/// A change that makes an I420 frame of 64x48 contradict its caps, and a part of the error message.
struct Contradiction {
  const char* name;
  const char* word;
  std::function<void(GstBuffer*, GstVideoMeta*)> apply;
};
inline void PrintTo(const Contradiction& contradiction, std::ostream* out) {
  *out << contradiction.name;
}

inline std::vector<Contradiction> contradictions() {
  using Meta = GstVideoMeta*;
  // A part of a frame of another size.
  const auto part = [](guint width, guint height, const Crop& crop) {
    return [=](GstBuffer* buffer, Meta m) {
      m->width = width, m->height = height;
      add_crop_meta(buffer, crop);
    };
  };
  return {
      {"TooWide", "65x48", [](GstBuffer*, Meta m) { m->width = 65; }},
      {"TooHigh", "64x4800", [](GstBuffer*, Meta m) { m->height = 4800; }},
      {"TooNarrow", "32x48", [](GstBuffer*, Meta m) { m->width = 32; }},
      {"TooLow", "64x0", [](GstBuffer*, Meta m) { m->height = 0; }},
      {"OtherFormat", "NV12", [](GstBuffer*, Meta m) { m->format = GST_VIDEO_FORMAT_NV12; }},
      {"NoFormat", "an unknown format, 64x48",
       [](GstBuffer*, Meta m) { m->format = GST_VIDEO_FORMAT_UNKNOWN; }},
      {"TwoPlanes", "2 planes", [](GstBuffer*, Meta m) { m->n_planes = 2; }},
      {"FourPlanes", "4 planes", [](GstBuffer*, Meta m) { m->n_planes = 4; }},
      {"NoPlanes", "0 planes", [](GstBuffer*, Meta m) { m->n_planes = 0; }},
      {"OffsetBeyondMemory", "memory", [](GstBuffer*, Meta m) { m->offset[2] = 1U << 30; }},
      {"HugeOffset", "memory", [](GstBuffer*, Meta m) { m->offset[1] = SIZE_MAX - 3; }},
      {"OffsetNearTheEnd", "plane 1",
       [](GstBuffer* b, Meta m) { m->offset[1] = gst_buffer_get_size(b) - 10; }},
      {"NegativeStride", "stride of -72", [](GstBuffer*, Meta m) { m->stride[0] = -72; }},
      {"SmallestStride", "stride of", [](GstBuffer*, Meta m) { m->stride[2] = INT_MIN; }},
      {"ShortStride", "stride of 8", [](GstBuffer*, Meta m) { m->stride[1] = 8; }},
      {"NoStride", "stride of 0", [](GstBuffer*, Meta m) { m->stride[0] = 0; }},
      {"HugeStride", "plane 0 needs", [](GstBuffer*, Meta m) { m->stride[0] = INT_MAX; }},
      {"CropOfAnotherSize", "GstVideoCropMeta says 63x48", part(80, 48, {0, 0, 63, 48})},
      {"CropBeyondTheFrame", "at (17, 0)", part(80, 48, {17, 0, 64, 48})},
      {"CropFarBeyondTheFrame", "at (0, 4294967295)", part(64, 49, {0, UINT_MAX, 64, 48})},
      {"CropOfAFrameThatIsNotThere", "plane 0 needs", part(64, 4800, {0, 4000, 64, 48})},
      {"CropOfASmallerFrame", "48x48", part(48, 48, {0, 0, 64, 48})},
  };
}

/// Pushes a frame that contradicts its caps. Expects one error, which says what is wrong and what
/// to do, and no output.
inline void expect_rejected(Element& element, Buffer buffer, const Contradiction& contradiction) {
  contradiction.apply(buffer.get(), gst_buffer_get_video_meta(buffer.get()));
  EXPECT_EQ(element.push(std::move(buffer)), GST_FLOW_ERROR);
  const Element::Report report = element.pop_report(GST_MESSAGE_ERROR);
  EXPECT_EQ(report.domain, GST_RESOURCE_ERROR);
  EXPECT_EQ(report.code, GST_RESOURCE_ERROR_READ);
  for (const std::string part :
       {"does not fit its caps", contradiction.word, "fault of the element"})
    EXPECT_NE(report.text.find(part), std::string::npos) << report.text;
  EXPECT_EQ(element.pop_report(GST_MESSAGE_ERROR).text, "") << "a second error";
}

}  // namespace element_test
