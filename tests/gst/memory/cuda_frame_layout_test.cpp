// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// As frame_layout_test.cpp, for frames in the memory of an (emulated) GPU.
#include "tests/gst/cuda_frames.h"
#include "tests/gst/memory/hostile_frames.h"

namespace {

using namespace element_test;
using Picture = std::vector<std::vector<uint8_t>>;

constexpr Crop kCrop{13, 7, 67, 49};

class CroppedCudaFrames : public testing::TestWithParam<const char*> {
 protected:
  /// The mosaics of frames that are cropped by a meta, or else by copying before the upload.
  std::vector<Picture> mosaics(bool by_meta, unsigned lookahead, const std::string& size) {
    const std::string format = GetParam();
    const GstVideoInfo large = video_info(format, 96, 64);
    const GstVideoInfo small = video_info(format, kCrop.width, kCrop.height);
    Cuda cuda;
    Element element;
    element.set("lookahead", lookahead);
    if (!size.empty()) element.set_sink_caps("video/x-raw(memory:CUDAMemory)," + size);
    cuda.give_to(element.get());
    EXPECT_TRUE(element.set_caps(cuda_caps(format, kCrop.width, kCrop.height)));
    for (int i = 0; i < 3; ++i) {
      const Buffer frame = make_frame(large, i);
      Buffer sent = by_meta ? cuda.upload(large, frame)
                            : cuda.upload(small, cropped_copy(format, large, frame, kCrop));
      if (by_meta) add_crop_meta(sent.get(), kCrop);
      EXPECT_EQ(element.push(std::move(sent)), GST_FLOW_OK)
          << element.pop_report(GST_MESSAGE_ERROR).text;
    }
    gst_harness_push_event(element.harness(), gst_event_new_eos());
    std::vector<Picture> pictures;
    while (GstBuffer* out = gst_harness_try_pull(element.harness())) {
      const Buffer buffer(out);
      EXPECT_TRUE(in_cuda_memory(buffer, cuda.get()));
      EXPECT_EQ(gst_buffer_get_video_crop_meta(out), nullptr);
      pictures.push_back(Cuda::picture_of(element.output_info(), buffer));
    }
    EXPECT_EQ(pictures.size(), 3U);
    EXPECT_TRUE(emulated_gpu_check());
    return pictures;
  }
};

TEST_P(CroppedCudaFrames, ShowTheMosaicOfTheVisiblePart) {
  EXPECT_TRUE(mosaics(true, 0, "") == mosaics(false, 0, ""));
}

TEST_P(CroppedCudaFrames, SupportLookaheadAndScaling) {
  EXPECT_TRUE(mosaics(true, 2, "") == mosaics(false, 2, ""));
  const std::string size = "width=134,height=98";
  EXPECT_TRUE(mosaics(true, 0, size) == mosaics(false, 0, size));
}
INSTANTIATE_TEST_SUITE_P(Formats, CroppedCudaFrames, testing::Values("NV12", "RGBA", "RGBP"));

TEST(CroppedFrames, MatchOnCpuAndGpu) {
  const GstVideoInfo large = video_info("YUY2", 96, 64);
  std::vector<std::vector<uint8_t>> bytes;
  for (const char* device : {"cpu", "cuda"}) {
    Element element;
    gst_util_set_object_arg(G_OBJECT(element.get()), "device", device);
    ASSERT_TRUE(element.set_caps(video_caps("YUY2", kCrop.width, kCrop.height)));
    Buffer frame = make_frame(large, 0, 5);
    add_crop_meta(frame.get(), kCrop);
    const Buffer out = element.process(std::move(frame));
    ASSERT_TRUE(out);
    for (int c = 0; c < 3; ++c)
      bytes.push_back(samples_of(video_info("YUY2", kCrop.width, kCrop.height), out, c));
  }
  for (int c = 0; c < 3; ++c) EXPECT_TRUE(bytes[c] == bytes[c + 3]) << "component " << c;
}

class InconsistentCudaFrames : public testing::TestWithParam<Contradiction> {
 protected:
  void push_after(int good, unsigned lookahead) {
    Cuda cuda;
    Element element;
    element.set("lookahead", lookahead);
    cuda.give_to(element.get());
    ASSERT_TRUE(element.set_caps(cuda_caps("I420", 64, 48)));
    for (int i = 0; i < good; ++i)
      ASSERT_EQ(element.push(cuda.upload(info, make_frame(info, i))), GST_FLOW_OK);
    expect_rejected(element, cuda.upload(info, make_frame(info)), GetParam());
    EXPECT_TRUE(emulated_gpu_check());
  }
  const GstVideoInfo info = video_info("I420", 64, 48);
};

TEST_P(InconsistentCudaFrames, AreRejectedAsTheFirstFrame) {
  push_after(0, 0);
  push_after(0, 2);
}

TEST_P(InconsistentCudaFrames, AreRejectedAsALaterFrame) {
  push_after(2, 0);
}

// The driver chooses the stride of a CUDA buffer, so the error does not name a fixed number.
std::vector<Contradiction> cuda_contradictions() {
  std::vector<Contradiction> all = contradictions();
  for (Contradiction& contradiction : all)
    if (std::string(contradiction.name) == "NegativeStride")
      contradiction = {"NegativeStride", "stride of -",
                       [](GstBuffer*, GstVideoMeta* m) { m->stride[0] = -m->stride[0]; }};
  return all;
}
INSTANTIATE_TEST_SUITE_P(All, InconsistentCudaFrames, testing::ValuesIn(cuda_contradictions()),
                         [](const auto& param) { return param.param.name; });

}  // namespace
