// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Frames that are drawn on an (emulated) GPU or lie in its memory: every visible byte is the same
/// as on the CPU, and frames that others hold are not written.
#include <fstream>
#include <iterator>
#include <map>

#include "tests/gst/cuda_frames.h"
#include "tests/sampling.h"

namespace {

using namespace element_test;

constexpr int kFrames = 3;
using Picture = std::vector<std::vector<uint8_t>>;

struct Case {
  std::string format;
  int width, height;
  int out_width, out_height;

  GstVideoInfo in() const { return video_info(format, width, height); }
  GstVideoInfo out() const { return video_info(format, out_width, out_height); }
  std::string wanted(const std::string& feature) const {
    return "video/x-raw" + feature + ",width=" + std::to_string(out_width) +
           ",height=" + std::to_string(out_height);
  }
};
void PrintTo(const Case& c, std::ostream* out) {
  *out << c.format << "_" << c.width << "x" << c.height << "_to_" << c.out_width << "x"
       << c.out_height;
}

/// Every format in four sizes. In a sample each format has one size, another from format to format.
std::vector<Case> cases(const std::vector<std::string>& formats) {
  constexpr int kSizes[][4] = {
      {319, 239, 319, 239}, {17, 13, 17, 13}, {1, 1, 1, 1}, {65, 47, 131, 93}};
  constexpr size_t kCount = std::size(kSizes);
  std::vector<Case> all;
  for (size_t i = 0; i < formats.size(); ++i)
    for (size_t j = 0; j < kCount; j += sampling::step(kCount)) {
      const auto& [width, height, out_width, out_height] = kSizes[(i + j) % kCount];
      all.push_back({formats[i], width, height, out_width, out_height});
    }
  return all;
}

std::vector<std::string> all_formats() {
  std::vector<std::string> all = deep_formats();
  for (const auto& family : format_families()) all.insert(all.end(), family.begin(), family.end());
  return all;
}

void set_up(Element& element, const Case& c, const char* device, const std::string& feature) {
  gst_util_set_object_arg(G_OBJECT(element.get()), "device", device);
  if (c.width < 64) element.set("tile-size", 8U);
  element.set_sink_caps(c.wanted(feature));
}

std::string device_of(Element& element) {
  const Structure stats = element.stats();
  return gst_structure_get_string(stats.get(), "device");
}

/// The mosaics of frames in system memory, drawn on `device`.
std::vector<Picture> with_system_memory(const Case& c, const char* device, int extra_stride = 0) {
  Element element;
  set_up(element, c, device, "");
  EXPECT_TRUE(element.set_caps(video_caps(c.format, c.width, c.height)));
  std::vector<Picture> pictures;
  for (int frame = 0; frame < kFrames; ++frame) {
    const Buffer out = element.process(make_frame(c.in(), frame, extra_stride));
    if (!out) {
      ADD_FAILURE() << element.pop_report(GST_MESSAGE_ERROR).text;
      return pictures;
    }
    EXPECT_FALSE(in_cuda_memory(out));
    pictures.push_back(picture_of(c.out(), out));
  }
  EXPECT_EQ(device_of(element), device);
  return pictures;
}

struct How {
  bool hold = false;     ///< the test also holds references to the frames
  bool streams = false;  ///< see Cuda()
};

/// The mosaics of frames in CUDA memory, drawn on `device`.
std::vector<Picture> with_cuda_memory(const Case& c, const char* device, const How& how = {}) {
  const bool hold = how.hold;
  Cuda cuda(how.streams);
  Element element;
  set_up(element, c, device, "(memory:CUDAMemory)");
  cuda.give_to(element.get());
  EXPECT_TRUE(element.set_caps(cuda_caps(c.format, c.width, c.height)));
  std::vector<Picture> pictures;
  for (int frame = 0; frame < kFrames; ++frame) {
    Buffer in = cuda.upload(c.in(), make_frame(c.in(), frame));
    const Buffer held(hold ? gst_buffer_ref(in.get()) : nullptr);
    const Picture before = Cuda::picture_of(c.in(), in);
    const Buffer out = element.process(std::move(in));
    if (!out) {
      ADD_FAILURE() << element.pop_report(GST_MESSAGE_ERROR).text;
      return pictures;
    }
    EXPECT_TRUE(in_cuda_memory(out, cuda.get()));
    EXPECT_EQ(GST_BUFFER_PTS(out.get()), frame * GST_SECOND / 25);
    pictures.push_back(Cuda::picture_of(c.out(), out));
    if (hold) {
      EXPECT_TRUE(Cuda::picture_of(c.in(), held) == before);
    }
  }
  EXPECT_TRUE(emulated_gpu_check());
  return pictures;
}

// Before GStreamer 1.24 the third plane of I420 begins in the middle of a row if the height is odd,
// and copies for the host leave out a part of it.
bool libgstcuda_loses_a_plane([[maybe_unused]] const Case& c) {
#if GST_CHECK_VERSION(1, 24, 0)
  return false;
#else
  return c.format.starts_with("I420") && (c.height % 2 || c.out_height % 2);
#endif
}

class CudaMemory : public testing::TestWithParam<Case> {};

TEST_P(CudaMemory, GivesTheMosaicOfSystemMemory) {
  const auto expected = with_system_memory(GetParam(), "cpu");
  for (const bool streams : {false, true}) {
    SCOPED_TRACE(streams ? "a stream to each memory" : "no streams");
    EXPECT_TRUE(with_cuda_memory(GetParam(), "auto", {false, streams}) == expected);
    EXPECT_TRUE(with_cuda_memory(GetParam(), "cuda", {true, streams}) == expected) << "held";
  }
  if (libgstcuda_loses_a_plane(GetParam())) return;
  EXPECT_TRUE(with_cuda_memory(GetParam(), "cpu") == expected) << "drawn on the CPU";
  EXPECT_TRUE(with_cuda_memory(GetParam(), "cpu", {true, true}) == expected) << "on the CPU, held";
}
INSTANTIATE_TEST_SUITE_P(Formats, CudaMemory,
                         testing::ValuesIn(sampling::sample(cases(cuda_formats()), 3)),
                         testing::PrintToStringParamName());

class SystemMemory : public testing::TestWithParam<Case> {};

TEST_P(SystemMemory, GivesTheSameMosaicOnAGpu) {
  const auto expected = with_system_memory(GetParam(), "cpu");
  EXPECT_TRUE(with_system_memory(GetParam(), "cuda") == expected);
  EXPECT_TRUE(with_system_memory(GetParam(), "cuda", 13) ==
              with_system_memory(GetParam(), "cpu", 13))
      << "with padding";
}
INSTANTIATE_TEST_SUITE_P(Formats, SystemMemory,
                         testing::ValuesIn(sampling::sample(cases(all_formats()), 4)),
                         testing::PrintToStringParamName());

TEST(SystemMemoryOnAGpu, ChangesNothingButTheColours) {
  for (const char* format : {"RGBA", "xRGB", "BGR", "NV12", "YUY2"}) {
    SCOPED_TRACE(format);
    const GstVideoInfo info = video_info(format, 67, 49);
    std::vector<std::vector<uint8_t>> bytes;
    for (const char* device : {"cpu", "cuda"}) {
      Element element;
      gst_util_set_object_arg(G_OBJECT(element.get()), "device", device);
      ASSERT_TRUE(element.set_caps(video_caps(format, 67, 49)));
      const Buffer out = element.process(make_frame(info, 0, 13));
      ASSERT_TRUE(out);
      bytes.push_back(bytes_of(out));
    }
    EXPECT_TRUE(bytes[0] == bytes[1]);
  }
}

// The unused byte of RGBx is treated like alpha.
TEST(SystemMemoryScaled, MatchesAllBytesOfTheCpu) {
  for (const char* format : {"RGBx", "xRGB", "BGRA"}) {
    SCOPED_TRACE(format);
    std::vector<std::vector<uint8_t>> bytes;
    for (const char* device : {"cpu", "cuda"}) {
      Element element;
      set_up(element, {format, 64, 48, 100, 80}, device, "");
      ASSERT_TRUE(element.set_caps(video_caps(format, 64, 48)));
      const Buffer out = element.process(make_frame(video_info(format, 64, 48)));
      ASSERT_TRUE(out);
      bytes.push_back(bytes_of(out));
    }
    EXPECT_TRUE(bytes[0] == bytes[1]);
  }
}

class InPlace : public testing::Test {
 protected:
  void SetUp() override {
    cuda.give_to(element.get());
    ASSERT_TRUE(element.set_caps(cuda_caps("NV12", 64, 48)));
  }
  Buffer frame(int number = 0) { return cuda.upload(info, make_frame(info, number)); }

