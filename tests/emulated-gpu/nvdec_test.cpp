// SPDX-License-Identifier: LGPL-2.1-or-later
// GStreamer's decoders for NVIDIA GPUs, unchanged, on the emulated decoder: pictures are those of
// libavcodec's decoder, and mosaics of pictures that stay in CUDA memory are those of the CPU.
#include <algorithm>
#include <map>

#include "tests/emulated-gpu/decoded_clips.h"
#include "tests/emulated-gpu/driver_functions.h"
#include "tests/sampling.h"

namespace emulated_gpu {
namespace {

const std::string kOnGpu = " ! video/x-raw(memory:CUDAMemory)";
const std::string kDownload = " ! cudadownload ! video/x-raw";
const std::string kMosaic = " ! mosaictemporal name=mosaic size=16 augment=false";
const std::string kNv12 = " ! videoconvert ! video/x-raw,format=NV12";

/// Tools of a codec, as options of its encoder.
const std::map<std::string, std::vector<std::string>> kTools = {
    {"h264",
     {"bframes=0 ref=1 cabac=false dct8x8=false", "bframes=2 ref=16 weightb=true me=umh",
      "bframes=3 option-string=cqm=jvt:slices=3:weightp=2:direct=temporal",
      "bframes=2 interlaced=true", "tune=zerolatency", "intra-refresh=true key-int-max=8"}},
    {"h265",
     {"bframes=0:ref=1:sao=0:deblock=2,-1:wpp=0", "bframes=4:ref=5:weightb=1:keyint=8:open-gop=0",
      "bframes=3:scaling-list=default:slices=2:ctu=16:keyint=8",
      "bframes=2:amp=1:rect=1:rd=3:tskip=1:tu-intra-depth=3:tu-inter-depth=3:max-merge=4:keyint=8",
      "bframes=3:temporal-layers=1:temporal-mvp=0:strong-intra-smoothing=0:constrained-intra=1",
      "lossless=1", "bframes=0:intra-refresh=1:keyint=8:cbqpoffs=3:crqpoffs=-4"}}};

/// An element, by codec: the one with a parser of the decoder's library, where GStreamer has it, or
/// the one that parses itself.
class Nvdec : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (const std::string missing = missing_elements(codec()); !missing.empty())
      GTEST_SKIP() << missing;
    if (!has_element(GetParam())) GTEST_SKIP() << "GStreamer has no " << GetParam();
    abort_on_mistake(true);
    before_ = counts();
  }
  void TearDown() override {
    const EmulatedGpuCounts now = counts();
    EXPECT_EQ(now.contexts, before_.contexts);
    EXPECT_EQ(now.device_blocks, before_.device_blocks);
    EXPECT_EQ(now.streams, before_.streams);
    EXPECT_EQ(now.events, before_.events);
    EXPECT_EQ(now.pending, 0u);
    EXPECT_EQ(now.abandoned, before_.abandoned);
  }

  static std::string decoder() { return GetParam(); }
  static std::string codec() {
    return decoder().find("h265") != std::string::npos ? "h265" : "h264";
  }
  static std::string software() { return "avdec_" + codec(); }
  static Clip clip() {
    Clip clip;
    clip.codec = codec();
    return clip;
  }

  void expect_equal_pictures(const std::string& file) {
    const auto wanted = play(decode(file, software()));
    ASSERT_FALSE(wanted.empty());
    expect_equal(wanted, play(decode(file, decoder() + kOnGpu + kDownload)));
    expect_equal(wanted, play(decode(file, decoder() + " ! video/x-raw")));
  }

  /// Calls check(mosaic, wanted) in both modes of the emulated GPU, without and with lookahead; a
  /// sample has each of these, but not all pairs.
  /// @param check  gets the element's description and the CPU's mosaic of the clip
  template <class Check>
  void for_each_mosaic(const std::string& file, const Check& check) {
    const std::vector<std::pair<bool, const char*>> pairs = {
        {false, "0"}, {false, "12"}, {true, "0"}, {true, "12"}};
    for (const auto& [deferred, lookahead] : sampling::sample(pairs, 3)) {
      SCOPED_TRACE(std::string(deferred ? "deferred, " : "eager, ") + lookahead);
      ASSERT_TRUE(set_deferred(deferred));
      const std::string mosaic = kMosaic + " flow=block lookahead=" + lookahead;
      check(mosaic, play(decode(file, software() + kNv12 + mosaic + " device=cpu")));
    }
    ASSERT_TRUE(set_deferred(false));
  }

  Clips clips_;
  EmulatedGpuCounts before_{};
};

