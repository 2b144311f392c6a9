// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Negotiation of CUDA memory, and whole pipelines with GStreamer's own elements around ours.
#include <mutex>

#include "tests/gst/cuda_frames.h"

namespace {

using namespace element_test;

TEST(CudaCaps, TemplatesListEveryFormat) {
  Element element;
  for (const char* name : {"sink", "src"}) {
    GstPad* pad = gst_element_get_static_pad(element.get(), name);
    const Caps caps(gst_pad_get_pad_template_caps(pad));
    gst_object_unref(pad);
    for (const auto& format : cuda_formats())
      for (const int side : {1, 16384})
        EXPECT_TRUE(gst_caps_is_subset(cuda_caps(format, side, side).get(), caps.get())) << format;
    for (const char* format : {"P010_10BE", "RGBx", "GRAY8"})
      EXPECT_FALSE(gst_caps_is_subset(cuda_caps(format, 16, 16).get(), caps.get())) << format;
  }
}

TEST(CudaCaps, OutputHasTheMemoryOfTheInput) {
  for (const bool cuda : {false, true}) {
    Element element;
    ASSERT_TRUE(element.set_caps(cuda ? cuda_caps("NV12", 64, 48) : video_caps("NV12", 64, 48)));
    const Caps caps(gst_pad_get_current_caps(element.harness()->sinkpad));
    ASSERT_TRUE(caps);
    EXPECT_EQ(gst_caps_features_contains(gst_caps_get_features(caps.get(), 0),
                                         GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY),
              cuda);
  }
  Element element;
  element.set_sink_caps("video/x-raw(memory:CUDAMemory)");
  EXPECT_FALSE(element.set_caps(video_caps("NV12", 64, 48)));
  element.set_sink_caps("video/x-raw");
  EXPECT_FALSE(element.set_caps(cuda_caps("NV12", 64, 48)));
}

TEST(CudaCaps, MayChangeMidStream) {
  Cuda cuda;
  Element element;
  element.set("tile-size", 8U);
  cuda.give_to(element.get());
  struct {
    bool cuda;
    const char* format;
    int width, height;
  } const steps[] = {{true, "I420", 64, 48},  {true, "RGBA", 65, 47},  {false, "RGBA", 65, 47},
                     {true, "RGBA", 65, 47},  {false, "GRAY8", 33, 7}, {true, "NV12", 1, 1},
                     {true, "BGRP", 128, 96}, {true, "I420", 64, 48}};
  guint64 frames = 0;
  for (const auto& s : steps) {
    SCOPED_TRACE(std::string(s.format) + " " + std::to_string(s.width) + "x" +
                 std::to_string(s.height) + (s.cuda ? " in CUDA memory" : ""));
    const GstVideoInfo info = video_info(s.format, s.width, s.height);
    ASSERT_TRUE(element.set_caps(s.cuda ? cuda_caps(s.format, s.width, s.height)
                                        : video_caps(s.format, s.width, s.height)));
    for (int frame = 0; frame < 2; ++frame) {
      Buffer in = make_frame(info, frame);
      const Buffer out = element.process(s.cuda ? cuda.upload(info, in) : std::move(in));
      ASSERT_TRUE(out) << element.pop_report(GST_MESSAGE_ERROR).text;
      EXPECT_EQ(in_cuda_memory(out), s.cuda);
      EXPECT_EQ(element.stat<guint64>("frames"), ++frames);
    }
    const Structure stats = element.stats();
    EXPECT_STREQ(gst_structure_get_string(stats.get(), "device"), s.cuda ? "cuda" : "cpu");
  }
}

TEST(CudaCaps, DeviceChangesTakeEffectAtTheNextStart) {
  Cuda cuda;
  const GstVideoInfo info = video_info("NV12", 64, 48);
  Element element;
  for (const char* device : {"auto", "cpu", "cuda", "auto"}) {
    gst_element_set_state(element.get(), GST_STATE_READY);
    gst_util_set_object_arg(G_OBJECT(element.get()), "device", device);
    gst_element_set_state(element.get(), GST_STATE_PLAYING);
    cuda.give_to(element.get());
    gst_harness_push_event(element.harness(), gst_event_new_stream_start("again"));
    ASSERT_TRUE(element.set_caps(cuda_caps("NV12", 64, 48)));
    ASSERT_TRUE(element.process(cuda.upload(info, make_frame(info))));
    const Structure stats = element.stats();
    EXPECT_STREQ(gst_structure_get_string(stats.get(), "device"),
                 g_str_equal(device, "cpu") ? "cpu" : "cuda");
  }
}

// The log says which memory was negotiated, so that users notice if frames leave the GPU's memory.
TEST(CudaCaps, TheNegotiatedMemoryIsLogged) {
  static std::mutex mutex;
  static std::string log;
  const GstLogFunction collect = [](GstDebugCategory*, GstDebugLevel level, const gchar*,
                                    const gchar*, gint, GObject*, GstDebugMessage* message,
                                    gpointer) {
    const std::lock_guard lock(mutex);
    if (level == GST_LEVEL_INFO) log += std::string(gst_debug_message_get(message)) + "\n";
  };
  gst_debug_add_log_function(collect, nullptr, nullptr);
  gst_debug_set_threshold_for_name("mosaictemporal*", GST_LEVEL_INFO);
  {
    Element element;
    ASSERT_TRUE(element.set_caps(cuda_caps("NV12", 64, 48)));
    ASSERT_TRUE(element.set_caps(video_caps("NV12", 64, 40)));
  }
  gst_debug_set_threshold_for_name("mosaictemporal*", GST_LEVEL_NONE);
  gst_debug_remove_log_function(collect);
  const std::lock_guard lock(mutex);
  EXPECT_NE(log.find("64x48 to 64x48 in CUDA memory"), std::string::npos) << log;
  EXPECT_NE(log.find("64x40 to 64x40 in system memory"), std::string::npos) << log;
}

TEST(Navigation, IsScaledToPixelsOfTheInput) {
  Element element;
  element.set_sink_caps("video/x-raw,width=128,height=96");
  ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
  gst_harness_push_upstream_event(
      element.harness(),
      gst_event_new_navigation(gst_structure_new(
          "application/x-gst-navigation", "event", G_TYPE_STRING, "mouse-move", "pointer_x",
          G_TYPE_DOUBLE, 100.0, "pointer_y", G_TYPE_DOUBLE, 30.0, nullptr)));
  bool seen = false;
  while (GstEvent* event = gst_harness_try_pull_upstream_event(element.harness())) {
    if (GST_EVENT_TYPE(event) == GST_EVENT_NAVIGATION) {
      double x = 0, y = 0;
      gst_structure_get_double(gst_event_get_structure(event), "pointer_x", &x);
      gst_structure_get_double(gst_event_get_structure(event), "pointer_y", &y);
      EXPECT_DOUBLE_EQ(x, 50.0);
      EXPECT_DOUBLE_EQ(y, 15.0);
      seen = true;
    }
    gst_event_unref(event);
  }
  EXPECT_TRUE(seen);
}

class Pipelines : public testing::TestWithParam<const char*> {};

TEST_P(Pipelines, RunToEos) {
  EXPECT_EQ(run_pipeline(GetParam()), "");
  EXPECT_TRUE(emulated_gpu_check());
}

INSTANTIATE_TEST_SUITE_P(
    WithNvcodec, Pipelines,
    testing::Values(
        "videotestsrc num-buffers=10 ! video/x-raw,width=160,height=120 ! cudaupload ! "
        "mosaictemporal ! cudadownload ! fakesink",
        "videotestsrc num-buffers=10 ! video/x-raw,format=RGBA,width=160,height=120 ! cudaupload ! "
        "mosaictemporal silent=false ! video/x-raw(memory:CUDAMemory),width=320,height=240 ! "
        "cudadownload ! fakesink",
        "videotestsrc num-buffers=10 ! video/x-raw,width=160,height=120 ! cudaupload ! tee name=t "
        "! "
        "queue ! mosaictemporal ! fakesink  t. ! queue ! mosaictemporal device=cpu ! cudadownload "
        "! "
        "fakesink",
        "videotestsrc num-buffers=10 ! video/x-raw,width=160,height=120 ! mosaictemporal "
        "device=cuda ! cudaupload ! mosaictemporal ! cudadownload ! fakesink"));

}  // namespace
