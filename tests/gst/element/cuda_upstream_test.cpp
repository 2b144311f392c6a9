// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// require-hardware with a decoder that hands out CUDA memory.
#include "tests/gst/cuda_frames.h"
#include "tests/gst/test_decoders.h"

namespace {

using namespace element_test;

class HardwareDecoder : public testing::Test {
 protected:
  void SetUp() override {
    register_decoders({[] { return cuda_caps("NV12", 160, 120); },
                       [this](const GstVideoInfo& info, int number) {
                         return cuda.upload(video_info("NV12", 160, 120), make_frame(info, number));
                       }});
  }
  Cuda cuda;
};

TEST_F(HardwareDecoder, IsAccepted) {
  const DecodedRun run = run_decoded(
      "fakesrc num-buffers=3 ! testhwdecoder ! queue ! mosaictemporal require-hardware=true name=m "
      "! fakesink");
  expect_decoded_by(run, "testhwdecoder");
  EXPECT_EQ(run.frames, 3U);
}

TEST_F(HardwareDecoder, IsRejectedIfItsFramesAreDownloaded) {
  expect_refused(run_decoded("fakesrc num-buffers=3 ! testhwdecoder ! cudadownload ! video/x-raw ! "
                             "mosaictemporal require-hardware=true name=m ! fakesink"),
                 "do not arrive in CUDA memory");
}

TEST_F(HardwareDecoder, CannotBeASoftwareDecoderWithUpload) {
  expect_refused(run_decoded("fakesrc num-buffers=3 ! testdecoder ! cudaupload ! mosaictemporal "
                             "require-hardware=true name=m ! fakesink"),
                 "testdecoder does not decode in hardware");
}

}  // namespace