TEST_P(Nvdec, DecodesBFramesAndSeveralReferences) {
  expect_equal_pictures(clips_.make(clip()));
}

TEST_P(Nvdec, DecodesOtherSizesAndTools) {
  Clip other = clip();
  other.width = 178;
  other.height = 146;
  other.frames = 20;
  for (const std::string& tools : sampling::sample(kTools.at(codec()), 2)) {
    SCOPED_TRACE(tools);
    other.encoder = tools;
    expect_equal_pictures(clips_.make(other));
  }
}

TEST_P(Nvdec, ChangesItsSizeWithinAStream) {
  Clip other = clip();
  other.width = 208;
  other.height = 160;
  const std::string first = clips_.make(clip(), true);
  const std::string whole = clips_.join({first, clips_.make(other, true), first});
  const auto wanted = play(decode(whole, software()));
  const auto got = play(decode(whole, decoder() + kOnGpu + kDownload));
  ASSERT_EQ(wanted.size(), 3u * 40);
  if (got.size() == wanted.size()) {
    expect_equal(wanted, got);
    return;
  }
  // At new caps, GStreamer's element with a parser destroys it with the pictures that wait in it
  // for their turn, and then gives their times to others.
  EXPECT_EQ(decoder(), "nv" + codec() + "dec");
  EXPECT_GE(got.size(), wanted.size() - 2 * 16);
  auto next = wanted.begin();
  for (std::size_t i = 0; i < got.size(); ++i, ++next) {
    next = std::find_if(next, wanted.end(), [&](const Picture& picture) {
      return picture.width == got[i].width && picture.bytes == got[i].bytes;
    });
    ASSERT_NE(next, wanted.end()) << "another picture, number " << i;
  }
}

TEST_P(Nvdec, ShowsTheRightPicturesAfterSeeks) {
  const std::string file = clips_.make(clip());
  const auto all = play(decode(file, software()));
  Player player(decode(file, decoder() + kOnGpu + kDownload));
  EXPECT_EQ(player.take(5).size(), 5u);
  for (const int frame : {21, 3, 38, 16, 0}) {
    SCOPED_TRACE(frame);
    const GstClockTime from = all[static_cast<std::size_t>(frame)].pts;
    player.seek(from - all.front().pts);
    // Half of the times the next seek comes in the middle, otherwise after the end.
    const std::size_t count = frame % 2 ? all.size() : 6;
    const auto got = player.take(count);
    const auto first = all.begin() + frame;
    const auto left = static_cast<std::size_t>(all.end() - first);
    expect_equal({first, first + static_cast<std::ptrdiff_t>(std::min(count, left))}, got);
  }
  EXPECT_TRUE(player.stop());
  EXPECT_TRUE(player.errors.empty());
}

TEST_P(Nvdec, GivesTheMosaicOfTheCpu) {
  Clip short_clip = clip();
  short_clip.frames = 24;
  const std::string file = clips_.make(short_clip);
  for_each_mosaic(file, [&](const std::string& mosaic, const std::vector<Picture>& wanted) {
    EXPECT_EQ(wanted.size(), 24u);
    EXPECT_FALSE(wanted == play(decode(file, software() + kNv12))) << "no mosaic";
    const std::uint64_t launches = counts().launches;
    expect_equal(wanted, play(decode(file, decoder() + kOnGpu + mosaic + kOnGpu + kDownload)));
    EXPECT_GT(counts().launches, launches);
  });
}

/// Since GStreamer 1.24 the decoder may pass on its own surfaces, of which there are fewer than the
/// element keeps frames. It waits for one to be returned, and a pipeline that kept them would
/// stall.
TEST_P(Nvdec, PassesOnItsOwnSurfaces) {
  if (!has_property(decoder(), "num-output-surfaces")) GTEST_SKIP() << "it always copies";
  const std::string file = clips_.make(clip());
  for_each_mosaic(file, [&](const std::string& mosaic, const std::vector<Picture>& wanted) {
    for (const char* surfaces : {"0", "3"})
      expect_equal(wanted, play(decode(file, decoder() + " num-output-surfaces=" + surfaces +
                                                 kOnGpu + mosaic + kOnGpu + kDownload)));
  });
}

TEST_P(Nvdec, LeavesPicturesOnTheGpu) {
  const std::string file = clips_.make(clip());
  const auto bytes_uploaded = [&](const std::string& way) {
    const std::uint64_t before = counts().uploads;
    EXPECT_EQ(play(decode(file, way + kOnGpu + kMosaic + kDownload)).size(), 40u);
    return counts().uploads - before;
  };
  const std::uint64_t pictures = 40 * (320 * 180 * 3 / 2);
  EXPECT_EQ(bytes_uploaded(decoder()) + pictures,
            bytes_uploaded(software() + kNv12 + " ! cudaupload"));
}

