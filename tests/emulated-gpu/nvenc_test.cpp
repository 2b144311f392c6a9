// SPDX-License-Identifier: LGPL-2.1-or-later
// GStreamer's H.264 encoders for NVIDIA GPUs on the emulated GPU: alone, and after the element. All
// encoding here is lossless if not said otherwise, so pixels are compared.
#include <glib/gstdio.h>
#include <gst/pbutils/pbutils.h>

#include <vector>

#include "tests/emulated-gpu/bin_harness.h"
#include "tests/emulated-gpu/nvenc_pipeline.h"
#include "tests/sampling.h"

namespace emulated_gpu {
namespace {

constexpr int kWidth = 192, kHeight = 128, kFrames = 16;

/// Whether the emulated GPU is deferred: in a sample only so, as fewer faults are found otherwise.
std::vector<bool> modes() {
  return sampling::sample(std::vector<bool>{true, false}, 2);
}

/// An encoder with its properties.
struct Kind {
  const char *name, *encoder;
};
void PrintTo(const Kind& kind, std::ostream* out) {
  *out << kind.name;
}
constexpr Kind kPlain = {"Plain", "nvh264enc qp-const=0"};
constexpr Kind kKinds[] = {
    kPlain,
    {"LosslessPreset", "nvh264enc preset=lossless"},
    {"BFrames", "nvh264enc qp-const=0 bframes=2 gop-size=10"},
    {"Lookahead", "nvh264enc qp-const=0 rc-lookahead=8"},
    {"LookaheadAndBFrames", "nvh264enc qp-const=0 rc-lookahead=8 bframes=3"},
    // The newer elements encode B-frames and look ahead only since GStreamer 1.22.1.
    {"Cuda", "nvcudah264enc rate-control=cqp qp-i=0 qp-p=0 qp-b=0"},
    {"AutoGpu", "nvautogpuh264enc rate-control=cqp qp-i=0 qp-p=0 qp-b=0"},
};

/// To the GPU; `way` is "" for encoders that take frames from system memory.
const std::string kUpload = "cudaupload ! capsfilter caps=video/x-raw(memory:CUDAMemory) ! ";
const std::string kDecode = " ! h264parse ! avdec_h264 ! appsink name=out";

std::string mosaic(const std::string& properties) {
  return "mosaictemporal name=mosaic size=24 augment=false " + properties + " ! ";
}

std::vector<Frame> frames_of(Pipeline& pipeline) {
  std::vector<Frame> frames = pipeline.take_all();
  EXPECT_TRUE(pipeline.errors().empty()) << pipeline.errors().front();
  return frames;
}

/// Pushes frames of one size and returns what comes out.
std::vector<Frame> run(const std::string& between, const GstVideoInfo& info, int frames = kFrames) {
  Pipeline pipeline("appsrc name=in ! " + between);
  EXPECT_TRUE(pipeline.play());
  for (int i = 0; i < frames; ++i) pipeline.push(info, i);
  pipeline.end_stream();
  return frames_of(pipeline);
}

/// The mosaics of the CPU, which all encoders get.
const std::vector<Frame>& frames_of_cpu() {
  static const std::vector<Frame> frames = run(mosaic("device=cpu") + "appsink name=out",
                                               video_info(GST_VIDEO_FORMAT_NV12, kWidth, kHeight));
  return frames;
}

void expect_same(const std::vector<Frame>& is, const std::vector<Frame>& should_be) {
  ASSERT_EQ(is.size(), should_be.size());
  for (size_t i = 0; i < is.size(); ++i) {
    SCOPED_TRACE("frame " + std::to_string(i));
    ASSERT_EQ(is[i].time, should_be[i].time);
    ASSERT_EQ(is[i].duration, should_be[i].duration);
    ASSERT_EQ(is[i].width, should_be[i].width);
    ASSERT_EQ(is[i].height, should_be[i].height);
    ASSERT_TRUE(is[i].bytes == should_be[i].bytes) << "other pixels";
  }
}

class Encoders : public Encoder, public testing::WithParamInterface<std::tuple<Kind, bool>> {
 protected:
  void SetUp() override { start(std::get<1>(GetParam())); }
  static std::string encoder() { return std::get<0>(GetParam()).encoder; }
  static bool is_newer() { return encoder().find("nvh264enc") != 0; }
};

TEST_P(Encoders, KeepEachByteOfFramesOnTheGpu) {
  for (const GstVideoFormat format : {GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_I420}) {
    if (is_newer() && format != GST_VIDEO_FORMAT_NV12) continue;  // the only one that they take
    const GstVideoInfo info = video_info(format, kWidth, kHeight);
    const std::uint64_t pictures = encoder_counts().pictures;
    expect_same(run(kUpload + encoder() + kDecode, info), run("appsink name=out", info));
    EXPECT_EQ(encoder_counts().pictures, pictures + kFrames);
  }
}

TEST_P(Encoders, KeepEachByteOfFramesInSystemMemory) {
  const GstVideoInfo info = video_info(GST_VIDEO_FORMAT_NV12, kWidth, kHeight);
  expect_same(run(encoder() + kDecode, info), run("appsink name=out", info));
}

TEST_P(Encoders, EncodeTheMosaicOfTheCpu) {
  const GstVideoInfo info = video_info(GST_VIDEO_FORMAT_NV12, kWidth, kHeight);
  const std::uint64_t launches = counts().launches, downloads = counts().downloads;
  expect_same(run(kUpload + mosaic("") + encoder() + kDecode, info), frames_of_cpu());
  EXPECT_GT(counts().launches, launches);
  EXPECT_LT(counts().downloads - downloads, kFrames * info.size) << "frames leave the GPU";
}

INSTANTIATE_TEST_SUITE_P(, Encoders,
                         testing::Combine(testing::ValuesIn(kKinds), testing::ValuesIn(modes())),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param).name) +
                                  (std::get<1>(info.param) ? "Deferred" : "Eager");
                         });

