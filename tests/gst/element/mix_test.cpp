// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The property mix: mosaics that are mixed with their source.
#include <gst/check/gsttestclock.h>
#include <gst/controller/gstdirectcontrolbinding.h>
#include <gst/controller/gstinterpolationcontrolsource.h>

#include <cmath>

#include "cpu/cpu_executor.h"
#include "gst/memory/frame_view.h"
#include "mosaic/engine/copy_frame.h"
#include "tests/gst/harness.h"
#include "tests/gst/memory/hostile_frames.h"

namespace {

using namespace element_test;
using Bytes = std::vector<uint8_t>;

constexpr int kWidth = 96, kHeight = 64, kFrames = 9;
constexpr GstClockTime kFrame = 40 * GST_MSECOND;  // see video_caps()

struct Clip {
  int width = kWidth, height = kHeight;  ///< of the output
  guint lookahead = 0;
  const char* format = "RGB";
};

void PrintTo(const Clip& clip, std::ostream* out) {
  *out << clip.format << clip.width << "x" << clip.height << " lookahead " << clip.lookahead;
}

/// All samples of a frame.
Bytes samples(const GstVideoInfo& info, const Buffer& frame) {
  Bytes all;
  for (int i = 0; i < static_cast<int>(GST_VIDEO_INFO_N_COMPONENTS(&info)); ++i) {
    const Bytes component = samples_of(info, frame, i);
    all.insert(all.end(), component.begin(), component.end());
  }
  return all;
}

/// What a frame would be without a mosaic: scaled as a pipeline scales it while photos load.
Bytes source(const Clip& clip, int number) {
  const GstVideoInfo in_info = video_info(clip.format, kWidth, kHeight);
  const GstVideoInfo out_info = video_info(clip.format, clip.width, clip.height);
  const Buffer in = make_frame(in_info, number), out = make_frame(out_info);
  {
    Mapped from(in_info, in), to(out_info, out, GST_MAP_WRITE);
    mosaic::copy_frame(*mt::make_cpu_executor(1), mosaic_gst::frame_view(*from.get()),
                       mosaic_gst::frame_view(*to.get()));
  }
  return samples(out_info, out);
}

void ramp_up(Element& element) {
  GstControlSource* ramp = gst_interpolation_control_source_new();
  g_object_set(ramp, "mode", GST_INTERPOLATION_MODE_LINEAR, nullptr);
  auto* times = GST_TIMED_VALUE_CONTROL_SOURCE(ramp);
  gst_timed_value_control_source_set(times, 0, 0.0);
  gst_timed_value_control_source_set(times, (kFrames - 1) * kFrame, 1.0);
  ASSERT_TRUE(gst_object_add_control_binding(
      GST_OBJECT(element.get()),
      gst_direct_control_binding_new(GST_OBJECT(element.get()), "mix", ramp)));
  gst_object_unref(ramp);
}

/// The frames of a clip, which moves and then stands still.
/// @param mix constant; negative: from 0 in the first frame to 1 in the last, by a controller
std::vector<Bytes> play(const Clip& clip, double mix) {
  Element element;
  element.set("tile-size", 16U, "lookahead", clip.lookahead);
  if (mix < 0)
    ramp_up(element);
  else
    element.set("mix", mix);
  const std::string size =
      "width=" + std::to_string(clip.width) + ",height=" + std::to_string(clip.height);
  element.set_sink_caps("video/x-raw," + size);
  EXPECT_TRUE(element.set_caps(video_caps(clip.format, kWidth, kHeight)));
  for (int i = 0; i < kFrames; ++i) {
    Buffer frame = make_frame(video_info(clip.format, kWidth, kHeight), std::min(i, 5));
    GST_BUFFER_PTS(frame.get()) = i * kFrame;
    EXPECT_EQ(element.push(std::move(frame)), GST_FLOW_OK);
  }
  gst_harness_push_event(element.harness(), gst_event_new_eos());
  std::vector<Bytes> frames;
  while (const Buffer frame{gst_harness_try_pull(element.harness())})
    frames.push_back(samples(element.output_info(), frame));
  EXPECT_EQ(frames.size(), size_t{kFrames});
  return frames;
}

class Mix : public testing::TestWithParam<Clip> {};

TEST_P(Mix, OfZeroIsTheSource) {
  const std::vector<Bytes> frames = play(GetParam(), 0);
  for (size_t i = 0; i < frames.size(); ++i)
    EXPECT_EQ(frames[i], source(GetParam(), std::min(static_cast<int>(i), 5))) << "frame " << i;
}

TEST_P(Mix, IsAnimatedByAController) {
  const std::vector<Bytes> mosaics = play(GetParam(), 1), mixed = play(GetParam(), -1);
  ASSERT_EQ(mosaics.size(), mixed.size());
  for (size_t i = 0; i < mixed.size(); ++i) {
    const Bytes from = source(GetParam(), std::min(static_cast<int>(i), 5));
    ASSERT_NE(from, mosaics[i]);
    ASSERT_EQ(from.size(), mixed[i].size());
    for (size_t k = 0; k < from.size(); ++k) {
      const double share = static_cast<double>(i) / (kFrames - 1);  // in eighths: exact
      ASSERT_EQ(std::floor(from[k] + (mosaics[i][k] - from[k]) * share + 0.5), mixed[i][k])
          << "byte " << k << " of frame " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Clips, Mix,
                         testing::Values(Clip{}, Clip{200, 130}, Clip{kWidth, kHeight, 3},
                                         Clip{50, 40, 2}));

// In other formats it would differ if it were converted to R, G, B and back.
TEST(MixedFrames, AreTheSourceToTheByteInEveryFormat) {
  for (const auto& family : format_families())
    for (const std::string& format : family) {
      Clip clip;
      clip.format = format.c_str();
      const std::vector<Bytes> frames = play(clip, 0);
      const GstVideoInfo info = video_info(format, kWidth, kHeight);
      ASSERT_EQ(frames.size(), size_t{kFrames});
      for (const int i : {0, 3})
        EXPECT_TRUE(frames[i] == samples(info, make_frame(info, i))) << format << ", frame " << i;
    }
}

// A cropped frame is drawn to another buffer.
TEST(MixedFrames, AreTheSourceInAnotherBufferToo) {
  constexpr Crop kCrop{13, 7, 67, 49};
  const GstVideoInfo large = video_info("I420", kWidth, kHeight);
  Element element;
  element.set("mix", 0.0, "tile-size", 16U);
  ASSERT_TRUE(element.set_caps(video_caps("I420", kCrop.width, kCrop.height)));
  Buffer frame = make_frame(large, 1, 5);
  const GstVideoInfo small = video_info("I420", kCrop.width, kCrop.height);
  const Bytes expected = samples(small, cropped_copy("I420", large, frame, kCrop));
  add_crop_meta(frame.get(), kCrop);
  const Buffer out = element.process(std::move(frame));
  ASSERT_TRUE(out);
  EXPECT_TRUE(samples(small, out) == expected);
}

// The mosaic that is repeated is mixed with the frame that is late.
TEST(MixedFrames, AreMixedWithTheirOwnSourceWhenTheMosaicIsRepeated) {
  Element element(true);
  element.set("mix", 0.0, "tile-size", 16U);
  gst_harness_use_testclock(element.harness());
  const GstVideoInfo info = video_info("RGB", kWidth, kHeight);
  ASSERT_TRUE(element.set_caps(video_caps("RGB", kWidth, kHeight)));
  while (element.stat<guint64>("frames") == 0) ASSERT_TRUE(element.process(make_frame(info, 0)));
  gst_harness_push_upstream_event(element.harness(), gst_event_new_latency(kFrame));
  gst_harness_push_upstream_event(element.harness(),
                                  gst_event_new_qos(GST_QOS_TYPE_UNDERFLOW, 1, GST_MSECOND, 0));
  gst_harness_set_time(element.harness(), 2 * kFrame + GST_MSECOND);
  const Buffer late = element.process(make_frame(info, 1));
  ASSERT_TRUE(late);
  EXPECT_EQ(element.stat<guint64>("repeated"), 1U);
  EXPECT_EQ(bytes_of(late), bytes_of(make_frame(info, 1)));
}

}  // namespace