TEST_P(Nvdec, IsTheHardwareThatIsRequired) {
  const std::string file = clips_.make(clip()), mosaic =
                                                    " ! mosaictemporal name=mosaic size=16 "
                                                    "augment=false require-hardware=true";
  EXPECT_EQ(play(decode(file, decoder() + kOnGpu + mosaic + kDownload)).size(), 40u);
  for (const std::string& wrong :
       {software() + kNv12 + " ! cudaupload" + kOnGpu, decoder() + kOnGpu + kDownload}) {
    Player player(decode(file, wrong + mosaic));
    EXPECT_TRUE(player.take().empty()) << wrong;
    EXPECT_TRUE(player.stop());
    ASSERT_FALSE(player.errors.empty()) << wrong;
    EXPECT_EQ(player.errors.front().from, "mosaic");
    EXPECT_NE(player.errors.front().text.find("require-hardware"), std::string::npos)
        << player.errors.front().text;
  }
}

/// What comes out of the element if, after 8 pictures, what follows the decoder wants them in
/// system memory.
struct Fallback {
  int on_gpu = 0, in_system_memory = 0;
  std::vector<Error> errors;  ///< of the element
};
Fallback fall_back(const std::string& before, const std::string& mosaic) {
  Player player(before + " ! capsfilter name=memory caps=video/x-raw(memory:CUDAMemory)" + mosaic);
  Fallback result;
  // After an error too, until the end of the stream, which may bring more.
  for (int wait = 0; wait < 600 && !player.ended; ++wait) {
    GstVideoInfo info;
    const Buffer buffer = player.take_buffer(&info);
    if (!buffer) continue;
    const bool on_gpu =
        gst_memory_is_type(gst_buffer_peek_memory(buffer.get(), 0), "gst.cuda.memory");
    ++(on_gpu ? result.on_gpu : result.in_system_memory);
    if (result.on_gpu == 8) player.set_caps("memory", "video/x-raw");
  }
  EXPECT_TRUE(player.ended);
  EXPECT_TRUE(player.stop());
  for (const Error& error : player.errors)
    if (error.from == "mosaic") result.errors.push_back(error);
  return result;
}

TEST_P(Nvdec, IsNotTheRequiredHardwareOnceItsPicturesAreInSystemMemory) {
  const std::string before = decode(clips_.make(clip()), decoder());
  for (const char* lookahead : {"0", "6"}) {
    SCOPED_TRACE(std::string("lookahead ") + lookahead);
    const std::string mosaic = kMosaic + " lookahead=" + lookahead;
    const Fallback allowed = fall_back(before, mosaic);
    EXPECT_EQ(allowed.on_gpu + allowed.in_system_memory, 40);
    EXPECT_GT(allowed.in_system_memory, 0) << "the decoder did not fall back";
    EXPECT_TRUE(allowed.errors.empty());

    const Fallback refused = fall_back(before, mosaic + " require-hardware=true");
    EXPECT_GE(refused.on_gpu, 8);
    EXPECT_EQ(refused.in_system_memory, 0);
    ASSERT_EQ(refused.errors.size(), 1u);
    EXPECT_EQ(refused.errors[0].text.find("require-hardware: " + decoder() +
                                          "'s frames do not arrive in CUDA memory (use a decoder"),
              0u)
        << refused.errors[0].text;
  }
}

TEST_P(Nvdec, LeavesPicturesAloneThatAreHeld) {
  const std::string file = clips_.make(clip());
  const auto wanted = play(decode(file, software()));
  std::vector<std::pair<Buffer, GstVideoInfo>> held;
  Player player(decode(file, decoder() + kOnGpu));
  GstVideoInfo info;
  while (Buffer buffer = player.take_buffer(&info)) held.emplace_back(std::move(buffer), info);
  std::vector<Picture> got;
  for (const auto& [buffer, format] : held)
    got.push_back(
        {GST_BUFFER_PTS(buffer.get()), format.width, format.height, visible_bytes(format, buffer)});
  expect_equal(wanted, got);
  held.clear();
}

/// A sample has each codec, and each of the two kinds of element.
const std::vector<const char*> kDecoders = {"nvh264dec", "nvh264sldec", "nvh265dec", "nvh265sldec"};
INSTANTIATE_TEST_SUITE_P(, Nvdec, testing::ValuesIn(sampling::sample(kDecoders, 3)),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace emulated_gpu