  const GstVideoInfo info = video_info("NV12", 64, 48);
  Cuda cuda;
  Element element;
};

TEST_F(InPlace, OutputsTheInputBuffer) {
  element.expect_in_place(frame());
  EXPECT_EQ(device_of(element), "cuda");
}

TEST_F(InPlace, DoesNotModifyMemorySharedWithAnotherBuffer) {
  const Buffer kept = frame();
  const Picture before = Cuda::picture_of(info, kept);
  const Buffer out = element.process(Buffer(gst_buffer_copy(kept.get())));
  ASSERT_TRUE(out);
  EXPECT_TRUE(Cuda::picture_of(info, kept) == before);
  EXPECT_FALSE(Cuda::picture_of(info, out) == before);
}

TEST_F(InPlace, CopiesTheMetadataOfASharedBuffer) {
  const Buffer kept = frame(3);
  gst_buffer_add_video_region_of_interest_meta(kept.get(), "face", 1, 2, 30, 40);
  gst_buffer_add_video_crop_meta(kept.get())->width = 5;
  GST_BUFFER_OFFSET(kept.get()) = 77;
  GST_BUFFER_FLAG_SET(kept.get(), GST_BUFFER_FLAG_MARKER);
  const Buffer out = element.process(Buffer(gst_buffer_ref(kept.get())));
  ASSERT_TRUE(out);
  EXPECT_NE(out.get(), kept.get());
  EXPECT_EQ(GST_BUFFER_PTS(out.get()), GST_BUFFER_PTS(kept.get()));
  EXPECT_EQ(GST_BUFFER_DURATION(out.get()), GST_BUFFER_DURATION(kept.get()));
  EXPECT_TRUE(GST_BUFFER_FLAG_IS_SET(out.get(), GST_BUFFER_FLAG_MARKER));
  const auto* region = reinterpret_cast<GstVideoRegionOfInterestMeta*>(
      gst_buffer_get_meta(out.get(), GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE));
  ASSERT_NE(region, nullptr);
  EXPECT_EQ(region->h, 40U);
  const GstVideoCropMeta* crop = gst_buffer_get_video_crop_meta(out.get());
  ASSERT_NE(crop, nullptr);
  EXPECT_EQ(crop->width, 5U);
}

TEST_F(InPlace, ReusesPoolMemoryForSharedBuffers) {
  std::vector<Buffer> kept;
  for (int i = 0; i < 12; ++i) kept.push_back(frame(i));
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(element.process(Buffer(gst_buffer_ref(kept[i].get()))));
  emulated_gpu_reset_calls();
  for (int i = 4; i < 12; ++i) ASSERT_TRUE(element.process(Buffer(gst_buffer_ref(kept[i].get()))));
  EXPECT_EQ(emulated_gpu_calls("alloc"), 0U);
}

TEST_F(InPlace, DoesNotCopyFramesToTheHost) {
  const GstVideoInfo large = video_info("NV12", 640, 480);
  ASSERT_TRUE(element.set_caps(cuda_caps("NV12", 640, 480)));
  std::vector<Buffer> frames;
  for (int i = 0; i < 2; ++i) frames.push_back(cuda.upload(large, make_frame(large, i)));
  ASSERT_TRUE(element.process(std::move(frames[0])));
  EmulatedGpuCounts before, after;
  emulated_gpu_counts(&before);
  emulated_gpu_reset_calls();
  ASSERT_TRUE(element.process(std::move(frames[1])));
  emulated_gpu_counts(&after);
  EXPECT_EQ(emulated_gpu_calls("alloc"), 0U);
  EXPECT_LT(after.uploads - before.uploads, GST_VIDEO_INFO_SIZE(&large) / 8);
  EXPECT_LT(after.downloads - before.downloads, GST_VIDEO_INFO_SIZE(&large) / 8);
}

std::map<std::string, std::string> files_in(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream file(entry.path(), std::ios::binary);
    files[entry.path().filename()] = {std::istreambuf_iterator<char>(file), {}};
  }
  return files;
}

