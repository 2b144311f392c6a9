// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Frames in an (emulated) GPU's memory have the same meta as frames drawn on the CPU, clicks find
/// the same photos, and an overlay shows the same.
#include <gst/video/navigation.h>

#include "tests/gst/cuda_frames.h"
#include "tests/gst/tiles.h"

namespace {

using namespace element_test;

constexpr int kPhotos = 12, kWidth = 100, kHeight = 70;

class CudaMeta : public testing::Test {
 protected:
  // If `scaled`, the output is 219 x 93, another size than the input.
  void set_up(Element& element, const Caps& caps, bool scaled) {
    photos_.give_to(element);
    element.set("tile-size", 16U);
    if (scaled) {
      Caps wanted(gst_caps_copy(caps.get()));
      gst_caps_set_simple(wanted.get(), "width", G_TYPE_INT, 219, "height", G_TYPE_INT, 93,
                          nullptr);
      gst_harness_set_sink_caps(element.harness(), wanted.release());
    }
    ASSERT_TRUE(element.set_caps(caps));
  }

  const GstVideoInfo info_ = video_info("RGB", kWidth, kHeight);
  FlatPhotos photos_{kPhotos};
  Cuda cuda_;
};

TEST_F(CudaMeta, MatchesTheCpu) {
  for (const bool scaled : {false, true}) {
    SCOPED_TRACE(scaled);
    Element host, device;
    cuda_.give_to(device.get());
    set_up(host, video_caps("RGB", kWidth, kHeight), scaled);
    set_up(device, cuda_caps("RGB", kWidth, kHeight), scaled);
    for (int frame = 0; frame < 3; ++frame) {
      const Buffer in = make_frame(info_, 5 * frame);
      const Buffer out = device.process(cuda_.upload(info_, in));
      const Buffer expected = host.process(make_frame(info_, 5 * frame));
      ASSERT_TRUE(out && expected);
      ASSERT_TRUE(in_cuda_memory(out, cuda_.get()));
      ASSERT_TRUE(meta_of(out));
      EXPECT_EQ(meta_of(out), meta_of(expected));
      EXPECT_EQ(Cuda::picture_of(device.output_info(), out),
                picture_of(host.output_info(), expected));
    }
    EXPECT_EQ(photos_of(device), photos_of(host));
  }
  EXPECT_TRUE(emulated_gpu_check());
}

TEST_F(CudaMeta, OverlayMatchesTheCpu) {
  Element host, device, plain;
  cuda_.give_to(device.get());
  set_up(host, video_caps("RGB", kWidth, kHeight), true);
  set_up(device, cuda_caps("RGB", kWidth, kHeight), true);
  set_up(plain, video_caps("RGB", kWidth, kHeight), true);
  for (const char* overlay : {"grid+changed+motion+saliency+cost+age", "age", "0", "cost"}) {
    SCOPED_TRACE(overlay);
    gst_util_set_object_arg(G_OBJECT(host.get()), "overlay", overlay);
    gst_util_set_object_arg(G_OBJECT(device.get()), "overlay", overlay);
    const Buffer out = device.process(cuda_.upload(info_, make_frame(info_)));
    const Buffer expected = host.process(make_frame(info_));
    const Buffer bare = plain.process(make_frame(info_));
    ASSERT_TRUE(out && expected && bare);
    const auto picture = picture_of(host.output_info(), expected);
    EXPECT_TRUE(Cuda::picture_of(device.output_info(), out) == picture);
    EXPECT_EQ(picture == picture_of(plain.output_info(), bare), overlay == std::string("0"));
  }
  EXPECT_TRUE(emulated_gpu_check());
}

TEST_F(CudaMeta, IsNotAddedToASharedBuffer) {
  Element element;
  cuda_.give_to(element.get());
  set_up(element, cuda_caps("RGB", kWidth, kHeight), false);
  const Buffer kept = cuda_.upload(info_, make_frame(info_));
  const Buffer out = element.process(Buffer(gst_buffer_ref(kept.get())));
  ASSERT_TRUE(out);
  EXPECT_EQ(count_metas(out), 1);
  EXPECT_EQ(count_metas(kept), 0);
  // If the input is already a mosaic, its meta is replaced by that of the new one.
  const Buffer again = element.process(Buffer(gst_buffer_ref(out.get())));
  ASSERT_TRUE(again);
  EXPECT_EQ(count_metas(again), 1);
  EXPECT_EQ(meta_of(out).value().age, std::vector<int32_t>(35, 0));
  EXPECT_TRUE(emulated_gpu_check());
}

TEST_F(CudaMeta, ClickNamesTheDrawnPhoto) {
  Element element;
  cuda_.give_to(element.get());
  set_up(element, cuda_caps("RGB", kWidth, kHeight), true);
  const Buffer out = element.process(cuda_.upload(info_, make_frame(info_)));
  ASSERT_TRUE(out);
  const auto picture = Cuda::picture_of(element.output_info(), out);
  for (int y = 1; y < 93; y += 7)
    for (int x = 1; x < 219; x += 7) {
      gst_harness_push_upstream_event(
          element.harness(),
          gst_navigation_event_new_mouse_button_press(1, x, y, GST_NAVIGATION_MODIFIER_NONE));
      const Message message = element.pop(GST_MESSAGE_ELEMENT);
      ASSERT_TRUE(message);
      guint tile = 0;
      gst_structure_get_uint(gst_message_get_structure(message.get()), "tile", &tile);
      const size_t at = size_t(y) * 219 + x;
      ASSERT_EQ((Colour{picture[0][at], picture[1][at], picture[2][at]}),
                FlatPhotos::colour(static_cast<int>(tile)));
    }
  EXPECT_TRUE(emulated_gpu_check());
}

}  // namespace
