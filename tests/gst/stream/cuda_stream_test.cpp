// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Mosaics as streams, made on a GPU.
#include "tests/gst/stream/stream_files.h"

namespace {

using namespace element_test;

TEST(MosaicStream, IsTheSameFromAGpu) {
  const TempFolder folder;
  for (const char* settings : {"profile-name=plain", "profile-name=plain fidelity=0.5",
                               "profile-name=vivid_b", "profile-name=faithful lookahead=2"}) {
    const std::string look = settings;
    ASSERT_EQ("", write_stream(folder.path("cpu"), 6, look + " device=cpu"));
    ASSERT_EQ("", write_stream(folder.path("gpu"), 6, look + " device=cuda"));
    const std::vector<uint8_t> cpu = read_all(folder.path("cpu"));
    EXPECT_GT(cpu.size(), 500u);
    EXPECT_TRUE(cpu == read_all(folder.path("gpu"))) << look;
  }
}

TEST(MosaicStream, IsTheSameFromFramesInTheMemoryOfAGpu) {
  const TempFolder folder;
  const std::string picture =
      "videotestsrc pattern=ball num-buffers=6 ! video/x-raw,format=NV12,width=160,height=120,"
      "framerate=25/1 ! ";
  const std::string mosaic =
      "mosaictemporal max-solve-time=0 tile-size=16 cache-location=\"\" "
      "profile-name=vivid_b tile-location=" +
      built_in_pack() + " ! application/x-mosaic ! filesink location=";
  ASSERT_EQ("", run(picture + mosaic + folder.path("cpu")));
  ASSERT_EQ("", run(picture + "cudaupload ! " + mosaic + folder.path("gpu")));
  const std::vector<uint8_t> cpu = read_all(folder.path("cpu"));
  EXPECT_GT(cpu.size(), 500u);
  EXPECT_TRUE(cpu == read_all(folder.path("gpu")));
}

}  // namespace