TEST(Intermediate, FilesMatchTheCpu) {
  const GstVideoInfo info = video_info("RGB", 66, 50);
  std::vector<std::map<std::string, std::string>> seen;
  for (const bool on_gpu : {false, true}) {
    const TempFolder folder;
    Cuda cuda;
    Element element;
    element.set("keep-intermediate", TRUE, "intermediate-location", folder.path().c_str());
    if (on_gpu) cuda.give_to(element.get());
    ASSERT_TRUE(element.set_caps(on_gpu ? cuda_caps("RGB", 66, 50) : video_caps("RGB", 66, 50)));
    for (int i = 0; i < 2; ++i) {
      Buffer frame = make_frame(info, i);
      ASSERT_TRUE(element.process(on_gpu ? cuda.upload(info, frame) : std::move(frame)));
    }
    EXPECT_EQ(device_of(element), on_gpu ? "cuda" : "cpu");
    seen.push_back(files_in(folder.path()));
  }
  EXPECT_EQ(seen[0].size(), 8U);
  EXPECT_TRUE(seen[0] == seen[1]);
}

// With GStreamer 1.22 the element pushes finished frames. With later versions the next element
// waits for the stream of the memory.
TEST(Waits, HappenOnceAFrameIfMemoriesHaveStreams) {
  const GstVideoInfo info = video_info("NV12", 64, 48);
  for (const bool hold : {false, true}) {
    Cuda cuda(true);
    Element element;
    cuda.give_to(element.get());
    ASSERT_TRUE(element.set_caps(cuda_caps("NV12", 64, 48)));
    std::vector<Buffer> frames, held, out;  // kept, because freeing memory waits
    for (int i = 0; i < 8; ++i) frames.push_back(cuda.upload(info, make_frame(info, 0)));
    if (hold)
      for (const Buffer& frame : frames) held.emplace_back(gst_buffer_ref(frame.get()));
    for (int i = 0; i < 8; ++i) {
      if (i == 4) emulated_gpu_reset_calls();
      out.push_back(element.process(std::move(frames[i])));
      ASSERT_TRUE(out.back());
    }
#if GST_CHECK_VERSION(1, 24, 0)
    EXPECT_EQ(emulated_gpu_calls("cuStreamSynchronize"), 4U);
#else
    EXPECT_EQ(emulated_gpu_calls("cuStreamSynchronize"), 8U);
#endif
    EXPECT_EQ(emulated_gpu_calls("cuCtxSynchronize,cuEventSynchronize"), 0U);
  }
}

