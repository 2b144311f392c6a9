// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Mosaics as streams, made on a GPU.
#include "tests/gst/stream/stream_files.h"

namespace {

using namespace element_test;

TEST(MosaicStream, IsTheSameFromAGpu) {
  const TempFolder folder;
  for (const char* settings :
       {"profile-name=plain", "profile-name=plain fidelity=0.5", "profile-name=vivid_b",
        "profile-name=faithful lookahead=2", "profile-name=vivid_b tile-aspect-ratio=3:2"}) {
    const std::string look = settings;
    ASSERT_EQ("", write_stream(folder.path("cpu"), 6, look + " device=cpu"));
    ASSERT_EQ("", write_stream(folder.path("gpu"), 6, look + " device=cuda"));
    const std::vector<uint8_t> cpu = read_all(folder.path("cpu"));
    EXPECT_GT(cpu.size(), 300u);
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
  EXPECT_GT(cpu.size(), 300u);
  EXPECT_TRUE(cpu == read_all(folder.path("gpu")));
}

TEST(MosaicRender, DrawsTheSameBytesOnAGpu) {
  const TempFolder folder;
  for (const char* look : {"profile-name=plain", "profile-name=plain fidelity=0.5 temporal-blend=3",
                           "profile-name=vivid_b"}) {
    ASSERT_EQ("", write_stream(folder.path("a.mosaic"), 5, look));
    // Of the last, the whole would be too large to be finished.
    for (const char* crop : {"", "crop-x=0.3 crop-width=0.4 crop-height=0.4",
                             "crop-x=0.3 crop-y=0.6 crop-width=0.025 crop-height=0.025"}) {
      const std::string size = ",width=200,height=150 ! ";
      // Takes off the padding of rows.
      const std::string end = "videoconvert ! video/x-raw,format=I420 ! filesink location=";
      ASSERT_EQ("", run(drawing_of(folder.path("a.mosaic"), crop,
                                   "video/x-raw,format=NV12" + size + end + folder.path("cpu"))));
      ASSERT_EQ("", run(drawing_of(folder.path("a.mosaic"), crop,
                                   "video/x-raw(memory:CUDAMemory),format=NV12" + size +
                                       "cudadownload ! " + end + folder.path("gpu"))));
      const std::vector<uint8_t> cpu = read_all(folder.path("cpu"));
      EXPECT_EQ(5 * size_t{200} * 150 * 3 / 2, cpu.size());
      EXPECT_TRUE(cpu == read_all(folder.path("gpu"))) << look << " " << crop;
    }
  }
}

}  // namespace