class EncodedMosaic : public Encoder, public testing::WithParamInterface<bool> {
 protected:
  void SetUp() override { start(GetParam()); }
};

/// A file in a folder of its own, which is removed at the end.
class TemporaryFile {
 public:
  TemporaryFile() : folder_(g_dir_make_tmp("mosaic-nvenc-XXXXXX", nullptr)) {}
  ~TemporaryFile() {
    g_remove(name().c_str());
    g_rmdir(folder_);
    g_free(folder_);
  }
  std::string name() const { return std::string(folder_) + "/mosaic.mp4"; }

 private:
  char* folder_;
};

TEST_P(EncodedMosaic, IsAPlayableFile) {
  const GstVideoInfo info = video_info(GST_VIDEO_FORMAT_NV12, kWidth, kHeight);
  const TemporaryFile file;
  {
    Pipeline writer("appsrc name=in ! " + kUpload + mosaic("") +
                    "nvh264enc qp-const=0 ! h264parse ! mp4mux ! filesink location=" + file.name());
    ASSERT_TRUE(writer.play());
    for (int i = 0; i < kFrames; ++i) writer.push(info, i);
    writer.end_stream();
    ASSERT_TRUE(writer.wait_for_end()) << writer.errors().front();
    EXPECT_TRUE(writer.stop());
  }
  GstDiscoverer* discoverer = gst_discoverer_new(60 * GST_SECOND, nullptr);
  char* uri = gst_filename_to_uri(file.name().c_str(), nullptr);
  GstDiscovererInfo* found = gst_discoverer_discover_uri(discoverer, uri, nullptr);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(gst_discoverer_info_get_result(found), GST_DISCOVERER_OK);
  EXPECT_EQ(gst_discoverer_info_get_duration(found), kFrames * 40 * GST_MSECOND);
  gst_discoverer_info_unref(found);
  g_free(uri);
  g_object_unref(discoverer);

  Pipeline reader("filesrc location=" + file.name() + " ! qtdemux" + kDecode);
  ASSERT_TRUE(reader.play());
  expect_same(frames_of(reader), frames_of_cpu());
}

TEST_P(EncodedMosaic, KeepsTheFramesThatTheElementHolds) {
  const GstVideoInfo info = video_info(GST_VIDEO_FORMAT_NV12, kWidth, kHeight);
  const auto should_be = run(mosaic("device=cpu lookahead=12") + "appsink name=out", info);
  ASSERT_EQ(should_be.size(), size_t{kFrames});
  for (const char* encoder : {"nvh264enc qp-const=0", "nvh264enc qp-const=0 bframes=2"})
    expect_same(run(kUpload + mosaic("lookahead=12") + encoder + kDecode, info), should_be);
}

