// SPDX-License-Identifier: LGPL-2.1-or-later
// Videos of a few kilobytes that ask for frames of any size.
#include <cstring>
#include <fstream>

#include "gst/photos/frame_reducer.h"
#include "gst/photos/video_photos.h"
#include "gst/photos/video_reader.h"
#include "mosaic/base/error.h"
#include "tests/gst/harness.h"

namespace {

using namespace element_test;

using mosaic_gst::Sample;

Sample make_sample(const Buffer& buffer, const Caps& caps) {
  return Sample(gst_sample_new(buffer.get(), caps.get(), nullptr, nullptr));
}

constexpr char kTheora[] = "theoraenc ! oggmux";  // keeps the pixel aspect ratio

class FrameLimits : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_VIDEO(); }

  std::unique_ptr<mosaic::PhotoSource> open(const std::string& path) {
    return mosaic_gst::open_video_photos("file://" + path, {}, 64, cancelled_, [](int, int) {});
  }

  /// Expects an error that names the file and `what`, before or while it is read.
  void expect_refused(const std::string& path, const std::string& what) {
    try {
      open(path)->decode(0);
      ADD_FAILURE() << "it was read";
    } catch (const mosaic::Error& error) {
      EXPECT_EQ(error.kind(), mosaic::Error::Kind::kRead);
      EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
      EXPECT_NE(error.hint(), "");
    }
  }

  /// A video of two frames. @param coding encoder and muxer
  std::string make_video(const std::string& caps, const std::string& coding) {
    std::string path = folder_.path("video");
    EXPECT_EQ(run_pipeline("videotestsrc num-buffers=2 ! video/x-raw,format=I420,framerate=25/1," +
                           caps + " ! " + coding + " ! filesink location=\"" + path + "\""),
              "");
    return path;
  }

  std::atomic<bool> cancelled_ = false;
  TempFolder folder_;
};

/// Whether videos that keep the pixel aspect ratio can be written and read.
bool can_use_theora() {
  return have_elements({"theoraenc", "oggmux", "oggdemux", "theoradec"});
}

TEST_F(FrameLimits, ExtremePixelAspectRatiosAreRefused) {
  if (!can_use_theora()) GTEST_SKIP() << "this GStreamer has no Theora in Ogg";
  for (const auto& [ratio, displayed] :
       {std::pair{"30000/1", "1920000x48"}, {"1000000/1", "64000000x48"}}) {
    const std::string path =
        make_video(std::string("width=64,height=48,pixel-aspect-ratio=") + ratio, kTheora);
    expect_refused(path, std::string("ratio of ") + ratio);
    expect_refused(path, displayed);
  }
}

TEST_F(FrameLimits, UsualPixelAspectRatiosAreNot) {
  if (!can_use_theora()) GTEST_SKIP() << "this GStreamer has no Theora in Ogg";
  const std::string path = make_video("width=48,height=64,pixel-aspect-ratio=64/33", kTheora);
  const mosaic::Photo photo = open(path)->decode(0);
  EXPECT_EQ(photo.width, 64);
  EXPECT_EQ(photo.height, 64);
}

// The container declares 64x48, the data of the frames 16384x16384 (jpegenc's SOF0 segment).
TEST_F(FrameLimits, DecodersDoNotAllocateFramesThatAreTooLarge) {
  const std::string path = make_video("width=64,height=48", "jpegenc ! avimux");
  std::ifstream in(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  const std::string segment("\xff\xc0\x00\x11\x08\x00\x30\x00\x40", 9);
  size_t found = 0;
  for (size_t at = 0; (at = bytes.find(segment, at)) != bytes.npos; ++found)
    std::memcpy(&bytes[at + 5], "\x40\x00\x40\x00", 4);
  ASSERT_EQ(found, 2U);
  std::ofstream(path, std::ios::binary) << bytes;
  expect_refused(path, "16384x16384");
}

TEST(FrameReducer, ConvertsInterlacedFrames) {
  const auto photo_of = [](const std::string& mode) {
    mosaic_gst::FrameReducer reducer({}, 512, "video");
    const Caps caps = video_caps("Y444", 64, 48, "interlace-mode=" + mode);
    return reducer.reduce(make_sample(make_frame(video_info("Y444", 64, 48)), caps).get());
  };
  EXPECT_EQ(photo_of("mixed").rgb, photo_of("progressive").rgb);
}

/// A frame of 70x33 keeps `width` x `height` pixels, from x and y on.
void keeps_the_middle(mosaic::Shape shape, int width, int height, int left, int top) {
  const GstVideoInfo info = video_info("RGB", 70, 33);
  const Buffer frame = make_frame(info);
  mosaic_gst::FrameReducer reducer(shape, 64, "video");
  const mosaic::Photo photo = reducer.reduce(make_sample(frame, video_caps("RGB", 70, 33)).get());
  ASSERT_EQ(photo.width, width);
  ASSERT_EQ(photo.height, height);
  Mapped mapped(info, frame);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < 3; ++c)
        ASSERT_EQ(photo.rgb[(y * width + x) * 3 + c], mapped.at(c, x + left, y + top))
            << x << ", " << y;
}

TEST(FrameReducer, KeepsThePartInTheMiddle) {
  keeps_the_middle({1, 1}, 33, 33, 18, 0);
  keeps_the_middle({3, 2}, 50, 33, 10, 0);
  keeps_the_middle({2, 3}, 22, 33, 24, 0);
  keeps_the_middle({4, 1}, 70, 18, 0, 7);
}

TEST(FrameReducer, FailuresAreErrors) {
  const GstVideoInfo small = video_info("I420", 16, 16);
  const Caps large = video_caps("I420", 64, 48);
  const auto fails = [](const Sample& sample) {
    mosaic_gst::FrameReducer reducer({}, 64, "holiday.mp4");
    try {
      reducer.reduce(sample.get());
    } catch (const mosaic::Error& error) {
      return error.kind() == mosaic::Error::Kind::kRead &&
             std::string(error.what()).find("holiday.mp4") != std::string::npos;
    }
    return false;
  };
  EXPECT_TRUE(fails(make_sample(make_frame(small), large))) << "a buffer that is too small";
  EXPECT_TRUE(fails(Sample(gst_sample_new(nullptr, large.get(), nullptr, nullptr)))) << "none";
  EXPECT_TRUE(fails(Sample(gst_sample_new(make_frame(small).get(), nullptr, nullptr, nullptr))));
  EXPECT_TRUE(fails(make_sample(make_frame(small), video_caps("I420", 20000, 16))));
  EXPECT_TRUE(fails(make_sample(make_frame(small), video_caps("I420", 16, 20000))));
  EXPECT_TRUE(fails(make_sample(make_frame(small), video_caps("I420", 16384, 8192))));
  EXPECT_TRUE(fails(make_sample(make_frame(small),
                                video_caps("I420", 16, 16, "pixel-aspect-ratio=2147483647/1"))));
}

}  // namespace