TEST(Waits, HappenTwiceAFrameIfThePipelineIsSequential) {
  const GstVideoInfo info = video_info("NV12", 64, 48);
  Cuda cuda(true);
  Element element;
  gst_util_set_object_arg(G_OBJECT(element.get()), "pipeline", "sequential");
  cuda.give_to(element.get());
  ASSERT_TRUE(element.set_caps(cuda_caps("NV12", 64, 48)));
  std::vector<Buffer> frames, out;  // kept, because freeing memory waits
  for (int i = 0; i < 8; ++i) frames.push_back(cuda.upload(info, make_frame(info, 0)));
  for (int i = 0; i < 8; ++i) {
    if (i == 4) emulated_gpu_reset_calls();
    out.push_back(element.process(std::move(frames[i])));
    ASSERT_TRUE(out.back());
  }
  EXPECT_EQ(emulated_gpu_calls("cuStreamSynchronize"), 8U);
}

TEST(LivePipeline, PassesFramesUnchangedWhileThePoolLoads) {
  const TempFolder photos;
  write_photos(photos.path(), 2000, 64);
  const GstVideoInfo info = video_info("NV12", 64, 48);
  for (const bool hold : {false, true}) {
    Cuda cuda;
    Element element(true);
    element.set("tile-location", photos.path().c_str(), "cache-location", "");
    cuda.give_to(element.get());
    ASSERT_TRUE(element.set_caps(cuda_caps("NV12", 64, 48)));
    Buffer in = cuda.upload(info, make_frame(info));
    const Picture before = Cuda::picture_of(info, in);
    const Buffer held(hold ? gst_buffer_ref(in.get()) : nullptr);
    const GstBuffer* address = in.get();
    const Buffer out = element.process(std::move(in));
    ASSERT_TRUE(out);
    ASSERT_EQ(element.stat<guint64>("frames"), 0U) << "the pool was there too soon for this test";
    EXPECT_EQ(out.get(), address);
    EXPECT_TRUE(Cuda::picture_of(info, out) == before);
  }
}

}  // namespace