/// Lossless streams have no B-frames, so this one is not lossless.
TEST_P(EncodedMosaic, KeepsTheTimesOfBFrames) {
  const GstVideoInfo info = video_info(GST_VIDEO_FORMAT_NV12, kWidth, kHeight);
  const auto& should_be = frames_of_cpu();
  const auto frames = run(kUpload + mosaic("") + "nvh264enc qp-const=20 bframes=2" + kDecode, info);
  ASSERT_EQ(frames.size(), should_be.size());
  // The element delays what it encodes by the time of the frames that it reorders.
  const GstClockTime delay = frames[0].time - should_be[0].time;
  for (size_t i = 0; i < frames.size(); ++i)
    EXPECT_EQ(frames[i].time, should_be[i].time + delay) << "frame " << i;
}

TEST_P(EncodedMosaic, EndsWithNoFrameAtAll) {
  const GstVideoInfo info = video_info(GST_VIDEO_FORMAT_NV12, kWidth, kHeight);
  Pipeline pipeline("appsrc name=in ! " + kUpload + mosaic("") +
                    "nvh264enc ! h264parse ! fakesink");
  ASSERT_TRUE(pipeline.play());
  pipeline.end_stream();
  pipeline.wait_for_end();  // h264parse may post an error, because it saw no picture
  EXPECT_TRUE(pipeline.stop());
  EXPECT_EQ(run(kUpload + mosaic("") + "nvh264enc qp-const=0" + kDecode, info, 1).size(), 1u);
}

/// The frames after a flushing seek.
std::vector<Frame> frames_after_seek(const std::string& after) {
  const GstVideoInfo info = video_info(GST_VIDEO_FORMAT_NV12, kWidth, kHeight);
  Pipeline pipeline("appsrc name=in ! " + after);
  EXPECT_TRUE(pipeline.play());
  for (int i = 0; i < 5; ++i) pipeline.push(info, i);
  // nvh264enc of GStreamer 1.22 accesses the frame of a picture even if a flush has dropped it.
  EXPECT_TRUE(pipeline.wait_until_passed(5));
  EXPECT_TRUE(pipeline.seek());
  for (int i = 0; i < 7; ++i) pipeline.push(info, i);
  pipeline.end_stream();
  return frames_of(pipeline);
}

TEST_P(EncodedMosaic, GoesOnAfterAFlushingSeek) {
  const auto should_be =
      frames_after_seek(mosaic("device=cpu") + "identity name=passed ! appsink name=out");
  ASSERT_EQ(should_be.size(), 7u);
  // nvh264enc does not begin with an IDR frame after a seek, which the decoder needs.
  for (const char* encoder :
       {"nvh264enc qp-const=0 gop-size=1", "nvcudah264enc rate-control=cqp qp-i=0 qp-p=0 qp-b=0"})
    expect_same(
        frames_after_seek(kUpload + mosaic("") + encoder + " ! identity name=passed" + kDecode),
        should_be);
}

/// Frames of three sizes. A smaller one is encoded by the same session, a larger one by a new one.
std::vector<Frame> change_size(const std::string& after) {
  Pipeline pipeline("appsrc name=in ! " + after);
  EXPECT_TRUE(pipeline.play());
  int number = 0;
  for (const int height : {kHeight, kHeight - 16, kHeight + 64})
    for (int i = 0; i < 6; ++i)
      pipeline.push(video_info(GST_VIDEO_FORMAT_NV12, kWidth, height), number++);
  pipeline.end_stream();
  return frames_of(pipeline);
}

TEST_P(EncodedMosaic, GoesOnInAnotherSize) {
  const auto should_be = change_size(mosaic("device=cpu") + "appsink name=out");
  ASSERT_EQ(should_be.size(), 18u);
  for (const char* encoder :
       {kPlain.encoder, "nvcudah264enc rate-control=cqp qp-i=0 qp-p=0 qp-b=0"})
    expect_same(change_size(kUpload + mosaic("") + encoder + kDecode), should_be);
}

INSTANTIATE_TEST_SUITE_P(, EncodedMosaic, testing::ValuesIn(modes()), [](const auto& info) {
  return std::string(info.param ? "Deferred" : "Eager");
});

}  // namespace
}  // namespace emulated_gpu
